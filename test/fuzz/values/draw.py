# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a program in which handles, tags and buffers go through nested forms on their way from call to call.

A program has a few *lanes*. In each, rank 0 sends one message to rank 1, on a communicator that no other lane has. One
thing on its way goes through a chain of forms, each applied to what the one before it gives: the tag, the
communicator, the request, an address of one of these, or the buffer. Or rank 0 puts in place of that, and the window
does, or its address. So it is known which calls belong together, and
each is on a line of its own that ends with its mark. Or the buffer's address goes to a library, which may give back
what it gets: the line that allocates it has a mark, too, and must stay.
"""

import random
from dataclasses import dataclass, field

import cxx_forms  # noqa: F401
import number_forms  # noqa: F401
import system_forms  # noqa: F401
from c_forms import FORMS

# What the analysis does not see: numbers beside addresses that are known (docs/how-it-works.md).
NOT_SEEN = {"single bytes in a file", "a floating-point number's bits", "a double's bits"}
# What goes through the forms: its kind and type, and two wrong values, one of them a constant. The other is a handle of
# its own where it is one, so that a number beside it is not all that there is.
THINGS = {
    "tag": ("int", "int", "3", "3"),
    "communicator": ("comm", "MPI_Comm", "spare_comm", "MPI_COMM_NULL"),
    "request": ("request", "MPI_Request", "spare_request", "MPI_REQUEST_NULL"),
    "place of the request": ("pointer", "request_p", "&spare_request", "&spare_request"),
    "address of the request": ("pointer", "request_p", "&spare_request", "&spare_request"),
    "address of the communicator": ("pointer", "comm_p", "&spare_comm", "&spare_comm"),
    "address of the tag": ("pointer", "int_p", "&spare_tag", "&spare_tag"),
    "buffer": ("pointer", "int_p", "&spare_tag", "&spare_tag"),
    "address at a library": ("pointer", "int_p", "&spare_tag", "&spare_tag"),
    "window": ("request", "MPI_Win", "spare_win", "MPI_WIN_NULL"),
    "place of the window": ("pointer", "win_p", "&spare_win", "&spare_win"),
    "address of the window": ("pointer", "win_p", "&spare_win", "&spare_win"),
}
# There is no such library: only for what is not linked.
NOT_LINKED = {"address at a library"}


@dataclass
class Lane:
    thing: str
    chain: list  # of (form, whether it stands in a function of its own)
    sends: bool  # the thing is changed at the sending side, else at the receiving one
    tag: int


@dataclass
class Program:
    seed: int
    cxx: bool
    lanes: list
    names: list = field(default_factory=list)  # of the forms
    # As trial.py wants to know them.
    ranks: int = 2
    communicators: tuple = ()
    phases: tuple = ()
    environment: dict = field(default_factory=dict)
    move: str = ""

    def sources(self):
        """{file name: text}"""
        name, text = source(self)
        return {name: text}


def draw(seed, lanes=0, depth=0, only=None, carried=None, linked=False):
    """The program of that seed; with only, the name of a form, this one alone; with carried, this thing; linked: it is
    to be run, too."""
    rng = random.Random(seed)
    cxx = rng.random() < 0.55
    if only:
        cxx = {"c": False, "c++": True}.get(next(f.language for f in FORMS if f.name == only), cxx)
    made = []
    for _ in range(lanes or rng.choice([1, 1, 1, 2, 3])):
        things = [t for t in THINGS if not linked or t not in NOT_LINKED]
        forms = [f for f in FORMS if f.language in ("both", "c++" if cxx else "c") and f.name not in NOT_SEEN]
        if only:
            forms = [f for f in forms if f.name == only]
            things = [t for t in things if any(THINGS[t][0] in f.kinds.split() for f in forms)]
        thing = carried or rng.choice(things)
        fitting = [f for f in forms if THINGS[thing][0] in f.kinds.split()]
        chain = [(rng.choice(fitting), rng.random() < 0.4) for _ in range(depth or rng.choice([1, 2, 2, 3]))]
        made.append(Lane(thing, chain, rng.random() < 0.5, rng.randint(5, 60)))
    names = [f.name for lane in made for f, _ in lane.chain]
    return Program(seed, cxx, made, names)


class Writer:
    def __init__(self, program):
        self.program, self.number = program, 100
        self.top, self.headers = [], {"stdlib.h", "string.h", "stdio.h"}

    def fill(self, text, lane, value):
        _, kind, wrong, constant = THINGS[lane.thing]
        # A name that ends with the number stays one when it is followed by digits.
        return (text.replace("$T", kind).replace("$x", value).replace("$d", wrong).replace("$g", constant)
                .replace("@", str(self.number)))

    def through(self, lane, value):
        """Statements that take value through the forms of lane, and the expression that they give."""
        lines, kind = [], THINGS[lane.thing][1]
        for form, apart in lane.chain:
            self.number += 1
            self.headers |= set(form.headers.split())
            result, name = f"x{self.number}", f"through{self.number}"
            top, body, out = (self.fill(part, lane, "given" if apart else value)
                              for part in (form.top, form.body, form.out))
            if top:
                self.top.append(top)
            if apart:
                self.top.append(f"static {kind} {name}({kind} given) {{ {body}\n  return {out}; }}")
                lines.append(f"{kind} {result} = {name}({value});")
            else:
                lines += [f"{kind} {result};", f"{{ {body}", f"{result} = {out}; }}"]
            value = result
        return lines, value

    def window_lane(self, number, lane):
        place, used, before, after = "&win", "win", [], []
        if lane.thing == "window":
            after, used = self.through(lane, "win")
        elif lane.thing == "place of the window":
            before, place = self.through(lane, "&win")
        else:
            after, given = self.through(lane, "&win")
            used = f"*{given}"
        # MPICH 4.0.2 with UCX 1.13 takes the memory to begin at a multiple of 16.
        return [f"static void lane{number}(int rank, MPI_Comm comm) {{",
                "int in __attribute__((aligned(16))) = 0, out = 40 + rank; MPI_Win win;",
                *before, f"MPI_Win_create(&in, 4, 4, MPI_INFO_NULL, comm, {place}); /*S{number}*/", *after,
                "MPI_Win_fence(0, win);", "if (rank == 0)",
                f"MPI_Put(&out, 1, MPI_INT, 1, 0, 1, MPI_INT, {used}); /*R{number}*/", "MPI_Win_fence(0, win);",
                "MPI_Win_free(&win);", f'if (rank == 1) printf("lane {number}: %d\\n", in);', "}"]

    def lane(self, number, lane):
        if "window" in lane.thing:
            return self.window_lane(number, lane)
        comm, tag, request, buffer = "comm", str(lane.tag), "&request", ["&out", "&in"]
        before, after, wait, end = [], [], "&request", []
        changed = None
        if lane.thing == "tag":
            before, changed = self.through(lane, tag)
        elif lane.thing == "communicator":
            before, changed = self.through(lane, "comm")
        elif lane.thing == "address of the communicator":
            before, given = self.through(lane, "&comm")
            changed = f"*{given}"
        elif lane.thing == "address of the tag":
            before, given = self.through(lane, "&tag")
            before += [f"*{given} = {tag};"]
            changed = "tag"
        elif lane.thing == "request":
            after, given = self.through(lane, "request")
            after.append(f"MPI_Request last = {given};")
            wait = "&last"
        elif lane.thing == "place of the request":
            before, request = self.through(lane, "&request")
        elif lane.thing == "address of the request":
            after, wait = self.through(lane, "&request")
        elif lane.thing == "address at a library":
            end, given = self.through(lane, "room")
            end.append(f"library({given});")
            buffer = ["room", "room"]
        else:
            before, given = self.through(lane, "room")
            buffer = [given, given]
            before += ["room[0] = out;"]
            end = ["in = room[0];", f"free({given});"]
        tags, comms = [tag, tag], [comm, comm]
        if lane.thing in ("tag", "address of the tag"):
            tags[0 if lane.sends else 1] = changed
        elif changed:
            comms[0 if lane.sends else 1] = changed
        return [f"static void lane{number}(int rank, MPI_Comm comm) {{",
                "int in = 0, out = 40 + rank, tag = 3; MPI_Request request = MPI_REQUEST_NULL;",
                f"int *room = (int *)malloc(4000); /*M{number}*/", "room[0] = tag;", *before, "if (rank == 0)",
                f"MPI_Isend({buffer[0]}, 1, MPI_INT, 1, {tags[0]}, {comms[0]}, {request}); /*S{number}*/",
                "if (rank == 1)",
                f"MPI_Irecv({buffer[1]}, 1, MPI_INT, 0, {tags[1]}, {comms[1]}, {request}); /*R{number}*/",
                *after, f"MPI_Wait({wait}, MPI_STATUS_IGNORE); /*W{number}*/", *end,
                f'if (rank == 1) printf("lane {number}: %d\\n", in);', "}"]

    def text(self):
        lanes = [self.lane(n, lane) for n, lane in enumerate(self.program.lanes)]
        main = ["int main(int argc, char **argv) {", "int rank;", "MPI_Init(&argc, &argv);",
                "MPI_Comm_rank(MPI_COMM_WORLD, &rank);", "MPI_Comm_dup(MPI_COMM_SELF, &spare_comm);",
                "MPI_Irecv(&spare_tag, 1, MPI_INT, MPI_PROC_NULL, 0, spare_comm, &spare_request);",
                "MPI_Win_create(&spare_tag, 4, 4, MPI_INFO_NULL, spare_comm, &spare_win);"]
        for n, _ in enumerate(lanes):
            main += [f"MPI_Comm comm{n};", f"MPI_Comm_dup(MPI_COMM_WORLD, &comm{n});", f"lane{n}(rank, comm{n});",
                     f"MPI_Comm_free(&comm{n});"]
        main += ["MPI_Wait(&spare_request, MPI_STATUS_IGNORE);", "MPI_Win_free(&spare_win);",
                 "MPI_Comm_free(&spare_comm);", "MPI_Finalize();", "return 0;", "}"]
        lines = [f"/* Seed {self.program.seed}: {', '.join(self.program.names)}. */"]
        lines += ["#include <mpi.h>", *[f"#include <{name}>" for name in sorted(self.headers)],
                  "typedef MPI_Request *request_p;", "typedef MPI_Comm *comm_p;", "typedef int *int_p;",
                  "typedef MPI_Win *win_p;", "static MPI_Win spare_win;",
                  "static MPI_Request spare_request;", "static MPI_Comm spare_comm;", "static int spare_tag;",
                  "#ifdef __cplusplus", 'extern "C"', "#endif", "void library(void *);",
                  "static int three(void) { volatile int n = 3; return n; }", *self.top,
                  *[line for lane in lanes for line in lane], *main]
        return "\n".join(lines) + "\n"


def source(program):
    """(file name, text) of the program."""
    return "program.cpp" if program.cxx else "program.c", Writer(program).text()

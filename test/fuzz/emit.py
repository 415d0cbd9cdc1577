# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the sources of a planned program: {file name: text}."""

import completions
import forms
import specials
from collectives import write as collectives
from onesided import write as onesided
from phases import PhaseWriter

_RECEIVING = "void *buffer, long count, MPI_Datatype type, int peer, int tag, MPI_Comm comm"
_SENDING = "const void *buffer, long count, MPI_Datatype type, int peer, int tag, MPI_Comm comm"
_SIX = "buffer, (int)count, type, peer, tag, comm"
# What a condition may choose in place of the first, since no more is asked of it.
CHOSEN = {"Ssend": "Send", "Issend": "Isend", "Ssend_init": "Send_init"}


class Calls:
    """How one phase writes its calls; what that needs elsewhere is added to the program's parts."""

    def __init__(self, parts, phase, program):
        self.parts, self.phase, self.program = parts, phase, program

    def carrier(self, number):
        return carrier(self.program, number)

    def call(self, function, arguments):
        """A statement that calls MPI_<function>, with the six arguments that all have and perhaps one more."""
        style, text = self.phase.call, ", ".join(arguments)
        if style == "checked":
            return f"CHECK(MPI_{function}({text}));"
        if style == "pasted":
            return f"PASTED({function}, {text});"
        if style == "macro":
            self.parts.macro(function)
            return f"DO_{function.upper()}({text});"
        if style in ("wrapper", "elsewhere", "template"):
            name = self.parts.wrapper(style, function, len(arguments))
            return f"{name}({text});"
        if style == "lambda" and len(arguments) == 7 and function != "Recv":
            first = ", ".join(arguments[:-1])
            body = f"[&](MPI_Request *made) {{ MPI_{function}({first}, made); }}"
            return f"{{ auto post = {body}; post({arguments[-1]}); }}"
        if style == "lambda":
            return f"[&] {{ MPI_{function}({text}); }}();"
        if style == "large_count" and not function.endswith("_init"):
            return f"MPI_{function}_c({', '.join([arguments[0], f'(MPI_Count)({arguments[1]})', *arguments[2:]])});"
        if function in CHOSEN and self.phase.seed % 2:
            return f"({arguments[3]} % 2 ? MPI_{function} : MPI_{CHOSEN[function]})({text});"
        return f"MPI_{function}({text});"

    def completer(self, kind, ignore, elsewhere):
        return self.parts.completer(kind, ignore, elsewhere)


def carrier(program, number):
    """The expression by which phases reach a communicator."""
    communicator = program.communicators[number]
    if communicator.kind == "world":
        return "MPI_COMM_WORLD"
    return {"global": f"comm_{number}", "member": f"world.comm_{number}", "array": f"all_comms[{number}]",
            "local": f"local_{number}"}[communicator.carrier]


class Parts:
    """What phases share: wrappers, macros and completing functions, made when first wanted."""

    def __init__(self, program):
        self.program = program
        self.header, self.elsewhere, self.made = [], [], set()

    def macro(self, function):
        if ("macro", function) in self.made:
            return
        self.made.add(("macro", function))
        names = "b, n, t, p, g, c" + ("" if function in ("Send", "Ssend", "Rsend", "Bsend") else ", r")
        self.header.append(f"#define DO_{function.upper()}({names}) MPI_{function}({names})")

    def wrapper(self, style, function, arguments):
        name = f"{style}_{function}"
        if name in self.made:
            return name
        self.made.add(name)
        receiving = "recv" in function.lower()
        parameters, passed = (_RECEIVING if receiving else _SENDING), _SIX
        if arguments == 7:
            last = "MPI_Status *status" if function == "Recv" else "MPI_Request *request"
            parameters, passed = f"{parameters}, {last}", f"{passed}, {last.split('*')[1]}"
        body = f"{{\nreturn MPI_{function}({passed});\n}}"
        if style == "wrapper":
            self.header.append(f"static inline int {name}({parameters}) {body}")
        elif style == "template":
            generic = parameters.replace("void *buffer", "T *buffer")
            self.header.append(f"#ifdef __cplusplus\ntemplate <class T> inline int {name}({generic}) {body}\n#endif")
        else:
            self.header.append(_prototypes([f"int {name}({parameters});"]))
            self.elsewhere.append(f"int {name}({parameters}) {body}")
        return name

    def completer(self, kind, ignore, elsewhere):
        name = f"complete_{kind}{'_ignoring' if ignore else ''}{'_elsewhere' if elsewhere else ''}"
        if name not in self.made:
            self.made.add(name)
            head = f"void {name}(int n, MPI_Request *a, MPI_Status *s)"
            text = f"{head} {{\n(void)s;\n{completions.body(kind, ignore)}\n}}"
            if elsewhere:
                self.header.append(_prototypes([head + ";"]))
                self.elsewhere.append(text)
            else:
                self.header.append("static inline " + text)
        return name


def _prototypes(lines):
    """Declarations that C and C++ files share."""
    return "\n".join(["#ifdef __cplusplus", 'extern "C" {', "#endif", *lines, "#ifdef __cplusplus", "}", "#endif"])


def _make_communicator(program, number):
    """Statements that make a communicator."""
    c = program.communicators[number]
    it, parent, n = carrier(program, number), carrier(program, c.parent), c.numbers
    if c.kind == "dup":
        return [f"MPI_Comm_dup({parent}, &{it});"]
    if c.kind == "idup":
        return [f"{{ MPI_Request made; MPI_Comm_idup({parent}, &{it}, &made); MPI_Wait(&made, MPI_STATUS_IGNORE); }}"]
    if c.kind == "dup_with_info":
        return [f"MPI_Comm_dup_with_info({parent}, MPI_INFO_NULL, &{it});"]
    if c.kind == "split":
        return [f"MPI_Comm_split({parent}, rank % {n['colours']}, {n['sign']} * rank, &{it});"]
    if c.kind == "split_some":
        return [f"MPI_Comm_split({parent}, rank % 2 == {n['odd']} && rank ? MPI_UNDEFINED : 3, rank, &{it});"]
    if c.kind == "split_type":
        return [f"MPI_Comm_split_type({parent}, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &{it});"]
    if c.kind == "create":
        return [f"{{ MPI_Group group; MPI_Comm_group({parent}, &group); MPI_Comm_create({parent}, group, &{it}); "
                "MPI_Group_free(&group); }"]
    if c.kind == "create_group":
        return [f"{{ MPI_Group group; MPI_Comm_group({parent}, &group); MPI_Comm_create_group({parent}, group, 5, "
                f"&{it}); MPI_Group_free(&group); }}"]
    if c.kind == "dist_graph":
        return [f"{{ int before = (rank + size - 1) % size, after = (rank + 1) % size; "
                f"MPI_Dist_graph_create_adjacent({parent}, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, "
                f"MPI_INFO_NULL, 0, &{it}); }}"]
    extents, periods = (", ".join(map(str, n[word])) for word in ("extents", "periods"))
    lines = ["{", f"int extents[] = {{{extents}}}, periods[] = {{{periods}}};"]
    count = len(n["extents"])
    if c.kind == "cart":
        lines.append(f"MPI_Cart_create({parent}, {count}, extents, periods, {n['reorder']}, &{it});")
    else:
        lines += [f"int keep[] = {{{', '.join(map(str, n['keep']))}}};", "MPI_Comm grid;",
                  f"MPI_Cart_create({parent}, {count}, extents, periods, {n['reorder']}, &grid);",
                  f"{it} = MPI_COMM_NULL;", "if (grid != MPI_COMM_NULL) {", f"MPI_Cart_sub(grid, keep, &{it});",
                  "MPI_Comm_free(&grid);", "}"]
    return lines + ["}"]


def _argument(program, phase):
    it = carrier(program, phase.communicator)
    if program.communicators[phase.communicator].kind == "world" and phase.communicator_by == "pointer":
        it = "world_handle"
    return {"parameter": it, "pointer": f"&{it}"}.get(phase.communicator_by, "")


def _schedule(program, styles):
    """The statements of main that run the phases, those with a gap around others."""
    lines, waiting = [], []

    def guarded(phase, statements):
        it = carrier(program, phase.communicator)
        lines.extend([f"if ({it} != MPI_COMM_NULL) {{", *statements, "}"])

    def advance(entry):
        phase, own, _, stage = entry
        name, more = f"phase{phase.number}", f"{own}, " if own else ""
        if stage == "send":
            guarded(phase, [f"{name}_send({more}0);"])
            return
        guarded(phase, [f"{name}_finish({more}0);", f"for (step = 1; step < {phase.steps}; step++) {{",
                        *[f"{name}_{part}({more}step);" for part in ("post", "send", "finish")], "}",
                        f"results[{phase.number}] = {name}_result({own});"])

    def tick():
        for entry in list(waiting):
            entry[2] -= 1
            if entry[2] <= 0:
                step(entry)

    def step(entry):
        advance(entry)
        if entry[3] == "send":
            entry[2:] = [entry[0].gap, "finish"]
            if entry[0].gap == 0:
                step(entry)
        else:
            waiting.remove(entry)

    for phase in program.phases:
        name, argument = f"phase{phase.number}", _argument(program, phase)
        if styles[phase.number] == "run":
            guarded(phase, [f"results[{phase.number}] = {name}({argument});"])
            tick()
            continue
        own = f"&state_{phase.number}" if phase.storage == "structure" else ""
        guarded(phase, [f"{name}_set_up({', '.join(filter(None, [own, argument]))});",
                        f"{name}_post({own + ', ' if own else ''}0);"])
        tick()
        entry = [phase, own, phase.gap, "send"]
        waiting.append(entry)
        if phase.gap == 0:
            step(entry)
    while waiting:
        step(waiting[0])
    return lines


def _main(program, styles, arrays):
    lines = ["int main(int argc, char **argv) {", "int rank, size, step;", "MPI_Comm world_handle = MPI_COMM_WORLD;",
             "char *space;", "int space_size;"]
    for number, c in enumerate(program.communicators):
        if c.kind != "world" and c.carrier == "local":
            lines.append(f"MPI_Comm local_{number} = MPI_COMM_NULL;")
    for phase in program.phases:
        if styles[phase.number] == "parts" and phase.storage == "structure":
            lines.append(f"static struct phase{phase.number} state_{phase.number};")
    if program.thread_level:
        lines.append(f"MPI_Init_thread(&argc, &argv, {program.thread_level}, &step);")
    else:
        lines.append("MPI_Init(&argc, &argv);")
    lines += ["MPI_Comm_rank(MPI_COMM_WORLD, &rank);", "MPI_Comm_size(MPI_COMM_WORLD, &size);", "(void)world_handle;",
              "(void)step;", "space = (char *)malloc(16 << 20);", "MPI_Buffer_attach(space, 16 << 20);"]
    made = [n for n, c in enumerate(program.communicators) if c.kind != "world"]
    for number in made:
        lines += _make_communicator(program, number)
    lines += _schedule(program, styles)
    for number in made:
        it = carrier(program, number)
        lines.append(f"if ({it} != MPI_COMM_NULL) MPI_Comm_free(&{it});")
    lines += ["MPI_Buffer_detach(&space, &space_size);", "free(space);",
              f"for (step = 0; step < {arrays}; step++) {{", "char name[20];",
              'snprintf(name, sizeof name, "phase %d", step);', "report(name, results[step]);", "}", "MPI_Finalize();",
              "return 0;", "}"]
    return lines


def indented(text):
    """text with each line moved in by its depth of braces."""
    lines, depth = [], 0
    for line in text.split("\n"):
        line = line.strip()
        closing = len(line) - len(line.lstrip("}"))
        if line.startswith("#"):
            lines.append(line)
            continue
        lines.append("  " * max(0, depth - closing) + line if line else "")
        depth += line.count("{") - line.count("}")
    return "\n".join(lines) + "\n"


def sources(program):
    """{file name: text} of the program."""
    parts = Parts(program)
    suffixes = [".cpp" if program.cxx and not (program.mixed and n % 2) else ".c" for n in range(program.files + 2)]
    bodies = [[] for _ in range(program.files)]
    styles, declarations, hidden = {}, [], []
    for phase in program.phases:
        cxx = suffixes[phase.file] == ".cpp"
        if not cxx:
            _without_cxx(phase)
        if phase.special:
            text, shared, unseen = (collectives.function(phase, cxx) if phase.operations else
                                    onesided.function(phase, program.ranks, cxx) if phase.windows else
                                    specials.function(program, phase, cxx))
            hidden += unseen
            style = "run"
        else:
            text, shared, style = forms.functions(PhaseWriter(program, phase, cxx, Calls(parts, phase, program)))
        styles[phase.number] = style
        declarations += shared
        bodies[phase.file] += [f"/* Phase {phase.number}: {phase.form}. */", *text, ""]

    count = max((phase.number for phase in program.phases), default=0) + 1
    handles = [(n, c.carrier) for n, c in enumerate(program.communicators) if c.kind != "world"]
    members = " ".join(f"MPI_Comm comm_{n};" for n, kind in handles if kind == "member")
    globals_ = [f"MPI_Comm comm_{n}" for n, kind in handles if kind == "global"] + ["MPI_Comm all_comms[8]",
                                                                                   f"hash_t results[{count}]"]
    header = ["#ifndef COMMON_H", "#define COMMON_H", '#include "windows.h"',
              "#ifdef __cplusplus\n#include <array>\n#include <vector>\n#endif",
              "#define CHECK(call) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1); } while (0)",
              "#define PASTED(name, ...) do { if (MPI_##name(__VA_ARGS__) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1); } "
              "while (0)",
              "#define AS_IT_IS(call) call", f"struct world {{ {members} int unused; }};"]
    header.append(_prototypes([f"extern {text};" for text in globals_] + ["extern struct world world;"] + declarations))
    header += parts.header + ["#endif"]
    main = ['#include "common.h"', *[f"{text};" for text in globals_], "struct world world;",
            *_main(program, styles, count)]
    files = {"common.h": header}
    for n, body in enumerate(bodies):
        if body:
            files[f"part{n}{suffixes[n]}"] = ['#include "common.h"', *body]
    if parts.elsewhere:
        files[f"elsewhere{suffixes[-2]}"] = ['#include "common.h"', *parts.elsewhere]
    files[f"main{suffixes[-1]}"] = main
    if hidden:
        files["unseen.c"] = ["#include <mpi.h>", *hidden]
    note = f"/* Seed {program.seed}, {program.ranks} ranks. */"
    return {name: indented("\n".join([note, *lines])) for name, lines in files.items()}


def _without_cxx(phase):
    """A phase in a C file does without what only C++ has."""
    if phase.storage == "class":
        phase.storage = "structure"
    if phase.requests in ("vector", "std_array"):
        phase.requests = "array"
    if phase.call in ("template", "lambda"):
        phase.call = "wrapper"
    for lane in phase.lanes:
        if lane.buffers == "vector":
            lane.buffers = "array"

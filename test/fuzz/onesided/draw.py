# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws phases of one-sided communication, as data (write.py makes C of them).

A phase makes windows, has epochs on them one after the other, and frees them. Each operation has room of its own in
every rank's part of the window: a piece for each origin, or one in which all origins meet, by accumulates whose result
does not depend on their order. Owners read and write their parts only where nobody may access them. So each program is
correct, and what is in the windows and what was fetched is certain, but for what several fetch of one place.
"""

import math
from dataclasses import dataclass, field

import layouts
from collectives.draw import NUMBERS as ALL_NUMBERS

# (C type, bytes, operations); those of users cannot accumulate.
NUMBERS = {name: (c_type, size, [op for op in operations if op != "USER"])
           for name, (c_type, size, operations) in ALL_NUMBERS.items()}
NUMBERS["MPI_2INT"] = ("int", 8, ["MAXLOC", "MINLOC"])
INTEGERS = ["MPI_INT", "MPI_LONG", "MPI_UNSIGNED", "MPI_UINT64_T"]
# What comes to the same in any order.
EXACT = ["SUM", "SUM", "PROD", "MIN", "MAX", "BAND", "BOR", "BXOR"]
WAYS = ["create"] * 4 + ["allocate"] * 4 + ["shared", "dynamic"]
MEMORY = ["malloc", "malloc", "calloc", "inside", "static", "stack", "alloc_mem"]
HOMES = ["local", "local", "member", "member", "array", "pointer", "static"]
CALLS = ["direct"] * 4 + ["two_sites", "checked", "macro", "wrapper", "wrapper", "copy", "lambda", "large_count"]
# Whom an origin accesses: all of them one after the other, the next one, itself, the first one, nobody at the end.
PEERS = ["after", "after", "all", "self", "first", "edge", "nobody"]
FLUSHES = ["", "", "flush", "flush_local", "flush_all", "flush_local_all"]
OPERATIONS = ["put"] * 4 + ["get"] * 3 + ["accumulate"] * 3 + ["get_accumulate"] * 2 + ["fetch_and_op"] * 2 + \
    ["compare_and_swap"]


@dataclass
class Window:
    way: str  # create, allocate, shared, dynamic
    memory: str  # of "create" and "dynamic": whose
    home: str  # of the handle
    unit: int
    uneven: bool  # units and lengths differ by rank
    some: bool  # odd ranks have no memory
    call: str  # of what makes it
    asked: bool  # for its attributes


@dataclass
class Operation:
    """An operation on all targets that peers names; or "increment" and "swap_until", which are several."""

    name: str
    peers: str = "after"
    common: bool = False  # all origins in one place
    form: str = ""  # with a request: "R"
    origin: object = None  # layouts.Layout
    target: object = None
    result: object = None
    origin_count: int = 1
    target_count: int = 1
    result_count: int = 1
    element: str = "MPI_INT"  # of what is combined
    combine: str = ""
    values: str = "small"  # of what is combined
    nothing: bool = False  # odd ranks pass no elements
    call: str = "direct"
    flush: str = ""  # after each
    read_back: bool = False  # after a flush
    overwritten: bool = False  # the origin, as soon as it may be
    free_types: bool = False  # as soon as the operation has started
    hidden: str = ""  # what the tool has to leave alone: "unseen", "value"


@dataclass
class Epoch:
    window: int
    kind: str  # fence, post, lock, lock_all
    groups: str = "all"  # of post: all, ring, star
    locks: str = "each"  # of lock: around each operation, or around all
    exclusive: bool = False
    nocheck: bool = False
    noted: bool = True  # assertions of fences
    tests: bool = False  # MPI_Win_test instead of MPI_Win_wait
    twice: bool = False  # a further fence before the last operation
    rests: bool = False  # a barrier behind it, where it needs none
    message: bool = False  # one around the ring, under way meanwhile
    call: str = "direct"  # of its synchronisation
    operations: list = field(default_factory=list)

    @property
    def passive(self):
        return self.kind in ("lock", "lock_all")


def _bytes(rng, ranks):
    most = [0, rng.randint(1, 64), rng.randint(65, 3000), rng.choice([512, 2048, 4096, 16384]) + rng.randint(-9, 9),
            rng.randint(4097, 40000 // ranks), rng.randint(65000, 200000) // ranks]
    return rng.choices(most, [3, 34, 30, 20, 10, 3])[0]


def _counts(operation, units):
    """So many units of what all the layouts have in common."""
    sides = [side for side in (operation.origin, operation.target, operation.result) if side]
    together = math.lcm(*(side.items for side in sides))
    most = max(side.span * (together // side.items) for side in sides)
    units = units // max(most, 1)
    for name in ("origin", "target", "result"):
        if getattr(operation, name):
            setattr(operation, name + "_count", units * together // getattr(operation, name).items)


def _similar(rng, name, several):
    """Layouts of one basic type, which need not be long."""
    made = [layouts.random_layout(rng, name) for _ in range(several)]
    if any(not side.items for side in made) or math.lcm(*(side.items for side in made)) > 3000:
        return [layouts.basic(name)] * several
    return made


def _move(rng, operation, ranks):
    name = rng.choice(list(layouts.BASICS))
    kind = rng.random()
    if kind < 0.1:
        operation.origin, operation.target = layouts.random_structs(rng)
    elif kind < 0.5:
        operation.origin = operation.target = layouts.basic(name)
    else:
        operation.origin, operation.target = _similar(rng, name, 2)
    # Long ones that a library may leave where they are until they are flushed.
    is_long = operation.name == "put" and rng.random() < 0.08
    _counts(operation, rng.randint(65536, 400000 // ranks) if is_long else _bytes(rng, ranks))


def _combine(rng, operation, ranks):
    fetches = operation.name == "get_accumulate"
    operation.element = rng.choice(INTEGERS if operation.common else list(NUMBERS))
    operation.combine = rng.choice(EXACT if operation.common else
                                   NUMBERS[operation.element][2] + ["REPLACE"] + ["NO_OP"] * fetches)
    operation.values = rng.choice(["small", "small", "real", "any"])
    if operation.element in layouts.BASICS and operation.element != "MPI_UNSIGNED":
        sides = _similar(rng, operation.element, 2 + fetches)
    else:
        size = NUMBERS[operation.element][1]
        sides = [layouts.Layout(operation.element, (), {}, 1, size, size)] * (2 + fetches)
    operation.origin, operation.target = sides[:2]
    operation.result = sides[2] if fetches else None
    _counts(operation, _bytes(rng, ranks))


def _single(rng, operation):
    """An operation of one element."""
    numbers = ["MPI_INT", "MPI_LONG", "MPI_UINT64_T"]
    if operation.name == "fetch_and_op" and not operation.common:
        numbers = [name for name in NUMBERS if name != "MPI_2INT"]
    elif operation.name == "compare_and_swap":
        numbers = numbers + ["MPI_SHORT", "MPI_BYTE"]
    operation.element = rng.choice(numbers)
    operation.combine = "SUM" if operation.common else rng.choice(NUMBERS[operation.element][2] + ["REPLACE", "NO_OP"])
    size = NUMBERS[operation.element][1]
    operation.origin = operation.target = operation.result = layouts.Layout(operation.element, (), {}, 1, size, size)


def _peers(rng, epoch):
    if epoch.kind == "post" and epoch.groups != "all":
        return {"ring": rng.choice(["after", "after", "edge", "nobody"]), "star": rng.choice(["first", "nobody"])}[
            epoch.groups]
    return rng.choice(PEERS)


def _operation(rng, epoch, ranks, refuses):
    name = rng.choice(OPERATIONS)
    if epoch.kind == "lock" and epoch.exclusive and rng.random() < 0.3:
        name = "increment"
    elif epoch.passive and not epoch.exclusive and rng.random() < 0.15:
        name = "swap_until"
    made = Operation(name, _peers(rng, epoch), call=rng.choice(CALLS))
    made.common = name in ("increment", "swap_until") or \
        name in ("accumulate", "get_accumulate", "fetch_and_op") and rng.random() < 0.4
    if made.common and made.peers in ("nobody", "edge"):
        made.peers = "after" if epoch.kind == "post" and epoch.groups == "ring" else "first"
    if epoch.passive:
        made.flush = rng.choice(FLUSHES)
        made.form = "R" if name in ("put", "get", "accumulate", "get_accumulate") and rng.random() < 0.4 else ""
        made.overwritten = bool(made.flush) and name in ("put", "accumulate") and rng.random() < 0.5
        made.read_back = name in ("put", "accumulate") and not made.common and rng.random() < 0.3
    if name in ("put", "get"):
        _move(rng, made, ranks)
    elif name in ("accumulate", "get_accumulate"):
        _combine(rng, made, ranks)
    else:
        _single(rng, made)
    made.nothing = name in ("put", "get", "accumulate") and rng.random() < 0.1
    made.free_types = rng.random() < 0.3
    if refuses and name == "put" and rng.random() < 0.3:
        made.hidden, made.form = rng.choice(["unseen", "value"]), ""
    return made


def _window(rng, cxx, dynamic):
    way = rng.choice([way for way in WAYS if way != "dynamic" or dynamic])
    some = way in ("create", "allocate") and rng.random() < 0.1
    return Window(way, rng.choice(MEMORY + ["vector", "new"] * cxx), rng.choice(HOMES + ["vector"] * cxx),
                  rng.choice([1, 4, 8, 16]), rng.random() < 0.4, some,
                  rng.choice(["direct", "direct", "two_sites", "checked", "wrapper", "large_count"]),
                  rng.random() < 0.3)


def _epoch(rng, windows, ranks, refuses):
    made = Epoch(rng.randrange(len(windows)), rng.choice(["fence", "post", "lock", "lock_all"]))
    made.groups = "all" if windows[made.window].some else rng.choice(["all", "ring", "ring", "star"])
    made.locks, made.exclusive = rng.choice(["each", "each", "all"]), rng.random() < 0.5
    if made.kind == "lock" and made.locks == "all":  # several exclusive ones might wait for one another
        made.exclusive = False
    # MPICH 4.0.2 gives back a lock that MPI_Win_lock was not to take, and grants no later one.
    made.nocheck = made.kind != "lock" and rng.random() < 0.3
    made.noted, made.tests, made.rests = rng.random() < 0.6, rng.random() < 0.5, rng.random() < 0.5
    made.message = made.kind != "lock" and rng.random() < 0.3
    made.call = rng.choice(["direct"] * 4 + ["two_sites", "checked", "macro", "wrapper", "copy"])
    made.operations = [_operation(rng, made, ranks, refuses) for _ in range(rng.choice([1, 1, 2, 3, 4]))]
    made.twice = made.kind == "fence" and len(made.operations) > 1 and rng.random() < 0.4
    return made


def draw(rng, ranks, cxx, refuses):
    """(windows, epochs) of a phase."""
    windows = [_window(rng, cxx, refuses) for _ in range(rng.choice([1, 1, 2, 3]))]
    return windows, [_epoch(rng, windows, ranks, refuses and rng.random() < 0.5)
                     for _ in range(rng.choice([1, 2, 3, 4, 5]))]

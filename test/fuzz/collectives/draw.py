# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws phases of collectives among messages, as data (write.py makes C of them).

All ranks of a phase's communicator start the same operations in the same order, and nonblocking ones and messages are
completed where nobody waits for what comes later. So each program is correct; what reductions of floating-point numbers
come to depends on the MPI library alone, and on how many nodes there are.
"""

import math
from dataclasses import dataclass

import layouts

MOVING = ["bcast"] * 3 + ["gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv"] + \
    ["alltoall", "alltoallv", "alltoallw"] * 2
NEIGHBORS = ["neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
             "neighbor_alltoallw"]
COMBINING = ["allreduce"] * 3 + ["reduce"] * 2 + ["scan", "exscan", "reduce_scatter", "reduce_scatter_block"]
# What cannot be in place.
NEVER_IN_PLACE = {"barrier", "bcast", *NEIGHBORS}
# (C type, bytes, operations)
INTEGERS = ["SUM", "SUM", "PROD", "MIN", "MAX", "BAND", "BOR", "BXOR", "LAND", "LOR", "LXOR"]
NUMBERS = {
    "MPI_INT": ("int", 4, INTEGERS + ["USER"]),
    "MPI_LONG": ("long", 8, INTEGERS),
    "MPI_SHORT": ("short", 2, INTEGERS),
    "MPI_UNSIGNED": ("unsigned", 4, INTEGERS),
    "MPI_UINT64_T": ("uint64_t", 8, INTEGERS),
    "MPI_BYTE": ("unsigned char", 1, ["BAND", "BOR", "BXOR"]),
    "MPI_DOUBLE": ("double", 8, ["SUM", "SUM", "SUM", "PROD", "MIN", "MAX"]),
    "MPI_FLOAT": ("float", 4, ["SUM", "SUM", "PROD", "MIN", "MAX"]),
}
# Communicators that a phase makes for some of its operations.
OWN = ["", "", "dup", "dup", "split", "split_back", "grid", "grid", "grid_2d", "ring", "two_rings"]
CALLS = ["direct"] * 4 + ["two_sites", "two_sites", "checked", "macro", "wrapper", "lambda", "large_count", "chosen"]
# Of what each has to be refused. (Reductions of elements of no type MPICH 5 ends the program for, or does not end.)
REFUSED = {"bcast": ("count", "type", "root"), "gather": ("count", "type", "root"),
           "scatter": ("count", "type", "root"), "reduce": ("root",), "allgather": ("count", "type"),
           "alltoall": ("count", "type")}
# Where one member's count is not what another has for it.
MISMATCHED = ["gatherv", "scatterv", "alltoallv"]


@dataclass
class Operation:
    """A collective; or a "message" around the ring, or "complete", which completes all before it, or "refused", which
    all members call with wrong arguments, or "mismatched", where one count is wrong, or what the tool has to leave
    alone: "unseen", "value"."""

    name: str
    form: str = ""  # blocking: "", nonblocking: "i"
    own: bool = False  # on the communicator that the phase makes
    root: int = 0
    in_place: bool = False
    send: object = None  # layouts.Layout
    receive: object = None
    element: str = "MPI_INT"  # what both consist of, or what is combined
    send_count: int = 1  # of a unit
    receive_count: int = 1
    spread: int = 0  # how unlike one another the parts are, in forms that have counts
    combine: str = ""
    values: str = "small"
    call: str = "direct"
    insignificant: bool = False  # arguments that MPI does not look at are NULL
    free_types: bool = False  # as soon as the operation has started
    refused: str = ""  # what is called
    wrong: str = ""  # which of its arguments: "count", "type" or "root"
    more: int = 0  # elements that one member gives, where counts do not match


def _bytes(rng):
    return rng.choices([0, rng.randint(1, 64), rng.randint(65, 4000), rng.choice([512, 1024, 4096, 16384]) +
                        rng.randint(-9, 9), rng.randint(4097, 40000), rng.randint(65000, 300000)],
                       [4, 30, 30, 16, 10, 3])[0]


def _data(rng, operation):
    """Layouts of both sides, with the same elements."""
    operation.element = name = rng.choice(list(layouts.BASICS))
    # MPICH 4.0.2 gathers structures wrongly from 4 ranks on, or says that they are truncated.
    if rng.random() < 0.08 and not operation.name.endswith("w") and operation.name != "gather":
        send, receive = layouts.random_structs(rng)
    else:
        send = layouts.random_layout(rng, name)
        receive = send if rng.random() < 0.6 else layouts.random_layout(rng, name)
    if not send.items or not receive.items:
        send = receive = layouts.basic(name)
    together = math.lcm(send.items, receive.items)
    if together * max(send.span / send.items, receive.span / receive.items) > 20000:
        send, together = receive, receive.items
    units = _bytes(rng) // (together * max(send.span // send.items, receive.span // receive.items, 1))
    operation.send, operation.receive = send, receive
    operation.send_count, operation.receive_count = (units * together // side.items for side in (send, receive))
    if operation.name.endswith(("v", "w")):
        operation.spread = rng.randint(0, 12)
        if operation.in_place:  # as much to each as from it
            operation.spread = -operation.spread


def _numbers(rng, operation):
    operation.element = rng.choice(list(NUMBERS))
    _, size, operations = NUMBERS[operation.element]
    operation.combine = rng.choice(operations)
    operation.values = rng.choice(["small", "small", "real", "any"])
    operation.send_count = operation.receive_count = rng.choices([1, _bytes(rng) // size], [2, 3])[0]
    operation.spread = rng.randint(0, 12)


def _operation(rng, own):
    on_own = bool(own) and rng.random() < 0.5
    kind = rng.random()
    if on_own and own in ("grid", "grid_2d", "ring", "two_rings") and kind < 0.6:
        name = rng.choice(NEIGHBORS)
    else:
        name = "barrier" if kind < 0.1 else rng.choice(MOVING) if kind < 0.65 else rng.choice(COMBINING)
    made = Operation(name, rng.choice(["", "i"]), on_own, rng.randrange(6), call=rng.choice(CALLS))
    made.in_place = name not in NEVER_IN_PLACE and rng.random() < 0.25
    if made.form == "i" and name == "alltoallw":  # MPICH 4.0.2 takes bytes for items there, and says truncated
        made.in_place = False
    made.insignificant, made.free_types = rng.random() < 0.5, rng.random() < 0.3
    if name in COMBINING:
        _numbers(rng, made)
        if name == "reduce" and made.send_count > 200:  # MPICH 4.0.2 reads from the address MPI_IN_PLACE there
            made.in_place = False
    elif name != "barrier":
        _data(rng, made)
    return made


def _mismatched(rng):
    count, form = rng.choice([4, 100, 20000]), rng.choice(["", "i"])
    # Where too much is given MPICH 4.0.2 and Open MPI 5 say nothing of nonblocking ones, and leave other elements out;
    # and Open MPI waits for ever for a long gather.
    too_much = [] if form or count > 100 else [1, count]
    return Operation("mismatched", form, refused=rng.choice(MISMATCHED), send_count=count,
                     more=rng.choice([-count // 2, *too_much]))


def draw(rng, refuses):
    """(operations, the communicator that the phase makes) of a phase."""
    own = rng.choice(OWN)
    operations = []
    for _ in range(rng.choice([1, 2, 3, 4, 5, 6])):
        operations.append(_operation(rng, own))
        if rng.random() < 0.25:
            operations.append(Operation("message", send_count=rng.choice([1, 100, 1024, 20000])))
        if rng.random() < 0.15:
            operations.append(Operation("complete"))
        if rng.random() < 0.12:
            refused = rng.choice(list(REFUSED))
            operations.append(Operation("refused", rng.choice(["", "i"]), bool(own) and rng.random() < 0.5,
                                        refused=refused, wrong=rng.choice(REFUSED[refused])))
        if rng.random() < 0.05:
            operations.append(_mismatched(rng))
        if refuses and rng.random() < 0.15:
            operations.append(Operation(rng.choice(["unseen", "value"]), own=bool(own) and rng.random() < 0.5))
    return operations, own

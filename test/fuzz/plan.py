# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a random exchange program, as data.

A program is a list of phases, each of which exchanges messages on one communicator. The messages of a phase are its
*lanes*: in a lane every rank sends at most one message and receives at most one, so that a lane is a partial
permutation of the ranks; any exchange is a union of some. What makes each program correct:

- Lanes of a phase have different tags, or all have one tag and are posted in the same order on both sides; a phase of
  which the sends wait for other phases has tags of its own. So it is certain which message a receive gets.
- No blocking operation waits in a circle: see each form in forms.py.
- A lane that receives from any source has a tag that nothing else has, and sends by the same ranks in every step.
- Every receive is long enough, and no receiving datatype overlaps itself.
"""

import random
from dataclasses import dataclass, field

import layouts
from collectives import draw as collectives
from onesided import draw as onesided

COMMUNICATORS = ["world", "dup", "idup", "split", "split", "cart", "cart", "cart_sub", "dup_with_info", "create",
                 "create_group", "dist_graph", "split_type", "split_some"]
FORMS = ["nonblocking"] * 6 + ["irecv_send"] * 3 + ["isend_recv"] * 2 + ["mixed", "sendrecv", "replace", "ordered"] + \
    ["persistent"] * 2
COMPLETIONS = ["waitall", "waitall", "waitall", "wait", "wait_backwards", "waitany", "waitsome", "test", "testall",
               "testany", "testsome", "get_status", "two_parts"]
# Of phases that are written out in specials.py: those that the tool takes, and those that it has to leave alone.
SPECIALS = ["cancel", "free_active", "fan_in", "fan_out", "pipeline", "flood", "communicator_loop", "self_messages",
            "bottom", "null_requests", "growing", "collective_between", "many_tags", "any_source", "any_tag", "probe",
            "iprobe", "wildcards_pending", "behind_a_wildcard", "probe_any", "persistent_wildcard", "sendrecv_any",
            "cancelled_wildcard", "mprobe", "callback", "closures", "comparator", "framework", "algebra"]
REFUSED = ["copied_requests", "function_value", "profiling", "intercommunicator", "unseen_function",
           "isendrecv", "integer_handle", "void_pointer", "synchronous_to_any"]
CALLS = ["direct"] * 5 + ["pasted", "checked", "checked", "wrapper", "wrapper", "elsewhere", "macro", "large_count"]
CALLS_CXX = CALLS + ["template", "template", "lambda", "lambda"]
ENVIRONMENTS = [{"MPISHM_CMA": "0"}, {"MPISHM_CMA": "0", "MPISHM_WINDOW": "512K"}, {"MPISHM_WINDOW": "256K"},
                {"MPISHM_WINDOW": "1M", "MPISHM_EAGER": "64K"}, {"MPISHM_EAGER": "0"}, {"MPISHM_EAGER": "1M"},
                {"MPISHM_EAGER": "64", "MPISHM_CMA": "0"}, {"MPISHM_STAGE": "0"}, {"MPISHM_STAGE": "0"},
                {"MPISHM_LOCK_ALL": "1"}, {"MPISHM_DISABLE": "1"}, {"MPISHM_BUFFERS": "64K"},
                {"MPISHM_BUFFERS": "0", "MPISHM_EAGER": "512"}, {"MPISHM_TRIALS": "1"}, {"MPISHM_TRIALS": "1"},
                {"MPISHM_TRIALS": "1", "MPISHM_CMA": "0"}]


@dataclass
class Lane:
    """One message per rank, at most: to whom, with what tag, and what lies in it."""

    peers: str  # shift, edge, cart, exclusive, table
    distance: int
    table: list
    send: layouts.Layout
    receive: layouts.Layout
    send_count: int
    receive_count: int
    vary: str  # the count is less by one on some ranks or steps: "", rank, step
    tag: int
    mode: str  # of sending: "", s, r, b
    buffers: str  # made, array, static, vector
    wild: bool = False  # received from any source


@dataclass
class Phase:
    number: int
    form: str  # one of FORMS, or the name of a special phase
    special: bool
    communicator: int
    communicator_by: str  # parameter, direct, pointer
    lanes: list
    steps: int
    tags: str  # how tags are written: literal, macro, enum, constant, variable, arithmetic, table
    tag_base: int
    changing_tags: bool
    loop: bool  # lanes in arrays and loops, or written out
    storage: str  # where the variables live: local, static, structure, global, class
    requests: str  # array, two, scattered, vector, std_array, singles
    compact: bool  # peers that are MPI_PROC_NULL get no request at all
    order: list
    order_by_rank: bool
    completion: str
    completion_in: str  # here, function, elsewhere
    ignore_statuses: bool
    between: str  # between posting and completing: "", barrier, allreduce, dawdle
    call: str
    gap: int  # so many phases run before the sends, and again before completion (not for local storage)
    file: int
    seed: int
    operations: list = field(default_factory=list)  # of a phase of collectives (collectives/draw.py), among them
    own: str = ""  # on a communicator of this kind that it makes; "" for none
    windows: list = field(default_factory=list)  # of a one-sided phase (onesided/draw.py)
    epochs: list = field(default_factory=list)  # on these


@dataclass
class Communicator:
    kind: str
    carrier: str  # how phases name it: global, member, local, array
    parent: int
    numbers: dict = field(default_factory=dict)


@dataclass
class Program:
    seed: int
    ranks: int
    cxx: bool
    mixed: bool
    files: int
    thread_level: str
    communicators: list
    phases: list
    environment: dict  # of one more run of the rewritten program; {} for none
    move: str = ""  # which buffers the tool moves; "" as it does by itself


def _bytes(rng):
    """How much to send: more often where the protocol changes."""
    return rng.choices([0, rng.randint(1, 48), rng.randint(44, 52), rng.randint(49, 4096),
                        rng.choice([4096, 16384, 65536]) + rng.randint(-9, 9), rng.randint(4097, 65536),
                        rng.randint(65537, 400000), rng.randint(1 << 20, 3 << 20)],
                       [5, 25, 6, 32, 8, 16, 6, 1])[0]


def _lane(rng, ranks, communicator, cxx):
    whole = communicator.kind in ("world", "dup", "idup", "dup_with_info", "create", "create_group", "dist_graph")
    peers = rng.choice(["shift", "shift", "edge", "exclusive"] + ["table"] * 2 * whole)
    if communicator.kind in ("cart", "cart_sub") and rng.random() < 0.7:
        peers = "cart"
    table = []
    if peers == "table":
        table = rng.sample(range(ranks), ranks)
        table = [-1 if rng.random() < 0.15 else peer for peer in table]
    if peers == "cart":
        distance = rng.choice([-1, 1])
    elif peers == "exclusive":
        distance = rng.choice([1, 1, 2, 3])
    else:
        distance = rng.choice([1, 1, 1, 2, 3, 0, -1, -1, -2])

    name = rng.choice(list(layouts.BASICS))
    kind = rng.random()
    limit = 1 << 30
    if kind < 0.08:
        send, receive = layouts.random_structs(rng)
    elif kind < 0.16:
        send, limit = layouts.columns(rng, name)
        receive = rng.choice([send, layouts.basic(name)])
    else:
        send = layouts.random_layout(rng, name)
        receive = send if rng.random() < 0.6 else layouts.random_layout(rng, name)
    size = _bytes(rng)
    if send.span > 20 * send.size or receive.span > 20 * receive.size:
        size = min(size, 20000)
    send_count = min(size // max(send.size, 1), limit, 3 << 20)
    if send.items == 0:
        send_count = min(send_count, 3)
    receive_count = -(-send_count * send.items // receive.items) if receive.items else send_count
    if receive.items == 0 and send.items != 0:
        receive, receive_count = send, send_count
    if rng.random() < 0.25 and limit == 1 << 30:
        receive_count += rng.choice([1, 2, 50])
    return Lane(peers, distance, table, send, receive, send_count, receive_count,
                rng.choice(["", "", "rank", "step"]) if send_count > 3 else "", 0,
                rng.choice(["", "", "", "", "s", "r", "b"]),
                rng.choice(["made", "made", "array", "static"] + ["vector"] * 2 * cxx))


def _exchange(rng, number, program):
    """A phase of lanes."""
    c = rng.randrange(len(program.communicators))
    communicator = program.communicators[c]
    form = rng.choice(FORMS)
    lanes = [_lane(rng, program.ranks, communicator, program.cxx)
             for _ in range(rng.choice([1, 2, 2, 2, 3, 4, 4, 6]))]
    storage = rng.choice(["local"] * 4 + ["static", "structure", "global"] + ["class"] * 2 * program.cxx)
    phase = Phase(
        number=number, form=form, special=False, communicator=c,
        communicator_by=rng.choice(["parameter", "parameter", "direct", "pointer"]), lanes=lanes,
        steps=rng.choice([1, 1, 2, 2, 3, 4]),
        tags=rng.choice(["literal"] * 4 + ["macro", "enum", "constant", "variable", "arithmetic", "arithmetic",
                                           "table"]),
        tag_base=rng.choice([0, 1, 10, 100, 1000 + 100 * number, 1000 + 100 * number]),
        changing_tags=rng.random() < 0.2, loop=rng.random() < 0.4, storage=storage,
        requests=rng.choice(["array", "array", "two", "scattered", "singles"] + ["vector", "std_array"] * program.cxx),
        compact=False, order=[], order_by_rank=rng.random() < 0.2,
        completion=rng.choice(COMPLETIONS), completion_in=rng.choice(["here"] * 3 + ["function", "elsewhere"]),
        ignore_statuses=rng.random() < 0.3, between=rng.choice(["", "", "barrier", "allreduce", "dawdle"]),
        call=rng.choice(CALLS_CXX if program.cxx else CALLS), gap=0, file=0, seed=rng.randrange(1000))
    if rng.random() < 0.2:
        for lane in lanes:
            lane.wild = rng.random() < 0.6
    _settle(rng, phase, program)
    return phase


def _settle(rng, phase, program):
    """Make the drawn choices of a phase agree with one another."""
    lanes, count = phase.lanes, len(phase.lanes)
    if phase.communicator_by == "direct" and program.communicators[phase.communicator].carrier == "local":
        phase.communicator_by = "parameter"
    if phase.storage not in ("local", "static"):
        phase.requests = rng.choice(["array", "array", "two"])
        if phase.form in ("nonblocking", "irecv_send", "persistent") and phase.storage in ("structure", "global"):
            phase.gap = rng.choice([0, 0, 1, 2])
    if phase.form in ("irecv_send", "isend_recv", "mixed", "sendrecv", "replace", "ordered"):
        # Blocking operations of all ranks go through the lanes together.
        phase.order_by_rank = False
    if phase.form in ("sendrecv", "replace", "ordered"):
        phase.gap = 0
    if phase.form == "replace":
        for lane in lanes:
            if lane.send.structured:
                # MPICH 4.0.2 says that structures are truncated when they are sent packed.
                lane.send = layouts.basic("MPI_DOUBLE")
            lane.receive, lane.receive_count, lane.vary = lane.send, lane.send_count, ""
    if phase.form == "persistent":
        phase.changing_tags = False
        for lane in lanes:
            lane.vary = "" if lane.vary == "step" else lane.vary
    if phase.form in ("sendrecv", "replace"):
        for lane in lanes:
            lane.mode = ""
    if phase.requests == "singles" and (phase.loop or phase.form in ("persistent", "mixed")):
        phase.requests = "array"
    if phase.requests == "singles":
        phase.completion, phase.completion_in = "wait", "here"
    if phase.loop:
        for lane in lanes:
            lane.mode, lane.buffers, lane.wild = lanes[0].mode, "made", lanes[0].wild
        if phase.form == "nonblocking" and phase.requests == "array" and phase.completion != "two_parts":
            phase.compact = rng.random() < 0.4
    if phase.storage not in ("local", "static"):
        for lane in lanes:
            lane.buffers = "made"
    for lane in lanes:
        if lane.buffers != "made" and not (lane.send.basic and lane.receive.basic):
            lane.buffers = "made"
        # All buffered sends of a program have to fit into one buffer. (And they are sent packed, see above.)
        if lane.mode == "b" and (lane.send_count * lane.send.size > 30000 or lane.send.structured):
            lane.mode = ""
        # A synchronous send that a wildcard may receive is left alone; synchronous_to_any is for that.
        if lane.mode == "s" and any(other.wild for other in lanes):
            lane.mode = ""
        # A ready send needs its receive posted, which only a barrier between the two makes certain.
        if lane.mode == "r" and (phase.form not in ("nonblocking", "irecv_send", "persistent") or phase.gap
                                 or phase.order_by_rank):
            lane.mode = ""
    if phase.loop and any(lane.mode != lanes[0].mode for lane in lanes):
        for lane in lanes:
            lane.mode = ""
    wild = any(lane.wild for lane in lanes)
    if wild:
        phase.changing_tags, phase.gap = False, 0
    if phase.gap or wild:
        phase.tag_base = 1000 + 100 * phase.number
    # One tag for all lanes, which are then posted in their order; else tags of their own.
    same_tags = rng.random() < 0.15 and phase.tags != "arithmetic" and not wild and \
        phase.form not in ("isend_recv", "persistent")
    distance = rng.choice([1, 2, 7])
    for at, lane in enumerate(lanes):
        lane.tag = phase.tag_base + (0 if same_tags else distance * at)
    phase.order = list(range(2 * count))  # receives 0..count-1, then sends
    if not same_tags and not phase.loop:
        rng.shuffle(phase.order)
    if any(lane.mode == "r" for lane in lanes) or phase.form in ("irecv_send", "mixed") or phase.gap:
        phase.order.sort(key=lambda at: at >= count)
    if phase.form == "isend_recv":
        phase.order.sort(key=lambda at: at < count)
    if phase.call == "lambda" and phase.storage != "local":
        phase.call = "direct"


def _special(rng, number, program, name):
    c = rng.randrange(len(program.communicators))
    return Phase(number=number, form=name, special=True, communicator=c, communicator_by="parameter", lanes=[],
                 steps=rng.choice([1, 2]), tags="literal", tag_base=rng.choice([0, 1, 10, 1000 + 100 * number]),
                 changing_tags=False, loop=False, storage="local", requests="array", compact=False, order=[],
                 order_by_rank=False, completion="waitall", completion_in="here", ignore_statuses=False, between="",
                 call="direct", gap=0, file=0, seed=rng.randrange(1000))


def _insert_collectives(rng, program, refuses):
    """Put phases of collectives between the others."""
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
        phase = _special(rng, len(program.phases), program, "collectives")
        phase.operations, phase.own = collectives.draw(rng, refuses)
        phase.completion = rng.choice([way for way in COMPLETIONS if way != "two_parts"])
        phase.file = rng.randrange(program.files)
        program.phases.insert(rng.randint(0, len(program.phases)), phase)


def _insert_windows(rng, program, refuses, several):
    """Put phases with windows between the others."""
    for _ in range(rng.choice([1, 2, 3] if several else [0, 0, 1, 1, 2])):
        phase = _special(rng, len(program.phases), program, "onesided")
        phase.windows, phase.epochs = onesided.draw(rng, program.ranks, program.cxx, refuses)
        phase.own = "node" if any(window.way == "shared" for window in phase.windows) else rng.choice(["", "", "early"])
        phase.completion = rng.choice([way for way in COMPLETIONS if way != "two_parts"])
        phase.file = rng.randrange(program.files)
        program.phases.insert(rng.randint(0, len(program.phases)), phase)


def _factors(rng, ranks, dimensions):
    """Extents of a Cartesian grid of at most so many ranks."""
    extents = [1] * dimensions
    left = ranks if rng.random() < 0.8 else max(1, ranks - 1)
    for factor in (2, 3, 5):
        while left % factor == 0:
            extents[rng.randrange(dimensions)] *= factor
            left //= factor
    return extents


def _communicator(rng, ranks, kind, before):
    numbers = {}
    if kind in ("cart", "cart_sub"):
        dimensions = rng.randint(1, 3)
        numbers = {"extents": _factors(rng, ranks, dimensions),
                   "periods": [rng.randint(0, 1) for _ in range(dimensions)],
                   "reorder": rng.randint(0, 1), "keep": [rng.randint(0, 1) for _ in range(dimensions)]}
        if not any(numbers["keep"]):
            numbers["keep"][0] = 1
    elif kind in ("split", "split_some"):
        numbers = {"colours": rng.choice([1, 1, 2, 2]), "sign": rng.choice([1, -1]), "odd": rng.randint(0, 1)}
    parents = [at for at, other in enumerate(before) if other.kind in ("world", "dup", "idup", "dup_with_info")]
    return Communicator(kind, rng.choice(["global", "global", "member", "local", "array"]),
                        rng.choice(parents) if parents else 0, numbers)


def draw(seed, ranks=None, windows_alone=False, windows=True):
    """The program of a seed; ranks overrides how many ranks it has. With windows_alone all phases have windows,
    without windows none has."""
    rng = random.Random(seed)
    drawn = rng.choices([2, 3, 4, 5, 6], [74, 7, 15, 2, 2])[0]
    ranks = ranks or drawn
    cxx = rng.random() < 0.35
    program = Program(seed=seed, ranks=ranks, cxx=cxx, mixed=cxx and rng.random() < 0.2, files=rng.choice([1, 1, 2, 3]),
                      thread_level=rng.choices(["", "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_MULTIPLE"],
                                               [6, 1, 1, 1])[0],
                      communicators=[Communicator("world", "global", 0)], phases=[],
                      environment=rng.choice(ENVIRONMENTS) if rng.random() < 0.6 else {},
                      move=rng.choice(["", "", "", "all", "all", "none"]))
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        program.communicators.append(_communicator(rng, ranks, rng.choice(COMMUNICATORS[1:]), program.communicators))
    refuses = rng.random() < 0.3
    for number in range(0 if windows_alone else rng.randint(4, 9) if ranks <= 2 else rng.randint(3, 5)):
        kind = rng.random()
        if kind < 0.6:
            phase = _exchange(rng, number, program)
        elif kind < 0.85 or not refuses:
            phase = _special(rng, number, program, rng.choice(SPECIALS))
        else:
            phase = _special(rng, number, program, rng.choice(REFUSED))
        phase.file = rng.randrange(program.files)
        program.phases.append(phase)
    if not windows_alone:
        _insert_collectives(random.Random(f"{seed}/collectives"), program, refuses)
    if windows:
        _insert_windows(random.Random(f"{seed}/onesided"), program, refuses, windows_alone)
    return program

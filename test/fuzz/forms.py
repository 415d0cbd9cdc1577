# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forms of exchange, each as what a step posts, sends and finishes, and why it cannot deadlock."""

from dataclasses import dataclass


@dataclass
class Step:
    post: list
    send: list
    finish: list


def _nonblocking(w):
    """Everything is posted before anything is waited for."""
    receives, sends, both = w.in_order(lambda n: w.receive(n, "Irecv"), lambda n: w.send(n, True))
    ready = any(lane.mode == "r" for lane in w.lanes)
    finish = w.between() + w.completion(["in", "out"])
    if w.phase.gap or ready:
        return Step(receives, ([f"MPI_Barrier({w.comm()});"] if ready else []) + sends, finish)
    if w.phase.order_by_rank:
        both = [f"if ({w.var('rank')} % 2) {{", *receives, *sends, "} else {", *sends, *receives, "}"]
    return Step(both, [], finish)


def _irecv_send(w):
    """Every rank has posted all its receives before it blocks in a send."""
    receives, sends, _ = w.in_order(lambda n: w.receive(n, "Irecv"), lambda n: w.send(n, False))
    ready = any(lane.mode == "r" for lane in w.lanes)
    return Step(receives, ([f"MPI_Barrier({w.comm()});"] if ready else []) + sends,
                w.between() + w.completion(["in"]))


def _isend_recv(w):
    """Every rank has posted all its sends before it blocks in a receive."""
    receives, sends, _ = w.in_order(lambda n: w.receive(n, "Recv"), lambda n: w.send(n, True))
    return Step(sends, receives, w.between() + w.completion(["out"]))


def _mixed(w):
    """As irecv_send; some ranks do not block in their sends."""
    def send(n):
        return [f"if (({w.var('rank')} + {n}) % 2)", *w.send(n, False), "else", *w.send(n, True)]

    receives, sends, _ = w.in_order(lambda n: w.receive(n, "Irecv"), send)
    return Step(receives, sends, w.between() + w.completion(["in", "out"]))


def _sendrecv(w):
    """All ranks go through the lanes in one order."""
    def lane(n):
        status = f"&{w.status(n)}" if w.has_statuses() else "MPI_STATUS_IGNORE"
        send = f"{w.buffer('out', n)}, {w.elements('out', n)}, {w.type('out', n)}, {w.at('to', n)}, {w.tag(n)}"
        into = f"{w.buffer('in', n)}, {w.elements('in', n)}, {w.type('in', n)}, {w.source(n)}, {w.tag(n)}"
        return [f"MPI_Sendrecv({send}, {into}, {w.comm()}, {status});"]

    return Step([], w.every(lane), [])


def _replace(w):
    """As sendrecv."""
    def lane(n):
        status = f"&{w.status(n)}" if w.has_statuses() else "MPI_STATUS_IGNORE"
        return [f"MPI_Sendrecv_replace({w.buffer('out', n)}, {w.elements('out', n)}, {w.type('out', n)}, "
                f"{w.at('to', n)}, {w.tag(n)}, {w.source(n)}, {w.tag(n)}, {w.comm()}, {status});"]

    return Step([], w.every(lane), [])


def _ordered(w):
    """In a lane, who sends to a higher rank sends first. A chain of ranks that all send first goes up, so it ends at
    one that receives first; a chain of ranks that all receive first goes up backwards, and ends at one that sends."""
    def lane(n):
        rank, to = w.var("rank"), w.at("to", n)
        send, receive = w.send(n, False), w.receive(n, "Recv")
        self_status = [f"memset(&{w.status(n)}, 0, sizeof(MPI_Status));"]
        return self_status + [f"if ({to} == {rank})", ";", f"else if ({to} > {rank}) {{", *send, *receive, "} else {",
                              *receive, *send, "}"]

    return Step([], w.every(lane), [])


def _persistent(w):
    """As nonblocking, with requests that are made once."""
    count, requests = w.count, w.var("requests")
    ready = any(lane.mode == "r" for lane in w.lanes)
    if w.phase.requests in ("vector", "std_array") and w.cxx:
        requests += ".data()"
    if w.phase.requests == "two":
        receives = [f"MPI_Startall({count}, {w.var('in_requests')});"]
        sends = [f"MPI_Startall({count}, {w.var('out_requests')});"]
    elif w.phase.requests == "scattered" or w.phase.seed % 3 == 0:
        receives = w.every(lambda n: [f"MPI_Start(&{w.request('in', n)});"])
        sends = w.every(lambda n: [f"MPI_Start(&{w.request('out', n)});"])
    else:
        receives = [f"MPI_Startall({count}, {requests});"]
        sends = [f"MPI_Startall({count}, {requests} + {count});"]
        if not w.phase.gap and not ready:
            receives, sends = [f"MPI_Startall({2 * count}, {requests});"], []
    finish = w.between() + w.completion(["in", "out"])
    return Step(receives, ([f"MPI_Barrier({w.comm()});"] if ready else []) + sends, finish)


def persistent_set_up(w):
    """Make the requests of a persistent phase."""
    return w.in_order(lambda n: w.receive(n, "Recv_init"), lambda n: w.send(n, True, "_init"))[2]


FORMS = {"nonblocking": _nonblocking, "irecv_send": _irecv_send, "isend_recv": _isend_recv, "mixed": _mixed,
         "sendrecv": _sendrecv, "replace": _replace, "ordered": _ordered, "persistent": _persistent}


def step_of(w):
    """The statements of one step of the phase of writer w."""
    step = FORMS[w.phase.form](w)
    if w.phase.compact:
        step.post.insert(0, f"{w.var('posted')} = 0;")
    step.post = w.fill() + step.post
    step.finish = step.finish + w.hash()
    return step


def functions(w):
    """Source of the functions of the phase of writer w. Returns (text, declarations for the common header,
    the way main calls it: "run" or "parts")."""
    phase, name = w.phase, w.name
    w.declare_all()
    w.tables()
    parameter = {"parameter": "MPI_Comm communicator", "pointer": "MPI_Comm *communicator"}.get(
        phase.communicator_by, "void")
    communicator = {"parameter": "communicator", "pointer": "*communicator"}.get(phase.communicator_by)
    communicator = communicator or w.calls.carrier(phase.communicator)
    if phase.form == "persistent":
        # Counts and tags are read when the requests are made.
        start = w.set_up(communicator) + ["{", "int step = 0;", "(void)step;"] + w.fill() + persistent_set_up(w) + ["}"]
    else:
        start = w.set_up(communicator)
    step = step_of(w)
    head = ["int i, step = 0;", "(void)i;", "(void)step;"]
    if phase.storage in ("local", "static"):
        body = head + w.fields + start + [f"for (step = 0; step < {phase.steps}; step++) {{", *step.post, *step.send,
                                          *step.finish, "}"] + w.clean_up() + ["return h;"]
        text = w.top + [f"hash_t {name}({parameter}) {{", *body, "}"]
        return text, [f"hash_t {name}({parameter});"], "run"

    local = ["int i;", "(void)i;", "(void)step;"]
    if phase.storage == "class":
        text = w.top + [f"class Phase{phase.number} {{", "private:", *w.fields, "public:",
                        f"Phase{phase.number}({parameter});", "void post(int step);", "void send(int step);",
                        "void finish(int step);", "hash_t result();", "};",
                        f"Phase{phase.number}::Phase{phase.number}({parameter}) {{", *head, *start, "}"]
        for part in ("post", "send", "finish"):
            text += [f"void Phase{phase.number}::{part}(int step) {{", *local, *getattr(step, part), "}"]
        argument = "" if parameter == "void" else "(communicator)"
        text += [f"hash_t Phase{phase.number}::result() {{", "int i;", "(void)i;", *w.clean_up(), "return h;", "}",
                 f"hash_t {name}({parameter}) {{", f"Phase{phase.number} exchange{argument};",
                 f"for (int step = 0; step < {phase.steps}; step++) {{", "exchange.post(step);", "exchange.send(step);",
                 "exchange.finish(step);", "}", "return exchange.result();", "}"]
        return text, [f"hash_t {name}({parameter});"], "run"

    structure = [f"struct {name} {{", *w.fields, "};"]
    if phase.storage == "structure":
        own, more = f"struct {name} *p", f"struct {name} *p, "
        shared = structure
    else:
        own, more, shared = "void", "", []
        w.top += [*structure, f"static struct {name} {name}_state;"]
    first = (more + parameter) if parameter != "void" else own
    prototypes = [f"void {name}_set_up({first})"] + \
        [f"void {name}_{part}({more}int step)" for part in ("post", "send", "finish")]
    prototypes.append(f"hash_t {name}_result({own})")
    bodies = [head + start] + [local + getattr(step, part) for part in ("post", "send", "finish")] + \
        [["int i;", "(void)i;", *w.clean_up(), f"return {w.var('h')};"]]
    text = list(w.top)
    for prototype, body in zip(prototypes, bodies):
        text += [prototype + " {", *body, "}"]
    return text, shared + [prototype + ";" for prototype in prototypes], "parts"

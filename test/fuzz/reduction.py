# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program smaller, as long as it fails in the same way."""

import copy

import layouts
import trial


def _candidates(program):
    """Smaller programs, larger steps first. Each is a copy."""
    def changed(change):
        smaller = copy.deepcopy(program)
        change(smaller)
        return smaller

    phases = len(program.phases)
    part = phases
    while part > 1:
        part = (part + 1) // 2
        for start in range(0, phases, part):
            if part < phases:
                def keep(p, start=start, part=part):
                    del p.phases[start:start + part]
                yield changed(keep)
    for at in range(phases):
        if phases > 1:
            yield changed(lambda p, at=at: p.phases.pop(at))
    if program.files > 1:
        def single(p):
            p.files = 1
            for phase in p.phases:
                phase.file = 0
        yield changed(single)
    if program.thread_level:
        yield changed(lambda p: setattr(p, "thread_level", ""))
    if program.environment:
        yield changed(lambda p: setattr(p, "environment", {}))
    for at, phase in enumerate(program.phases):
        yield from _smaller_phases(program, at, phase, changed)


def _smaller_phases(program, at, phase, changed):
    count = len(phase.lanes)
    for lane in range(count if count > 1 else 0):
        def drop(p, lane=lane):
            q = p.phases[at]
            q.lanes.pop(lane)
            q.order = [place - (place > lane) - (place > lane + count) for place in q.order
                       if place not in (lane, lane + count)]
        if phase.tags != "arithmetic" or lane == count - 1:
            yield changed(drop)
    for k in range(len(phase.operations) if len(phase.operations) > 1 else 0):
        yield changed(lambda p, k=k: p.phases[at].operations.pop(k))
    for k, operation in enumerate(phase.operations):
        for name, value in (("call", "direct"), ("form", ""), ("in_place", False), ("spread", 0), ("own", False)):
            if getattr(operation, name) != value and not (name == "own" and operation.name.startswith("neighbor")):
                yield changed(lambda p, k=k, name=name, value=value: setattr(p.phases[at].operations[k], name, value))
    yield from _smaller_epochs(at, phase, changed)
    plain = {"steps": 1, "gap": 0, "between": "", "call": "direct", "tags": "literal", "completion": "waitall",
             "completion_in": "here", "changing_tags": False, "order_by_rank": False, "compact": False,
             "ignore_statuses": True, "storage": "local", "requests": "array", "loop": False,
             "communicator_by": "parameter", "communicator": 0}
    for name, value in plain.items():
        if getattr(phase, name) != value and not (phase.special and name not in ("steps", "communicator")):
            if name == "communicator" and any(lane.peers == "cart" for lane in phase.lanes):
                continue
            if name == "gap" and phase.storage in ("local", "static"):
                continue
            yield changed(lambda p, name=name, value=value: setattr(p.phases[at], name, value))
    for n, lane in enumerate(phase.lanes):
        if not (lane.send.basic and lane.receive.basic):
            def plain_type(p, n=n):
                q = p.phases[at].lanes[n]
                q.send_count, q.receive_count = q.send_count * q.send.size, q.receive_count * q.receive.size
                q.send = q.receive = layouts.basic("MPI_BYTE")
            yield changed(plain_type)
        if lane.send_count > 1:
            def fewer(p, n=n):
                q = p.phases[at].lanes[n]
                q.send_count //= 2
            yield changed(fewer)
        for name, value in (("mode", ""), ("vary", ""), ("buffers", "made")):
            if getattr(lane, name) != value and not (phase.loop and name != "vary"):
                yield changed(lambda p, n=n, name=name, value=value: setattr(p.phases[at].lanes[n], name, value))


def _smaller_epochs(at, phase, changed):
    """Of a phase with windows."""
    for e, epoch in enumerate(phase.epochs):
        if len(phase.epochs) > 1:
            yield changed(lambda p, e=e: p.phases[at].epochs.pop(e))
        for k in range(len(epoch.operations) if len(epoch.operations) > 1 else 0):
            yield changed(lambda p, e=e, k=k: p.phases[at].epochs[e].operations.pop(k))
    for w in range(len(phase.windows) - 1, -1, -1):
        if len(phase.windows) > 1 and all(epoch.window != w for epoch in phase.epochs):
            def drop(p, w=w):
                q = p.phases[at]
                q.windows.pop(w)
                for epoch in q.epochs:
                    epoch.window -= epoch.window > w
            yield changed(drop)
    simple = {"call": "direct", "home": "local", "asked": False, "uneven": False, "some": False, "memory": "malloc",
              "noted": False, "tests": False, "twice": False, "message": False, "nocheck": False, "flush": "",
              "form": "", "read_back": False, "overwritten": False, "nothing": False, "free_types": False}

    def parts(q):
        return [*q.windows, *q.epochs, *sum((epoch.operations for epoch in q.epochs), [])]

    for n, part in enumerate(parts(phase)):
        for name, value in simple.items():
            if getattr(part, name, value) != value:
                yield changed(lambda p, n=n, name=name, value=value: setattr(parts(p.phases[at])[n], name, value))


def reduced(program, kind, folder, settings, tries=400):
    """The smallest program found that fails with the same kind of outcome."""
    while tries > 0:
        for candidate in _candidates(program):
            tries -= 1
            if trial.attempt(copy.deepcopy(candidate), folder, settings).kind == kind:
                program = candidate
                print(f"  {len(program.phases)} phases, {sum(len(p.lanes) for p in program.phases)} lanes", flush=True)
                break
            if tries <= 0:
                break
        else:
            break
    return program

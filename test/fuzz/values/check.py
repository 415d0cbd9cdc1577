# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the analysis of LLVM IR says of a drawn program, against what is known of it."""

import re

MEMBER = re.compile(r"^  \S+?:(\d+):\d+ (MPI_\w+)(.*)$")
MARK = re.compile(r"/\*([SRWM])(\d+)\*/$")


def marks(text):
    """{mark: line} of the calls."""
    return {"".join(found.groups()): number for number, line in enumerate(text.splitlines(), 1)
            if (found := MARK.search(line))}


def classes(dump):
    """[(is it closed, {line: rest of its line})] of what --dump-classes prints."""
    result = []
    for line in dump.splitlines():
        if line.startswith("class "):
            result.append((line.endswith("closed"), {}))
        elif result and (found := MEMBER.match(line)):
            result[-1][1].setdefault(int(found.group(1)), "")
            result[-1][1][int(found.group(1))] += found.group(3)
    return result


def moved(program, diff):
    """What is wrong with the buffers that diff, all that mpishm-rewrite would change, moves."""
    return [f"lane {n} (address at a library): its buffer moves" for n, lane in enumerate(program.lanes)
            if lane.thing == "address at a library" and re.search(rf"^-.*/\*M{n}\*/$", diff, re.MULTILINE)]


def errors(program, text, dump):
    """(what is wrong with the classes, how many lanes are closed)."""
    if "given up" in dump:
        return [], 0
    lines, found, wrong, closed = marks(text), classes(dump), [], 0
    where = {line: n for n, (_, members) in enumerate(found) for line in members}
    for n, lane in enumerate(program.lanes):
        send, receive, wait = (lines.get(f"{kind}{n}") for kind in "SRW")
        if send not in where or receive not in where:
            wrong.append(f"lane {n} ({lane.thing}): a call is in no class")
            continue
        first, second = found[where[send]], found[where[receive]]
        if first is not second and (first[0] or second[0]):
            wrong.append(f"lane {n} ({lane.thing}): the two calls are in two classes")
        for line, (is_closed, members) in ((send, first), (receive, second)):
            if wait and is_closed and f" by MPI_Wait:{wait}" not in members[line]:
                wrong.append(f"lane {n} ({lane.thing}): the request of line {line} does not reach line {wait}")
        closed += first[0] and second[0]
    return wrong, closed

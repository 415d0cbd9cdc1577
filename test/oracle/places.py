# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where recorded calls stand in the sources, and what mpishm-rewrite says of them.

Debug information places a call that comes from a macro where the outermost macro is used; the report of the tool places
what stands in an argument of a macro there, and what stands in its body where the macro is used. So a recorded call is
whatever the report has, of the same function, within the text that begins at its place. Mostly that is one call; where
one use of a macro calls a function several times, it is not known which of them it was.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass

SYMBOLIZER = "llvm-symbolizer-19"
# A name, perhaps qualified.
NAME = re.compile(rb"(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
BEFORE = re.compile(rb"\b([A-Za-z_]\w*)\s*\Z")
# What has parentheses that do not count, and parentheses.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|/\*.*?\*/|//[^\n]*|[()]', re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A call of which the report tells."""

    line: int
    column: int
    decision: str
    message_class: object  # number, or None: it is neither send nor receive nor probe

    @property
    def rewritten(self):
        return self.decision not in ("left-alone", "guarded")  # of what is guarded nothing is proved

    def __str__(self):
        number = "" if self.message_class is None else f"class {self.message_class}, "
        return number + self.decision.replace("-", " ")


@dataclass(frozen=True)
class Site:
    """A recorded call. entries: those of the report that it may be."""

    function: str
    place: str
    entries: tuple

    @property
    def must_be_rewritten(self):
        return bool(self.entries) and all(entry.rewritten for entry in self.entries)

    @property
    def may_be_rewritten(self):
        return any(entry.rewritten for entry in self.entries)

    def __str__(self):
        said = " or ".join(sorted(set(map(str, self.entries)))) or "not in the report"
        return f"{self.function} at {self.place} ({said})"


class Source:
    """The text of a file, by offsets."""

    def __init__(self, path):
        with open(path, "rb") as stream:
            self.text = stream.read()
        self.starts = [0] + [match.end() for match in re.finditer(rb"\n", self.text)]

    def offset(self, line, column):
        return self.starts[line - 1] + column - 1 if line <= len(self.starts) else len(self.text)

    def _close(self, offset):
        """The end of the parenthesis that opens at offset."""
        depth = 0
        for token in TOKEN.finditer(self.text, offset):
            depth += {b"(": 1, b")": -1}.get(token.group(), 0)
            if depth == 0:
                return token.end()
        return len(self.text)

    def extent(self, begin, function):
        """(begin, end) of where the name of `function` may stand, when debug information says `begin`."""
        before = BEFORE.search(self.text, max(0, begin - 200), begin)
        if before and before.group(1) == function.encode():  # GCC's C++: at the parenthesis
            return before.span(1)
        name = NAME.match(self.text, begin)
        if not name:  # (MPI_Send)(...)
            return begin, self._close(begin) if self.text[begin:begin + 1] == b"(" else begin
        last = re.search(rb"\w+$", name.group())
        if last.group() == function.encode():
            return begin + last.start(), name.end()
        arguments = re.compile(rb"(?:\s|\\\n)*\(").match(self.text, name.end())
        return begin, self._close(arguments.end() - 1) if arguments else name.end()


class Report:
    """A JSON report of mpishm-rewrite."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as stream:
            report = json.load(stream)
        self.entries, self.sources = {}, {}
        sites = [site for file in report["files"] for site in file["sites"]]
        self.guarded = {site["class"] for site in sites if site.get("guarded")}  # whole classes, with their probes
        for file in report["files"]:
            for site in file["sites"]:
                self._add(file["file"], site)
        for call in report["helping"]:
            self._add(call["file"], call)

    def _add(self, file, call):
        number = call.get("class")
        decision = "guarded" if number in self.guarded else call["decision"]
        entry = Entry(call["line"], call["column"], decision, number)
        self.entries.setdefault((os.path.realpath(file), call["function"]), []).append(entry)

    def find(self, function, path, line, column):
        """What the report has of the call that debug information places there."""
        entries = self.entries.get((path, function), ())
        if not entries:
            return ()
        source = self.sources.get(path) or self.sources.setdefault(path, Source(path))
        begin, end = source.extent(source.offset(line, column), function)
        return tuple(e for e in entries if begin <= source.offset(e.line, e.column) < end)


def symbolize(calls):
    """{Call: (real path, line, column)} of those that have debug information."""
    places, modules = {}, {}
    for call in calls:
        modules.setdefault(call.module, []).append(call)
    for module, inside in modules.items():
        if not os.path.exists(module):
            continue
        asked = "".join(f"0x{call.address:x}\n" for call in inside)
        said = subprocess.run([SYMBOLIZER, "--output-style=JSON", f"--obj={module}"], input=asked, check=True,
                              text=True, stdout=subprocess.PIPE).stdout
        for call, line in zip(inside, said.splitlines(), strict=True):
            frames = json.loads(line).get("Symbol", [])
            if frames and frames[0]["Line"]:
                frame = frames[0]  # the innermost
                places[call] = os.path.realpath(frame["FileName"]), frame["Line"], frame["Column"]
    return places


def sites_of(calls, report):
    """{Call: Site}"""
    places, sites = symbolize(calls), {}
    for call in calls:
        if call in places:
            path, line, column = places[call]
            place, entries = f"{path}:{line}:{column}", report.find(call.function, path, line, column)
        else:
            place, entries = f"{call.module}+0x{call.address:x}", ()
        sites[call] = Site(call.function, place, entries)
    return sites

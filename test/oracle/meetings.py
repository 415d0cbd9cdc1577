# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which send met which receive, from the logs that the recorder writes (recorder/recorder.h).

MPI keeps the order of messages (MPI 3.1, section 3.5): of all sends with one source, destination, communicator and tag
the k-th meets the k-th receive, in the order of posting, of those that received such a message. Wildcards change
nothing: a message goes to the first posted receive that accepts it. A probe sees what a receive posted in its place
would have taken.
"""

import collections
import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Call:
    """A call in the program, or in a library: an address within the instruction, as the module's debug information has
    it."""

    function: str
    module: str
    address: int


@dataclass
class Record:
    """What all ranks did together."""

    # (sending call, receiving call); (a call of a collective, another); (one that made a window, one that used it)
    meetings: collections.Counter = field(default_factory=collections.Counter)
    uses: set = field(default_factory=set)  # (call that made a request, call that it was handed to)
    makers: dict = field(default_factory=dict)  # key of a collective call: the calls that took part
    inits: set = field(default_factory=set)
    strays: collections.Counter = field(default_factory=collections.Counter)  # receiving calls: no send was recorded
    unchecked: int = 0  # messages of which it is not known what they met
    ranks: int = 0


@dataclass
class Operation:
    """A send or receive. got is (source, tag) of what a receive received."""

    calls: list
    envelope: tuple  # communicator, peer, tag, as text
    dropped: bool = False
    lost: bool = False
    got: tuple = ()


class Log:
    """One rank's."""

    def __init__(self, path):
        self.rank, self.calls, self.operations = None, {}, {}
        self.order = []  # sends, receives and probes: (kind, Operation), in the order of the log
        self.collectives, self.uses, self.makers, self.inits = [], set(), [], set()
        self.windows = set()  # (call that made one, call that used it)
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                word, *rest = line.rstrip("\n").split(" ")
                getattr(self, f"_read_{word}")(*rest)

    def _read_rank(self, rank):
        self.rank = rank

    def _read_site(self, number, function, address, *module):
        self.calls[number] = Call(function, " ".join(module), int(address, 16))

    def _read_init(self, site):
        self.inits.add(self.calls[site])

    def _read_maker(self, site, key):
        self.makers.append((key, self.calls[site]))

    def _read_collective(self, site, comm, before):
        self.collectives.append(((comm, int(before)), self.calls[site]))

    def _read_window(self, maker, site):
        self.windows.add((self.calls[maker], self.calls[site]))

    def _begin(self, kind, number, site, *envelope):
        operation = Operation([self.calls[site]], envelope)
        self.order.append((kind, operation))
        if number:
            self.operations[number] = operation
        return operation

    def _read_send(self, *words):
        self._begin("send", *words)

    def _read_post(self, *words):
        self._begin("post", *words)

    def _read_probe(self, site, comm, source, tag):
        self._begin("probe", None, site, comm, source, tag).got = source, tag

    def _read_mrecv(self, number, site):
        self.operations[number].calls.append(self.calls[site])

    def _read_got(self, number, source, tag):
        self.operations[number].got = source, tag

    def _read_drop(self, number):
        self.operations[number].dropped = True

    def _read_lost(self, number):
        self.operations[number].lost = True

    def _read_use(self, site, other):
        self.uses.add((self.calls[site], self.calls[other]))


class Matcher:
    """Puts the logs of all ranks together."""

    def __init__(self, logs):
        self.logs, self.record = logs, Record(ranks=len(logs))
        self.sends = collections.defaultdict(list)  # (communicator, source, destination, tag): calls
        self.lost = set()  # the same, with wildcards: what became of one of these is not known

    def _collect_sends(self):
        for log in self.logs:
            for kind, operation in log.order:
                comm, peer, tag = operation.envelope
                if kind == "send" and operation.lost:
                    self.lost.add((comm, log.rank, peer, tag))
                elif kind == "send" and not operation.dropped:
                    self.sends[comm, log.rank, peer, tag].append(operation.calls[0])
                elif kind == "post" and not operation.dropped and not operation.got and "*" in (peer, tag):
                    self.lost.add((comm, peer, log.rank, tag))  # freed, or the program ended

    def _is_lost(self, envelope):
        comm, source, destination, tag = envelope
        return any((comm, s, destination, t) in self.lost for s in (source, "*") for t in (tag, "*"))

    def _receive(self, log):
        taken = collections.Counter()
        for kind, operation in log.order:
            if kind == "send" or operation.dropped or operation.lost:
                continue
            comm, source, tag = operation.envelope
            if operation.got:
                source, tag = operation.got
            envelope = (comm, source, log.rank, tag)
            number = taken[envelope]
            taken[envelope] += kind == "post"
            if not operation.got:  # the program ended, but it may have been the first to take one
                continue
            if comm == "?" or self._is_lost(envelope):
                self.record.unchecked += 1
                continue
            for call in operation.calls:
                if number < len(self.sends[envelope]):
                    self.record.meetings[self.sends[envelope][number], call] += 1
                else:
                    self.record.strays[call] += 1

    def _join_collectives(self):
        """Whoever takes part in a collective has met the first who does; it has met itself where nobody else does."""
        together = {}
        for log in self.logs:
            for key, call in log.collectives:
                together.setdefault(key, []).append(call)
        for first, *others in together.values():
            for other in others or [first]:
                self.record.meetings[first, other] += 1

    def run(self):
        self._collect_sends()
        self._join_collectives()
        for log in self.logs:
            self._receive(log)
            self.record.meetings.update(log.windows)
            self.record.uses |= log.uses
            self.record.inits |= log.inits
            for key, call in log.makers:
                self.record.makers.setdefault(key, set()).add(call)
        return self.record


def read(folder):
    """The Record of the logs in folder."""
    return Matcher([Log(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]).run()

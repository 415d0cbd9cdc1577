#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare what a program did with what mpishm-rewrite proves of it.

    oracle.py LOGS REPORT [--verbose]

LOGS is the folder that the recorder (recorder/recorder.h) wrote when the program as it is, not rewritten, was run;
REPORT is what `mpishm-rewrite --report FILE.json` says of the same sources. The program must be built with debugcc or
debugcxx, for the places of its calls. run_both.py --oracle does all of that.

A violation, each with the places and an exit status of 1:
  - a message went from a call to another one of which the tool says that they cannot meet: of another class, or one is
    rewritten and the other left alone or not known to the tool (or of a library, or not recorded); or two such
    calls were one collective, or one has made a window that the other uses;
  - a request that a rewritten call made was handed to a call that is not rewritten, but MPI's own, of MPI_Comm_idup;
  - calls that made a communicator together, or initialised MPI, are rewritten in part.
It is also one when nothing was recorded.

That messages of several classes meet which are all left alone is said, but no violation: where it is not known which
communicator it is, operations are left alone without joining classes (tool/classes/Classes.cpp).
"""

import argparse
import os
import shutil
import sys

import meetings
import places

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import launch  # noqa: E402

DEBUGCC, DEBUGCXX = (os.path.join(HERE, name) for name in ("debugcc", "debugcxx"))


def environment(logs):
    """What makes a program write into the folder logs what it does."""
    recorder = os.environ.get("MPISHM_TEST_RECORDER")  # of a build for another MPI library
    if not recorder:
        build = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("mpishm-rewrite"))))
        recorder = os.path.join(build, "test", "oracle", "recorder.so")
    if not os.path.exists(recorder):
        raise SystemExit(f"oracle: there is no {recorder}; build the target mpishm_test_recorder")
    return {**launch.preloaded(recorder), "MPISHM_TEST_RECORD": logs}


class Verdict:
    """violations: in words. others: what else is worth knowing."""

    def __init__(self, record, report):
        calls = {call for pair in (*record.meetings, *record.uses) for call in pair} | set(record.strays) | record.inits
        calls |= {call for together in record.makers.values() for call in together}
        self.sites = places.sites_of(sorted(calls, key=lambda call: (call.module, call.address, call.function)), report)
        self.record, self.violations, self.others = record, [], []
        self._judge_meetings()
        self._judge_requests()
        for what, groups in (("made a communicator", record.makers.values()), ("initialised MPI", [record.inits])):
            self._judge_together(what, groups)
        if not record.inits:
            self.violations.append(f"nothing was recorded ({record.ranks} ranks)")

    def _judge_meetings(self):
        for (one, other), count in sorted(self._summed(self.record.meetings).items(), key=str):
            pairs = [(a, b) for a in one.entries for b in other.entries]
            said = f"{one} met {other}, {count} times"
            if any(a.message_class == b.message_class and a.rewritten == b.rewritten for a, b in pairs):
                continue
            if any(not a.rewritten and not b.rewritten for a, b in pairs):
                self.others.append(said)
            elif one.must_be_rewritten or other.must_be_rewritten:
                self.violations.append(said)
        for call, count in sorted(self.record.strays.items(), key=str):
            said = f"{self.sites[call]} received {count} messages of which no send was recorded"
            (self.violations if self.sites[call].must_be_rewritten else self.others).append(said)

    def _summed(self, counter):
        """The meetings by sites: a template's, or an inlined function's, has many calls."""
        sums = {}
        for (one, other), count in counter.items():
            pair = self.sites[one], self.sites[other]
            sums[pair] = sums.get(pair, 0) + count
        return sums

    def _judge_requests(self):
        makers = {call for together in self.record.makers.values() for call in together}
        uses = {(self.sites[one], self.sites[other]) for one, other in self.record.uses if one not in makers}
        for one, other in sorted(uses, key=str):
            if one.must_be_rewritten and not other.may_be_rewritten:
                self.violations.append(f"a request of {one} was handed to {other}")

    def _judge_together(self, what, groups):
        for together in sorted({frozenset(self.sites[call] for call in group) for group in groups}, key=str):
            if any(site.must_be_rewritten for site in together) and not all(s.may_be_rewritten for s in together):
                self.violations.append(" and ".join(sorted(map(str, together))) + f" {what} together")

    def text(self):
        """What is to be said, in lines."""
        lines = [f"note: {said}" for said in self.others] + self.violations
        record = self.record
        lost = f", {record.unchecked} messages not followed" if record.unchecked else ""
        lines.append(f"{sum(record.meetings.values())} meetings of {len(self._summed(record.meetings))} pairs of calls,"
                     f" {len(record.uses)} pairs of request and call, {len(record.makers)} communicators{lost}: "
                     f"{len(self.violations)} violations")
        return "".join(f"oracle: {line}\n" for line in lines)

    def everything(self):
        """All that met, in lines."""
        lines = [f"{self.sites[one]} met {self.sites[other]}, {count} times"
                 for (one, other), count in self.record.meetings.items()]
        lines += [f"a request of {self.sites[one]} was handed to {self.sites[other]}"
                  for one, other in self.record.uses]
        return "".join(f"{line}\n" for line in sorted(lines))


def judge(logs, report):
    """The Verdict on the logs in a folder by a report."""
    return Verdict(meetings.read(logs), places.Report(report))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs")
    parser.add_argument("report")
    parser.add_argument("--verbose", action="store_true", help="all that met")
    options = parser.parse_args()
    verdict = judge(options.logs, options.report)
    print((verdict.everything() if options.verbose else "") + verdict.text(), end="")
    return 1 if verdict.violations else 0


if __name__ == "__main__":
    sys.exit(main())

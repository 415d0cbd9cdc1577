#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differential fuzzing: random correct MPI programs, each rewritten and compared with its original.

    fuzz.py --seed 17                 one program; everything stays in --work
    fuzz.py --seed 17 --reduce        the same, and if it fails, the smallest part that still does
    fuzz.py --first 1000 --count 500  many; the folders of those that fail stay
    fuzz.py --first 1000 --seconds 3600
    fuzz.py --seed 17 --print         only the sources
    fuzz.py --seed 17 --preset impi   with another MPI library (scripts/build.sh impi)

mpishm-rewrite, mpishmcc and mpishmcxx are taken from the PATH; where they are not there, from build/bin. The seed alone
makes the program. Exit status 1: some program behaved differently, each named with the command that repeats it.
"""

import argparse
import collections
import concurrent.futures
import copy
import os
import shlex
import shutil
import sys
import time

import builds
import emit
import plan
import reduction
import trial


def command_for(seed, options):
    words = ["test/fuzz/fuzz.py", "--seed", str(seed), "--reduce"]
    if options.ranks:
        words += ["--ranks", str(options.ranks)]
    if options.windows:
        words += ["--windows"]
    if options.no_windows:
        words += ["--no-windows"]
    if options.guarded:
        words += ["--guarded"]
    if options.slips:
        words += ["--slips", str(options.slips)]
    if options.oracle:
        words += ["--oracle"]
    if options.sanitize:
        words += ["--sanitize", options.sanitize]
    if options.preset != "default":
        words += ["--preset", options.preset]
    return shlex.join(words)


def show_failure(seed, outcome, options):
    print(f"seed {seed}: {outcome.kind}\n{outcome.text.rstrip()}\n"
          f"(the programs are in {os.path.join(options.work, f'seed-{seed}')}; again: {command_for(seed, options)})",
          flush=True)


class Total:
    """What a run of many programs came to."""

    def __init__(self, options):
        self.options = options
        self.programs, self.sites, self.rewritten, self.runs, self.meetings, self.failed = 0, 0, 0, 0, 0, []
        self.collectives = self.rewritten_collectives = self.turned = 0
        self.seconds = collections.Counter()

    def add(self, seed, outcome, folder):
        """Count an outcome, say what is worth saying; the folder stays only where something failed."""
        self.programs += 1
        self.sites += outcome.sites
        self.rewritten += outcome.rewritten
        self.collectives += outcome.collectives
        self.rewritten_collectives += outcome.rewritten_collectives
        self.runs += outcome.runs
        self.meetings += outcome.meetings
        self.turned += outcome.turned
        self.seconds += outcome.seconds
        if outcome.kind != "same":
            self.failed.append(seed)
            show_failure(seed, outcome, self.options)
        elif not self.options.keep:
            shutil.rmtree(folder, ignore_errors=True)
        if self.options.progress and self.programs % self.options.progress == 0:
            print(f"seed {seed}: {self.programs} programs, {len(self.failed)} failed", flush=True)

    def close(self):
        """Say what it came to; return the exit status."""
        seeds = ": seeds " + " ".join(map(str, self.failed)) if self.failed else ""
        met = f"{self.meetings} meetings, " if self.options.oracle else ""
        turned = f"{self.turned} turned back, " if self.options.slips else ""
        print(f"{self.programs} programs, {self.runs} runs, {met}{self.rewritten} of {self.sites} sites and "
              f"{self.rewritten_collectives} of {self.collectives} collectives rewritten, {turned}"
              f"{len(self.failed)} failed{seeds}")
        print("seconds, of which some passed side by side: " +
              ", ".join(f"{what} {taken:.0f}" for what, taken in sorted(self.seconds.items())))
        share = self.options.at_least
        if not self.programs or self.rewritten < share * self.sites or \
                self.rewritten_collectives < share * self.collectives:
            print(f"fewer sites were rewritten than the share {self.options.at_least}: this run shows nothing")
            return 1
        if self.options.slips and not self.turned:
            print("no call was turned back: this run shows nothing")
            return 1
        if self.options.oracle and not self.meetings:
            print("no message was seen: this run shows nothing")
            return 1
        return 1 if self.failed else 0


def draw(seed, options):
    """The program of a seed, without functions that the MPI library has not."""
    program = plan.draw(seed, options.ranks, options.windows, not options.no_windows)
    for phase in program.phases:
        calls = [phase, *phase.operations, *phase.windows, *sum((epoch.operations for epoch in phase.epochs), [])]
        for it in calls:
            if it.call == "large_count" and not builds.has_large_counts():
                it.call = "direct"
    return program


def many(seeds, options, settings):
    """Try seeds in turn until they or the time are over; return the exit status. Programs are prepared beside one
    another; they run one by one, for --turn seconds whenever the lock is ours."""
    ends = time.monotonic() + options.seconds if options.seconds else None
    total, seeds, waiting = Total(options), iter(seeds), collections.deque()

    def prepare(seed):
        program, folder = draw(seed, options), os.path.join(options.work, f"seed-{seed}")
        return program, folder, trial.prepare(copy.deepcopy(program), folder, settings)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def refill():
            while len(waiting) < options.ahead and not (ends and time.monotonic() > ends):
                seed = next(seeds, None)
                if seed is None:
                    return
                waiting.append((seed, pool.submit(prepare, seed)))

        refill()
        while waiting:
            waiting[0][1].result()
            with trial.locked(options.lock):
                turn = time.monotonic()
                while waiting and (not options.lock or (waiting[0][1].done() and
                                                        time.monotonic() - turn < options.turn)):
                    seed, future = waiting.popleft()
                    program, folder, outcome = future.result()
                    total.add(seed, trial.finish(outcome, program, folder, settings), folder)
                    refill()
    return total.close()


def reduce(options, settings):
    """Reduce the program of options.seed if it fails; return the exit status."""
    program = draw(options.seed, options)
    folder = os.path.join(options.work, f"seed-{options.seed}")
    outcome = trial.attempt(program, folder, settings)
    print(f"seed {options.seed}: {outcome.kind}\n{outcome.text}", flush=True)
    if outcome.kind == "same":
        return 0
    small = reduction.reduced(program, outcome.kind, os.path.join(options.work, "reducing"), settings)
    folder += "-reduced"
    outcome = trial.attempt(copy.deepcopy(small), folder, settings)
    print(f"reduced to {len(small.phases)} phases, in {folder}: {outcome.kind}\n{outcome.text}")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=0, help="0: as many as --seconds allow")
    parser.add_argument("--seconds", type=int, default=0, help="after which no further program is begun")
    parser.add_argument("--jobs", type=int, default=2, help="programs built at a time")
    parser.add_argument("--ahead", type=int, default=8, help="programs built before they are run")
    parser.add_argument("--ranks", type=int, help="instead of the number drawn")
    parser.add_argument("--windows", action="store_true", help="programs of nothing but one-sided communication")
    parser.add_argument("--no-windows", action="store_true",
                        help="programs without one-sided communication, for MPI libraries with mistakes of their own there")
    parser.add_argument("--work", default="build/fuzz", help="scratch folder")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for one run")
    parser.add_argument("--lock", default="", help="a file: ranks run only while its lock is held")
    parser.add_argument("--turn", type=int, default=60, help="seconds to hold the lock at a time")
    parser.add_argument("--preset", default="default", help="of CMake; its build and MPI library are used: mpich5, ...")
    parser.add_argument("--sanitize", default="", help="build both programs with -fsanitize=THIS")
    parser.add_argument("--guarded", action="store_true",
                        help="rewrite with --guarded: what is not proved, for the runtime's net to guard")
    parser.add_argument("--slips", type=int, nargs="?", const=1, default=0, metavar="N",
                        help="turn about half of the rewritten calls back, for the runtime's net to serve; another "
                        "half in each of N copies of a program")
    parser.add_argument("--oracle", action="store_true",
                        help="compare what the originals do with what the tool proves of them, and nothing else")
    parser.add_argument("--at-least", type=float, default=0, help="fail when a smaller share of sites was rewritten")
    parser.add_argument("--progress", type=int, default=0, metavar="N", help="a line every N programs")
    parser.add_argument("--keep", action="store_true", help="keep the folders of all programs")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    options.work = os.path.realpath(options.work)

    builds.use(options.preset, options.sanitize)
    settings = trial.Settings(options.timeout, 1 if options.reduce else 2, options.lock, options.sanitize,
                              options.guarded, options.slips, options.oracle)
    if options.print:
        for name, text in emit.sources(draw(options.seed, options)).items():
            print(f"//--- {name}\n{text}")
        return 0
    if options.seed is not None:
        if options.reduce:
            return reduce(options, settings)
        options.keep = True
        return many([options.seed], options, settings)
    if not options.count and not options.seconds:
        parser.error("--seed, --count or --seconds is needed")
    return many(range(options.first, options.first + (options.count or 1 << 30)), options, settings)


if __name__ == "__main__":
    sys.exit(main())

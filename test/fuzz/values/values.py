#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs in which handles, tags and buffers go through forms that are hard to follow (draw.py).

    values.py --first 1 --count 1000          what --dump-classes says of them, against what is known; no rank runs
    values.py --each                          the same of one program for each form and thing that it can carry
    values.py --first 1 --count 100 --run     rewritten and compared with their originals; with --oracle, judged by it
    values.py --seed 17 --print               with --run, the one that --run draws

mpishm-rewrite and the compilers are found as by fuzz.py. The seed alone makes the program; with --run another, which
links. Exit status 1: the tool, or a program, is wrong about some, each named by its seed.
"""

import argparse
import concurrent.futures
import itertools
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))

import check  # noqa: E402
import draw  # noqa: E402
import trial  # noqa: E402
from database import write_database  # noqa: E402

CXX_FLAGS, C_FLAGS, LIBRARIES = ("-std=c++20",), ("-std=gnu17", "-D_GNU_SOURCE"), ("-pthread",)


def flags_of(program):
    return (*(CXX_FLAGS if program.cxx else C_FLAGS), *LIBRARIES)


def judge(program, folder):
    """(what is wrong, lanes that are closed) by --dump-classes, and by the changes where a buffer must stay."""
    trial.write_program(program, folder)
    (name, text), = program.sources().items()
    write_database(folder, flags=["-w", *flags_of(program)])

    def tool(*options):
        return subprocess.run(["mpishm-rewrite", "-p", ".", *options, name], cwd=folder, capture_output=True, text=True,
                              check=False, timeout=120)

    ran = tool("--dump-classes")
    if ran.returncode != 0 or "class " not in ran.stdout:
        return [f"mpishm-rewrite ends with {ran.returncode}\n{ran.stderr[:2000]}"], 0
    wrong, closed = check.errors(program, text, ran.stdout)
    if any(lane.thing in draw.NOT_LINKED for lane in program.lanes):
        ran = tool("--move-buffers=all")
        wrong += check.moved(program, ran.stdout) or ([] if ran.returncode == 0 else [f"no changes: {ran.stderr}"])
    return wrong, closed


def run(program, folder, options):
    """(what is wrong, sites that are rewritten) by running it."""
    settings = trial.Settings(options.timeout, oracle=options.oracle, flags=flags_of(program))
    outcome = trial.prepare(program, folder, settings)
    if options.oracle or outcome.rewritten or outcome.kind != "same":
        outcome = trial.finish(outcome, program, folder, settings)
    return ([] if outcome.kind == "same" else [f"{outcome.kind}\n{outcome.text}"]), outcome.rewritten


def programs(options):
    if options.each:
        for number, form in enumerate(draw.FORMS):
            kinds = form.kinds.split()
            for thing, (kind, *_) in draw.THINGS.items():
                if kind not in kinds or form.name in draw.NOT_SEEN or (options.run and thing in draw.NOT_LINKED):
                    continue
                yield draw.draw(1000000 + number * 100 + list(draw.THINGS).index(thing), 1, 1, form.name, thing)
        return
    if options.seed is not None:
        yield draw.draw(options.seed, linked=options.run)
        return
    ends = time.monotonic() + options.seconds if options.seconds else None
    for seed in range(options.first, options.first + (options.count or 1 << 30)):
        if ends and time.monotonic() > ends:
            return
        yield draw.draw(seed, linked=options.run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=0, help="0: as many as --seconds allow")
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--oracle", action="store_true", help="with --run: only the original runs, and is judged")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for one run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at-least", type=float, default=0, help="fail when a smaller share of lanes was closed")
    parser.add_argument("--work", default="build/fuzz/values", help="scratch folder")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    if options.print:
        print(draw.source(draw.draw(options.seed, linked=options.run))[1], end="")
        return 0
    if options.seed is None and not (options.count or options.seconds or options.each):
        parser.error("--seed, --count, --seconds or --each is needed")
    if not shutil.which("mpishm-rewrite"):
        binaries = os.path.realpath(os.path.join(trial.HERE, "..", "..", "build", "bin"))
        os.environ["PATH"] = binaries + os.pathsep + os.environ["PATH"]
    options.work = os.path.realpath(options.work)

    def attempt(program):
        folder = os.path.join(options.work, f"seed-{program.seed}")
        return program, folder, *(run(program, folder, options) if options.run else judge(program, folder))

    total, lanes, good, failed = 0, 0, 0, []
    jobs, drawn = 1 if options.run else options.jobs, programs(options)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        # A few at a time: the pool would draw all of them at once.
        while some := list(pool.map(attempt, itertools.islice(drawn, 4 * jobs))):
            for program, folder, wrong, share in some:
                total, lanes, good = total + 1, lanes + len(program.lanes), good + share
                if wrong:
                    failed.append(program.seed)
                    print(f"seed {program.seed}: {', '.join(program.names)}: {'; '.join(wrong)}\n(in {folder})",
                          flush=True)
                else:
                    shutil.rmtree(folder, ignore_errors=True)
    what = "sites rewritten" if options.run else f"of {lanes} lanes closed"
    print(f"{total} programs, {good} {what}, {len(failed)} failed" + "".join(f" {seed}" for seed in failed))
    return 1 if failed or not total or good < options.at_least * lanes else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs whose message buffers are arrays (draw.py), rewritten with --move-buffers=all and compared: with two
ranks and three, and with three on two nodes. --undo has to give back what was there.

    arrays.py --first 1 --count 100
    arrays.py --seed 17 --print

mpishm-rewrite and the compilers are found as by fuzz.py. The seed alone makes the program. Exit status 1: some program
differs, or cannot be built, each named by its seed; or no array moved in any.
"""

import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SUPPORT = os.path.join(HERE, "..", "..", "support")
sys.path[:0] = [SUPPORT]

import draw  # noqa: E402
import launch  # noqa: E402


class Wrong(Exception):
    """What is."""


def run(folder, *command):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def must(folder, *command):
    done = run(folder, *command)
    if done.returncode:
        raise Wrong(f"{command[0]} ends with {done.returncode}\n{done.stderr[:1000]}")
    return done


def compare(folder, ranks, nodes):
    """The lines of the ranks come in any order."""
    def told(program):
        done = run(folder, sys.executable, os.path.join(SUPPORT, "launch.py"), "--nodes", str(nodes), "-n", str(ranks),
                   program)
        return done.returncode, sorted(done.stdout.splitlines())

    before, after = told("./before"), told("./after")
    if before[0]:
        raise Wrong(f"the program itself ends with {before[0]}")
    if before != after:
        raise Wrong(f"{ranks} ranks, {nodes} nodes: {after} in place of {before}")


def attempt(seed, folder):
    """How many arrays moved."""
    program = draw.Draw(seed)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    name = "program.cpp" if program.is_cxx else "program.c"
    compilers = ("mpicxx", "mpishmcxx") if program.is_cxx else ("mpicc", "mpishmcc")
    flags = ["-std=c++17" if program.is_cxx else "-std=gnu11", "-O1", "-w"]
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(program.source)
    must(folder, compilers[0], *flags, name, "-o", "before")
    must(folder, "mpishm-rewrite", "-i", "--move-buffers=all", name, "--", flags[0])
    with open(path, encoding="utf-8") as file:
        moved = file.read().count("_ARRAY(")
    must(folder, compilers[1], *flags, name, "-o", "after")
    for ranks, nodes in ((2, 1), (3, 1), (3, 2)):
        compare(folder, ranks, nodes)
    must(folder, "mpishm-rewrite", "--undo", "-i", name)
    with open(path, encoding="utf-8") as file:
        if file.read() != program.source:
            raise Wrong("--undo does not give the original")
    return moved


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--work", default="build/fuzz/arrays", help="scratch folder")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    if options.print:
        print(draw.Draw(options.seed).source, end="")
        return 0
    os.environ.update(launch.find_launcher().environment)
    seeds = [options.seed] if options.seed is not None else range(options.first, options.first + options.count)
    failed, moved = [], 0
    for seed in seeds:
        folder = os.path.join(os.path.realpath(options.work), f"seed-{seed}")
        try:
            moved += attempt(seed, folder)
            shutil.rmtree(folder)
        except (Wrong, subprocess.TimeoutExpired) as wrong:
            failed.append(seed)
            print(f"seed {seed}: {wrong}\n(in {folder})", flush=True)
    names = "".join(f" {seed}" for seed in failed)
    print(f"{len(seeds)} programs, {moved} arrays moved, {len(failed)} failed{names}")
    return 1 if failed or not moved else 0


if __name__ == "__main__":
    sys.exit(main())

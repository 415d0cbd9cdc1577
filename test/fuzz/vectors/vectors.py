#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs whose message buffers are vectors that go through functions, members, variables and temporaries
(draw.py): with another allocator for those that move they still compile, with GCC and Clang, and print the same.

    vectors.py --first 1 --count 100
    vectors.py --seed 17 --print

mpishm-rewrite and the compilers are found as by fuzz.py. The seed alone makes the program. Exit status 1: some program
does not compile, or differs, each named by its seed; or no buffer moved in any.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import draw  # noqa: E402
import trial  # noqa: E402,F401: finds database
from database import write_database  # noqa: E402

FLAGS = ["-std=c++17", "-w"]
UNITS = ["a.cpp", "b.cpp"]


def attempt(seed, folder):
    """(what is wrong or None, how many buffers moved)."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in draw.Draw(seed).sources().items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(*command):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)

    write_database(folder, flags=FLAGS)
    built = run("mpicxx", *FLAGS, *UNITS, "-o", "before")
    if built.returncode:
        return f"the program itself does not compile\n{built.stderr[:1000]}", 0
    before = run("./before")
    tool = run("mpishm-rewrite", "-i", "--move-buffers=all")
    if tool.returncode:
        return f"mpishm-rewrite ends with {tool.returncode}\n{tool.stderr[:1000]}", 0
    told = re.search(r"moved (\d+) of", tool.stderr)  # none where there is no message
    moved = int(told.group(1)) if told else 0
    include = os.path.join(HERE, "..", "..", "..", "runtime", "include")
    for command in (("mpishmcxx", *FLAGS, *UNITS, "-o", "after"),
                    ("mpicxx", "-cxx=clang++-19", *FLAGS, "-I", include, "-fsyntax-only", *UNITS)):
        built = run(*command)
        if built.returncode:
            return f"does not compile with {command[0]}\n{built.stderr[:1000]}", moved
    after = run("./after")
    if (before.returncode, before.stdout) != (after.returncode, after.stdout):
        return (f"ends with {after.returncode} in place of {before.returncode}, and prints {after.stdout} in place of"
                f" {before.stdout}"), moved
    return None, moved


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", default="build/fuzz/vectors", help="scratch folder")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    if options.print:
        for name, text in draw.Draw(options.seed).sources().items():
            print(f"// {name}\n{text}", end="")
        return 0
    seeds = [options.seed] if options.seed is not None else range(options.first, options.first + options.count)
    work = os.path.realpath(options.work)
    failed, moved = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tried = pool.map(lambda seed: attempt(seed, os.path.join(work, f"seed-{seed}")), seeds)
        for seed, (wrong, buffers) in zip(seeds, tried):
            moved += buffers
            if wrong:
                failed.append(seed)
                print(f"seed {seed}: {wrong}\n(in {work}/seed-{seed})", flush=True)
            else:
                shutil.rmtree(os.path.join(work, f"seed-{seed}"), ignore_errors=True)
    names = "".join(f" {seed}" for seed in failed)
    print(f"{len(seeds)} programs, {moved} buffers moved, {len(failed)} failed{names}")
    return 1 if failed or not moved else 0


if __name__ == "__main__":
    sys.exit(main())

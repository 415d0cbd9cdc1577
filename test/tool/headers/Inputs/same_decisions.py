# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_decisions.py [--except NAME] BIN WORK PROGRAM...: fail unless mpishm-rewrite decides the same of each program with two MPI
libraries' headers: those of the mpicc and mpicxx on the PATH, and those of the folder BIN.

A program is a folder or one source file. What is compared is all that the tool prints: the diff and its messages. A
source that asks for the version of MPI or of the library (MPI_VERSION, MPICH_NUMVERSION) is another program with another
library, and is not compared, nor is one called NAME.
"""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

TEST = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TEST / "support"))
from database import write_database  # noqa: E402

OF_VERSION = re.compile(r"\bMPI_VERSION\b|\bMPICH_NUMVERSION\b")
REPORT_H = TEST / "run" / "Inputs" / "report.h"


def decisions(folder, cc, cxx):
    write_database(folder, cc=cc, cxx=cxx)
    # Intel MPI's compilers ask this variable where they are.
    environment = {**os.environ, "I_MPI_ROOT": str(pathlib.Path(cxx).parents[1]) if os.path.isabs(cxx) else ""}
    result = subprocess.run(["mpishm-rewrite", "-p", ".", "-j", "1"], cwd=folder, check=False, text=True,
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL)
    # How many buffers are looked at depends on whether handles are pointers, for containers of both. What is moved must
    # not, but how many stay private may.
    said = re.sub(r"(moved \d+) of \d+ (message buffers into the window); .*", r"\1 \2", result.stdout)
    return f"exit {result.returncode}\n{said}"


def compare(program, folder, binaries):
    """Return (what differs, as text, and whether there was anything to rewrite)."""
    if program.is_dir():
        shutil.copytree(program, folder)
    else:
        folder.mkdir(parents=True)
        shutil.copy(program, folder)
        shutil.copy(REPORT_H, folder)
    first = decisions(folder, "mpicc", "mpicxx")
    second = decisions(folder, str(binaries / "mpicc"), str(binaries / "mpicxx"))
    difference = difflib.unified_diff(first.splitlines(), second.splitlines(), f"{program.name} with mpicc",
                                      f"{program.name} with {binaries}", lineterm="")
    return "\n".join(difference), "\n+++ b/" in first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--except", dest="excepted", action="append", default=[])
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("programs", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    binaries, work = options.binaries, options.work
    programs = [program for program in options.programs if program.name not in options.excepted]
    for program in [p for p in programs if p.is_file() and OF_VERSION.search(p.read_text(encoding="utf-8"))]:
        print(f"{program.name} is not compared: what it is depends on the library's version")
        programs.remove(program)
    shutil.rmtree(work, ignore_errors=True)
    folders = [work / str(number) / program.name for number, program in enumerate(programs)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compare, programs, folders, [binaries] * len(programs)))
    differences = [difference for difference, _ in results if difference]
    rewritten = sum(edited for _, edited in results)
    print(f"{len(programs)} programs, {rewritten} of them to be rewritten, {len(differences)} decided otherwise")
    if 2 * rewritten < len(programs):
        differences.append("most programs were left as they are: is there anything that was compared?")
    print("\n".join(differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

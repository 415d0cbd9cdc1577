#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that mpishm.h, and what mpishm-rewrite writes, is silent wherever mpi.h and what stood there before are.

    check_warnings.py HEADER WORK -- [what mpicc adds when compiling]

For each compiler and language standard, of all warnings those are asked for that the original text does not raise; the
rewritten text must raise none of them either. The header must also be silent where the compiler shows what it finds in
the headers of the system, as which it presents itself.
"""

import os
import re
import shutil
import subprocess
import sys

COMMON = """-Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Wcast-qual -Wcast-align
-Wredundant-decls -Wmissing-declarations -Wunused-macros -Wswitch-default -Wfloat-equal -Wlong-long -Wvla -Winline
-Wunused-const-variable -Wunused-function -Wwrite-strings -Wpadded -Wdouble-promotion -Wformat=2
-Wnull-dereference""".split()
ONLY = {
    "c": """-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wnested-externs -Wbad-function-cast
-Wdeclaration-after-statement -Wc++-compat""".split(),
    "c++": """-Wold-style-cast -Wzero-as-null-pointer-constant -Wnon-virtual-dtor -Woverloaded-virtual -Weffc++
-Wdeprecated -Wctor-dtor-privacy""".split(),
    "gcc c": "-Wtraditional -Wtraditional-conversion -Wunsuffixed-float-constants -Wjump-misses-init".split(),
    "gcc c++": """-Wuseless-cast -Wnoexcept -Wstrict-null-sentinel -Wsuggest-override -Wextra-semi -Wduplicated-branches
-Wlogical-op -Wsign-promo -Wmultiple-inheritance -Wtemplates -Wnamespaces -Wsuggest-attribute=noreturn""".split(),
    "clang c": ["-Weverything"],
    "clang c++": ["-Weverything"],
}
# Of these a header is free that is written for C89 and C++98 and later ones, with functions to be left unused.
NOT_HIDDEN = """-Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Wcast-qual -Wcast-align
-Wredundant-decls""".split()
NOT_HIDDEN_ONLY = {
    "c": "-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wdeclaration-after-statement".split(),
    "c++": "-Wold-style-cast -Wzero-as-null-pointer-constant".split(),
}
STANDARDS = {
    "c": ("c89", "gnu89", "gnu17", "c2x"),
    "c++": ("c++98", "c++11", "gnu++17", "c++20"),
}
# Before and after. What is used of the runtime stands for all of its kind.
TEXTS = {
    "c": ("""#include <mpi.h>
#include <stdlib.h>
char *made(size_t n);
void used(MPI_Request *request);
char *made(size_t n) {
  char *one = (char *)malloc(n);
  free(one);
  return (char *)calloc(n, n);
}
void used(MPI_Request *request) {
  char *kept = made(3);
  (void)MPI_Wait(request, MPI_STATUS_IGNORE);
  free(kept);
}
""", """#include <mpi.h>
#include <mpishm.h>
#include <stdlib.h>
char *made(size_t n);
void used(MPI_Request *request);
char *made(size_t n) {
  char *one = (char *)MPISHM_Malloc(n);
  MPISHM_Free(one);
  return (char *)MPISHM_Calloc(n, n);
}
void used(MPI_Request *request) {
  char *kept = MPISHM_TO_WINDOW(made(3));
  (void)MPISHM_Wait(request, MPI_STATUS_IGNORE);
  MPISHM_Free(kept);
}
"""),
    "c++": ("""#include <mpi.h>
#include <cstdlib>
#include <vector>
char *made(std::size_t n);
void used(MPI_Request *request);
char *made(std::size_t n) {
  double *pair = new double[n];
  delete[] pair;
  char *one = static_cast<char *>(malloc(n));
  free(one);
  return static_cast<char *>(std::calloc(n, n));
}
void used(MPI_Request *request) {
  char *kept = made(3);
  std::vector<double> faces(3);
  faces.resize(4);
  static_cast<void>(MPI_Wait(request, MPI_STATUS_IGNORE));
  std::free(kept);
}
""", """#include <mpi.h>
#include <mpishm.h>
#include <cstdlib>
#include <vector>
char *made(std::size_t n);
void used(MPI_Request *request);
char *made(std::size_t n) {
  double *pair = new (mpishm::window) double[n];
  MPISHM_Delete_array(pair);
  char *one = static_cast<char *>(MPISHM_Malloc(n));
  MPISHM_Free(one);
  return static_cast<char *>(mpishm::calloc(n, n));
}
void used(MPI_Request *request) {
  char *kept = MPISHM_To_window(made(3));
  std::vector<double, mpishm::allocator<double> > faces(3);
  faces.resize(4);
  static_cast<void>(MPISHM_Wait(request, MPI_STATUS_IGNORE));
  mpishm::free(kept);
}
"""),
}
NAMES = {"c": ("before.c", "after.c"), "c++": ("before.cpp", "after.cpp")}


def diagnosed(command, work):
    """What a compiler says of a file; it must compile it."""
    result = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"check_warnings: {' '.join(command)} failed\n{result.stdout}")
    return result.stdout


def quiet_for(command, flags, work):
    """Those of flags, and the exceptions from them, under which the file of command raises no warning."""
    flags = list(flags)
    for _ in range(10):
        said = diagnosed([*command, *flags], work)
        if not said:
            return flags
        raised = set(re.findall(r"\[-W([\w+=-]+)\]", said))
        if not raised:
            flags = [flag for flag in flags if flag != "-Wtraditional"]  # some warnings have no name of their own
        flags += [f"-Wno-{name.split('=')[0]}" for name in sorted(raised)]
    raise SystemExit(f"check_warnings: {' '.join(command)} is never silent\n{said}")


def check(compiler, language, work, options):
    """Check one compiler with all standards of one language; return the number of silent compilations."""
    before, after = NAMES[language]
    maker = "clang" if "clang" in compiler else "gcc"
    asked = [*COMMON, *ONLY[language], *ONLY[f"{maker} {language}"]]
    count = 0
    for standard in STANDARDS[language]:
        command = [compiler, "-x", language, f"-std={standard}", "-O1", *options, "-c", "-o", "out.o"]
        flags = quiet_for([*command, before], asked, work)
        for extra in ([], ["-DMPISHM_OFF"]):
            said = diagnosed([*command, *flags, *extra, after], work)
            if said:
                raise SystemExit(f"check_warnings: {' '.join([*command, *flags, *extra, after])}\n{said}")
            shown = [*NOT_HIDDEN, *NOT_HIDDEN_ONLY[language], "-Wsystem-headers"]
            said = [line for line in diagnosed([*command, *shown, *extra, after], work).splitlines()
                    if re.search(r"mpishm\.h:\d+:\d+: warning", line)]
            if said:
                raise SystemExit(f"check_warnings: {' '.join([*command, *shown, *extra, after])}\n" + "\n".join(said))
            count += 1
    return count


def main():
    header, work = sys.argv[1:3]
    options = [*sys.argv[sys.argv.index("--") + 1:], "-I" + os.path.dirname(os.path.realpath(header))]
    os.makedirs(work, exist_ok=True)
    for language, texts in TEXTS.items():
        for name, text in zip(NAMES[language], texts):
            with open(os.path.join(work, name), "w", encoding="utf-8") as out:
                out.write(text)
    count = 0
    for language, compilers in (("c", ("gcc", "clang-19")), ("c++", ("g++", "clang++-19"))):
        found = [compiler for compiler in compilers if shutil.which(compiler)]
        if not found:
            raise SystemExit(f"check_warnings: none of {', '.join(compilers)} is here")
        for compiler in found:
            count += check(compiler, language, work, options)
    print(f"silent {count} times")


if __name__ == "__main__":
    main()

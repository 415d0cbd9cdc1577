# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""complete.py ROOT HELP: compare the reference in ROOT/docs with the sources and with what --help printed into HELP."""

import pathlib
import re
import sys

root, help_text = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
problems = []


def read(path):
    return (root / path).read_text(encoding="utf-8")


def same(what, real, shown, least):
    """Both sets are equal, and have at least so many members, so that an empty pattern is noticed."""
    problems.extend(f"{what}: {name} is not in the guide" for name in sorted(real - shown))
    problems.extend(f"{what}: {name} is in the guide only" for name in sorted(shown - real))
    if len(real) < least:
        problems.append(f"{what}: only {len(real)} were found")


def check_functions():
    header = re.sub(r"/\*.*?\*/", "", read("runtime/include/mpishm.h"), flags=re.DOTALL)
    names = set(re.findall(r"\b(MPISHM_\w+)\(", header))
    names |= set(re.findall(r"#define (MPISHM_(?:VERSION|HAVE)_\w+)", header)) | {"MPISHM_OFF", "MPISHM_STATIC"}
    names -= set(re.findall(r"MPISHM_(?:NOEXCEPT|INLINE)", header))
    same("functions", names, set(re.findall(r"\bMPISHM_\w+", read("docs/api.md"))) - {"MPISHM_"}, 70)


def check_options():
    real = set(re.findall(r"^  (--?[a-z-]+)", help_text.split("OPTIONS:")[1].split("EXAMPLES:")[0], re.MULTILINE))
    real -= {"--help-list", "--help-hidden"}
    page = read("docs/reference.md").split("## mpishmcc")[0]
    rows = re.findall(r"^\| (`-.*?) \|", page, re.MULTILINE)
    same("options", real, {option for row in rows for option in re.findall(r"`(--?[a-z-]+)", row)}, 15)
    codes = re.findall(r"^  (\d)  ", help_text.split("EXIT STATUS:")[1], re.MULTILINE)
    same("exit codes", set(codes), set(re.findall(r"^\| (\d) \|", page, re.MULTILINE)), 3)


def check_environment():
    used = set()
    for source in (root / "runtime/src").glob("*/*.c"):
        used |= set(re.findall(r'"(MPISHM_[A-Z_]+)"', source.read_text(encoding="utf-8")))
    page = read("docs/reference.md").split("## Environment")[1]
    same("environment", used, set(re.findall(r"^\| `(MPISHM_[A-Z_]+)`", page, re.MULTILINE)), 8)
    wrapper = set(re.findall(r"\$\{?(MPISHM_[A-Z_]+)", read("runtime/compilers/mpishm-compiler.in")))
    wrapper |= set(re.findall(r"^mpishm_compiler\(.* (\w+)\)", read("runtime/compilers/CMakeLists.txt"), re.MULTILINE))
    page = read("docs/reference.md").split("## mpishmcc")[1].split("## Environment")[0]
    shown = {name for row in re.findall(r"^\| (`MPISHM_.*?) \|", page, re.MULTILINE)
             for name in re.findall(r"MPISHM_[A-Z_]+", row)}
    same("environment of mpishmcc", wrapper, shown, 3)


def check_diagnostics():
    rows = re.findall(r'^DIAGNOSTIC\(\w+,\s*"(mpishm-[a-z-]+)"', read("tool/program/Diagnostics.def"), re.MULTILINE)
    index = re.findall(r"^\| \[(mpishm-[a-z-]+)\]\(\1\.md\) \|", read("docs/diagnostics/README.md"), re.MULTILINE)
    same("diagnostics", set(rows), set(index), 25)
    problems.extend(f"diagnostics: {id} is twice in the index" for id in set(index) if index.count(id) > 1)


check_functions()
check_options()
check_environment()
check_diagnostics()
sys.exit("\n".join(problems) or 0)

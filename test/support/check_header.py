#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check what mpishm.h declares against MPI, and that -DMPISHM_OFF leaves none of it out.

    check_header.py HEADER TOOL WORK [--cc mpicc] [--cxx mpicxx]

Each function must have the type of the function that -DMPISHM_OFF puts in its place; with that, all of them must link
without libmpishm, in C and C++. It must compile behind macros that a program defines after mpi.h. All names that
mpishm-rewrite, whose sources are in the folder TOOL, may write must be among them.
"""

import argparse
import os
import re
import subprocess
import sys

PROTOTYPE = re.compile(r"^(?:int|void) \*?(MPISHM_\w+)\(", re.MULTILINE)
ROW = re.compile(r"^MPI_(FUNCTION|COUNTED|COLLECTIVE|NONBLOCKING|PERSISTENT|WINDOW|COUNTED_WINDOW) *\((\w+), *\w+, *"
                 "Rewritten,", re.MULTILINE)
MAPPING = re.compile(r"^#define (MPISHM_\w+) (\w+)$", re.MULTILINE)
# Without a counterpart: small functions of the header take their place.
OWN = {"MPISHM_Attach", "MPISHM_Attach_guarded", "MPISHM_Attach_nodewise", "MPISHM_Attach_nodewise_guarded",
       "MPISHM_Packing_begin", "MPISHM_Packing_buffer", "MPISHM_Packing_place", "MPISHM_Place_arrays",
       "MPISHM_To_window", "MPISHM_Window_allocate", "MPISHM_Window_free"}
CXX_ONLY = {"MPISHM_Delete_array"}  # a template, used in:
LANGUAGE = set("""align_val_t alignof bad_alloc bool char class const const_cast defined delete else enum extern false
if inline int long namespace new noexcept nothrow nothrow_t operator private ptrdiff_t public return size_t sizeof
static static_cast std struct template throw true typedef typename unsigned void volatile NULL""".split())
MEMORY = {"malloc", "calloc", "realloc", "aligned_alloc", "free"}
CXX_MEMORY = """
void memory() {
  double *made = new (mpishm::window) double[3];
  MPISHM_Delete_array(made);
  made = MPISHM_To_window(static_cast<double *>(MPISHM_To_window(MPISHM_Malloc(3))));
  MPISHM_Free(made);
  mpishm::allocator<double> allocator;
  allocator.deallocate(allocator.allocate(3), 3);
}
"""


def compile_text(work, name, text, command):
    """Compile text, in the file `name` of the folder work."""
    with open(os.path.join(work, name), "w", encoding="utf-8") as out:
        out.write(text)
    result = subprocess.run([*command, name], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if result.returncode != 0:
        raise SystemExit(f"check_header: {' '.join(command)} {name} failed\n{result.stdout}")
    return result.stdout


def written_by(tool):
    """The functions that mpishm-rewrite may put into a source: of its table of MPI's, and named in its sources."""
    with open(os.path.join(tool, "mpi", "Functions.def"), encoding="utf-8") as stream:
        rows = ROW.findall(stream.read())
    names = {f"MPISHM_{name}" for _, name in rows} | {f"MPISHM_{name}_c" for kind, name in rows
                                                     if kind not in ("FUNCTION", "WINDOW")}
    for folder, _, files in os.walk(tool):
        for name in files:
            with open(os.path.join(folder, name), encoding="utf-8") as stream:
                names.update(re.findall(r'"(MPISHM_[A-Z][a-z]\w*)', stream.read()))
    return names


def macros_of_programs(text, memory):
    """Macros of all the names that the header uses which are not reserved, MPI's or the language's: those of arguments,
    which a program may have for constants, and with memory those of functions, for functions of its own."""
    code = re.sub(r'/\*.*?\*/|"[^"\n]*"|^ *#[^\n]*', " ", text, flags=re.DOTALL | re.MULTILINE)
    names = {name.rstrip("_") for name in re.findall(r"\b[A-Za-z]\w*", code)}
    names = {name for name in names - LANGUAGE - MEMORY if not re.match("MPI|mpishm", name)}
    macros = {name: f"{name} 1.5" for name in names}
    macros.update({name: f"{name}(a, b) ((a) {sign} (b) ? (a) : (b))" for name, sign in (("max", ">"), ("min", "<"))})
    if memory:
        macros.update({name: f"{name}(a) my_{name}(a, __LINE__)" for name in MEMORY})
    return "".join(f"#define {macro}\n" for macro in macros.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("header")
    parser.add_argument("tool")
    parser.add_argument("work")
    parser.add_argument("--cc", default="mpicc")
    parser.add_argument("--cxx", default="mpicxx")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    with open(options.header, encoding="utf-8") as stream:
        text = stream.read()
    declared = set(PROTOTYPE.findall(text))
    mapped = dict(pair for pair in MAPPING.findall(text) if pair[0] in declared)
    if declared - OWN != set(mapped):
        missing = ", ".join(sorted(declared - OWN - set(mapped)))
        raise SystemExit(f"check_header: without a line under MPISHM_OFF: {missing}")
    written = written_by(options.tool)
    if len(written) < 70 or not written <= declared | CXX_ONLY:
        raise SystemExit(f"check_header: of the {len(written)} names that the tool writes the header has no "
                         f"{sorted(written - declared - CXX_ONLY)}")
    for name in OWN:
        if not re.search(rf"^MPISHM_INLINE .*\b{name}\(", text, re.MULTILINE):
            raise SystemExit(f"check_header: {name} is no function under MPISHM_OFF")

    include = f"-I{os.path.dirname(os.path.realpath(options.header))}"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    # Which functions there are depends on the MPI library's version.
    seen = compile_text(options.work, "seen.c", "#include <mpishm.h>\n", [options.cc, include, "-E", "-P"])
    here = sorted(declared & set(re.findall(r"\bMPISHM_\w+", seen)))
    same = "".join(f"_Static_assert(__builtin_types_compatible_p(__typeof__({name}), __typeof__({mapped[name]})), "
                   f'"{name}");\n' for name in here if name not in OWN)
    compile_text(options.work, "types.c", "#include <mpishm.h>\n#include <stdlib.h>\n" + same,
                 [options.cc, include, "-D_GNU_SOURCE", "-fsyntax-only"])

    def table(names):
        return ("#include <mpishm.h>\ntypedef void function(void);\nextern function *const table[];\n"
                "function *const table[] = {" + ", ".join(f"(function *){name}" for name in names) + "};\n")
    cxx_table = table([name for name in here if name != "MPISHM_To_window"])  # a template as well, used above
    main_function = "int main(void) { return table[0] == 0 || MPISHM_Attach() != MPI_SUCCESS; }\n"
    quiet = [*warnings, "-Wno-cast-function-type", "-D_GNU_SOURCE", "-DMPISHM_OFF", include, "-o", "program"]
    for standard in ("c89", "c11", "gnu17"):
        compile_text(options.work, "table.c", table(here) + main_function,
                     [options.cc, f"-std={standard}", *quiet])
    for standard in ("c++98", "c++11", "c++17"):
        compile_text(options.work, "table.cpp", cxx_table + CXX_MEMORY + main_function,
                     [options.cxx, f"-std={standard}", *quiet])
    for extra in ([], ["-DMPISHM_OFF"]):  # programs include MPI's header so, and ours is put after it
        compile_text(options.work, "extern.cpp", '#include <mpi.h>\nextern "C" {\n#include <mpishm.h>\n}\n' + CXX_MEMORY,
                     [options.cxx, include, "-fsyntax-only", *extra])
    for extra in ([], ["-DMPISHM_OFF"]):
        macros = macros_of_programs(text, not extra)
        behind = f'#include <mpi.h>\n#include <stdlib.h>\n{macros}#include "{options.header}"\n'
        for compiler, standard in ((options.cc, "c89"), (options.cc, "gnu17"), (options.cxx, "c++98"),
                                   (options.cxx, "c++17")):
            name = "behind.c" if compiler == options.cc else "behind.cpp"
            compile_text(options.work, name, behind + "int check = max(1, 2) + min(1, 2);\n",
                         [compiler, f"-std={standard}", "-fsyntax-only", *extra])
    print(f"{len(here)} of {len(declared)} functions are here, and each is MPI's or the C library's with MPISHM_OFF")


if __name__ == "__main__":
    sys.exit(main())

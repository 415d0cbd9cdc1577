#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a compile_commands.json for the C and C++ sources under a folder.

    database.py DIR [--flags "-DX -Iinclude"] [--cc mpicc] [--cxx mpicxx] [SOURCE...]

Without SOURCE, every .c, .cc, .cpp and .cxx file under DIR, relative to it, is an entry.
"""

import argparse
import json
import os
import shlex

C_SUFFIXES = (".c",)
CXX_SUFFIXES = (".cc", ".cpp", ".cxx", ".C")


def sources_under(folder):
    """Paths of the sources under folder, relative to it, sorted."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(C_SUFFIXES + CXX_SUFFIXES):
                found.append(os.path.relpath(os.path.join(parent, name), folder))
    return sorted(found)


def compile_command(source, flags=(), cc="mpicc", cxx="mpicxx"):
    """The arguments that compile source to an object file beside it."""
    compiler = cxx if source.endswith(CXX_SUFFIXES) else cc
    return [compiler, *flags, "-c", "-o", os.path.splitext(source)[0] + ".o", source]


def write_database(folder, sources=None, flags=(), cc="mpicc", cxx="mpicxx"):
    """Write folder/compile_commands.json and return its path."""
    folder = os.path.realpath(folder)
    entries = [
        {"directory": folder, "file": source, "arguments": compile_command(source, flags, cc, cxx)}
        for source in sources or sources_under(folder)
    ]
    path = os.path.join(folder, "compile_commands.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(entries, out, indent=1)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--flags", default="", help="options for every source, one string")
    parser.add_argument("--cc", default="mpicc")
    parser.add_argument("--cxx", default="mpicxx")
    options = parser.parse_args()
    write_database(options.folder, options.sources, shlex.split(options.flags), options.cc, options.cxx)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy over sources, on every processor; one that was clean is not read again until something in it changes.

run_tests.py calls tidy(). build/tidy says what each source was when it was clean: a hash over all that the answer
depends on, except the system's headers.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess

CLANG_TIDY = "clang-tidy-19"
CLEAN = "build/tidy"
SCOPE_SOURCE, SCOPE = "scripts/tidy_scope.cpp", "build/tidy/scope.so"


def contents(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def build_scope():
    if not os.path.isfile(SCOPE) or os.path.getmtime(SCOPE) < os.path.getmtime(SCOPE_SOURCE):
        output("clang++-19", "-std=c++20", "-O1", "-fPIC", "-shared", "-fno-rtti", "-isystem",
               output("llvm-config-19", "--includedir").strip(), SCOPE_SOURCE, "-o", SCOPE)


def with_headers(path, folders):
    """Path, and those of our own files that it or one of them includes: names and contents."""
    found, names = {}, [path]
    while names:
        name = names.pop()
        if name not in found and os.path.isfile(name):
            found[name] = contents(name)
            included = re.findall(r'^\s*#\s*include\s*["<]([^">]+)', found[name], re.M)
            names += [os.path.normpath(os.path.join(folder, other)) for other in included
                      for folder in (os.path.dirname(name), *folders)]
    return sorted(found.items())


def tidy(paths):
    """Yield path, whether it is clean, and what clang-tidy says of it, for each of paths, in their order."""
    os.makedirs(CLEAN, exist_ok=True)
    build_scope()
    common = [output(CLANG_TIDY, "--version"), contents(".clang-tidy"), contents(SCOPE_SOURCE), contents(__file__)]
    command_of = {os.path.relpath(entry["file"]): entry["command"]
                  for entry in json.loads(contents("build/compile_commands.json"))}

    def one(path):
        command = command_of.get(path)
        if not command:
            return path, False, "not in build/compile_commands.json"
        folders = re.findall(r"-I\s*(\S+)", command)
        now = hashlib.sha256(repr((common, command, with_headers(path, folders))).encode()).hexdigest()
        mark = os.path.join(CLEAN, path.replace("/", "-"))
        if os.path.isfile(mark) and contents(mark) == now:
            return path, True, ""
        result = subprocess.run([CLANG_TIDY, "--quiet", "-load", SCOPE, "-p", "build", path], check=False, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode == 0:
            with open(mark, "w", encoding="utf-8") as stream:
                stream.write(now)
        return path, result.returncode == 0, result.stdout

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(one, paths)

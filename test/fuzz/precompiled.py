# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Precompiled headers: with C++, reading <mpi.h> and <vector> is most of what compiling a small program takes."""

import os
import threading

from edits import Failure
from run_both import must

# What every program includes before anything of its own (report.h, emit.py).
HEADERS = """#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <array>
#include <vector>
#endif
"""
_made = {}  # by compiler, flags and folder
_lock = threading.Lock()


def _make(compiler, language, flags, folder):
    name = f"{os.path.basename(compiler)}-{language}".replace("+", "x")
    header = os.path.join(folder, f"{name}.h")
    os.makedirs(folder, exist_ok=True)
    with open(header, "w", encoding="utf-8") as stream:
        stream.write(HEADERS)
    try:
        must([compiler, *flags, "-c", "-x", f"{language}-header", header, "-o", f"{header}.gch"], folder)
    except Failure:
        return []  # a compiler that has its own way
    return ["-include", header]


def options(compiler, language, flags, folder):
    """What makes compiler, with flags, use headers of language ("c", "c++") that lie precompiled in folder."""
    key = (compiler, language, *flags, folder)
    with _lock:
        if key not in _made:
            _made[key] = _make(compiler, language, flags, folder)
        return _made[key]

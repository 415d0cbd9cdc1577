# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""checks.py DATABASE: add what bear records of configure scripts, whose files are gone by then."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    database = json.load(stream)
for folder, file in (("/gone/CMakeFiles/3.25.1/CompilerIdC", "CMakeCCompilerId.c"),
                     ("/gone/CMakeFiles/CMakeScratch/TryCompile-x", "/usr/share/cmake/Modules/CMakeCCompilerABI.c"),
                     ("/gone/build", "conftest.c"), ("/gone/build/meson-private/tmp1", "testfile.c")):
    database.append({"directory": folder, "file": file if file[0] == "/" else f"{folder}/{file}",
                     "arguments": ["mpicc", "-c", file]})
with open(sys.argv[1], "w", encoding="utf-8") as stream:
    json.dump(database, stream)

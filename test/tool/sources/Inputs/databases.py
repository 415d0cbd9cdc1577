# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""databases.py TEMPLATES FOLDER MPIFLAGS: run the tool with each template as FOLDER's database, print what it sums up.

The tool runs on a terminal, so that it says how many units it reads; that is printed for templates that begin with
"twice".
"""

import os
import pathlib
import re
import subprocess
import sys

templates, folder, mpi_flags = sys.argv[1:]
terminal = os.path.join(os.path.dirname(__file__), "../../Inputs/in_terminal.py")
pathlib.Path(folder, "flags.rsp").write_text("-I../include -DNAME='a b'\n")
for template in sorted(pathlib.Path(templates).iterdir()):
    text = template.read_text().replace("@FOLDER@", os.path.realpath(folder)).replace("@MPI@", mpi_flags)
    pathlib.Path(folder, "compile_commands.json").write_text(text)
    shown = subprocess.run([sys.executable, terminal, "dumb", "80", "mpishm-rewrite", "-p", folder], check=False,
                           stdout=subprocess.PIPE, text=True).stdout
    summary = re.search(r"mpishm-rewrite: (.*)", shown)
    count = max(re.findall(r"\[\d+/\d+\]", shown), default="") + " " if template.name.startswith("twice") else ""
    print(f"{template.name}: {count}{summary.group(1) if summary else shown}")

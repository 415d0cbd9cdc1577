# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""moved.py FOLDER: make the folder's compilation database say that everything is compiled in /gone."""

import json
import pathlib
import sys

database = pathlib.Path(sys.argv[1], "compile_commands.json")
database.write_text(json.dumps([{**entry, "directory": "/gone"} for entry in json.loads(database.read_text())]))

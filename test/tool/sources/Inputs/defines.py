# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""defines.py DATABASE SOURCE: have the command of the source define its function under the name pick_tag."""

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
entries = json.loads(path.read_text())
for entry in entries:
    if entry["file"] == sys.argv[2]:
        entry["arguments"].insert(1, "-Ddefined_elsewhere=pick_tag")
path.write_text(json.dumps(entries))

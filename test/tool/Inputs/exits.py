# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exits.py STATUS COMMAND...: succeed when the command exits with that status. (lit's shell has no `$?`.)"""

import subprocess
import sys

status = subprocess.run(sys.argv[2:], check=False).returncode
if status != int(sys.argv[1]):
    sys.exit(f"{sys.argv[2]} exited with {status}, not {sys.argv[1]}")

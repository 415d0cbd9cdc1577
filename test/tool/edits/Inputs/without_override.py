# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a command that file permissions hold for: as it is for other users; for root without the right to override them.

Not as another user, who may be unable to reach the build folder.
"""

import os
import sys

command = sys.argv[1:]
if os.geteuid() == 0:
    command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
os.execvp(command[0], command)

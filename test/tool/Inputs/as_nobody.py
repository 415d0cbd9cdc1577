# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a command without root's rights: as it is for other users, as `nobody` for root."""

import os
import pwd
import shutil
import sys

command = sys.argv[1:]
command[0] = shutil.which(command[0]) or command[0]
if os.geteuid() == 0:
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
os.execv(command[0], command)

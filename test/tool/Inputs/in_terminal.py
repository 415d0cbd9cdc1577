# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""in_terminal.py TERM COLUMNS COMMAND...: run a command whose error stream is a terminal; print what it shows there.

Escape sequences are printed as Python writes them, one line of output each.
"""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[2]), 0, 0))
process = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=theirs,
                           env={**os.environ, "TERM": sys.argv[1]})
os.close(theirs)
shown = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # the other end is closed
        break
    if not part:
        break
    shown += part
for line in shown.decode().split("\r\n"):
    if line:
        print(repr(line)[1:-1])
sys.exit(process.wait())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turn a UTF-8 source with LF into Latin-1 with CRLF, in place."""

import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    text = stream.read()
with open(sys.argv[1], "w", encoding="latin-1", newline="\r\n") as stream:
    stream.write(text)

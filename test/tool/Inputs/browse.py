# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""browse.py PAGE DOM PICTURE: open PAGE in a headless Chromium; write what it made of it, and how it looks.

Fails when the browser says that anything was refused or went wrong, in light or in dark, or shows nothing.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SIZE = (1200, 900)


def chromium(page, *options):
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--enable-logging=stderr", f"--user-data-dir={profile}",
             f"--window-size={SIZE[0]},{SIZE[1]}", *options, pathlib.Path(page).resolve().as_uri()],
            check=False, timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = result.stderr.decode(errors="replace")
    if result.returncode or re.search(r"CONSOLE|Refused to|ERR_", said):
        sys.exit(f"browse: chromium ended with {result.returncode} and said\n{said}")
    return result.stdout.decode()


def main():
    page, dom, picture = sys.argv[1:]
    with open(dom, "w", encoding="utf-8") as out:
        out.write(chromium(page, "--dump-dom"))
    pictures = []
    for scheme, name in ((0, picture + ".dark.png"), (1, picture)):
        chromium(page, f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={name}")
        data = pathlib.Path(name).read_bytes()
        if struct.unpack(">II", data[16:24]) != SIZE or len(data) < 20000:
            sys.exit(f"browse: {name} is of another size, or nearly empty: {len(data)} bytes")
        pictures.append(data)
    if pictures[0] == pictures[1]:
        sys.exit("browse: light and dark look the same")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""browse.py [--serve] PAGE DOM PICTURE: open PAGE in a headless Chromium; write what it made of it, and how it looks.

The page is opened as a file, or with --serve from a server of its folder, which this program is meanwhile.
Fails when the browser says that anything was refused or went wrong, in light or in dark, or shows nothing.
"""

import functools
import http.server
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import threading

SIZE = (1200, 900)
# Anything on the console is one, but what MkDocs' search says of its progress.
COMPLAINT = (r'CONSOLE:\d+\] (?!"(?:Loading script|All search scripts loaded|Lunr index built|Lunr pre-built))'
             r'|Refused to|ERR_')


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(page):
    """The address of the page on a server that ends with this program."""
    handler = functools.partial(Quiet, directory=page.parent)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/{page.name}"


def chromium(address, *options):
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--enable-logging=stderr", f"--user-data-dir={profile}",
             f"--window-size={SIZE[0]},{SIZE[1]}", *options, address],
            check=False, timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = result.stderr.decode(errors="replace")
    if result.returncode or re.search(COMPLAINT, said):
        sys.exit(f"browse: chromium ended with {result.returncode} and said\n{said}")
    return result.stdout.decode()


def main():
    page, dom, picture = sys.argv[-3:]
    page = pathlib.Path(page).resolve()
    address = serve(page) if sys.argv[1] == "--serve" else page.as_uri()
    with open(dom, "w", encoding="utf-8") as out:
        out.write(chromium(address, "--dump-dom"))
    pictures = []
    for scheme, name in ((0, picture + ".dark.png"), (1, picture)):
        chromium(address, f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={name}")
        data = pathlib.Path(name).read_bytes()
        if struct.unpack(">II", data[16:24]) != SIZE or len(data) < 20000:
            sys.exit(f"browse: {name} is of another size, or nearly empty: {len(data)} bytes")
        pictures.append(data)
    if pictures[0] == pictures[1]:
        sys.exit("browse: light and dark look the same")


if __name__ == "__main__":
    main()

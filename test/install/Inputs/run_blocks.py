# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_blocks.py PAGE HEADING FOLDER [OLD=NEW...]: run what a page of the guide tells the reader to type.

The lines of the code blocks (those without a language) under HEADING are run in FOLDER by one shell, which ends at the
first that fails, after OLD was replaced by NEW in them.
"""

import re
import subprocess
import sys


def main():
    page, heading, folder, *pairs = sys.argv[1:]
    with open(page, encoding="utf-8") as stream:
        sections = re.split(r"^#+ ", stream.read(), flags=re.MULTILINE)
    section = next(text for text in sections if text.startswith(heading + "\n"))
    blocks = re.findall(r"^```\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit(f"run_blocks: no commands under '{heading}' in {page}")
    script = "".join(blocks)
    for pair in pairs:
        old, new = pair.split("=", 1)
        if old not in script:
            sys.exit(f"run_blocks: '{old}' is not in the commands under '{heading}'")
        script = script.replace(old, new)
    print(script, flush=True)
    sys.exit(subprocess.run(["sh", "-eux"], input=script, text=True, cwd=folder, check=False).returncode)


if __name__ == "__main__":
    main()

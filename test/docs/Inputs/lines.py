# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py CHECKOUT: name the lines of more than 120 characters in the guide; rows of tables and code may be longer."""

import pathlib
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    found = 0
    for page in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("bench/*.md")]):
        code = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            code ^= line.lstrip().startswith("```")
            if len(line) > 120 and not code and not line.lstrip().startswith("|"):
                print(f"{page.relative_to(root)}:{number}: {len(line)} characters")
                found += 1
    return found > 0


if __name__ == "__main__":
    sys.exit(main())

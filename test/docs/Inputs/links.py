# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py ROOT: check the links of a checkout's Markdown pages as a forge shows them: to files, to headings."""

import pathlib
import re
import sys
import urllib.parse


def prose_of(page):
    """The text without code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`", lambda code: re.sub(r"[\[\]()]", "", code.group()), text)


def anchors_of(page):
    """The names that forges give to headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", plain))


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [*root.glob("*.md"), *root.glob("bench/*.md"), *root.glob("docs/**/*.md")]
    problems, links = [], 0
    for page in sorted(pages):
        for link in re.findall(r"\]\(([^)\s]+)", prose_of(page)):
            links += 1
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            target = page.parent / path if path else page
            if not target.exists():
                problems.append(f"{page.relative_to(root)}: {path} is not there")
            elif anchor and anchor not in anchors_of(target):
                problems.append(f"{page.relative_to(root)}: {link}: no such heading")
    if not links:
        problems.append("no link was found")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()

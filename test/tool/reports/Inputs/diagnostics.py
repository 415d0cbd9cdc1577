# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""diagnostics.py TABLE FOLDER: compare the ids and severities of the table with the pages in the folder."""

import pathlib
import re
import sys

table, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
rows = dict(re.findall(r'^DIAGNOSTIC\(\w+,\s*"(mpishm-[a-z-]+)",\s*(\w+)', table.read_text(), re.MULTILINE))
pages = {page.stem: page for page in folder.glob("mpishm-*.md")}
problems = [f"{id} has no page" for id in rows if id not in pages]
problems += [f"{page} belongs to no diagnostic" for id, page in pages.items() if id not in rows]
for id, severity in rows.items():
    if id in pages:
        text = pages[id].read_text()
        if f"# {id} ({severity.lower()})\n" not in text:
            problems.append(f"the title of {pages[id]} does not say {id} ({severity.lower()})")
        if "**What to do.**" not in text:
            problems.append(f"{pages[id]} does not say what to do")
if len(rows) < 10:
    problems.append(f"only {len(rows)} rows were read from {table}")
sys.exit("\n".join(problems) or 0)

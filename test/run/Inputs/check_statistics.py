# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check what MPISHM_STATS wrote.

    check_statistics.py FILE.json SOURCE EXPECTED...

EXPECTED is "key=value" for a member of the file (ranks=2), or "MARK direction path messages bytes" for the site in the
line of SOURCE that ends with the comment MARK; `path` may be several, joined by +, whose sum is meant, and so may MARK.
`calls` in place of a direction expects a number of calls. What is sent by a path must be received by it, all in all.
"""

import json
import re
import sys


def line_of(source, mark):
    with open(source, encoding="utf-8") as stream:
        lines = [number for number, line in enumerate(stream, 1) if re.search(rf"// {mark}$", line.rstrip())]
    if len(lines) != 1:
        sys.exit(f"{mark} marks lines {lines} of {source}")
    return lines[0]


def sites_at(report, source, mark):
    line = line_of(source, mark)
    found = [site for site in report["sites"] if site["line"] == line and site["file"].endswith(source)]
    if not found:
        sys.exit(f"no site in line {line} ({mark}); there are {[site['place'] for site in report['sites']]}")
    return found


def check_site(report, source, expected):
    marks, what, *rest = expected.split()
    sites = [site for mark in marks.split("+") for site in sites_at(report, source, mark)]
    if what == "calls":
        found, wanted = [sum(site["calls"] for site in sites)], [int(rest[0])]
    else:
        tallies = [site[what].get(path, {"messages": 0, "bytes": 0}) for site in sites for path in rest[0].split("+")]
        found = [sum(tally[key] for tally in tallies) for key in ("messages", "bytes")]
        wanted = [int(number) for number in rest[1:]]
    if found != wanted:
        sys.exit(f"{expected}: found {found}\n{json.dumps(sites, indent=1)}")


def check_sums(report):
    """Ranks and sites must add up to the same totals, and receives to sends."""
    total = report["total"]
    for part in ("sites", "per_rank"):
        for direction in ("sent", "received"):
            sums = {}
            for entry in report[part]:
                for path, tally in entry[direction].items():
                    messages, size = sums.get(path, (0, 0))
                    sums[path] = (messages + tally["messages"], size + tally["bytes"])
            wanted = {path: (tally["messages"], tally["bytes"]) for path, tally in total[direction].items()}
            if sums != wanted:
                sys.exit(f"{part}, {direction}: the sum is {sums}, the total {wanted}")
        if sum(entry["calls"] for entry in report[part]) != total["calls"]:
            sys.exit(f"{part}: calls do not add up to {total['calls']}")
    sent, received = ({path: tally["messages"] for path, tally in total[direction].items()}
                      for direction in ("sent", "received"))
    if sent != received:
        sys.exit(f"sent {sent}, received {received}")


def main():
    path, source, *expectations = sys.argv[1:]
    with open(path, encoding="utf-8") as stream:
        report = json.load(stream)
    check_sums(report)
    for expected in expectations:
        if "=" in expected:
            key, value = expected.split("=", 1)
            if str(report[key]) != value:
                sys.exit(f"{expected}: found {report[key]}")
        else:
            check_site(report, source, expected)


main()

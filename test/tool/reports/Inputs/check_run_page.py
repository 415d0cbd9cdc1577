# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_run_page.py PAGE RUN.json [--linked N]: the page that --run made says what the statistics say.

With --linked, N of the run's calls must be linked to their sites.
"""

import html.parser
import json
import re
import sys


class Rows(html.parser.HTMLParser):
    """The rows of all tables: their ids, the text of their cells, the links in them; and the ids of the page."""

    def __init__(self):
        super().__init__()
        self.rows, self.ids, self.inside = [], set(), False

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        if tag == "tr":
            self.rows.append({"id": attrs.get("id"), "cells": [], "links": []})
        elif tag in ("td", "th") and self.rows:
            self.rows[-1]["cells"].append("")
            self.inside = True
        elif tag == "a" and self.rows:
            self.rows[-1]["links"].append(attrs["href"])

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "table"

    def handle_data(self, data):
        if self.inside:
            self.rows[-1]["cells"][-1] += data

    def close(self):
        super().close()
        for row in self.rows:
            row["cells"] = [" ".join(cell.split()) for cell in row["cells"]]


def expect(condition, *said):
    if not condition:
        sys.exit("check_run_page: " + " ".join(map(str, said)))


def main():
    page_name, run_name = sys.argv[1:3]
    page = Rows()
    with open(page_name, encoding="utf-8") as stream:
        page.feed(stream.read())
    page.close()
    with open(run_name, encoding="utf-8") as stream:
        run = json.load(stream)
    expect("run" in page.ids, "there is no part about the run")
    expect(run["sites"], "the run has no calls")

    calls = [row for row in page.rows if len(row["cells"]) == 7 and row["cells"][4].startswith("MPISHM_")]
    expect(len(calls) == len(run["sites"]), len(calls), "rows for", len(run["sites"]), "calls")
    seconds = [float(row["cells"][0]) for row in calls]
    expect(seconds == sorted(seconds, reverse=True), "not by time:", seconds)
    linked = 0
    for site in run["sites"]:
        where = site["place"]
        rows = [row for row in calls if row["cells"][4] == site["call"] and row["cells"][5] == where]
        expect(len(rows) == 1, len(rows), "rows for", site["call"], "at", where)
        cells = rows[0]["cells"]
        expect(float(cells[0]) == round(site["seconds"], 6), "seconds of", where, cells)
        expect(cells[2].split() == [f"{site['most_seconds']:.6f}", str(site["most_rank"])], "the most of", where, cells)
        expect(int(cells[3]) == site["calls"], "calls of", where, cells)
        moved = [*site["sent"].values(), *site["received"].values()]
        counts = [int(n) for n in re.findall(r"(\d+) (?:sent|received),", cells[6])]
        expect(sorted(counts) == sorted(way["messages"] for way in moved), "messages of", where, cells)
        for link in rows[0]["links"]:
            linked += 1
            own = [row for row in page.rows if "#" + str(row["id"]) == link]
            expect(len(own) == 1, "no site for", link)
            expect(own[0]["cells"][1] == site["call"].replace("MPISHM", "MPI"), "another function:", own, site)
            expect(own[0]["cells"][6] == cells[6], "the site says", own[0]["cells"], "the call", cells)
    for direction in ("sent", "received"):
        for way in run["total"][direction].values():
            expect(any(str(way["messages"]) in row["cells"] for row in page.rows), "no total", way)
    if sys.argv[3:4] == ["--linked"]:
        expect(linked == int(sys.argv[4]), linked, "calls are linked, not", sys.argv[4])


if __name__ == "__main__":
    main()

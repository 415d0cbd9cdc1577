# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_reports.py prepare FOLDER: add a source with an awkward name and awkward text.

check_reports.py check R.json R.sarif R.html ERRORS DIFF: compare the reports with one another, with what the tool
printed, and with the sources. Where SARIF_SCHEMA in the environment names SARIF's schema and jsonschema is
installed, the SARIF report is validated against it as well.
"""

import collections
import html.parser
import json
import os
import re
import sys
import urllib.parse

import attr
import sarif_om

# The name has what URIs and HTML escape; the lines have tabs, letters of two bytes, and bytes that are no UTF-8.
AWKWARD_NAME = "a&b <i>it%20's.c"
AWKWARD = b"""#include <mpi.h>
/* <script>alert("\xff\xfe")</script> */
void exchange_any(void) {
  int in, out = 0;
\tMPI_Request r[2];
\t/* \xc3\xa9\xe2\x82\xac */ MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]); /* \xe9 </pre><b> */
/* \xc3\xbc */ MPI_Issend(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &r[1]); MPI_Send(0, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
  MPI_Cancel(&r[1]); MPI_Waitall(2, r, MPI_STATUSES_IGNORE); MPI_Iprobe(0, 2, MPI_COMM_WORLD, &in, MPI_STATUS_IGNORE);
}
"""

# Which of SARIF's types is the value of a property. The types, their properties and which of these must be there are
# sarif_om's, which was made from the schema.
SARIF_TYPES = {
    "runs": "Run", "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor", "results": "Result",
    "shortDescription": "MultiformatMessageString", "help": "MultiformatMessageString", "message": "Message",
    "defaultConfiguration": "ReportingConfiguration", "locations": "Location", "relatedLocations": "Location",
    "physicalLocation": "PhysicalLocation", "artifactLocation": "ArtifactLocation", "region": "Region",
    "snippet": "ArtifactContent",
}


def expect(condition, *said):
    if not condition:
        sys.exit("check_reports: " + " ".join(map(str, said)))


def check_summary(report, errors):
    """The summary counts the sites, and the tool printed the same."""
    sites = [site for file in report["files"] for site in file["sites"]]
    summary = report["summary"]
    decisions = collections.Counter(site["decision"] for site in sites)
    reasons = collections.Counter(report["findings"][site["reasons"][0]]["id"] for site in sites
                                  if site["decision"] == "left-alone")
    guarded = sum(site.get("guarded", False) for site in sites)
    expect(summary["sites"] == len(sites), "sites", summary)
    for key, decision in (("rewritten", "rewritten"), ("already_rewritten", "already-rewritten"),
                          ("left_alone", "left-alone")):
        expect(summary[key] == decisions[decision], key, summary, decisions)
    expect({r["id"]: r["sites"] for r in summary["reasons"]} == reasons, "reasons", summary, reasons)
    counts = [r["sites"] for r in summary["reasons"]]
    expect(counts == sorted(counts, reverse=True), "the commonest reason does not come first", counts)
    expect(summary["changed_files"] == sum(file["changed"] for file in report["files"]), "changed files", summary)
    expect(summary.get("guarded", 0) == guarded, "guarded", summary, guarded)
    expect(sum(f.get("guarded_sites", 0) for f in report["findings"]) == guarded, "guarded for findings", guarded)
    for site in sites:
        left = site["decision"] == "left-alone"
        expect(not (left and "guarded" in site), "guarded and left alone:", site)
        expect((left or "guarded" in site) == bool(site["reasons"]), "reasons of", site)
    printed = re.search(r"rewrote (\d+) of (\d+) sites? in (\d+) files?", errors)
    if printed:
        numbers = [summary["rewritten"], summary["sites"], summary["changed_files"]]
        expect([int(n) for n in printed.groups()] == numbers, "printed", printed.group(), "but counted", numbers)
        for id, count in reasons.items():
            expect(f"{count} {id}" in errors, f"'{count} {id}' was not printed")
        said = sum(int(count) for count in re.findall(r"(\d+) of them guarded", errors))
        expect(said == guarded, said, "printed as guarded, but counted", guarded)
    else:
        expect("nothing to rewrite" in errors, "no summary in", errors)


def changed_lines(diff):
    """The numbers of the lines that a diff changes, as they are before."""
    for hunk in re.finditer(r"^@@ -(\d+).*\n((?:[ +\\-].*\n)*)", diff, re.MULTILINE):
        number = int(hunk.group(1))
        for line in hunk.group(2).splitlines():
            if line.startswith("-"):
                yield number
            number += line[0] in " -"


def check_sources(report, diff):
    """Sites are where the report says, and diffs are those that were printed."""
    for file in report["files"]:
        with open(file["file"], "rb") as stream:
            lines = stream.read().split(b"\n")
        for site in file["sites"]:
            text = lines[site["line"] - 1][site["column"] - 1:]
            expect(re.match(rb"MPI(SHM)?" + site["function"][3:].encode() + rb"\b", text), "not at", site, ":", text)
        expect(file["changed"] == bool(file["diff"]), "diff of", file["file"])
    for call in report["helping"]:
        with open(call["file"], "rb") as stream:
            text = stream.read().split(b"\n")[call["line"] - 1][call["column"] - 1:]
        decided = "already-rewritten" if text.startswith(b"MPISHM_") else "rewritten"
        if call["decision"] == "left-alone":
            decided = call["decision"]
            expect(text.startswith(b"MPI_"), "left alone, but", text)
        expect(text.split(b"_", 1)[1].startswith(call["function"][4:].encode()), "not at", call, ":", text)
        expect(call["decision"] == decided, "decided otherwise:", call, text)
        expect(("class" in call) == ("robe" in call["function"]), "class of", call)
        changed = sum(call["line"] == int(line) for file in report["files"] if file["file"] == call["file"]
                      for line in changed_lines(file["diff"]))
        expect(changed >= (call["decision"] == "rewritten"), "not in the diff:", call)
    expect("".join(file["diff"] for file in report["files"]) == diff, "other diffs than printed")


def check_type(value, name, where):
    """The properties of value are those of SARIF's type of that name, and so on down."""
    fields = {field.metadata["schema_property_name"]: field for field in attr.fields(getattr(sarif_om, name))}
    for key, field in fields.items():
        expect(field.default is not attr.NOTHING or key in value, where, "has no", key)
    for key, below in value.items():
        expect(key in fields, where, "has", key, "which is no property of", name)
        for each in below if isinstance(below, list) else [below]:
            expect(isinstance(each, dict) == (key in SARIF_TYPES or key in ("properties", "originalUriBaseIds")),
                   where, key, "has another type")
            if key in SARIF_TYPES:
                check_type(each, SARIF_TYPES[key], f"{where}.{key}")


def check_sarif(sarif, report):
    expect(sarif["version"] == "2.1.0", "version", sarif["version"])
    check_type(sarif, "SarifLog", "log")
    if "SARIF_SCHEMA" in os.environ:
        import jsonschema  # pylint: disable=import-outside-toplevel
        with open(os.environ["SARIF_SCHEMA"], encoding="utf-8") as stream:
            jsonschema.validate(sarif, json.load(stream))
    run = sarif["runs"][0]
    base = run["originalUriBaseIds"]["CURRENT_DIRECTORY"]["uri"]
    left = [result for result in run["results"] if "is left alone" in result["message"]["text"]]
    expect(len(left) == report["summary"]["left_alone"], len(left), "results for sites left alone")
    guarded = [result for result in run["results"] if result.get("kind") == "review"]
    expect(len(guarded) == report["summary"].get("guarded", 0), len(guarded), "results for guarded sites")
    for result in guarded:
        expect("is guarded" in result["message"]["text"] and result["level"] == "none", "guarded?", result)
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        expect(rule["id"] == result["ruleId"] and rule["help"]["text"], "rule of", result)
    for result in left + guarded:
        physical = result["locations"][0]["physicalLocation"]
        uri = urllib.parse.urljoin(base, physical["artifactLocation"]["uri"])
        region = physical["region"]
        with open(urllib.parse.unquote(urllib.parse.urlparse(uri).path), encoding="utf-8", errors="replace") as stream:
            line = stream.read().split("\n")[region["startLine"] - 1]
        name = line[region["startColumn"] - 1:region["endColumn"] - 1].replace("MPISHM_", "MPI_")
        expect(result["message"]["text"].startswith(name + " "), "at another place:", result["message"], name)
        expect(result["relatedLocations"] or result["ruleId"] == "mpishm-no-exchange", "nothing related to", result)


class Page(html.parser.HTMLParser):
    """Collects what the checks need of a page."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.tags, self.classes, self.text = [], [], set(), collections.Counter(), ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for key, value in attrs:
            if key == "id":
                self.ids.append(value)
            elif key == "class":
                self.classes[value] += tag == "td"
            elif key in ("href", "src", "srcset", "action", "data", "style") or key.startswith("on"):
                self.links.append((key, value))

    def handle_data(self, data):
        self.text += data


def check_html(text, report):
    page = Page()
    page.feed(text)
    expect(len(page.ids) == len(set(page.ids)), "an id is there twice")
    for key, value in page.links:
        expect(key == "href" and value.startswith("#") and value[1:] in page.ids, "a link leads out or nowhere:", value)
    expect(not page.tags & {"script", "link", "img", "iframe", "object", "i", "b"}, "tags", page.tags)
    expect("url(" not in text and "@import" not in text, "the style loads something")
    for decision in ("rewritten", "already-rewritten", "left-alone", "guarded"):
        count = sum(("guarded" if "guarded" in site else site["decision"]) == decision
                    for file in report["files"] for site in file["sites"])
        expect(page.classes[decision] == count, decision, page.classes, count)
    for file in report["files"]:
        expect(os.path.basename(file["file"]) in page.text, file["file"], "is not on the page")
        for line in file["diff"].splitlines():
            expect(line.rstrip("\r") in page.text, "not on the page:", line)


def check(json_name, sarif_name, html_name, errors_name, diff_name):
    def read(name):
        with open(name, encoding="utf-8", errors="replace", newline="") as stream:
            return stream.read()

    with open(json_name, encoding="utf-8") as stream:
        report = json.load(stream)
    check_summary(report, read(errors_name))
    check_sources(report, read(diff_name))
    with open(sarif_name, encoding="utf-8") as stream:
        check_sarif(json.load(stream), report)
    with open(html_name, encoding="utf-8") as stream:
        check_html(stream.read(), report)


if sys.argv[1] == "prepare":
    with open(os.path.join(sys.argv[2], AWKWARD_NAME), "wb") as out:
        out.write(AWKWARD)
else:
    check(*sys.argv[2:])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lie.py PLACE KEY=VALUE[,...]|gone [PLACE ...]: what the oracle says when the report has that of the calls there."""
import json
import os
import subprocess
import sys

with open("work/recorded/report.json", encoding="utf-8") as stream:
    report = json.load(stream)
for place, lie in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    found = 0
    for file, calls in [(file["file"], file["sites"]) for file in report["files"]] + [(None, report["helping"])]:
        for call in list(calls):
            if f"{os.path.basename(file or call['file'])}:{call['line']}" == place:
                found += 1
                if lie == "gone":
                    calls.remove(call)
                else:
                    call.update((key, json.loads(value) if value.isdigit() else value)
                                for key, value in (pair.split("=") for pair in lie.split(",")))
    assert found, place
with open("lie.json", "w", encoding="utf-8") as stream:
    json.dump(report, stream)
result = subprocess.run([sys.executable, os.environ["ORACLE"], "work/recorded/logs", "lie.json"], check=False, text=True,
                        stdout=subprocess.PIPE)
print(result.stdout, end="")
assert result.returncode == (" 0 violations" not in result.stdout)

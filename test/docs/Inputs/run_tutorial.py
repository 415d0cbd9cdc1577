# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_tutorial.py PAGE FOLDER: type what a page shows, and compare what comes out with what it shows.

In the page's `console` blocks a line after `$ ` is a command, and the lines up to the next one are its output, standard
error included. All commands go to one shell, which starts in FOLDER. `...` in the output stands for any text within a
line; alone on a line, for any lines. Each command must end with 0, unless its block says `console fails`.
"""

import re
import subprocess
import sys

TIMEOUT = 240  # seconds for the page
MARK = "@@run_tutorial@@"


def blocks_of(page):
    """The console blocks: pairs of whether its commands fail, and its commands with the expected lines."""
    with open(page, encoding="utf-8") as stream:
        text = stream.read()
    for kind, block in re.findall(r"^```console( fails)?\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        commands = []
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:].split("  #")[0].rstrip(), []))
            elif commands:
                commands[-1][1].append(line)
            else:
                sys.exit(f"run_tutorial: output before the first command: {line}")
        yield bool(kind), commands


def pattern_of(lines):
    """A regular expression for the whole output."""
    whole = ""
    for line in lines:
        if line.strip() == "...":
            whole += r"(?:[^\n]*\n)*?"
        else:
            whole += r"[^\n]*".join(re.escape(part.rstrip()) for part in re.split(r"\.\.\.", line)) + r"[ \t]*\n"
    return whole


def main():
    page, folder = sys.argv[1:]
    steps = [(fails, command, lines) for fails, commands in blocks_of(page) for command, lines in commands]
    if len(steps) < 5:
        sys.exit(f"run_tutorial: only {len(steps)} commands in {page}")
    script = "".join(f"{command}\nprintf '{MARK}%d\\n' $?\n" for _, command, _ in steps)
    result = subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, text=True, cwd=folder, check=False,
                            timeout=TIMEOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    outputs = re.findall(rf"(.*?){MARK}(\d+)\n", result.stdout, flags=re.DOTALL)
    wrong = 0
    for (fails, command, lines), (output, status) in zip(steps, outputs):
        print(f"$ {command}\n{output}", end="", flush=True)
        if (status != "0") != fails:
            wrong += 1
            print(f"run_tutorial: ended with {status}")
        if not re.fullmatch(pattern_of(lines), output):
            wrong += 1
            print("run_tutorial: the page shows instead:\n" + "\n".join(lines))
    if len(outputs) != len(steps):
        sys.exit(f"run_tutorial: {len(outputs)} of {len(steps)} commands were run\n{result.stdout[-2000:]}")
    sys.exit(f"run_tutorial: {wrong} differences" if wrong else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make a program's man page of what it prints for --help, in the form of LLVM's option parser.

    from_help.py PROGRAM NAME VERSION > NAME.1
"""

import re
import subprocess
import sys

OPTION = re.compile(r"^  (-\S+(?: <\w+>)?) +- (.*)$")


def roff(text):
    """text with what troff would take for its own escaped."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + escaped if escaped.startswith(".") else escaped


def options(lines):
    """The options in lines as a list of tagged paragraphs."""
    for line in lines:
        match = OPTION.match(line)
        if match and "(--help" not in match.group(2) and match.group(1) != "--help-list":
            flag, _, value = match.group(1).partition("=" if "=" in match.group(1) else " ")
            tag = f"\\fB{roff(flag)}\\fR" + (f" \\fI{value.strip('<>')}\\fR" if value else "")
            yield f".TP\n{tag}\n{roff(match.group(2))}"


def main():
    program, name, version = sys.argv[1:]
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    head, _, rest = text.partition("\nUSAGE: ")
    summary, _, description = head.partition("\n\n")
    usage, _, rest = rest.partition("\n\nOPTIONS:\n")
    listed, _, examples = rest.partition("\nEXAMPLES:\n")
    examples, _, status = examples.partition("\nEXIT STATUS:\n")
    examples, _, notes = examples.partition("\n\n")
    print(f'.\\" Made of {name} --help.')
    print(f'.TH {name.upper()} 1 "" "mpishm {version}" "User Commands"')
    purpose = roff(summary.removeprefix(f"OVERVIEW: {name}: "))
    print(f".SH NAME\n{name} \\- {purpose}")
    print(f".SH SYNOPSIS\n{roff(usage.strip())}")
    print(f".SH DESCRIPTION\n{roff(description.strip())}\n.PP\n{roff(notes.strip())}")
    print(".SH OPTIONS\n" + "\n".join(options(listed.splitlines())))
    print(".SH EXIT STATUS")
    for line in status.strip().splitlines():
        code, meaning = line.split(None, 1)
        print(f".TP\n{code}\n{roff(meaning)}")
    print(f".SH EXAMPLES\n.nf\n{roff(examples.rstrip())}\n.fi")
    print(".SH SEE ALSO\n.BR mpishmcc (1);\nthe guide in share/doc/mpishm of the installation")


if __name__ == "__main__":
    main()

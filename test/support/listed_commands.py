#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that tests may call: those that are there on every machine on which scripts/setup.sh has been run.

    listed_commands.py FOLDER [LIST]    makes links to them in FOLDER; LIST is scripts/packages.txt

These are the commands of the packages in the list, under [build] and [test], of what these depend on, and of every
Debian. A test that has no other folder of the system on its PATH cannot come to need what only the machine of whoever
wrote it has.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

LIST = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "scripts", "packages.txt")
FOLDERS = ("/usr/bin", "/bin")
FIELDS = ("Package", "db:Status-Status", "Essential", "Priority", "Pre-Depends", "Depends", "Provides")


def read_list(path):
    """{group: [package, ...]}"""
    groups, group = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.split("#")[0].strip()
            if line.startswith("["):
                group = groups.setdefault(line.strip("[]"), [])
            elif line:
                group += line.split()
    return groups


def installed_packages():
    """{package: {field: text}}"""
    form = "\t".join("${%s}" % field for field in FIELDS) + "\n"
    shown = subprocess.run(["dpkg-query", "-W", "-f", form], stdout=subprocess.PIPE, text=True, check=True).stdout
    packages = [dict(zip(FIELDS, line.split("\t"))) for line in shown.splitlines()]
    return {package["Package"]: package for package in packages if package["db:Status-Status"] == "installed"}


def names(field):
    """[[alternative, ...], ...] of a list of dependencies."""
    return [[re.split(r"[ (:\[<]", name.strip(), maxsplit=1)[0] for name in choice.split("|")]
            for choice in field.split(",") if choice.strip()]


def with_dependencies(packages, wanted):
    """The wanted of the installed packages, and those without which they cannot be installed."""
    providers = {}
    for name, package in packages.items():
        for [provided] in names(package["Provides"]):
            providers.setdefault(provided, []).append(name)
    found, open_choices = set(), []
    waiting = list(wanted)
    while waiting or open_choices:
        if not waiting:  # of those that provide something, one is enough
            choice = [name for name in open_choices.pop() if name in packages]
            waiting += [] if found & set(choice) else choice[:1]
            continue
        name = waiting.pop()
        if name in found or name not in packages:
            continue
        found.add(name)
        for choice in names(packages[name]["Pre-Depends"]) + names(packages[name]["Depends"]):
            real = [other for other in choice if other in packages]
            if real:
                waiting.append(real[0])
            else:
                open_choices.append([provider for other in choice for provider in providers.get(other, [])])
    return found


def files_of(packages):
    shown = subprocess.run(["dpkg-query", "-L", *sorted(packages)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(shown.splitlines())


def commands(packages, groups, folders):
    """{name: path} of the commands that are listed, in the first of the folders that has them."""
    bare = [name for name, package in packages.items()
            if package["Essential"] == "yes" or package["Priority"] == "required" or name == "apt"]
    found = with_dependencies(packages, bare + groups["build"] + groups["test"])
    found |= {name for name in groups.get("browser", []) if name in packages}  # tests ask whether it is there
    # Where /bin is /usr/bin, as on Debian 12, packages say the one or the other.
    owned = {os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in files_of(found)}
    result = {}
    for folder in folders:
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            path = os.path.join(os.path.realpath(folder), name)
            # Debian's alternatives, as mpicc, are links that belong to nobody.
            if path in owned or os.path.realpath(path) in owned:
                result.setdefault(name, path)
    return result


def is_newer(folder, paths):
    return os.path.isdir(folder) and all(os.stat(path).st_mtime < os.stat(folder).st_mtime for path in paths)


def link(folder, path=LIST, before=()):
    """Make links to the listed commands in a folder: those in the folders `before`, then those in the system's. Return
    None, or why there is no such list of this system's commands."""
    if not shutil.which("dpkg-query"):
        return "this system has no packages of Debian's kind"
    groups, packages = read_list(path), installed_packages()
    missing = [name for name in groups["build"] + groups["test"] if name not in packages]
    if missing:
        return f"not installed: {' '.join(missing)}"
    folder = os.path.abspath(folder)
    if is_newer(folder, (path, os.path.realpath(__file__), "/var/lib/dpkg/status")):
        return None
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="commands.", dir=os.path.dirname(folder)) as work:
        made = os.path.join(work, "made")
        os.mkdir(made)
        for name, target in commands(packages, groups, (*before, *FOLDERS)).items():
            os.symlink(target, os.path.join(made, name))
        if os.path.isdir(folder):
            os.rename(folder, os.path.join(work, "old"))
        os.rename(made, folder)
    return None


def main():
    why_not = link(*sys.argv[1:3])
    if why_not:
        sys.exit(f"listed_commands: {why_not}")


if __name__ == "__main__":
    main()

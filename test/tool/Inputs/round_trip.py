# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""round_trip.py WORK LEAST FLAGS TEST...: rewrite the sources of tests in place, undo that, and fail unless every byte
is as it was. A test is one that split-file takes apart.

All sources of a folder are taken for a program, then each by itself that was not edited. Texts that name MPISHM_
already, so that undoing must change more than was rewritten, are left out and named. Fails too when fewer than LEAST
files were edited.
"""

import pathlib
import shlex
import shutil
import subprocess
import sys

SUFFIXES = {".c", ".cc", ".cpp", ".cxx"}


def rewrite(sources, flags):
    """Rewrite one program in place, if the tool can."""
    command = ["mpishm-rewrite", "-i", "--quiet", "-j", "1", *sources, "--", *flags]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def texts_of(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def main():
    work, least, flags = pathlib.Path(sys.argv[1]), int(sys.argv[2]), shlex.split(sys.argv[3])
    shutil.rmtree(work, ignore_errors=True)
    edited = 0
    for test in map(pathlib.Path, sys.argv[4:]):
        folder = work / test.stem
        if subprocess.run(["split-file", test, folder], check=False, stderr=subprocess.DEVNULL).returncode != 0:
            continue
        for path, text in texts_of(folder).items():
            if b"MPISHM_" in text or b"mpishm.h" in text:
                print(f"not tried: {path.relative_to(work)} names MPISHM_ already")
                path.unlink()
        before = texts_of(folder)
        for part in {path.parent for path in before}:
            sources = [path for path in before if path.parent == part and path.suffix in SUFFIXES]
            if sources:
                rewrite(sources, flags)
            for source in sources if len(sources) > 1 else []:
                if source.read_bytes() == before[source]:
                    rewrite([source], flags)
        after = texts_of(folder)
        edited += sum(before[path] != after.get(path) for path in before)
        subprocess.run(["mpishm-rewrite", "--undo", "-i", "--quiet", folder], check=True, stdin=subprocess.DEVNULL)
        for path, text in texts_of(folder).items():
            if text != before[path]:
                sys.exit(f"round_trip: {path} is not as it was (the rewritten text was:)\n{after[path].decode()}")
    print(f"{edited} files were edited and restored")
    if edited < least:
        sys.exit(f"round_trip: only {edited} files were edited, expected at least {least}")


if __name__ == "__main__":
    main()

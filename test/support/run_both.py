#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrite a program, run the original and the rewritten one, and compare what they do.

    run_both.py DIR --work WORK [options]

DIR holds a complete program: a Makefile (built with `make`, its database made with `bear`), or just sources, all of
which make one program. It may also be one source file, which then finds report.h (test/run/Inputs) beside it. The
program is copied to WORK/original and WORK/rewritten; the second copy is rewritten in place.

What must hold, each a failure with its reason printed otherwise:
  - the tool changes something, only by turning MPI_ into MPISHM_, by replacing functions of memory (malloc,
    delete[]) by the runtime's, by putting calls of MPISHM_To_window around others, by giving vectors an allocator,
    and by adding one #include per file (a .inc file may do without, since it is included in the middle of others);
  - with --moves N, it moves N message buffers into the window; with --packs N, it is given --zero-copy=on and has N
    sends packed where they are received;
  - no send, receive, completion, collective or call on windows that the runtime has is left as it was (unless --leaves
    names it);
  - a second run of the tool changes nothing;
  - with -DMPISHM_OFF the rewritten program builds with the header alone, without the library;
  - --undo gives the original's sources back, byte for byte (but for the #include of a program that itself asks whether
    it is there: #ifdef MPISHM_);
  - with --runs-only, none of the three before, which depend on the tool and the headers alone;
  - with --again, nothing is built: the programs are run that an earlier run_both.py of the same source left in WORK;
  - with --alone, in place of what is compared below, the rewritten program succeeds without a word of the runtime: for a
    build whose sanitizer judges it, where another one has compared it with the original, which is not built then;
  - with --nodes N, all of what is run is run on N nodes only, or on one if it is not for two;
  - with --guarded, the tool is given that option, too, and marks the program; a run without it changes nothing either;
    with MPISHM_NET=0 the rewritten program does the same through MPI, and says so in one line;
  - with --slips SEED, the same of the rewritten program with about half of its calls turned back, as if the tool had
    not seen them: the net of the runtime serves them, and says so, which is not compared;
  - with --oracle, in place of what follows, messages and requests of the original do on one node what the tool proves
    of them (test/oracle/oracle.py), and a recorder of that changes nothing that is compared;
  - standard output, standard error and exit status of both programs are the same, on one node, on two nodes, and,
    but for --enabled, with MPISHM_DISABLE=1. (With --aborts TEXT both end with an error of MPI instead, which says TEXT on standard
    error; the exit status is then the launcher's, of whichever rank it looks at. With --cancels, MPICH 4.0.2 may say
    that it keeps the datatypes of cancelled receives, and LeakSanitizer too: how many there are differs. And MPICH 5
    that it keeps a reference of a request that was freed while it was active.)
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "oracle"))

import launch  # noqa: E402
import oracle  # noqa: E402
import slipped  # noqa: E402
from database import CXX_SUFFIXES, sources_under, write_database  # noqa: E402
from edits import GUARDED, INCLUDE, PACKED_SEND, Failure, check_edits, difference  # noqa: E402

TEXT_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh", ".inc")
TEST_FOLDER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPORT_H = os.path.join(TEST_FOLDER, "run", "Inputs", "report.h")
CANCELLED = os.path.join(TEST_FOLDER, "support", "cancelled.supp")
HEADER_FOLDER = os.path.join(os.path.dirname(TEST_FOLDER), "runtime", "include")
WITHOUT_NET = re.compile(rb"^mpishm: warning: messages go through MPI; net for calls that were not rewritten: off\n",
                         re.MULTILINE)


def run(arguments, folder, timeout, environment=None):
    """Run a command; return (status, stdout, stderr). When it runs past timeout, end its process group and fail."""
    process = subprocess.Popen(
        arguments, cwd=folder, env={**os.environ, **(environment or {})}, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.terminate()  # mpiexec passes this on to its ranks
        try:
            out, err = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        said = (out + err).decode(errors="replace")
        raise Failure(f"still running after {timeout} s: {shlex.join(arguments)}\n{said}") from None
    return process.returncode, out, err


def must(arguments, folder, timeout=300):
    """Run a command that has to succeed; return its standard output."""
    status, out, err = run(arguments, folder, timeout)
    if status != 0:
        said = (out + err).decode(errors="replace")
        raise Failure(f"exit {status} from: {shlex.join(arguments)}\n{said}")
    return out


def copy_program(source, folder):
    """Copy the program, a folder or one file, to folder, which must not exist."""
    if os.path.isdir(source):
        shutil.copytree(source, folder, symlinks=True)
    else:
        os.makedirs(folder)
        shutil.copy(source, folder)
    if not has_makefile(folder) and any(b'"report.h"' in text for text in texts_of(folder).values()):
        shutil.copy(REPORT_H, folder)


def read_file(path):
    with open(path, "rb") as stream:
        return stream.read()


def has_makefile(folder):
    return os.path.exists(os.path.join(folder, "Makefile"))


def build(folder, options, cc, cxx):
    """Build the program in folder; return the path of the executable."""
    if has_makefile(folder):
        must(["make", f"CC={cc}", f"CXX={cxx}"], folder)
    else:
        sources = sources_under(folder)
        is_cxx = any(source.endswith(CXX_SUFFIXES) for source in sources)
        must([cxx if is_cxx else cc, *options.flags, *sources, "-o", "program", "-lm"], folder)
    return built(folder, options)


def built(folder, options):
    """The path of the executable that was built in folder."""
    if options.program:
        return os.path.join(folder, options.program)
    programs = [name for name in sorted(os.listdir(folder))
                if os.path.isfile(os.path.join(folder, name)) and not name.endswith(".o")
                and os.access(os.path.join(folder, name), os.X_OK)]
    if len(programs) != 1:
        raise Failure(f"expected one program in {folder}, found {programs}")
    return os.path.join(folder, programs[0])


def make_database(folder, options):
    if has_makefile(folder):
        must(["bear", "--", "make", "CC=mpicc", "CXX=mpicxx"], folder)
        must(["make", "clean"], folder)
    else:
        write_database(folder, flags=options.flags)


def texts_of(folder):
    """{relative path: bytes} of the sources and headers under folder."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(TEXT_SUFFIXES):
                path = os.path.join(parent, name)
                found[os.path.relpath(path, folder)] = read_file(path)
    return found


def rewrite(folder, options):
    """Rewrite the sources in folder in place, see that another run has nothing to do, and what becomes of them
    without us."""
    before = texts_of(folder)
    make_database(folder, options)
    guarded = ["--guarded"] if options.guarded else []
    zero_copy = [] if options.packs is None else ["--zero-copy=on"]
    status, out, err = run(["mpishm-rewrite", "-p", ".", "-i", *guarded, *zero_copy], folder, 300)
    if status != 0:
        raise Failure(f"mpishm-rewrite: exit {status}\n{(out + err).decode(errors='replace')}")
    if options.moves is not None and f"moved {options.moves} of".encode() not in err:
        raise Failure(f"not {options.moves} buffers were moved\n{err.decode(errors='replace')}")
    check_edits(before, texts_of(folder), options.leaves)
    packed = sum(len(PACKED_SEND.findall(text)) for text in texts_of(folder).values())
    if packed != (options.packs or 0):
        raise Failure(f"{packed} sends are of what is packed where it is received\n{err.decode(errors='replace')}")
    if options.guarded != any(GUARDED.search(text) for text in texts_of(folder).values()):
        raise Failure(f"the program is {'not ' if options.guarded else ''}marked\n{err.decode(errors='replace')}")
    if options.runs_only:
        return
    for further in [[], *filter(None, [guarded, zero_copy])]:
        status, out, err = run(["mpishm-rewrite", "-p", ".", "--check", *further], folder, 300)
        if status != 0:
            raise Failure(f"another run of the tool would change something (exit {status})\n{(out + err).decode()}")
    undo(folder, os.path.dirname(folder), before)
    build_without_us(folder, os.path.dirname(folder), options)


def build_without_us(folder, work, options):
    """Build a copy of the rewritten sources in folder as one does where mpishm is not installed."""
    copy = os.path.join(work, "off")
    shutil.copytree(folder, copy, symlinks=True)
    off = f"-O0 -DMPISHM_OFF -I{HEADER_FOLDER}"  # it is not run
    if has_makefile(copy):
        must(["make", f"CC=mpicc {off}", f"CXX=mpicxx {off}"], copy)
    else:
        options = argparse.Namespace(**{**vars(options), "flags": [*options.flags, *off.split()]})
        build(copy, options, "mpicc", "mpicxx")


def undo(folder, work, before):
    """Take the edits out of a copy of the rewritten sources in folder, and compare with the texts before."""
    copy = os.path.join(work, "undone")
    shutil.copytree(folder, copy, symlinks=True)
    must(["mpishm-rewrite", "--undo", "-i", copy], work)
    after = texts_of(copy)
    for path in before:
        if b"#ifdef MPISHM_" in before[path]:
            after[path] = INCLUDE.sub(b"", after[path])
        if before[path] != after[path]:
            raise Failure(f"{path}: --undo does not give the original\n" + difference(before[path], after[path]))


def launchers(options):
    """(what it is called, command prefix) for each way to place the ranks."""
    ways = [("one node", launch.command(options.launcher, options.ranks))]
    if (options.ranks % 2 == 0 or options.ragged) and not options.one_node:
        ways.append(("two nodes", launch.command(options.launcher, options.ranks, nodes=2)))
    return ways if options.nodes is None else ways[:options.nodes][-1:]


def aborts_with(err, text):
    """Whether an error of MPI says text, in small letters or large ones."""
    return text.lower() in err.decode(errors="replace").lower()


def compare(what, original, rewritten, aborts):
    """Fail when the results (status, stdout, stderr) of the two programs differ."""
    said = (rewritten[1] + rewritten[2]).decode(errors="replace")
    if aborts:
        original, rewritten = ((status != 0, out, aborts_with(err, aborts))
                               for status, out, err in (original, rewritten))
    for part, old, new in zip(("exit status", "standard output", "standard error"), original, rewritten):
        if old != new:
            detail = difference(old, new) if isinstance(old, bytes) else f"{old} became {new}\n{said}"
            raise Failure(f"{what}: {part} differs\n{detail}")


def run_program(launcher, program, options, environment):
    """Run program under launcher; return (status, stdout, stderr)."""
    folder = os.path.dirname(program)
    # What slips through the analysis is a failure of its own, unless the program was made to slip.
    expected = options.guarded or options.slips is not None
    environment = {"MPISHM_NET": "1" if expected else "abort", **options.env, **environment}
    if options.cancels:
        environment["LSAN_OPTIONS"] = f"suppressions={CANCELLED}:print_suppressions=0"
    if not options.aborts:
        status, out, err = run([*launcher, program, *options.arguments], folder, options.timeout, environment)
        return status, out, options.launcher.without_noise(err, options.cancels)

    # Of a program that MPI ends the launcher loses some of the output, so the ranks write it to files. (Some MPI
    # libraries leave it to the launcher to say why.)
    texts = [os.path.join(folder, name) for name in ("said.out", "said.err")]
    for path in texts:
        with open(path, "wb"):
            pass
    script = 'exec "$0" "$@" >>said.out 2>>said.err'
    status, _, launcher_err = run([*launcher, "sh", "-c", script, program, *options.arguments], folder, options.timeout,
                       environment)
    out, err = (read_file(path) for path in texts)
    return status, out, err + launcher_err


def run_slipped(original, folder, options):
    """Run the rewritten program in folder once more, with about half of its calls turned back into MPI's."""
    copy = os.path.join(os.path.dirname(folder), "slipped")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns("program", "*.o"))
    turned = slipped.slip(texts_of(copy), copy, options.slips)
    if not turned:
        raise Failure("there is no call that could be turned back")
    program = build(copy, options, "mpishmcc", "mpishmcxx")
    warnings = 0
    for where, launcher in launchers(options):
        expected = run_program(launcher, original, options, {})
        status, out, err = run_program(launcher, program, options, {})
        err, said = slipped.WARNING.subn(b"", err)
        warnings += said
        compare(f"{where}, {turned} calls slipped", expected, (status, out, err), options.aborts)
    print(f"{turned} calls slipped, {warnings} warnings")


def run_tried(original, options):
    """Run the original once more with libmpishm_try.so, as mpishm-try does."""
    folder = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("mpishm-try"))))
    preload = {**launch.preloaded(os.path.join(folder, "lib", "libmpishm_try.so")), "MPISHM_NET": "abort"}
    for where, launcher in launchers(options):
        expected = run_program(launcher, original, options, {})
        compare(f"{where}, tried", expected, run_program(launcher, original, options, preload), options.aborts)
        print(f"{where}: same")


def run_recorded(folder, options):
    """Make a copy of the original in folder, built for the oracle, and have that judge what it does on one node."""
    shutil.rmtree(folder, ignore_errors=True)
    copy_program(options.program_source, folder)
    make_database(folder, options)
    must(["mpishm-rewrite", "-p", ".", "--quiet", "--report", "report.json"], folder)
    program = build(folder, options, oracle.DEBUGCC, oracle.DEBUGCXX)
    where, launcher = launchers(options)[0]
    logs = os.path.join(folder, "logs")
    os.mkdir(logs)
    expected = run_program(launcher, program, options, {})
    compare(f"{where}, recorded", expected, run_program(launcher, program, options, oracle.environment(logs)),
            options.aborts)
    verdict = oracle.judge(logs, os.path.join(folder, "report.json"))
    print(verdict.text(), end="")
    if verdict.violations:
        raise Failure("the tool is wrong about this program")


def run_alone(program, options):
    """Run the rewritten program without its original."""
    for where, launcher in launchers(options):
        status, out, err = run_program(launcher, program, options, {})
        if (status != 0) != bool(options.aborts) or b"mpishm: " in err or not out.strip() or (
                options.aborts and not aborts_with(err, options.aborts)):
            raise Failure(f"{where}, rewritten: exit {status}\n{(out + err).decode(errors='replace')}")
        print(f"{where}: succeeds\n" + out.decode(errors="replace"), end="")


def run_both(original, rewritten, options):
    for where, launcher in launchers(options):
        expected = run_program(launcher, original, options, {})
        if (expected[0] != 0) != bool(options.aborts):
            raise Failure(f"{where}: the original itself ends with exit {expected[0]}\n"
                          + (expected[1] + expected[2]).decode(errors="replace"))
        if options.aborts and not aborts_with(expected[2], options.aborts):
            raise Failure(f"{where}: the original does not say '{options.aborts}'\n"
                          + expected[2].decode(errors="replace"))
        if not expected[1].strip():
            raise Failure(f"{where}: the original prints nothing that could be compared")
        compare(f"{where}, rewritten", expected, run_program(launcher, rewritten, options, {}), options.aborts)
        if where == "one node" and not options.enabled:
            disabled = run_program(launcher, rewritten, options, {"MPISHM_DISABLE": "1"})
            compare(f"{where}, MPISHM_DISABLE=1", expected, disabled, options.aborts)
        if options.guarded:
            status, out, err = run_program(launcher, rewritten, options, {"MPISHM_NET": "0"})
            err, said = WITHOUT_NET.subn(b"", err)
            compare(f"{where}, MPISHM_NET=0", expected, (status, out, err), options.aborts)
            if said != 1:
                raise Failure(f"{where}, MPISHM_NET=0: {said} lines say that messages go through MPI")
        print(f"{where}: same\n" + expected[1].decode(errors="replace"), end="")


def build_both(work, copies, options):
    """Build the program, unless it is not run, and, rewritten, a copy of it; return the paths of both executables. Tests
    may run the latter, too."""
    shutil.rmtree(work, ignore_errors=True)
    for copy in copies:
        copy_program(options.program_source, copy)
    original = None if options.alone else build(copies[0], options, "mpicc", "mpicxx")
    rewrite(copies[1], options)
    return original, build(copies[1], options, "mpishmcc", "mpishmcxx")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program_source", metavar="DIR")
    parser.add_argument("--work", required=True, help="scratch folder; emptied first")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--one-node", action="store_true", help="do not run on two nodes")
    parser.add_argument("--ragged", action="store_true", help="run an odd number of ranks on two nodes, too")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for each run")
    parser.add_argument("--arguments", type=shlex.split, default=[], help="of the program, one string")
    parser.add_argument("--flags", type=shlex.split, default=["-O1"], help="compiler options, one string")
    parser.add_argument("--program", help="name of the executable, where make builds several")
    parser.add_argument("--leaves", type=lambda text: text.split(","), default=[],
                        help="functions that may stay MPI's, separated by commas")
    parser.add_argument("--guarded", action="store_true", help="rewrite with --guarded; something must be so")
    parser.add_argument("--moves", type=int, metavar="N", help="message buffers that the tool must move")
    parser.add_argument("--packs", type=int, metavar="N", help="rewrite with --zero-copy=on, which N sends must get")
    parser.add_argument("--cancels", action="store_true",
                        help="receives are cancelled, or active requests freed, of which the MPI library may keep something, "
                        "and say so")
    parser.add_argument("--aborts", metavar="TEXT", help="MPI ends both programs with an error that says TEXT")
    parser.add_argument("--slips", type=int, metavar="SEED",
                        help="run, in place of the rewritten program, one of which about half of the calls slipped")
    parser.add_argument("--tried", action="store_true",
                        help="run, in place of the rewritten program, the original with libmpishm_try.so")
    parser.add_argument("--oracle", action="store_true",
                        help="compare, in place of running the rewritten program, what the original does with what the "
                             "tool proves of it")
    parser.add_argument("--runs-only", action="store_true",
                        help="leave out what depends on the tool alone: another run of it, --undo, -DMPISHM_OFF")
    parser.add_argument("--enabled", action="store_true", help="do not run with MPISHM_DISABLE=1")
    parser.add_argument("--again", action="store_true", help="run what an earlier run_both.py has built in WORK")
    parser.add_argument("--alone", action="store_true", help="neither build nor run the original")
    parser.add_argument("--nodes", type=int, choices=(1, 2), metavar="N",
                        help="run on one node only, or only on two where there are ranks for that")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE for both programs")
    options = parser.parse_args()
    if options.slips is not None:
        options.alone = False  # those are compared with their originals
    options.launcher = launch.find_launcher()
    os.environ.update(options.launcher.environment)
    options.env = dict(pair.split("=", 1) for pair in options.env)

    work = os.path.realpath(options.work)
    copies = [os.path.join(work, name) for name in ("original", "rewritten")]
    try:
        if options.again:
            original = None if options.alone else built(copies[0], options)
            rewritten = built(copies[1], options)
        else:
            original, rewritten = build_both(work, copies, options)
        if options.oracle and options.slips is None:
            run_recorded(os.path.join(work, "recorded"), options)
        elif options.tried:
            run_tried(original, options)
        elif options.alone:
            run_alone(rewritten, options)
        elif options.slips is None:
            run_both(original, rewritten, options)
        else:
            run_slipped(original, copies[1], options)
    except Failure as failure:
        print(f"run_both: {failure}\n(the programs are in {work})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites, builds and runs one generated program, and compares it with its original."""

import collections
import contextlib
import fcntl
import functools
import os
import re
import shutil
import sys
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", name) for name in ("support", "oracle")]

import emit  # noqa: E402
import launch  # noqa: E402
import oracle  # noqa: E402
import precompiled  # noqa: E402
import slipped  # noqa: E402
from database import CXX_SUFFIXES, sources_under, write_database  # noqa: E402
from edits import ALLOCATOR, DELETE, INCLUDE, MEMORY, Failure, difference, without_arrays  # noqa: E402
from run_both import REPORT_H, must, run, texts_of  # noqa: E402

SLIPS_APART = 1000003  # between the seeds of the halves of one program
UNSEEN = "unseen.c"  # a source that is not in the database
# (In a header that C units include too, but whose calls only C++ units see, the include is for C++ only.)
ADDED = re.compile(rb"#ifdef __cplusplus\n" + INCLUDE.pattern.replace(b"^", b"") + rb"#endif\n|" + INCLUDE.pattern,
                   re.MULTILINE)
# MPICH 4.0.2 keeps the datatype of every receive that was cancelled, and says so in MPI_Finalize. The runtime cancels
# the receive for other nodes that belongs to a wildcard when this node has the message.
LEAKED = re.compile(rb"^\[WARNING\] yaksa: \d+ leaked handle pool objects\n", re.MULTILINE)
MARK = re.compile(rb"\b(MPISHM_Init(?:_thread)?)(?:_nodewise)?(?:_guarded)?\b")
DEFINED = re.compile(rb"^#define MPI_(\w+) MPISHM_\1\n", re.MULTILINE)  # of what a macro pastes together
SUMMARY = re.compile(r"rewrote (\d+) of (\d+) sites?")
ONE_SIDED = re.compile(r"rewrote (\d+) of (\d+) one-sided calls?")
COLLECTIVES = re.compile(r"rewrote (\d+) of (\d+) collectives?")


@dataclass
class Settings:
    timeout: int = 60  # seconds for one run
    attempts: int = 2  # runs that must last too long before that is called a hang; a machine may stand still
    lock: str = ""  # a file; whoever holds its lock may run ranks
    sanitize: str = ""  # e.g. address: both programs are built so
    guarded: bool = False  # what is not proved is rewritten, too, for the runtime's net to guard
    slips: int = 0  # so many copies in each of which another half of the rewritten calls slipped through the analysis
    oracle: bool = False  # only the original runs, and the oracle judges what it did
    flags: tuple = ()  # of the compiler, beside those that all programs have


@dataclass
class Outcome:
    """kind: "same"; or "differs", "edit", "tool", "build", "hang", "oracle", which are bugs of ours; or "original",
    when the program itself fails, a bug of the generator."""

    kind: str
    text: str = ""
    sites: int = 0
    rewritten: int = 0
    collectives: int = 0  # beside the sites
    rewritten_collectives: int = 0
    runs: int = 0
    meetings: int = 0  # of calls, that the oracle has judged
    turned: int = 0  # calls turned back
    seconds: collections.Counter = field(default_factory=collections.Counter)  # by the clock: "tool", "builds", "runs"


class Trouble(Exception):
    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def write_program(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    made = program.sources() if hasattr(program, "sources") else emit.sources(program)
    for name, text in made.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)
    shutil.copy(REPORT_H, folder)
    for header in ("fuzz.h", "collectives/parts.h", "onesided/windows.h"):
        shutil.copy(os.path.join(HERE, header), folder)


def _guarded(kind, function, *arguments):
    try:
        return function(*arguments)
    except Failure as failure:
        raise Trouble(kind, str(failure)) from None


def _build(folder, settings, cc, cxx):
    sources = sources_under(folder)
    is_cxx = any(source.endswith(CXX_SUFFIXES) for source in sources)
    flags = ["-O0", "-w", *settings.flags] + ([f"-fsanitize={settings.sanitize}"] if settings.sanitize else [])

    def headers(compiler, language):
        work = os.path.dirname(os.path.dirname(folder))
        return precompiled.options(compiler, language, flags, os.path.join(work, "headers"))

    # mpicxx compiles .c files as C: the driver goes by the suffix, with g++ as with clang++ told so.
    c = [source for source in sources if not source.endswith(CXX_SUFFIXES)]
    if is_cxx:
        objects = []
        for source in c:
            must([cc, *flags, *headers(cc, "c"), "-c", source], folder)
            objects.append(os.path.splitext(source)[0] + ".o")
        sources = [source for source in sources if source not in c] + objects
    compiler, language = (cxx, "c++") if is_cxx else (cc, "c")
    must([compiler, *flags, *headers(compiler, language), *sources, "-o", "program"], folder)


def _check_edits(before, after):
    """Fail unless after is before with functions of MPI and of memory renamed, new and delete of arrays, allocators of
    vectors, arrays that move, and one include per changed file, with the names that are defined as others behind it."""
    for path, text in before.items():
        if after.get(path) == text:
            continue
        undone, includes = ADDED.subn(b"", DEFINED.sub(b"", MARK.sub(rb"\1", after[path])))
        undone = ALLOCATOR.sub(b">", MEMORY.sub(lambda name: name.group(1).lower(), without_arrays(undone)))
        undone = undone.replace(b"new (mpishm::window)", b"new")
        texts = [DELETE.sub(rb"delete[] \1;", part).replace(b"MPISHM_", b"MPI_") for part in (text, undone)]
        if includes != 1 or texts[0] != texts[1]:
            raise Trouble("edit", f"{path}: more was changed than names of functions\n{difference(text, after[path])}")


def _run_tool(command, folder, settings):
    """Run the tool on the program in folder; return how many sites are rewritten, calls on windows among them, how many
    there are, and both of collectives."""
    write_database(folder, [source for source in sources_under(folder) if source != UNSEEN], flags=settings.flags)
    status, out, err = run(command, folder, 120)
    said = (out + err).decode(errors="replace")
    if status != 0:
        raise Trouble("tool", f"mpishm-rewrite ends with {status}\n{said}")
    found = SUMMARY.search(said)
    if not found:
        raise Trouble("tool", f"no summary\n{said}")
    collectives, windows = (pattern.search(said) for pattern in (COLLECTIVES, ONE_SIDED))
    sites, others, further = (map(int, match.groups()) if match else (0, 0) for match in (found, windows, collectives))
    return (*map(sum, zip(sites, others)), *further)


def _rewrite(folder, move, settings, again):
    """Rewrite the program in folder, moving the buffers that move says, and as settings say; see that running the tool
    again changes nothing, if again is set."""
    tool = ["mpishm-rewrite", "-p", ".", *([f"--move-buffers={move}"] if move else []),
            *(["--guarded"] if settings.guarded else [])]
    before = texts_of(folder)
    counts = _run_tool([*tool, "-i"], folder, settings)
    _check_edits(before, texts_of(folder))
    if again:
        status, out, err = run([*tool, "--check", "--quiet"], folder, 120)
        if status != 0:
            raise Trouble("edit", "a second run of the tool would change something\n" + (out + err).decode())
    return counts


@contextlib.contextmanager
def locked(path):
    """Holds the lock of the file path, if there is a path."""
    if not path:
        yield
        return
    with open(path, "a", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _timed(outcome, what):
    begin = time.monotonic()
    try:
        yield
    finally:
        outcome.seconds[what] += time.monotonic() - begin


@functools.lru_cache
def _launcher():
    return launch.find_launcher()


def _launch(program, nodes, folder, name, environment, settings):
    launcher = _launcher()
    command = [*launch.command(launcher, program.ranks, nodes), os.path.join(folder, name, "program")]
    net = "1" if settings.slips or settings.guarded else "abort"
    environment = {"MPISHM_NET": net, **launcher.environment, **environment}
    for attempts in range(settings.attempts, 0, -1):
        try:
            status, out, err = run(command, os.path.join(folder, name), settings.timeout, environment)
            return status, out, slipped.WARNING.sub(b"", LEAKED.sub(b"", launcher.without_noise(err)))
        except Failure as failure:
            if attempts == 1:
                where = f"{name}, {nodes} node(s), {environment}"
                raise Trouble("original" if name == "original" else "hang", f"{where}: {failure}") from None
    raise AssertionError


def _compare(what, expected, got, with_errors):
    for part, old, new in zip(("exit status", "standard output", "standard error"), expected, got):
        if old != new and (with_errors or part != "standard error"):
            said = difference(old, new) if isinstance(old, bytes) else f"{old} became {new}"
            raise Trouble("differs", f"{what}: {part} differs\n{said}\n{got[2].decode(errors='replace')}")


def _copies(settings):
    """The folders of what is compared with the original."""
    return [f"slipped-{n}" for n in range(settings.slips)] or ["rewritten"]


def _run_all(outcome, program, folder, settings):
    """Run both programs, or all of them, in every way."""
    # Where it shows how many nodes there are: in communicators, and in the order of sums.
    by_node = any(c.kind == "split_type" for c in program.communicators) or \
        any(p.operations or p.own == "node" for p in program.phases)
    expected = None
    # Two nodes share the ranks evenly, or those of programs with windows.
    on_two = program.ranks % 2 == 0 or any(p.windows for p in program.phases)
    for nodes in (1, 2) if on_two else (1,):
        if expected is None or by_node:
            expected = _launch(program, nodes, folder, "original", {}, settings)
            outcome.runs += 1
            if expected[0] != 0 or not expected[1]:
                said = (expected[1] + expected[2]).decode(errors="replace")
                raise Trouble("original", f"the original ends with {expected[0]}\n{said}")
        ways = [{}]
        if program.environment:
            ways.append(program.environment)
        ways = ways if nodes == 1 or program.ranks > 2 else ways[:1]
        for name, environment in ((name, environment) for name in _copies(settings) for environment in ways):
            try:
                got = _launch(program, nodes, folder, name, environment, settings)
                outcome.runs += 1
                _compare(f"{name}, {nodes} node(s), {environment or 'default environment'}", expected, got,
                         not environment)
            except Trouble:
                if _launch(program, nodes, folder, "original", {}, settings) != expected:
                    raise Trouble("original", "the original differs from run to run") from None
                raise


def _run_recorded(outcome, program, folder, settings):
    """Have the oracle judge what the original does on one node."""
    original = os.path.join(folder, "original")
    logs = os.path.join(original, "logs")
    os.mkdir(logs)
    status, out, err = _launch(program, 1, folder, "original", oracle.environment(logs), settings)
    if status != 0:
        raise Trouble("original", f"the original ends with {status}\n{(out + err).decode(errors='replace')}")
    verdict = oracle.judge(logs, os.path.join(original, "report.json"))
    outcome.runs, outcome.meetings = 1, sum(verdict.record.meetings.values())
    if verdict.violations:
        raise Trouble("oracle", verdict.text())


def _judged(outcome, function, *arguments):
    """Call function(outcome, ...), which may end with a Trouble; return outcome."""
    try:
        function(outcome, *arguments)
    except Trouble as trouble:
        outcome.kind, outcome.text = trouble.kind, str(trouble)
    except Failure as failure:
        outcome.kind, outcome.text = "tool", str(failure)
    return outcome


def _count(outcome, counts):
    outcome.rewritten, outcome.sites, outcome.rewritten_collectives, outcome.collectives = counts


def _prepare(outcome, program, folder, settings):
    original, rewritten = (os.path.join(folder, name) for name in ("original", "rewritten"))
    write_program(program, original)
    if settings.oracle:
        tool = ["mpishm-rewrite", "-p", ".", "--report", "report.json"]
        _count(outcome, _run_tool(tool, original, settings))
        _guarded("original", _build, original, settings, oracle.DEBUGCC, oracle.DEBUGCXX)
        return
    shutil.rmtree(rewritten, ignore_errors=True)
    shutil.copytree(original, rewritten)
    with _timed(outcome, "tool"):
        _count(outcome, _rewrite(rewritten, program.move, settings, program.seed % 4 == 0 and not settings.slips))
    with _timed(outcome, "builds"):
        _guarded("original", _build, original, settings, "mpicc", "mpicxx")
        for n, name in enumerate(_copies(settings)):
            copy = os.path.join(folder, name)
            if settings.slips:
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(rewritten, copy)
                outcome.turned += slipped.slip(texts_of(copy), copy, program.seed + SLIPS_APART * n)
            _guarded("build", _build, copy, settings, "mpishmcc", "mpishmcxx")


def prepare(program, folder, settings):
    """Write program and its rewritten copy below folder, and build both. Needs no rank to run."""
    return _judged(Outcome("same"), _prepare, program, folder, settings)


def finish(outcome, program, folder, settings):
    """Run what prepare built, unless that failed already; see whether both do the same."""
    if outcome.kind != "same":
        return outcome
    with _timed(outcome, "runs"):
        return _judged(outcome, _run_recorded if settings.oracle else _run_all, program, folder, settings)


def attempt(program, folder, settings):
    """prepare and finish."""
    outcome = prepare(program, folder, settings)
    with locked(settings.lock if outcome.kind == "same" else ""):
        return finish(outcome, program, folder, settings)

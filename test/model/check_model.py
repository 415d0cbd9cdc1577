#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the model of the protocol with Spin, and that the checker finds every mistake that can be seeded in it.

    check_model.py [--work DIR] [--jobs N] [--short] [--list] [NAME...]

Runs are named; without names all are run. Each is a line of RUNS (must be without error) or of MISTAKES (must have the
error that is named). A transition of the protocol that no run of RUNS reaches is an error too. docs/model.md says what
the model covers. The last line is `N passed, N failed`; the exit status is 1 when something failed.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
TIMEOUT = 600  # seconds for one run

# Kinds, forms and programs of channel.pml, sender.pml and segment.pml, as sets.
INLINE, EAGER, STANDARD, SYNCHRONOUS, STANDARD_STAGED, SYNCHRONOUS_STAGED, PLACED = (1 << i for i in range(7))
CONTIGUOUS, SCATTERED, PRIVATE = (1 << i for i in range(3))
ANY, WAITALL, RECEIVER_STOPS, SENDER_STOPS, LATE, LOOKS_ONCE = (1 << i for i in range(6))

# Forms and programs of board.pml.
BOARD = "board.pml"
WILDCARDS, EXACT_FIRST, EXACT_SECOND, EXACT_BOTH, COMMUNICATORS = (1 << i for i in range(5))
ONE_COMMUNICATOR = WILDCARDS | EXACT_FIRST | EXACT_SECOND | EXACT_BOTH
BOARD_STANDARD, BOARD_SYNCHRONOUS = 1, 2
BOARD_BOTH = BOARD_STANDARD | BOARD_SYNCHRONOUS
BARRIER, POLLS = 1, 2
ONE_SENDER = ("SENDERS=1", "ELSEWHERE=1")

# Collectives of area.pml.
AREA = "area.pml"
BARRIER_AND_BITS, TO_ALL, FROM_ROOT, PULLED_BY_ALL, PULLED_FROM_ROOT, BY_LEADER, THROUGH_BOXES = (
    1 << i for i in range(7))
BY_SLICES = 1 << 8  # which a collective of its own follows, as the boxes
ANY_COLLECTIVE = BARRIER_AND_BITS | TO_ALL | FROM_ROOT | PULLED_BY_ALL | PULLED_FROM_ROOT

# Uses of epochs.pml.
EPOCHS = "epochs.pml"
READ_LOCKED, WRITE_LOCKED, ACCUMULATED, EXPOSED_BY_ALL, EXPOSED_BY_ONE, WORDS_CHANGED, HANDED_TO_ONE, HANDED_TO_ALL = (
    1 << i for i in range(8))
LOCKED = READ_LOCKED | WRITE_LOCKED
THREE = ("MEMBERS=3",)

# What the checker says of an error, and what that means.
RACE = "assertion violated good"
EARLY = "assertion violated ((posted_at_end"
PASSED = "assertion violated ((entered"
TOLD = "assertion violated (told"
NOT_ALONE = "assertion violated ((holds_to_write"
IN_LATCH = "assertion violated ((holds_latch"
ASSERTION = "assertion violated"  # a race, a wrong message, or memory that was given back
CYCLE = "acceptance cycle"
DEADLOCK = "invalid end state"
MEANINGS = {RACE: "data race", "assertion violated (got": "wrong message", EARLY: "a send ended without a receive",
            PASSED: "a member is through a barrier that another has not come to",
            TOLD: "a member's bits are not those that all have set",
            NOT_ALONE: "a writer is not alone",
            IN_LATCH: "who holds the latch is not alone",
            ASSERTION: "freed memory", CYCLE: "no progress", DEADLOCK: "deadlock"}


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of the checker: the limits of its scenarios, and what it must say (None: nothing)."""
    name: str
    kinds: int
    forms: int = CONTIGUOUS
    programs: int = WAITALL
    defines: tuple = ()
    liveness: bool = False
    error: str = None
    file: str = "channel.pml"
    long: bool = False  # --short leaves it out: it takes long, and a smaller run reaches the same transitions
    deep: bool = False  # a mistake that only a search of seconds finds


BOTH = CONTIGUOUS | SCATTERED
LAST_STANDARD = f"LAST_KINDS={STANDARD}"

RUNS = (
    Run("rendezvous", STANDARD | SYNCHRONOUS, BOTH, defines=("ONE_TAG=1",)),
    Run("two-envelopes", INLINE | STANDARD),
    Run("any-order", INLINE, programs=ANY, defines=(LAST_STANDARD,)),
    Run("three-messages", INLINE, defines=("MESSAGES=3", LAST_STANDARD)),
    Run("eager", INLINE | EAGER, programs=WAITALL | LATE, defines=("MESSAGES=3", "ONE_TAG=1")),
    Run("no-memory", EAGER | STANDARD, CONTIGUOUS | PRIVATE, defines=("RENDEZVOUSES=1", "RINGS=1", "ONE_TAG=1")),
    Run("no-memory-synchronous", SYNCHRONOUS, programs=WAITALL | RECEIVER_STOPS | SENDER_STOPS,
        defines=("MESSAGES=3", "RENDEZVOUSES=1", "RINGS=1", "ONE_TAG=1")),
    Run("no-ring", INLINE | SYNCHRONOUS, programs=WAITALL | RECEIVER_STOPS | SENDER_STOPS,
        defines=("RENDEZVOUSES=1", "RINGS=0")),
    Run("no-ring-any-order", INLINE, programs=ANY, defines=("RENDEZVOUSES=1", "RINGS=0")),
    Run("cancel", INLINE, programs=ANY, defines=("WITHDRAW=1", "RECEIVES=3", "ONE_TAG=1", LAST_STANDARD)),
    Run("refusal", STANDARD | SYNCHRONOUS, programs=WAITALL | RECEIVER_STOPS,
        defines=("KERNEL_REFUSES=1", "ONE_TAG=1")),
    Run("window-full", STANDARD | SYNCHRONOUS, BOTH, programs=WAITALL | RECEIVER_STOPS,
        defines=("WINDOW_FULL=1", "ONE_TAG=1")),
    Run("window-full-refusal", STANDARD | SYNCHRONOUS, programs=WAITALL | RECEIVER_STOPS,
        defines=("WINDOW_FULL=1", "KERNEL_REFUSES=1", "ONE_TAG=1")),
    Run("takes", INLINE, programs=ANY, defines=("TAKES=1", f"LAST_KINDS={INLINE | STANDARD}")),
    Run("takes-eager", INLINE | EAGER | STANDARD, programs=ANY, defines=("TAKES=1", "ONE_TAG=1")),
    Run("takes-three", INLINE, programs=ANY, defines=("TAKES=1", "MESSAGES=3", "RINGS=1", "ONE_TAG=1"), long=True),
    Run("takes-progress", INLINE | EAGER | STANDARD | SYNCHRONOUS, BOTH, WAITALL | RECEIVER_STOPS | SENDER_STOPS | LATE,
        ("TAKES=1", "ONE_TAG=1"), liveness=True, long=True),
    Run("placed", INLINE | PLACED, BOTH),
    Run("placed-any-order", INLINE | PLACED, programs=ANY, defines=("ONE_TAG=1", f"LAST_KINDS={PLACED}")),
    Run("placed-three", PLACED, defines=("MESSAGES=3", "ONE_TAG=1")),
    Run("placed-cancel", PLACED, programs=ANY, defines=("WITHDRAW=1", "RECEIVES=3", "ONE_TAG=1", "LAST_KINDS=1")),
    Run("progress-placed", PLACED, BOTH, WAITALL | RECEIVER_STOPS | SENDER_STOPS | LATE | LOOKS_ONCE, ("MESSAGES=1",),
        liveness=True),
    Run("progress-window-full", STANDARD | SYNCHRONOUS, BOTH, RECEIVER_STOPS | SENDER_STOPS | LOOKS_ONCE,
        ("MESSAGES=1", "WINDOW_FULL=1"), liveness=True),
    Run("progress-of-one", INLINE | EAGER | STANDARD | SYNCHRONOUS | STANDARD_STAGED | SYNCHRONOUS_STAGED, BOTH,
        WAITALL | RECEIVER_STOPS | SENDER_STOPS | LATE | LOOKS_ONCE, ("MESSAGES=1",), liveness=True),
    Run("progress", STANDARD | SYNCHRONOUS, BOTH, RECEIVER_STOPS | SENDER_STOPS | LOOKS_ONCE, ("ONE_TAG=1",),
        liveness=True),
    Run("board", BOARD_BOTH, ONE_COMMUNICATOR, BARRIER, file=BOARD),
    Run("board-communicators", BOARD_SYNCHRONOUS, COMMUNICATORS, BARRIER, file=BOARD),
    Run("board-polls", BOARD_BOTH, ONE_COMMUNICATOR, POLLS, (f"LAST_KINDS={BOARD_SYNCHRONOUS}",), file=BOARD),
    Run("board-elsewhere", BOARD_BOTH, WILDCARDS, POLLS, ONE_SENDER, file=BOARD),
    Run("board-undecided", BOARD_SYNCHRONOUS, ONE_COMMUNICATOR, BARRIER, ("ELSEWHERE=1",), file=BOARD),
    Run("barriers-of-two", BARRIER_AND_BITS, file=AREA),
    Run("barriers-of-three", BARRIER_AND_BITS, defines=("MEMBERS=3", "LIMIT=3"), file=AREA),
    Run("collectives-of-two", ANY_COLLECTIVE, defines=("LIMIT=4",), file=AREA),
    Run("leader-of-two", FROM_ROOT | BY_LEADER | THROUGH_BOXES, defines=("LIMIT=6",), file=AREA),
    Run("leader-of-three", FROM_ROOT | BY_LEADER, defines=("MEMBERS=3", "LIMIT=4"), file=AREA),
    Run("boxes-of-three", THROUGH_BOXES, defines=("MEMBERS=3", "LIMIT=4"), file=AREA),
    Run("slices-of-two", FROM_ROOT | BY_SLICES, defines=("LIMIT=6",), file=AREA),
    Run("slices-of-three", BY_SLICES, defines=("MEMBERS=3", "LIMIT=4"), file=AREA),
    Run("slots-of-two", TO_ALL | FROM_ROOT, defines=("LIMIT=7",), file=AREA),
    Run("findings-of-two", TO_ALL | FROM_ROOT, defines=("FINDINGS", "LIMIT=5"), file=AREA),
    Run("findings-of-three", FROM_ROOT, defines=("FINDINGS", "MEMBERS=3", "LIMIT=4"), file=AREA, long=True),
    Run("slots-of-three", FROM_ROOT, defines=("MEMBERS=3", "LIMIT=4"), file=AREA),
    Run("slots-and-buffers-of-three", FROM_ROOT | PULLED_BY_ALL, defines=("MEMBERS=3", "LIMIT=3"), file=AREA),
    Run("buffers-of-three", PULLED_BY_ALL | PULLED_FROM_ROOT, defines=("MEMBERS=3", "LIMIT=2"), file=AREA),
    Run("locks-of-two", LOCKED | ACCUMULATED, file=EPOCHS),
    Run("locks-of-three", LOCKED, defines=THREE, file=EPOCHS),
    Run("latch-of-three", ACCUMULATED, defines=THREE, file=EPOCHS),
    Run("words-of-two", ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    Run("words-of-three", WORDS_CHANGED, defines=THREE, file=EPOCHS),
    Run("exposure-of-two", EXPOSED_BY_ALL, file=EPOCHS),
    Run("exposure-of-three", EXPOSED_BY_ALL, defines=THREE, file=EPOCHS),
    Run("exposure-to-two", EXPOSED_BY_ONE, defines=THREE, file=EPOCHS),
    Run("handed-to-one", HANDED_TO_ONE, defines=THREE, file=EPOCHS),
    Run("handed-to-all-of-two", HANDED_TO_ALL, file=EPOCHS),
    Run("handed-to-all-of-three", HANDED_TO_ALL, defines=THREE, file=EPOCHS),
)


def mistake(name, error, kinds, forms=CONTIGUOUS, programs=WAITALL, defines=(), liveness=False, file="channel.pml",
            deep=False):
    defines = ("MISTAKE_" + name.upper().replace("-", "_"), *defines)
    return Run(name, kinds, forms, programs, defines, liveness, error=error, file=file, deep=deep)


MISTAKES = (
    # An order weakened to relaxed.
    mistake("publish-relaxed", RACE, INLINE),
    mistake("consume-relaxed", RACE, INLINE),
    mistake("consumed-relaxed", RACE, INLINE, programs=ANY, defines=("MESSAGES=3", "RINGS=1")),
    mistake("refresh-relaxed", RACE, INLINE, programs=ANY, defines=("MESSAGES=3", "RINGS=1")),
    mistake("first-ring-relaxed", RACE, INLINE),
    mistake("post-relaxed", RACE, STANDARD),
    mistake("follow-relaxed", RACE, STANDARD),
    mistake("unlock-relaxed", RACE, STANDARD),
    mistake("finish-relaxed", RACE, STANDARD),
    mistake("staged-relaxed", RACE, STANDARD),
    mistake("put-relaxed", RACE, STANDARD | STANDARD_STAGED),
    mistake("hand-over-relaxed", RACE, STANDARD),
    # A step left out, or in the wrong place.
    mistake("take-without-count", ASSERTION, INLINE | PLACED, defines=("ONE_TAG=1",)),
    mistake("give-back-without-lock", RACE, PLACED, programs=ANY,
            defines=("WITHDRAW=1", "RECEIVES=3", "ONE_TAG=1"), deep=True),
    mistake("given-back-late", ASSERTION, PLACED, defines=("ONE_TAG=1",)),
    mistake("claim-without-swap", ASSERTION, STANDARD),
    mistake("take-back-without-swap", ASSERTION, STANDARD),
    mistake("not-followed", ASSERTION, STANDARD_STAGED),
    mistake("no-staging", ASSERTION, STANDARD),
    mistake("no-count", ASSERTION, INLINE | STANDARD),
    mistake("no-skip", ASSERTION, STANDARD),
    mistake("done-before-copy", ASSERTION, STANDARD),
    mistake("no-position", ASSERTION, INLINE, programs=ANY, defines=("MESSAGES=3", "RINGS=1")),
    mistake("consumed-early", ASSERTION, INLINE, programs=ANY, defines=("MESSAGES=3", "RINGS=1")),
    mistake("consumed-outside", ASSERTION, INLINE | STANDARD, programs=ANY, deep=True),
    mistake("take-though-posted", ASSERTION, INLINE, programs=ANY, defines=("TAKES=1", "ONE_TAG=1")),
    mistake("take-though-kept", ASSERTION, INLINE, programs=ANY, defines=("TAKES=1", "MESSAGES=3", "ONE_TAG=1")),
    mistake("no-forget", ASSERTION, STANDARD, programs=ANY),
    mistake("left-though-awaited", CYCLE, INLINE, programs=ANY, liveness=True),
    mistake("withdraw-without-lock", ASSERTION, STANDARD, programs=ANY, defines=("WITHDRAW=1", "RECEIVES=3")),
    mistake("withdraw-without-looking", ASSERTION, INLINE | STANDARD, programs=ANY,
            defines=("WITHDRAW=1", "RECEIVES=3", "ONE_TAG=1")),
    mistake("withdraw-matched", ASSERTION, STANDARD, programs=ANY,
            defines=("WITHDRAW=1", "RECEIVES=3", "ONE_TAG=1")),
    mistake("matched-waits", CYCLE, STANDARD, SCATTERED, RECEIVER_STOPS, liveness=True),
    mistake("left-in-place", CYCLE, STANDARD, SCATTERED, RECEIVER_STOPS, ("MESSAGES=1", "WINDOW_FULL=1"), True),
    mistake("put-late", CYCLE, SYNCHRONOUS_STAGED, programs=LOOKS_ONCE, defines=("MESSAGES=1",), liveness=True),
    # The board.
    mistake("drain-outside", EARLY, BOARD_BOTH, WILDCARDS, BARRIER, file=BOARD),
    mistake("claim-alone", EARLY, BOARD_BOTH, WILDCARDS, BARRIER, file=BOARD),
    mistake("claimed-takes-any", EARLY, BOARD_BOTH, WILDCARDS, BARRIER, file=BOARD),
    mistake("claim-survives", EARLY, BOARD_BOTH, WILDCARDS, POLLS, ONE_SENDER, file=BOARD),
    mistake("no-promise", DEADLOCK, BOARD_SYNCHRONOUS, WILDCARDS, BARRIER, ONE_SENDER, file=BOARD),
    mistake("settle-one", DEADLOCK, BOARD_SYNCHRONOUS, COMMUNICATORS, BARRIER, file=BOARD),
    # The area.
    mistake("tell-relaxed", RACE, BARRIER_AND_BITS, file=AREA),
    mistake("told-relaxed", RACE, BARRIER_AND_BITS, file=AREA),
    mistake("slot-publish-relaxed", RACE, TO_ALL, defines=("LIMIT=5",), file=AREA),
    mistake("slot-look-relaxed", RACE, TO_ALL, defines=("LIMIT=5",), file=AREA),
    mistake("end-relaxed", RACE, FROM_ROOT, defines=("LIMIT=5",), file=AREA),
    mistake("is-done-relaxed", RACE, FROM_ROOT, defines=("LIMIT=5",), file=AREA),
    mistake("one-flag", DEADLOCK, BARRIER_AND_BITS, file=AREA),
    mistake("one-round", PASSED, BARRIER_AND_BITS, defines=("MEMBERS=3", "LIMIT=2"), file=AREA),
    mistake("bit-lost", TOLD, BARRIER_AND_BITS, file=AREA),
    mistake("bits-overlap", TOLD, BARRIER_AND_BITS, file=AREA),
    mistake("no-look", RACE, FROM_ROOT, defines=("LIMIT=5",), file=AREA),
    mistake("slot-early", RACE, FROM_ROOT, defines=("LIMIT=5",), file=AREA),
    mistake("known-early", RACE, TO_ALL | FROM_ROOT, defines=("LIMIT=5",), file=AREA),
    mistake("known-of-last", RACE, FROM_ROOT, defines=("MEMBERS=3", "LIMIT=4"), file=AREA),
    mistake("finding-early", ASSERTION, FROM_ROOT, defines=("FINDINGS", "MEMBERS=3", "LIMIT=4"), file=AREA),
    mistake("epochs-wrap", RACE, BARRIER_AND_BITS | TO_ALL, file=AREA),
    mistake("meeting-unheard", RACE, FROM_ROOT | BY_LEADER, defines=("LIMIT=5",), file=AREA),
    mistake("inbox-unasked", RACE, THROUGH_BOXES, defines=("LIMIT=4",), file=AREA),
    mistake("inbox-unheard", RACE, THROUGH_BOXES, defines=("LIMIT=4",), file=AREA),
    mistake("slices-unheard", RACE, BY_SLICES, defines=("LIMIT=4",), file=AREA),
    mistake("pulled-unasked", RACE, PULLED_BY_ALL, defines=("LIMIT=4",), file=AREA),
    mistake("pulled-from-root-unasked", RACE, PULLED_FROM_ROOT, defines=("LIMIT=4",), file=AREA),
    # Epochs.
    mistake("let-in-relaxed", RACE, LOCKED, defines=THREE, file=EPOCHS),
    mistake("reads-relaxed", RACE, LOCKED, file=EPOCHS),
    mistake("writes-relaxed", RACE, LOCKED, file=EPOCHS),
    mistake("read-relaxed", RACE, LOCKED, file=EPOCHS),
    mistake("written-for-readers-relaxed", RACE, LOCKED, file=EPOCHS),
    mistake("written-for-writers-relaxed", RACE, LOCKED, file=EPOCHS),
    mistake("next-not-let-in", DEADLOCK, LOCKED, file=EPOCHS),
    mistake("writer-as-reader", NOT_ALONE, LOCKED, file=EPOCHS),
    mistake("written-by-store", DEADLOCK, LOCKED, file=EPOCHS),
    mistake("latch-take-relaxed", RACE, ACCUMULATED, file=EPOCHS),
    mistake("latch-give-back-relaxed", RACE, ACCUMULATED, file=EPOCHS),
    mistake("latch-without-exchange", IN_LATCH, ACCUMULATED, file=EPOCHS),
    mistake("words-not-awaited", IN_LATCH, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("announced-after-look", IN_LATCH, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("not-looked-again", IN_LATCH, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("word-after-end", IN_LATCH, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("word-begin-relaxed", RACE, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("word-end-relaxed", RACE, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("word-is-over-relaxed", RACE, ACCUMULATED | WORDS_CHANGED, file=EPOCHS),
    mistake("expose-relaxed", RACE, EXPOSED_BY_ONE, file=EPOCHS),
    mistake("start-relaxed", RACE, EXPOSED_BY_ONE, file=EPOCHS),
    mistake("complete-relaxed", RACE, EXPOSED_BY_ONE, file=EPOCHS),
    mistake("wait-relaxed", RACE, EXPOSED_BY_ONE, file=EPOCHS),
    mistake("not-started", RACE, EXPOSED_BY_ONE, file=EPOCHS),
    mistake("complete-early", RACE, EXPOSED_BY_ONE, file=EPOCHS),
    mistake("handed-unasked", ASSERTION, HANDED_TO_ONE, defines=THREE, file=EPOCHS),
    mistake("handed-is-read-relaxed", RACE, HANDED_TO_ONE, defines=THREE, file=EPOCHS),
    mistake("brought-relaxed", RACE, HANDED_TO_ONE, defines=THREE, file=EPOCHS),
    mistake("complete-before-handed", ASSERTION, HANDED_TO_ONE, defines=THREE, file=EPOCHS),
    mistake("one-barrier", RACE, HANDED_TO_ALL, file=EPOCHS),
)


def transitions():
    """Names of all transitions that the model wants to be reached."""
    names = set()
    for file in sorted(os.listdir(HERE)):
        if file.endswith(".pml"):
            with open(os.path.join(HERE, file), encoding="utf-8") as stream:
                names |= set(re.findall(r'REACHED\("(.*?)"\)', stream.read()))
    return names


def must(command, folder):
    result = subprocess.run(command, cwd=folder, check=False, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {result.returncode}\n{result.stdout}")


def compiler(run):
    """The quickest way to an answer: most mistakes are found in less time than GCC compiles what looks for them, which
    TCC does in a moment; but that is half as fast then."""
    return "tcc" if run.error and not run.deep and shutil.which("tcc") else "gcc"


def check(run, work):
    """Run the checker; return (what it said, seconds)."""
    folder = os.path.join(work, run.name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    defines = [f"KINDS={run.kinds}", f"FORMS={run.forms}", f"PROGRAMS={run.programs}", *run.defines]
    defines += ["LIVENESS"] if run.liveness else []
    begin = time.monotonic()
    must(["spin", "-a", *("-D" + define for define in defines), os.path.join(HERE, run.file)], folder)
    must([compiler(run), "-O0", "-include", os.path.join(HERE, "checker.h"), "-w", "-DCOLLAPSE",
          "-DNFAIR=3" if run.liveness else "-DSAFETY", "-o", "pan", "pan.c"], folder)
    result = subprocess.run(["./pan", "-n", "-m500000", *(["-a", "-f"] if run.liveness else [])], cwd=folder,
                            check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT)
    return result.stdout, time.monotonic() - begin


def judge(run, said):
    """Return (good, a few words)."""
    errors = re.search(r"errors: (\d+)", said)
    stored = re.search(r"(\S+) states, stored", said)
    if not errors or not stored:
        return False, "the checker did not finish:\n" + said
    first = next((line.split(": ", 1)[1] for line in said.splitlines() if line.startswith("pan:1: ")), "")
    words = f"{int(float(stored.group(1)))} states"
    if run.error:
        if run.error in first:
            return True, f"found: {next(MEANINGS[key] for key in MEANINGS if key in first)} ({words})"
        return False, f"not found: {run.error!r}, but {first or 'no error'} ({words})"
    if int(errors.group(1)) or "search not completed" in said or "max search depth too small" in said:
        return False, f"{first} ({words})\n{said}"
    return True, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", default="build/check/model", help="where the checkers are built and run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--short", action="store_true", help="not those of the longest runs that a smaller one stands for")
    parser.add_argument("--list", action="store_true", help="only name the runs")
    parser.add_argument("names", nargs="*", metavar="NAME", help="run these only")
    options = parser.parse_args()
    runs = [run for run in (*RUNS, *MISTAKES) if not options.names or run.name in options.names]
    unknown = set(options.names) - {run.name for run in runs}
    if unknown:
        parser.error(f"no such run: {', '.join(sorted(unknown))}")
    if options.short:
        for run in [run for run in runs if run.long]:
            print(f"excluded: {run.name}, which is long; ./check --model runs it")
        runs = [run for run in runs if not run.long]
    if options.list:
        print("\n".join(f"{run.name:28}{'must be found' if run.error else ''}".rstrip() for run in runs))
        return 0
    work = os.path.abspath(options.work)
    passed, failed, reached = 0, 0, set()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = {run: pool.submit(check, run, work) for run in runs}
        for run in runs:
            said, seconds = results[run].result()
            good, words = judge(run, said)
            passed, failed = passed + good, failed + (not good)
            if not run.error:
                reached |= set(re.findall(r"^reached: (.*)$", said, re.MULTILINE))
            print(f"{'passed' if good else 'FAILED'}: {run.name}: {words}, {seconds:.0f} s", flush=True)
    if not options.names:
        missing = transitions() - reached
        passed, failed = passed + (not missing), failed + bool(missing)
        print(f"FAILED: never reached: {', '.join(sorted(missing))}" if missing
              else "passed: every transition is reached")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run the tests of a finished build and count them; ./check calls this.

    run_tests.py unit|model|asan|format|tidy
    run_tests.py lit [PATH...]
    run_tests.py all|mpi NAME...      with the MPI libraries of these names (scripts/setup_mpi.sh)

Reports go to build/check. The last line is `N passed, N failed, N skipped`; the exit status is 1 when a test failed or
none ran.
"""

import concurrent.futures
import glob
import json
import os
import subprocess
import sys

import tidy

sys.path.insert(0, "test/support")
import listed_commands  # noqa: E402

REPORTS = "build/check"
REWRITE = "build/bin/mpishm-rewrite"
# With threads, for ThreadSanitizer: through every entry point, rewritten or served by the net.
THREADED = ("messages/thread_stress.c", "messages/wildcards_threads.c", "communicators/threads.c", "net/threads.test",
            "collectives/threads.c", "nonblocking/threads.c", "onesided/threads.c", "packing/threads.c")
LARGE = "messages/huge.c"  # half a minute of copying gigabytes; ./check does so once, with Debian's MPICH
COMPILED = "start/header_warnings.test"  # half a minute of compiling, without a run; as LARGE
# What the tool makes of programs, which the plain tests run: the runtime has tests of its own for each of its calls.
# ./check repeats those with AddressSanitizer and another MPI library, and leaves these to --asan and --mpi.
OF_THE_TOOL = ("rewriting", "sources", "moving", "forms")
# What the runtime does otherwise inside a node than beyond. When ./check repeats these, it does so on one node, where
# all of it is the runtime's, and the others on two, where messages go both ways.
INSIDE = ("collectives", "nonblocking", "onesided", "persistent")
SANITIZERS = {"asan": "address", "tsan": "thread"}  # by the kind of a build
UNIT_TIMEOUT = 600  # seconds for one GoogleTest program
CODE_FOLDERS = ("tool", "runtime", "examples", "bench", "scripts", "test/unit", "test/oracle/recorder")
TIDY_FOLDERS = ("tool", "runtime/src")


class Count:
    """Tests by what became of them, and the names of those that failed."""

    def __init__(self):
        self.passed, self.skipped, self.failed = 0, 0, []

    def add(self, good, name):
        if good:
            self.passed += 1
        else:
            self.failed.append(name)


def heading(text):
    print(f"\n== {text}", flush=True)


def executables(folder, pattern):
    paths = sorted(glob.glob(f"{folder}/{pattern}"))
    return [path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)]


def run_unit(folder, kind, count, only="*"):
    """Run the GoogleTest programs in folder, in as many shards as there are cores. One that ends without a report, as
    after a crash, counts as a failure."""
    heading(f"GoogleTests ({kind})")
    programs = executables(folder, only)
    if not programs:
        print(f"no GoogleTest program in {folder}")
        count.failed.append(f"{kind}: no GoogleTest program was built")
    shards = os.cpu_count()

    def run_shard(program, shard):
        name = f"{kind}/{os.path.basename(program)}"
        report = os.path.join(REPORTS, f"{name.replace('/', '-')}-{shard}.json")
        environment = {**os.environ, "GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)}
        try:
            result = subprocess.run([program, f"--gtest_output=json:{report}", "--gtest_brief=1"], check=False,
                                    timeout=UNIT_TIMEOUT, stdin=subprocess.DEVNULL, env=environment)
            return name, report, result.returncode
        except subprocess.TimeoutExpired:
            return name, report, "timeout"

    with concurrent.futures.ThreadPoolExecutor(shards) as pool:
        every = [(program, shard) for program in programs for shard in range(shards)]
        for name, report, status in pool.map(run_shard, *zip(*every)):
            good = count_unit(name, report, count)
            if not good or (status != 0 and not any(f.startswith(name) for f in count.failed)):
                print(f"{name}: ended with {status}")
                count.failed.append(f"{name} (ended with {status})")


def count_unit(name, report, count):
    """Add what a GoogleTest report says; return False when there is none."""
    try:
        with open(report, encoding="utf-8") as stream:
            suites = json.load(stream)["testsuites"]
    except (OSError, ValueError, KeyError):
        return False
    for suite in suites:
        for test in suite["testsuite"]:
            if test.get("result") == "SKIPPED" or test.get("status") == "NOTRUN":
                count.skipped += 1
                said = [skipped.get("message", "") for skipped in test.get("skipped", [])]
                print(f"skipped: {name} {suite['name']}.{test['name']} {' '.join(said)}")
            else:
                count.add(not test.get("failures"), f"{name} {suite['name']}.{test['name']}")
    return True


def run_lit(kind, tests, options, count):
    """Run lit tests of one build."""
    heading(f"lit tests ({kind})")
    sanitizer = SANITIZERS.get(kind.partition("-")[0])
    options = options + ([] if sanitizer is None else ["--param", f"sanitizer={sanitizer}"])
    report = os.path.join(REPORTS, f"lit-{kind}.json")
    subprocess.run(["build/venv/bin/lit", "-v", "--show-unsupported", "-o", report, "-j", str(os.cpu_count()), *options,
                    *tests], check=False, stdin=subprocess.DEVNULL)
    try:
        with open(report, encoding="utf-8") as stream:
            tests = json.load(stream)["tests"]
    except (OSError, ValueError, KeyError):
        count.failed.append(f"{kind}: lit (no report)")
        return
    for test in tests:
        if test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            count.skipped += 1
        else:
            count.add(test["code"] in ("PASS", "XFAIL", "FLAKYPASS"), f"{kind}: {test['name']} ({test['code']})")


def run_again(kind, full, patterns, options, count):
    """Run what the plain tests have run of the runtime with another build of it, too: each test on one node or on two,
    whichever says more. full: the option of ./check that runs all on both."""
    print(f"\nexcluded: {LARGE}, {COMPILED}, {', '.join(OF_THE_TOOL)}; others run on one node or on two alone; "
          f"./check {full} runs all")
    paths = sorted(path for pattern in patterns for path in glob.glob(f"test/run/{pattern}"))
    folders = {path: path.split("/")[2] for path in paths if not path.endswith((LARGE, COMPILED))}
    for nodes in (1, 2):
        run_lit(f"{kind}-{nodes}", [f"build/{kind}/{path}" for path, folder in folders.items()
                                    if folder not in OF_THE_TOOL and nodes == (1 if folder in INSIDE else 2)],
                ["--param", f"mpishm_rewrite={REWRITE}", "--param", f"nodes={nodes}", *options], count)


def run_model(count, short):
    """Check the model of the protocol, and that the mistakes seeded in it are found; short: but for the longest runs."""
    heading("model of the protocol (Spin)")
    line = ""
    command = [sys.executable, "test/model/check_model.py", *(["--short"] if short else [])]
    with subprocess.Popen(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            verdict, _, rest = line.partition(": ")
            if verdict in ("passed", "FAILED"):
                count.add(verdict == "passed", f"model: {rest.strip()}")
    if not line.endswith(" failed\n"):
        count.failed.append(f"model: check_model.py ended with {process.returncode}")


def sources(folders, suffixes):
    # Not by asking git, which may not be asked in a tarball or in another user's checkout, as in many a container.
    return [path for folder in folders for path in sorted(glob.glob(f"{folder}/**", recursive=True))
            if path.endswith(suffixes)]


def run_format(count):
    heading("layout (clang-format)")
    files = sources(CODE_FOLDERS, (".c", ".h", ".cpp", ".hpp"))
    for path in files:
        result = subprocess.run(["clang-format-19", "--dry-run", "--Werror", path], check=False)
        count.add(result.returncode == 0, f"clang-format {path}")


def run_tidy(count):
    heading("clang-tidy")
    for path, clean, said in tidy.tidy(sources(TIDY_FOLDERS, (".c", ".cpp"))):
        print(path if clean else f"{path}\n{said}", flush=True)
        count.add(clean, f"clang-tidy {path}")


def main():
    what, names = sys.argv[1], sys.argv[2:]
    count = Count()
    if not listed_commands.link("build/commands"):  # else lit says why
        os.environ["PATH"] = os.path.abspath("build/commands")
    if what in ("all", "unit"):
        run_unit("build/test/unit", "unit", count)
        run_unit("build/tsan/test/unit", "tsan", count)
        run_lit("tsan", [f"build/tsan/test/run/{path}" for path in THREADED],
                ["--param", f"mpishm_rewrite={REWRITE}", "--param", "slips=1"], count)
    if what in ("all", "model"):
        run_model(count, short=what == "all")
    if what in ("all", "format"):
        run_format(count)
    if what in ("all", "lit"):
        paths = [os.path.join("build", path) if path.startswith("test") else path for path in names]
        run_lit("plain", paths if what == "lit" and paths else ["build/test"], [], count)
    if what == "all":
        # Of this build there is only the runtime, and what runs it is one source file each, or a test of the net, which
        # also makes some of them slip.
        run_unit("build/asan/test/unit", "asan", count, only="mpishm_runtime_tests")
        run_again("asan", "--asan", ("*/*.c*", "net/*.test"), ["--param", "alone=1"], count)
        for name in names:  # what MPISHM_DISABLE=1 leaves to MPI the plain tests have run
            run_again(name, f"--mpi {name}", ("*/*.c*", "*/*.test"), ["--param", "enabled=1"], count)
    if what == "mpi":
        for name in names:
            build = "build" if name == "mpich4" else f"build/{name}"
            run_lit(name, [f"{build}/test/run"], ["--param", f"mpishm_rewrite={REWRITE}"], count)
    if what == "asan":
        run_unit("build/asan/test/unit", "asan", count)
        run_lit("asan", ["build/asan/test"], [], count)
    if what == "tidy":
        run_tidy(count)

    if count.failed:
        heading("failed")
        print("\n".join(count.failed))
    print(f"\n{count.passed} passed, {len(count.failed)} failed, {count.skipped} skipped")
    return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
    sys.exit(main())

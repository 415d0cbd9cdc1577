# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of the lit tests. Run them through ./check, or `lit build/test` once the build is there.

What a RUN line may use beside lit's own substitutions:

  mpishm-rewrite, mpishmcc, mpishmcxx   of this build (on the PATH)
  FileCheck, split-file, not, count     of LLVM 19 (on the PATH)
  %mpicc, %mpicxx      the MPI compilers
  %mpiflags            what mpicc adds when compiling, for `mpishm-rewrite ... -- %mpiflags`
  %database DIR [...]  writes DIR/compile_commands.json for the C and C++ sources under DIR (support/database.py)
  %mpiexec [...]       runs a program, on several nodes with --nodes (support/launch.py); mpiexec itself does for one
  %run-both DIR [...]  builds, rewrites, runs and compares the program in DIR (support/run_both.py)
  %mpis                the folder of the MPI libraries that scripts/setup_mpi.sh installed
  %examples            the folder of the examples
  %python
"""

import os
import shlex
import shutil
import subprocess
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.mpishm_test_source_dir, "support"))
import launch  # noqa: E402
import listed_commands  # noqa: E402

config.name = "mpishm"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["unit", "support", "Inputs"]
config.test_source_root = config.mpishm_test_source_dir
config.test_exec_root = os.path.join(config.mpishm_test_binary_dir, "lit")

# A hang must become a failure, however it comes about. (lit needs psutil for that, which scripts/setup.sh installs.)
if lit_config.maxIndividualTestTimeIsSupported[0]:
    config.maxIndividualTestTime = 300

# Most of the time of a test that runs programs goes into compilers and the tool, one process at a time: with two such
# tests the one's ranks run while the other compiles. More would have too many ranks spin against each other.
lit_config.parallelism_groups["mpi"] = max(2, (os.cpu_count() or 1) // 4)

path = [os.path.join(config.mpishm_binary_dir, "bin")]
# --param mpishm_rewrite=PATH: the tool of another build, which is tested there. ./check so tests a sanitizer build of the
# runtime alone, and the runtime for another MPI library.
runs_only = ""
if "mpishm_rewrite" in lit_config.params:
    folder = os.path.join(config.mpishm_test_binary_dir, "other-tool")
    os.makedirs(folder, exist_ok=True)
    link = os.path.join(folder, "mpishm-rewrite")
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.abspath(lit_config.params["mpishm_rewrite"]), link)
    path.insert(0, folder)
    runs_only = " --runs-only"
llvm_tools = [config.llvm_tools_dir] if config.llvm_tools_dir and "NOTFOUND" not in config.llvm_tools_dir else []
# Of the system, only what scripts/setup.sh has installed: a test that calls another program fails here, too.
searched = os.path.join(config.mpishm_test_binary_dir, "commands")
why_not = listed_commands.link(searched, before=llvm_tools)
if why_not:
    lit_config.note(f"tests find all commands of this system, not only listed ones: {why_not}")
    searched = config.environment.get("PATH", os.environ["PATH"])
if not shutil.which("FileCheck", path=searched):
    path += llvm_tools
# The MPI library that this build's runtime is for.
mpicc_found = os.path.realpath(shutil.which("mpicc", path=searched) or "")
if config.mpishm_mpicc and mpicc_found != os.path.realpath(config.mpishm_mpicc):
    path.append(os.path.dirname(config.mpishm_mpicc))
config.environment["PATH"] = os.pathsep.join(path + [searched])
config.system_path = searched  # without this build's programs

for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "HOME", "USER", "TMPDIR", "SARIF_SCHEMA"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# --param sanitizer=NAME: what this build is to have been compiled with.
if lit_config.params.get("sanitizer", "") not in config.mpishm_sanitizers:
    lit_config.fatal(f"{config.mpishm_binary_dir} was built without the sanitizer that its tests need: remove it")
if "address" in config.mpishm_sanitizers:
    # UCX, under MPICH, patches the code of mmap and others, which AddressSanitizer has replaced: it jumps nowhere.
    config.environment["UCX_MEM_EVENTS"] = "no"
    # hwloc's plugins leak, and are unloaded before LeakSanitizer could tell by name whose memory it is.
    config.environment["HWLOC_PLUGINS_PATH"] = "/nonexistent"
# Variables of ours that the user may have set must not change what the tests see.
for name in [n for n in config.environment if n.startswith("MPISHM_")]:
    del config.environment[name]

launcher = launch.find_launcher(config.environment["PATH"])
config.environment.update(launcher.environment)
config.environment["MPISHM_TEST_HOSTNAME"] = os.path.join(config.mpishm_test_binary_dir, "support", "hostname.so")
config.environment["MPISHM_TEST_RECORDER"] = os.path.join(config.mpishm_test_binary_dir, "oracle", "recorder.so")
yielding = os.path.join(config.mpishm_test_binary_dir, "support", "yielding.so")
if launcher.spins and os.path.exists(yielding):
    config.environment["LD_PRELOAD"] = yielding
mpicc, mpicxx = "mpicc", "mpicxx"


def compile_flags_of(wrapper):
    """The preprocessor flags in what `wrapper -show` prints (MPICH; Open MPI understands it too)."""
    program = shutil.which(wrapper, path=config.environment["PATH"])
    if not program:
        lit_config.fatal(f"{wrapper} is not on the PATH")
    shown = subprocess.run([program, "-show"], stdout=subprocess.PIPE, text=True, check=True,
                           env=config.environment).stdout
    return " ".join(word for word in shlex.split(shown) if word.startswith(("-I", "-D")))


support = os.path.join(config.mpishm_test_source_dir, "support")
if "thread" in config.mpishm_sanitizers:
    config.environment["UCX_MEM_EVENTS"] = "no"  # see above
    config.environment["TSAN_OPTIONS"] = f"suppressions={support}/mpi_library.supp"
# What run_both.py does in place of comparing the rewritten program with the original:
instead = ""
# --param slips=SEED: programs of which about half of the calls slipped through the analysis (support/slipped.py).
if "slips" in lit_config.params:
    instead = f" --slips {int(lit_config.params['slips'])}"
# --param alone=1: the rewritten programs without their originals, which judge themselves by a sanitizer.
if "alone" in lit_config.params:
    instead = " --alone"
# --param tried=1: the originals with libmpishm_try.so.
if "tried" in lit_config.params:
    instead = " --tried"
# --param oracle=1: the originals with the recorder, and what they did compared with what the tool says.
if "oracle" in lit_config.params:
    instead = " --oracle"
# And how often it runs programs:
runs = ""
# --param enabled=1: not with all left to MPI.
if "enabled" in lit_config.params:
    runs += " --enabled"
# --param nodes=N: on N nodes only.
if "nodes" in lit_config.params:
    runs += f" --nodes {int(lit_config.params['nodes'])}"
examples = os.path.join(config.mpishm_source_dir, "examples")
mpis = os.path.join(config.mpishm_source_dir, "build", "mpi")
config.substitutions += [
    ("%mpis", mpis),
    ("%mpiexec", f"{sys.executable} {support}/launch.py"),
    ("%run-both", f"{sys.executable} {support}/run_both.py{runs_only}{runs}{instead}"),
    ("%database", f"{sys.executable} {support}/database.py"),
    ("%mpiflags", compile_flags_of(mpicc)),
    ("%mpicxx", mpicxx),
    ("%mpicc", mpicc),
    ("%examples", examples),
    ("%python", sys.executable),
]

# Where a user may mount things for himself, which containers often forbid.
if subprocess.run(["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], check=False,
                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("mounts")
if shutil.which("dpkg-query"):
    config.available_features.add("dpkg")
if os.geteuid() == 0:
    config.available_features.add("root")
if not config.mpishm_sanitizers:  # else rewritten programs are compiled by Clang, their originals by GCC
    config.available_features.add("one-compiler")
config.available_features.add(f"mpi-{launcher.name}")  # what programs are run with: mpi-mpich, mpi-impi, mpi-openmpi
if launcher.release:
    config.available_features.add(f"mpi-{launcher.name}{launcher.release}")  # mpi-mpich5
# One feature for each MPI library that is there: openmpi-headers, ...
for name in os.listdir(mpis) if os.path.isdir(mpis) else []:
    if os.path.exists(os.path.join(mpis, name, "include", "mpi.h")):
        config.available_features.add(f"{name}-headers")


def mpi_version():
    """The version of the MPI standard that mpi.h claims, as (4, 1)."""
    # Not by mpicc itself: Open MPI's adds its folders to what it compiles only.
    preprocess = ["cc", *shlex.split(compile_flags_of(mpicc)), "-E", "-P", "-xc", "-"]
    source = "#include <mpi.h>\nVERSION MPI_VERSION MPI_SUBVERSION"
    shown = subprocess.run(preprocess, input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    return tuple(map(int, shown.split("VERSION")[-1].split()))


def available_memory():
    """Bytes of memory that are free, or can be freed."""
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) << 10


def can_mount(options):
    """Whether a test may have a /dev/shm of its own, with these options."""
    script = f"mount -t tmpfs -o {options} tmpfs /dev/shm && test -w /dev/shm"
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "-m", "sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        check=False).returncode == 0


# The Fortran bindings of this very library, and a compiler. (Open MPI's and MPICH 5's packages have no bindings.)
if os.path.exists(os.path.join(os.path.dirname(config.mpishm_mpicc), "mpif90")) and shutil.which(
        "gfortran", path=config.environment["PATH"]):
    config.available_features.add("fortran")
if mpi_version() >= (4, 0):
    config.available_features.add("mpi4")
if mpi_version() >= (4, 1):
    config.available_features.add("mpi4.1")
if available_memory() >= 6 << 30:
    config.available_features.add("memory-6g")
if shutil.which("chromium", path=config.environment["PATH"]):  # scripts/setup.sh --with-browser
    config.available_features.add("browser")
if can_mount("size=1m"):
    config.available_features.add("private-shm")
if can_mount("size=4m,huge=advise"):  # of kernels that know huge pages of shared memory
    config.available_features.add("huge-shm")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the programs of a build and of its MPI library, where lit has not put them on the PATH (lit.cfg.py)."""

import functools
import os
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "test", "support"))

import launch  # noqa: E402


def use(preset="default", sanitize=""):
    """Set this process's environment so that programs are rewritten by build/bin, built by the compilers of the CMake
    preset, and run with the MPI library that these are for; sanitize is what programs are built with. Where
    mpishm-rewrite is on the PATH, as in lit, and no preset is named, nothing changes."""
    if preset == "default" and shutil.which("mpishm-rewrite"):
        return
    build = os.path.join(ROOT, "build")
    own = build if preset == "default" else os.path.join(build, preset)
    folders = [os.path.join(own, "bin"), os.path.join(build, "mpi", preset, "bin"), os.path.join(build, "bin")]
    for program, folder in (("mpishmcc", folders[0]), ("mpishm-rewrite", folders[2])):
        if not os.path.exists(os.path.join(folder, program)):
            raise SystemExit(f"there is no {program} in {folder}; docs/building.md says how to build it")
    os.environ["PATH"] = os.pathsep.join([folder for folder in folders if os.path.isdir(folder)] + [os.environ["PATH"]])
    support = os.path.join(own, "test", "support")
    os.environ["MPISHM_TEST_HOSTNAME"] = os.path.join(support, "hostname.so")
    os.environ["MPISHM_TEST_RECORDER"] = os.path.join(own, "test", "oracle", "recorder.so")
    launcher = launch.find_launcher()
    os.environ.update(launcher.environment)
    yielding = os.path.join(support, "yielding.so")
    if launcher.spins and os.path.exists(yielding):
        os.environ.update(launch.preloaded(yielding))
    if sanitize or preset == "asan":
        # See lit.cfg.py; what is preloaded may come before GCC's sanitizer.
        os.environ.update(UCX_MEM_EVENTS="no", HWLOC_PLUGINS_PATH="/nonexistent")
        given = os.environ.get("ASAN_OPTIONS")
        os.environ["ASAN_OPTIONS"] = ":".join(filter(None, ["verify_asan_link_order=0", given]))


@functools.lru_cache
def has_large_counts():
    """Whether the MPI library has functions with MPI_Count (MPI 4): Open MPI 5 has none."""
    source = "#include <mpi.h>\n#if MPI_VERSION < 4\n#error\n#endif\n"
    return subprocess.run(["mpicc", "-x", "c", "-fsyntax-only", "-c", "-"], input=source.encode(), check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Start an MPI program as the tests do: on one node, or on several nodes that are all this machine.

    launch.py [--nodes 2|3] -n N PROGRAM [ARGUMENT...]

What the tests know of MPI libraries and their launchers is here: what each wants in the environment, and how it is
made to see several nodes. The library is the one whose mpiexec comes first on the PATH.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

SUPPORT = os.path.dirname(os.path.realpath(__file__))
HOSTS = ("nodeA", "nodeB", "nodeC")
# Where ssh would be used to reach a node.
AGENT = os.path.join(SUPPORT, "local_agent.sh")


def on_first(ranks, nodes):
    """How many of the ranks are on the first node, and on all others but the last, which may have less."""
    return (ranks + nodes - 1) // nodes


class Launcher:
    """A library's way to start programs. on_nodes(ranks, nodes) is what comes before the program on several
    nodes."""

    name = None  # mpich, impi or openmpi
    release = None  # where tests need to know it
    spins = False  # whether it never gives its core away where ranks outnumber cores (yielding.c)
    noise = None  # regular expression of what the launcher itself says on standard error of no interest to anybody
    # And of what the library says in MPI_Finalize, where it kept something of a receive that was cancelled, or of a
    # request that was freed before it was complete.
    kept = None

    def __init__(self, mpiexec, version):
        """mpiexec is its path, version what it says of itself."""
        del mpiexec, version
        self.environment = {}  # what library and launcher want there

    def without_noise(self, text, cancels=False):
        """Standard error without that. With cancels, neither with what the library says where it was asked to cancel
        receives."""
        for pattern in filter(None, (self.noise, cancels and self.kept)):
            text = re.sub(pattern, b"", text)
        return text


class Hydra(Launcher):
    """MPICH's launcher. With `fork` it starts a proxy per host name, whatever the name, and ranks of different proxies
    are on different nodes."""

    name = "mpich"

    def __init__(self, mpiexec, version):
        super().__init__(mpiexec, version)
        if re.search(r"Version: +4\.0\.2", version):
            self.spins = True
            self.kept = rb"(?m)^\[WARNING\] yaksa: \d+ leaked handle pool objects\n"
        if re.search(r"Version: +5\.", version):
            self.release = 5
            self.kept = rb"(?m)^MPICH: Builtin communicator [0-9a-f]+ has pending \d+ references\.\n"
            # With UCX, MPICH 5.0.2 now and then loses a message to a wildcard receive that may come from both nodes.
            self.environment = {"MPIR_CVAR_CH4_NETMOD": "ofi"}

    def on_nodes(self, ranks, nodes):
        return ["mpiexec", "-launcher", "fork", "-hosts", ",".join(HOSTS[:nodes]),
                "-ppn", str(on_first(ranks, nodes)), "-n", str(ranks)]


class Intel(Launcher):
    """Intel MPI's own Hydra."""

    name = "impi"

    def __init__(self, mpiexec, version):
        super().__init__(mpiexec, version)
        root = os.path.dirname(os.path.dirname(os.path.realpath(mpiexec)))
        libraries = os.path.join(root, "lib")
        self.environment = {
            # What Intel's setvars.sh would set; mpicc needs it too.
            "I_MPI_ROOT": root,
            "LD_LIBRARY_PATH": os.pathsep.join(filter(None, [libraries, os.environ.get("LD_LIBRARY_PATH")])),
            "FI_PROVIDER_PATH": libraries,
            # More ranks than cores.
            "I_MPI_PIN": "0",
            "I_MPI_THREAD_YIELD": "3",
            # Between the nodes, which need no network.
            "I_MPI_OFI_PROVIDER": "tcp",
            "FI_TCP_IFACE": "lo",
        }

    def on_nodes(self, ranks, nodes):
        return ["mpiexec", "-bootstrap", "ssh", "-bootstrap-exec", AGENT, "-hosts", ",".join(HOSTS[:nodes]),
                "-ppn", str(on_first(ranks, nodes)), "-n", str(ranks)]


class OpenMPI(Launcher):
    """PRRTE, the launcher of Open MPI 5. A daemon per host runs the ranks there, and hosts are told apart by what
    gethostname says in the daemon: local_agent.sh preloads one that gives the wanted answer (hostname.c)."""

    name = "openmpi"
    # Its agent was faster than the launcher, which then cannot do what the agent's process has done already.
    noise = rb"(?m)^\[.*plm:ssh: Warning: setpgid\(.*failed in parent.*\n"

    def __init__(self, mpiexec, version):
        super().__init__(mpiexec, version)
        self.environment = {
            # Containers have no other user, and fewer cores than the tests have ranks.
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            "PRTE_MCA_hwloc_default_binding_policy": "none",
            "OMPI_MCA_mpi_yield_when_idle": "1",
            # UCX's windows complain where there is no network that UCX supports, libfabric's transport sleeps a second.
            "OMPI_MCA_osc": "^ucx",
            "OMPI_MCA_pml": "ob1",
            "OMPI_MCA_btl": "self,sm,tcp",
            "PRTE_MCA_plm": "ssh",
            "PRTE_MCA_plm_ssh_agent": AGENT,
        }

    def on_nodes(self, ranks, nodes):
        if not os.path.exists(os.environ.get("MPISHM_TEST_HOSTNAME", "")):
            raise SystemExit("launch: MPISHM_TEST_HOSTNAME does not name the library that is built from hostname.c")
        hosts = ",".join(f"{host}:{on_first(ranks, nodes)}" for host in HOSTS[:nodes])
        # Attached: daemons that leave their session would be lost here.
        return ["mpiexec", "--leave-session-attached", "--host", hosts, "--map-by",
                f"ppr:{on_first(ranks, nodes)}:node:oversubscribe", "-n", str(ranks)]


def find_launcher(path=None):
    """The launcher of the first mpiexec on the path (default: PATH)."""
    mpiexec = shutil.which("mpiexec", path=path)
    if not mpiexec:
        raise SystemExit("launch: no mpiexec on the PATH")
    said = subprocess.run([mpiexec, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          stdin=subprocess.DEVNULL).stdout.decode(errors="replace")
    for text, launcher in (("Open MPI", OpenMPI), ("Intel", Intel), ("HYDRA", Hydra)):
        if text in said:
            return launcher(mpiexec, said)
    raise SystemExit(f"launch: {mpiexec} is of no MPI library that the tests know: {said[:200]}")


def command(launcher, ranks, nodes=1):
    """What comes before the program. Nodes get the same number of ranks each, in order, or the last ones less."""
    if nodes == 1:
        return ["mpiexec", "-n", str(ranks)]
    if nodes > len(HOSTS) or on_first(ranks, nodes) * (nodes - 1) >= ranks:
        raise SystemExit(f"launch: not possible: {ranks} ranks on {nodes} nodes")
    return launcher.on_nodes(ranks, nodes)


def preloaded(library):
    """The environment in which programs are run with a library before what is preloaded already (yielding.c)."""
    return {"LD_PRELOAD": os.pathsep.join(filter(None, [library, os.environ.get("LD_PRELOAD")]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, required=True, metavar="N", help="number of ranks")
    parser.add_argument("--nodes", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    launcher = find_launcher()
    for name, value in launcher.environment.items():
        os.environ.setdefault(name, value)  # a test may want another value
    os.execvp("mpiexec", command(launcher, options.n, options.nodes) + options.program)


if __name__ == "__main__":
    sys.exit(main())

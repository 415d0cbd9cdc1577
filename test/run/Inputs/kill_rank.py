# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill_rank.py RANK RANKS PROGRAM: run an MPI program whose ranks print `rank R pid P` when they are ready, kill one of
them, and say what becomes of the job and of /dev/shm, which must be empty at the start. Then the same with the runtime
disabled, for what MPI itself leaves there."""

import os
import signal
import subprocess
import sys
import time

victim, ranks, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def alive(pid):
    """True when the process runs, and is not only waiting to be waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def run_and_kill(**environment):
    """Start the job, kill the victim, wait for the others; what there is to say about it."""
    said = []
    job = subprocess.Popen(["mpiexec", "-n", str(ranks), program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, text=True, env={**os.environ, **environment})
    pids = {}
    for line in job.stdout:
        words = line.split()
        if words[:1] == ["rank"]:
            pids[int(words[1])] = int(words[3])
        if len(pids) == ranks:
            break
    said.append(f"exchanges before the kill: {'yes' if len(pids) == ranks else 'no'}")
    os.kill(pids[victim], signal.SIGKILL)
    try:
        job.communicate(timeout=60)
        said.append("job: ended " + ("with an error" if job.returncode else "as if nothing had happened"))
    except subprocess.TimeoutExpired:
        job.kill()
        said.append("job: still running after a minute")
    deadline = time.monotonic() + 20
    while any(map(alive, pids.values())) and time.monotonic() < deadline:
        time.sleep(0.1)
    said.append(f"ranks left: {sum(map(alive, pids.values()))}")
    return said


assert not os.listdir("/dev/shm"), "for a /dev/shm of one's own"
print(*run_and_kill(), sep="\n")
ours = os.listdir("/dev/shm")
for name in ours:
    os.unlink(os.path.join("/dev/shm", name))
run_and_kill(MPISHM_DISABLE="1")
by_itself = os.listdir("/dev/shm")
print("files left:", "as many as MPI leaves by itself" if len(ours) == len(by_itself) else f"{ours}, not {by_itself}")

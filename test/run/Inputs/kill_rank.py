# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill_rank.py RANK RANKS PROGRAM: run an MPI program whose ranks print `rank R pid P` when they are ready, kill one of
them, and say what becomes of the job and of /dev/shm, which must be empty at the start."""

import os
import signal
import subprocess
import sys
import time

victim, ranks, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
assert not os.listdir("/dev/shm"), "for a /dev/shm of one's own"
job = subprocess.Popen(["mpiexec", "-n", str(ranks), program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL, text=True)
pids = {}
for line in job.stdout:
    words = line.split()
    if words[:1] == ["rank"]:
        pids[int(words[1])] = int(words[3])
    if len(pids) == ranks:
        break
print("exchanges before the kill:", "yes" if len(pids) == ranks else "no")
os.kill(pids[victim], signal.SIGKILL)
try:
    job.communicate(timeout=60)
    print("job: ended with an error" if job.returncode else "job: ended as if nothing had happened")
except subprocess.TimeoutExpired:
    job.kill()
    print("job: still running after a minute")


def alive(pid):
    """True when the process runs, and is not only waiting to be waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


deadline = time.monotonic() + 20
while any(map(alive, pids.values())) and time.monotonic() < deadline:
    time.sleep(0.1)
print("ranks left:", sum(map(alive, pids.values())))
print("files left:", len(os.listdir("/dev/shm")))

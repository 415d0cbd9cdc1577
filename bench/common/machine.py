# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks say of the machine that they ran on."""

import os
import resource
import time


class Others:
    """What share of a core other programs take, from when this is made: those of this machine and, where it is a virtual
    one, of its host; but none of those started here."""

    def __init__(self):
        self.started, self.taken = time.monotonic(), self._taken()

    @staticmethod
    def _taken():
        with open("/proc/stat", encoding="ascii") as lines:
            user, nice, system, _, _, irq, softirq, steal = [int(word) for word in next(lines).split()[1:9]]
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK") - own.ru_utime - own.ru_stime

    def seconds(self):
        return time.monotonic() - self.started

    def share(self):
        return max(0.0, self._taken() - self.taken) / self.seconds()


def processor():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"

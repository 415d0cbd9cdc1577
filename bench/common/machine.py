# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks say of the machine that they ran on."""

import os
import resource


def cpu_seconds():
    """What all programs of this machine, and others on its hardware, have taken; and those started by this one."""
    with open("/proc/stat", encoding="ascii") as lines:
        user, nice, system, _, _, irq, softirq, steal = [int(word) for word in next(lines).split()[1:9]]
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return taken, own.ru_utime + own.ru_stime


def processor():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"

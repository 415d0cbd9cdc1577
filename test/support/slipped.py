# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of which a part slipped through the analysis: what the net of the runtime (docs/net.md) is for."""

import os
import random
import re

CALL = re.compile(rb"\bMPISHM_(\w+)(?=[ \t]*\()")
# What the net does not define.
OTHERS = set("""Init Init_thread Attach Init_guarded Init_thread_guarded Attach_guarded Init_nodewise
Init_thread_nodewise Attach_nodewise Init_nodewise_guarded Init_thread_nodewise_guarded Attach_nodewise_guarded
Alloc_mem Free_mem Malloc Calloc Realloc Aligned_alloc Posix_memalign Free To_window TO_WINDOW Delete_array Window_allocate Window_free
Win_create Win_create_c Win_allocate Win_allocate_c Win_allocate_shared Win_allocate_shared_c Packing_begin
PACK_THERE PACKING THERE Send_packed Isend_packed ARRAY AND Place_arrays""".split())
# Served also where the net is not in force (docs/net.md), as where the program calls PMPI_Send or a relative itself.
ALWAYS = set("""Wait Waitall Waitany Waitsome Test Testall Testany Testsome Start Startall Cancel Request_free
Request_get_status Mrecv Imrecv""".split())
AROUND = re.compile(rb"\bPMPI_I?(?:[Ss]end|[Rr]ecv)[ \t]*\(")
# What it says when it has to serve a call.
WARNING = re.compile(rb"^mpishm: warning: .*\(docs/net\.md\).*\n", re.MULTILINE)


def slip(texts, folder, seed):
    """Turn about half of the rewritten calls in texts, {relative path: bytes} of folder, back into MPI's, as far as the
    net can serve them there; return how many."""
    draw = random.Random(seed)
    goes_round = any(AROUND.search(text) for text in texts.values())
    turned = 0

    def turn_back(match):
        nonlocal turned
        name = match.group(1)
        is_served = name.decode() in ALWAYS if goes_round else name.decode() not in OTHERS
        if not is_served or draw.random() < 0.5:
            return match.group(0)
        turned += 1
        return b"MPI_" + name

    for path in sorted(texts):
        lines = texts[path].splitlines(keepends=True)
        with open(os.path.join(folder, path), "wb") as stream:
            stream.write(b"".join(line if line.lstrip().startswith(b"#") else CALL.sub(turn_back, line)
                                  for line in lines))
    return turned

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mpishm-rewrite may do to a text: calls and memory by other names, arrays that move, an include, and nothing else."""

import difflib
import re

OPERATIONS = """Send Isend Ssend Issend Rsend Irsend Recv Irecv Sendrecv Mprobe Improbe Mrecv Imrecv Wait Waitall
Waitany Waitsome Test Testall Testany Testsome Barrier Bcast Allreduce Reduce Alltoall Alltoallv Alltoallw Allgather
Allgatherv Gather Gatherv Scatter Scatterv Scan Exscan Reduce_scatter Reduce_scatter_block Neighbor_allgather
Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw Ibarrier Ibcast Igather Igatherv Iscatter
Iscatterv Iallgather Iallgatherv Ialltoall Ialltoallv Ialltoallw Iallreduce Ireduce Iscan Iexscan Ireduce_scatter
Ireduce_scatter_block Ineighbor_allgather Ineighbor_allgatherv Ineighbor_alltoall Ineighbor_alltoallv
Ineighbor_alltoallw Barrier_init Bcast_init Gather_init Gatherv_init Scatter_init Scatterv_init Allgather_init
Allgatherv_init Alltoall_init Alltoallv_init Alltoallw_init Allreduce_init Reduce_init Scan_init Exscan_init
Reduce_scatter_init Reduce_scatter_block_init Neighbor_allgather_init Neighbor_allgatherv_init Neighbor_alltoall_init
Neighbor_alltoallv_init Neighbor_alltoallw_init Win_create Win_allocate Win_allocate_shared Win_free Win_get_attr Put Get
Accumulate Get_accumulate Fetch_and_op Compare_and_swap Rput Rget Raccumulate Rget_accumulate Win_fence Win_post
Win_start Win_complete Win_wait Win_test Win_lock Win_unlock Win_lock_all Win_unlock_all Win_flush Win_flush_all
Win_flush_local Win_flush_local_all Win_sync""".split()
DEFINES = rb"(?:#define MPI_(\w+) MPISHM_\1\w*\r?\n)*"
NUMBER = rb"(?:#line [0-9]+\r?\n)?"
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<mpishm\.h>[ \t]*\r?\n" + DEFINES + NUMBER, re.MULTILINE)
# A name that is defined for the lines of calls that macros print alone: \3 are those lines.
IN_LINES = re.compile(rb"^#define MPI_(\w+) (MPISHM_\1\w*)\r?\n" + NUMBER + rb"((?:[^#\n].*\n|\r?\n)+)#undef MPI_\1\r?\n" +
                      NUMBER, re.MULTILINE)
BLOCKS = [re.compile(pattern + NUMBER, re.MULTILINE) for pattern in (
    rb"^#ifndef MPISHM_H\r?\n(?:#define MPISHM_.*\r?\n)+#endif\r?\n",
    rb"^#if[^\n]*\n#include <mpishm\.h>\r?\n(?:#define MPI_.*\r?\n)*(?:#else\r?\n(?:#define MPISHM_.*\r?\n)+)?#endif\r?\n")]
INSTEAD = re.compile(rb"MPISHM_[A-Z][a-z]+/\*instead of (\w+)\*/")
QUALIFIED = re.compile(rb"::MPISHM_\w+/\*instead of ([\w ]*::[\w: ]+)\*/")
GUARDED = re.compile(rb"\b(MPISHM_(?:Init|Init_thread|Attach)(?:_nodewise)?)_guarded\b")
NODEWISE = re.compile(rb"\b(MPISHM_(?:Init|Init_thread|Attach))_nodewise\b")
MEMORY = re.compile(rb"\bMPISHM_(Malloc|Calloc|Realloc|Aligned_alloc|Posix_memalign|Free)\b")
STANDARD = re.compile(rb"\bmpishm::(malloc|calloc|realloc|aligned_alloc|free)\b")
GAP = rb"(?:\s|/\*.*?\*/|//[^\n]*)*"  # spaces and comments
DELETE = re.compile(rb"(?:delete%b\[%b\]%b|MPISHM_Delete_array%b\(%b)([^;]*?)(\)*);" % ((GAP,) * 5))
ALLOCATOR = re.compile(rb", mpishm::allocator<[^<>]*> >")
PACKED = re.compile(rb"\b(?:MPISHM_PACK_THERE|MPISHM_Packing_begin)\([^;\n]*\); |\bMPISHM_PACKING\([^;\n]*\) (?=for\b)")
PACKED_THERE = re.compile(rb"\bMPISHM_THERE\(([\w.>\[\] -]+)\)")
PACKED_SEND = re.compile(rb"\b(MPISHM_I?[Ss]end)_packed\b")
ARRAYS = re.compile(rb"(?<=;) MPISHM_ARRAY\(\w+\);|\bMPISHM_STATIC (?!MPISHM_AND)")
AND = re.compile(rb";(?: MPISHM_STATIC)? MPISHM_AND\([\w :]+\)")
SURROUNDING = re.compile(rb"\bMPISHM_(?:To_window|TO_WINDOW)\(")


class Failure(Exception):
    """What went wrong, in words for whoever reads the test's output."""


def difference(old, new):
    lines = difflib.unified_diff(old.decode(errors="replace").splitlines(), new.decode(errors="replace").splitlines(),
                                 "original", "rewritten", lineterm="")
    return "\n".join(list(lines)[:60])


def without_surroundings(text):
    """Take out the calls of MPISHM_To_window around others, each with the parenthesis that closes it."""
    while match := SURROUNDING.search(text):
        depth, end = 1, match.end()
        while depth:
            depth += {b"(": 1, b")": -1}.get(text[end:end + 1], 0)
            end += 1
        text = text[:match.start()] + text[match.end():end - 1] + text[end:]
    return text


def without_arrays(text):
    """Take out what arrays get that move, which then are declared together again."""
    return AND.sub(b",", ARRAYS.sub(b"", text))


def with_names(text):
    """Put each name that is defined for some lines alone into these."""
    return IN_LINES.sub(lambda lines: lines.group(3).replace(b"MPI_" + lines.group(1), lines.group(2)), text)


def check_edits(before, after, leaves):
    """Fail unless after is before with calls renamed and includes added, nothing else, and nothing left out."""
    changed = [path for path in before if before[path] != after.get(path)]
    if not changed:
        raise Failure("the tool changed nothing")
    if set(before) != set(after):
        raise Failure(f"the tool added or removed files: {sorted(set(before) ^ set(after))}")
    for path in changed:
        includes = len(INCLUDE.findall(after[path]))
        undone = with_names(after[path])
        for block in BLOCKS:
            undone = block.sub(b"", undone)
        undone = PACKED_SEND.sub(rb"\1", PACKED_THERE.sub(rb"\1", PACKED.sub(b"", INCLUDE.sub(b"", undone))))
        undone = INSTEAD.sub(rb"\1", QUALIFIED.sub(rb"\1", without_surroundings(ALLOCATOR.sub(b">", undone))))
        undone = MEMORY.sub(lambda name: name.group(1).lower(), undone).replace(b"new (mpishm::window)", b"new")
        undone = without_arrays(STANDARD.sub(rb"std::\1", undone))
        if includes > 1 or (includes == 0 and not path.endswith(".inc")):
            raise Failure(f"{path}: {includes} times #include <mpishm.h>, expected 1")
        texts = [NODEWISE.sub(rb"\1", GUARDED.sub(rb"\1", text)) for text in (before[path], undone)]
        texts = [DELETE.sub(rb"delete[] \1;", text).replace(b"MPISHM_", b"MPI_") for text in texts]
        if texts[0] != texts[1]:
            raise Failure(f"{path}: more was changed than names of calls\n" + difference(before[path], after[path]))
    left = re.compile(rb"\bMPI_(" + "|".join(OPERATIONS).encode() + rb")[ \t]*\(")
    for path, rewritten in after.items():
        text = with_names(rewritten)
        for line, content in enumerate(text.splitlines(), 1):
            for match in left.finditer(content):
                name = match.group(1).decode()
                if name not in leaves and f"#define MPI_{name} MPISHM_{name}".encode() not in text:
                    raise Failure(f"{path}:{line}: MPI_{name} was left as it was")

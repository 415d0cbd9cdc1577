# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which a program completes its requests."""

# The body of each way, over the array `a` of `n` requests, with statuses `s` ({s} is their name or MPI's ignore).
BODIES = {
    "waitall": "MPI_Waitall(n, a, {all});",
    "wait": "int k; for (k = 0; k < n; k++) MPI_Wait(&a[k], {each});",
    "wait_backwards": "int k; for (k = n - 1; k >= 0; k--) MPI_Wait(a + k, {each});",
    "waitany": """int k, index;
for (k = 0; k < n; k++) {{
MPI_Status one;
MPI_Waitany(n, a, &index, {one});
if (index == MPI_UNDEFINED) break;
{keep_one}
}}""",
    "waitsome": """int k, done;
do {{
int indices[64];
MPI_Status some[64];
MPI_Waitsome(n, a, &done, indices, {some});
for (k = 0; k < done; k++) {keep_some}
}} while (done != MPI_UNDEFINED);""",
    "test": """int k, flag;
for (k = 0; k < n; k++) for (flag = 0; !flag;) MPI_Test(&a[k], &flag, {each});""",
    "testall": """int flag;
do MPI_Testall(n, a, &flag, {all}); while (!flag);""",
    "testany": """int index, flag;
for (;;) {{
MPI_Status one;
MPI_Testany(n, a, &index, &flag, {one});
if (flag && index == MPI_UNDEFINED) break;
if (flag) {{ {keep_one} }}
}}""",
    "testsome": """int k, done;
do {{
int indices[64];
MPI_Status some[64];
MPI_Testsome(n, a, &done, indices, {some});
for (k = 0; k < done; k++) {keep_some}
}} while (done != MPI_UNDEFINED);""",
    "get_status": """int k, flag;
for (k = 0; k < n; k++) {{
for (flag = 0; !flag;) MPI_Request_get_status(a[k], &flag, {each});
MPI_Wait(&a[k], MPI_STATUS_IGNORE);
}}""",
}
BODIES["two_parts"] = BODIES["waitall"]


def body(kind, ignore):
    """The statements of one way of completion, over a, n and s."""
    names = {"all": "s", "each": "&s[k]", "one": "&one", "some": "some", "keep_one": "s[index] = one;",
             "keep_some": "s[indices[k]] = some[k];"}
    if ignore:
        names = {"all": "MPI_STATUSES_IGNORE", "each": "MPI_STATUS_IGNORE", "one": "MPI_STATUS_IGNORE",
                 "some": "MPI_STATUSES_IGNORE", "keep_one": "(void)s;", "keep_some": "(void)s;"}
    return BODIES[kind].format(**names)


def complete(writer, sides):
    """Statements that complete the requests of the given sides ("in", "out") of a phase."""
    phase, count = writer.phase, writer.count
    if phase.requests == "singles":
        lines = []
        for side in sides:
            for lane in range(count):
                status = f"&{writer.status(lane)}" if side == "in" and writer.has_statuses() else "MPI_STATUS_IGNORE"
                lines.append(f"MPI_Wait(&{writer.request(side, lane)}, {status});")
        return lines
    ignore = not writer.has_statuses()
    statuses = writer.var("statuses")
    if phase.requests == "two":
        arrays = [(writer.var(f"{side}_requests"), str(count), ignore or side == "out") for side in sides]
    else:
        length = writer.var("posted") if phase.compact else str(2 * count)
        requests = writer.var("requests")
        if phase.requests in ("vector", "std_array") and writer.cxx:
            requests += ".data()"
        arrays = [(requests, length, ignore)]
        if phase.completion == "two_parts" and len(sides) == 2 and phase.requests != "scattered":
            arrays = [(requests, str(count), ignore), (f"{requests} + {count}", str(count), True)]
    lines = []
    for at, (array, length, without) in enumerate(arrays):
        if at and phase.completion == "two_parts":
            lines.append(f"MPI_Barrier({writer.comm()});")
        lines += _over(writer, array, length, statuses, without)
    return lines


def _over(writer, array, length, statuses, ignore):
    phase = writer.phase
    if phase.completion_in == "here":
        if phase.completion in ("waitall", "two_parts"):
            return [f"MPI_Waitall({length}, {array}, {'MPI_STATUSES_IGNORE' if ignore else statuses});"]
        return ["{", f"MPI_Request *a = {array};", f"MPI_Status *s = {statuses};", f"int n = {length};",
                "(void)s;", body(phase.completion, ignore), "}"]
    name = writer.calls.completer(phase.completion, ignore, elsewhere=phase.completion_in == "elsewhere")
    return [f"{name}({length}, {array}, {statuses});"]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Phases that are written out: what does not fit the lanes, and what the tool must refuse or not mistake.

Each is a function body over `comm`, `rank`, `size`, `before`, `after`, `h`, `step` and the integers `i`, `k`; {0} is a
tag that only this phase uses, {1} one that others may use, {2} a length and {3} a number, both drawn.
"""

import random

import special_callers
import special_wildcards

# Receives are cancelled that no send could match; those after them are not.
CANCEL = """
int in = -1, out = rank + step, flag;
MPI_Request r;
MPI_Status s;
MPI_Irecv(&in, 1, MPI_INT, after, {0}, comm, &r);
MPI_Cancel(&r);
MPI_Wait(&r, &s);
MPI_Test_cancelled(&s, &flag);
h = hash_number(h, flag);
MPI_Barrier(comm);
MPI_Irecv(&in, 1, MPI_INT, before, {0}, comm, &r);
MPI_Send(&out, 1, MPI_INT, after, {0}, comm);
MPI_Wait(&r, &s);
h = hash_status(hash_number(h, in), &s, MPI_INT);
MPI_Barrier(comm);
"""
# A request freed while its message is on the way.
FREE_ACTIVE = """
static char in[{2}], out[{2}];
MPI_Request r[2];
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_CHAR, before, {1}, comm, &r[0]);
MPI_Isend(out, {2}, MPI_CHAR, after, {1}, comm, &r[1]);
MPI_Request_free(&r[1]);
MPI_Wait(&r[0], MPI_STATUS_IGNORE);
h = hash_bytes(h, in, sizeof in);
MPI_Barrier(comm);
"""
# All to one, blocking, with one nonblocking receive among them.
FAN_IN = """
static double in[{2}], out[{2}];
MPI_Status s;
fill_bytes(out, sizeof out, rank + step);
if (rank) {{
MPI_Send(out, {2} - rank % 2, MPI_DOUBLE, 0, {1}, comm);
}} else {{
for (k = size - 1; k > 0; k--) {{
MPI_Request r;
if ((k + {3}) % 2) {{
MPI_Recv(in, {2}, MPI_DOUBLE, k, {1}, comm, &s);
}} else {{
MPI_Irecv(in, {2}, MPI_DOUBLE, k, {1}, comm, &r);
MPI_Wait(&r, &s);
}}
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_DOUBLE);
}}
}}
"""
# One to all; the receives are posted, and looked at between other work.
FAN_OUT = """
static int in[{2}], out[{2}];
MPI_Request r[64];
MPI_Status s;
int n = 0, flag = 0;
fill_bytes(out, sizeof out, rank + step + {3});
if (rank == 0) {{
for (k = 1; k < size; k++)
MPI_Isend(out, {2}, MPI_INT, k, {1}, comm, &r[n++]);
MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
}} else {{
MPI_Irecv(in, {2}, MPI_INT, 0, {1}, comm, &r[0]);
while (!flag) {{
MPI_Test(&r[0], &flag, &s);
dawdle(rank);
}}
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_INT);
}}
"""
# A blocking chain without an end-around; nonblocking sends on the odd ranks.
PIPELINE = """
static int data[{2}];
MPI_Request r;
memset(data, rank + step, sizeof data);
if (rank > 0)
MPI_Recv(data, {2}, MPI_INT, rank - 1, {1}, comm, MPI_STATUS_IGNORE);
for (k = 0; k < {2}; k++)
data[k] += rank + k;
if (rank < size - 1) {{
if (rank % 2) {{
MPI_Isend(data, {2}, MPI_INT, rank + 1, {1}, comm, &r);
MPI_Wait(&r, MPI_STATUS_IGNORE);
}} else {{
MPI_Send(data, {2}, MPI_INT, rank + 1, {1}, comm);
}}
}}
h = hash_bytes(h, data, sizeof data);
"""
# Many messages that nobody receives before all are sent, received in another order of tags.
FLOOD = """
enum {{ MANY = 60 + 20 * {3} }};
static int in[MANY][40], out[MANY][40];
MPI_Request r[MANY];
MPI_Status s;
for (k = 0; k < MANY; k++) {{
fill_bytes(out[k], sizeof out[k], rank + 10 * step + k);
MPI_Isend(out[k], k % 40 + 1, MPI_INT, after, {1} + k % 3, comm, &r[k]);
}}
MPI_Barrier(comm);
for (i = 2; i >= 0; i--)
for (k = i; k < MANY; k += 3) {{
MPI_Recv(in[k], 40, MPI_INT, before, {1} + i, comm, &s);
h = hash_status(hash_bytes(h, in[k], (k % 40 + 1) * sizeof(int)), &s, MPI_INT);
}}
MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE);
"""
# Communicators that live for one exchange each, one freed while its messages are on the way.
COMMUNICATOR_LOOP = """
static char in[{2}], out[{2}];
for (k = 0; k < 3; k++) {{
MPI_Comm own;
MPI_Request r[2];
if (k == 1)
MPI_Comm_split(comm, 0, rank, &own);
else
MPI_Comm_dup(comm, &own);
fill_bytes(out, sizeof out, rank + k + step);
MPI_Irecv(in, {2}, MPI_CHAR, before, {1}, own, &r[0]);
MPI_Isend(out, {2} - k, MPI_CHAR, after, {1}, own, &r[1]);
if (k == 2) {{
MPI_Comm_free(&own);
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}} else {{
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
MPI_Comm_free(&own);
}}
h = hash_bytes(h, in, {2} - 2);
}}
"""
SELF_MESSAGES = """
static short in[{2}], out[{2}];
MPI_Request r[2];
MPI_Status s;
fill_bytes(out, sizeof out, rank + step);
MPI_Isend(out, {2}, MPI_SHORT, 0, {1}, MPI_COMM_SELF, &r[0]);
MPI_Recv(in, {2}, MPI_SHORT, 0, {1}, MPI_COMM_SELF, &s);
MPI_Wait(&r[0], MPI_STATUS_IGNORE);
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_SHORT);
MPI_Irecv(in, {2}, MPI_SHORT, rank, {0}, comm, &r[1]);
MPI_Send(in + 0, 0, MPI_SHORT, rank, {0}, comm);
MPI_Wait(&r[1], &s);
h = hash_status(h, &s, MPI_SHORT);
MPI_Sendrecv(out, {2}, MPI_SHORT, rank, {1}, in, {2}, MPI_SHORT, rank, {1}, comm, &s);
h = hash_bytes(h, in, sizeof in);
"""
# Absolute addresses.
BOTTOM = """
static int in[3][{2}], out[3][{2}];
MPI_Aint places[2][3];
MPI_Datatype types[2];
int lengths[3] = {{ {2}, {2} - 1, {2} / 2 }};
MPI_Request r[2];
MPI_Status s;
fill_bytes(out, sizeof out, rank + step);
for (k = 0; k < 3; k++) {{
MPI_Get_address(in[k], &places[0][k]);
MPI_Get_address(out[2 - k], &places[1][k]);
}}
for (k = 0; k < 2; k++) {{
MPI_Type_create_hindexed(3, lengths, places[k], MPI_INT, &types[k]);
MPI_Type_commit(&types[k]);
}}
MPI_Irecv(MPI_BOTTOM, 1, types[0], before, {1}, comm, &r[0]);
MPI_Isend(MPI_BOTTOM, 1, types[1], after, {1}, comm, &r[1]);
MPI_Type_free(&types[1]);
MPI_Wait(&r[0], &s);
MPI_Wait(&r[1], MPI_STATUS_IGNORE);
h = hash_status(hash_bytes(h, in, sizeof in), &s, types[0]);
MPI_Type_free(&types[0]);
"""
NULL_REQUESTS = """
int in[2] = {{0, 0}}, out[2] = {{rank, -rank}}, index, flag, done, indices[6];
MPI_Request r[6];
MPI_Status s[6];
for (k = 0; k < 6; k++)
r[k] = MPI_REQUEST_NULL;
MPI_Waitany(6, r, &index, s);
h = hash_number(h, index == MPI_UNDEFINED);
MPI_Testsome(6, r, &done, indices, s);
h = hash_number(h, done == MPI_UNDEFINED);
MPI_Testall(6, r, &flag, s);
h = hash_number(h, flag);
MPI_Irecv(&in[0], 1, MPI_INT, before, {1}, comm, &r[1]);
MPI_Irecv(&in[1], 1, MPI_INT, before, {1}, comm, &r[4]);
MPI_Isend(&out[0], 1, MPI_INT, after, {1}, comm, &r[5]);
MPI_Isend(&out[1], 1, MPI_INT, after, {1}, comm, &r[0]);
MPI_Waitall(6, r, s);
h = hash_status(hash_status(hash_status(h, &s[1], MPI_INT), &s[2], MPI_INT), &s[4], MPI_INT);
h = hash_bytes(h, in, sizeof in);
"""
# Buffers that are reallocated, with a length that grows.
GROWING = """
int length = 1 + {3}, *in = NULL, *out = NULL, got;
for (k = 0; k < 5; k++, length *= 7) {{
MPI_Request r[2];
MPI_Status s[2];
in = (int *)realloc(in, (length + 9) * sizeof *in);
out = (int *)realloc(out, length * sizeof *out);
fill_bytes(out, length * sizeof *out, rank + k + step);
MPI_Irecv(in, length + 9, MPI_INT, before, {1}, comm, r);
MPI_Isend(out, length, MPI_INT, after, {1}, comm, r + 1);
MPI_Waitall(2, r, s);
MPI_Get_count(s, MPI_INT, &got);
h = hash_status(hash_bytes(h, in, got * sizeof *in), s, MPI_INT);
}}
free(in);
free(out);
"""
# Receives posted, then collectives while the partners send; large messages both ways.
COLLECTIVE_BETWEEN = """
static int in[2][{2}], out[2][{2}];
int sum, one = rank;
MPI_Request r[4], all;
MPI_Status s[4];
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in[0], {2}, MPI_INT, before, {1}, comm, &r[0]);
MPI_Irecv(in[1], {2}, MPI_INT, after, {1} + 1, comm, &r[1]);
if (rank % 2)
MPI_Bcast(&one, 1, MPI_INT, 0, comm);
MPI_Isend(out[0], {2}, MPI_INT, after, {1}, comm, &r[2]);
if (rank % 2 == 0)
MPI_Bcast(&one, 1, MPI_INT, 0, comm);
MPI_Isend(out[1], {2}, MPI_INT, before, {1} + 1, comm, &r[3]);
MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &all);
MPI_Waitall(4, r, s);
MPI_Wait(&all, MPI_STATUS_IGNORE);
h = hash_number(hash_number(h, sum), one);
h = hash_status(hash_status(hash_bytes(h, in, sizeof in), &s[0], MPI_INT), &s[1], MPI_INT);
"""
MANY_TAGS = """
int in[2], out[2], tag;
MPI_Request r[4];
for (k = 0; k < 40 + 100 * {3}; k++) {{
tag = 5 * {0} + k * (1 + {3}) + step; /* beyond those of phases that wait for this one */
out[0] = rank * k;
out[1] = rank - k;
MPI_Irecv(&in[0], 1, MPI_INT, before, 2 * tag, comm, &r[0]);
MPI_Irecv(&in[1], 1, MPI_INT, after, 2 * tag + 1, comm, &r[1]);
MPI_Isend(&out[0], 1, MPI_INT, after, 2 * tag, comm, &r[2]);
MPI_Isend(&out[1], 1, MPI_INT, before, 2 * tag + 1, comm, &r[3]);
MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
h = hash_bytes(h, in, sizeof in);
}}
"""

# Wildcards: which message one gets may be open, but not what the phase has received in all, by source and in order.
# From here on, what opens message classes.
COPIED_REQUESTS = """
static int in[{2}], out[{2}];
MPI_Request r[2], copy[2];
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_INT, before, {1}, comm, &r[0]);
MPI_Isend(out, {2}, MPI_INT, after, {1}, comm, &r[1]);
memcpy(copy, r, sizeof r);
MPI_Waitall(2, copy, MPI_STATUSES_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""
FUNCTION_VALUE = """
static int in[{2}], out[{2}];
int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = {3} % 2 ? MPI_Send : MPI_Ssend;
MPI_Request r;
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_INT, before, {1}, comm, &r);
send(out, {2}, MPI_INT, after, {1}, comm);
MPI_Wait(&r, MPI_STATUS_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""
PROFILING = """
static int in[{2}], out[{2}];
MPI_Request r[2];
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_INT, before, {1}, comm, &r[0]);
PMPI_Isend(out, {2}, MPI_INT, after, {1}, comm, &r[1]);
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""
INTERCOMMUNICATOR = """
static int in[{2}], out[{2}];
MPI_Comm half, other;
MPI_Request r[2];
int pairs = size / 2;
fill_bytes(out, sizeof out, rank + step);
MPI_Comm_split(comm, rank < pairs ? 0 : rank < 2 * pairs ? 1 : MPI_UNDEFINED, rank, &half);
if (half != MPI_COMM_NULL) {{
MPI_Intercomm_create(half, 0, comm, rank < pairs ? pairs : 0, {0}, &other);
MPI_Irecv(in, {2}, MPI_INT, rank % pairs, {1}, other, &r[0]);
MPI_Isend(out, {2}, MPI_INT, rank % pairs, {1}, other, &r[1]);
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
MPI_Comm_free(&other);
MPI_Comm_free(&half);
}}
h = hash_bytes(h, in, sizeof in);
"""
UNSEEN_FUNCTION = """
static int in[{2}], out[{2}];
MPI_Request r[2];
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_INT, before, {1}, comm, &r[0]);
MPI_Isend(out, {2}, MPI_INT, after, {1}, comm, &r[1]);
unseen_wait_{4}(2, r);
h = hash_bytes(h, in, sizeof in);
"""
ISENDRECV = """
static int in[{2}], out[{2}];
MPI_Request r;
fill_bytes(out, sizeof out, rank + step);
MPI_Isendrecv(out, {2}, MPI_INT, after, {1}, in, {2}, MPI_INT, before, {1}, comm, &r);
MPI_Wait(&r, MPI_STATUS_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""
INTEGER_HANDLE = """
static int in[{2}], out[{2}];
MPI_Fint number = MPI_Comm_c2f(comm);
MPI_Request r[2];
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_INT, before, {1}, MPI_Comm_f2c(number), &r[0]);
MPI_Isend(out, {2}, MPI_INT, after, {1}, comm, &r[1]);
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""
VOID_POINTER = """
static int in[{2}], out[{2}];
MPI_Request r[2];
void *where = r;
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in, {2}, MPI_INT, before, {1}, comm, (MPI_Request *)where);
MPI_Isend(out, {2}, MPI_INT, after, {1}, comm, (MPI_Request *)((char *)where + sizeof(MPI_Request)));
MPI_Waitall(2, (MPI_Request *)where, MPI_STATUSES_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""


def function(program, phase, cxx):
    """(text, declarations for the common header, text of a file that the tool does not see) of a special phase."""
    rng = random.Random(f"{program.seed}/{phase.number}")
    length = rng.choice([3, 12, 13, 100, 1023, 1025, 5000, 20000, 70000])
    if phase.form == "many_tags":
        length = 3
    texts = {**globals(), **vars(special_wildcards), **vars(special_callers)}
    name = phase.form.upper()
    if cxx and f"{name}_CXX" in texts:
        name += "_CXX"
    numbers = (1000 + 100 * phase.number, phase.tag_base, length, rng.randint(0, 3), phase.number)
    body = texts[name].format(*numbers)
    top = special_callers.TOPS.get(name, "").format(*numbers)
    declarations, unseen = [f"hash_t phase{phase.number}(MPI_Comm comm);"], []
    if phase.form == "unseen_function":
        declarations.append(f"void unseen_wait_{phase.number}(int n, MPI_Request *requests);")
        unseen = [f"void unseen_wait_{phase.number}(int n, MPI_Request *requests) {{",
                  "MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);", "}"]
    elif phase.form == "algebra":
        unseen = [special_callers.ALGEBRA_SOURCE]
    text = [top, f"hash_t phase{phase.number}(MPI_Comm comm) {{", "int rank, size, before, after, step, i = 0, k = 0;",
            "hash_t h = HASH_START;", "MPI_Comm_rank(comm, &rank);", "MPI_Comm_size(comm, &size);",
            "before = (rank + size - 1) % size;", "after = (rank + 1) % size;", "(void)before;", "(void)after;",
            f"for (step = 0; step < {phase.steps}; step++) {{", body.strip(), "}", "return hash_number(h, i + k);", "}"]
    return text, declarations, unseen

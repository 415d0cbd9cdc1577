# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Phases that are written out, as in specials.py: receives and probes from any source or with any tag."""

ANY_SOURCE = """
static int in[64], out[64];
MPI_Request r;
MPI_Status s;
hash_t sum = 0;
fill_bytes(out, sizeof out, rank + step);
if (rank) {{
MPI_Isend(out, 10 + rank % 50, MPI_INT, 0, {0}, comm, &r);
MPI_Wait(&r, MPI_STATUS_IGNORE);
}} else {{
for (k = 1; k < size; k++) {{
MPI_Recv(in, 64, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &s);
sum += hash_status(hash_bytes(HASH_START, in, (10 + s.MPI_SOURCE % 50) * sizeof(int)), &s, MPI_INT);
}}
}}
h = hash_number(h, (long long)sum);
MPI_Barrier(comm);
"""
ANY_TAG = """
static int in[2][{2}], out[2][{2}];
MPI_Request r[4];
MPI_Status s[4];
MPI_Barrier(comm);
fill_bytes(out, sizeof out, rank + step);
MPI_Irecv(in[0], {2}, MPI_INT, before, MPI_ANY_TAG, comm, &r[0]);
MPI_Irecv(in[1], {2}, MPI_INT, before, MPI_ANY_TAG, comm, &r[1]);
MPI_Isend(out[0], {2}, MPI_INT, after, {0}, comm, &r[2]);
MPI_Isend(out[1], {2} - 1, MPI_INT, after, {0} + 1, comm, &r[3]);
MPI_Waitall(4, r, s);
h = hash_status(hash_status(hash_bytes(h, in, sizeof in), &s[0], MPI_INT), &s[1], MPI_INT);
MPI_Barrier(comm);
"""
PROBE = """
static int in[{2}], out[{2}];
int got;
MPI_Request r;
MPI_Status s;
memset(&s, 0, sizeof s);
fill_bytes(out, sizeof out, rank + step);
MPI_Isend(out, {2} - rank % 2, MPI_INT, after, {1}, comm, &r);
MPI_Probe(before, {1}, comm, &s);
MPI_Get_count(&s, MPI_INT, &got);
MPI_Recv(in, got, MPI_INT, before, {1}, comm, &s);
MPI_Wait(&r, MPI_STATUS_IGNORE);
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_INT);
"""
IPROBE = """
static int in[{2}], out[{2}];
int found = 0;
MPI_Request r;
MPI_Status s;
memset(&s, 0, sizeof s);
fill_bytes(out, sizeof out, rank + step);
MPI_Isend(out, {2}, MPI_INT, after, {0}, comm, &r);
while (!found)
MPI_Iprobe(before, {0}, comm, &found, &s);
MPI_Recv(in, {2}, MPI_INT, before, {0}, comm, MPI_STATUS_IGNORE);
MPI_Wait(&r, MPI_STATUS_IGNORE);
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_INT);
"""
WILDCARDS_PENDING = """
static int in[8][{2}], out[{2}];
int got;
hash_t of[8];
MPI_Request r[8];
MPI_Status s[8];
for (k = 0; k < 8; k++)
of[k] = HASH_START;
fill_bytes(out, sizeof out, rank * 7 + step);
if (rank == 0) {{
for (k = 1; k < size; k++)
MPI_Irecv(in[k], {2}, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &r[k - 1]);
if ({3} % 2)
MPI_Barrier(comm);
MPI_Waitall(size - 1, r, s);
for (k = 1; k < size; k++) {{
MPI_Get_count(&s[k - 1], MPI_INT, &got);
of[s[k - 1].MPI_SOURCE] = hash_status(hash_bytes(HASH_START, in[k], got * sizeof(int)), &s[k - 1], MPI_INT);
}}
}} else {{
MPI_Send(out, {2} - rank % 2, MPI_INT, 0, {0}, comm);
if ({3} % 2)
MPI_Barrier(comm);
}}
h = hash_bytes(h, of, sizeof of);
MPI_Barrier(comm);
"""
BEHIND_A_WILDCARD = """
static int in[4][{2}], out[4][{2}];
MPI_Request r[8];
MPI_Status s[8];
fill_bytes(out, sizeof out, rank + step);
MPI_Barrier(comm);
MPI_Irecv(in[0], {2}, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &r[0]);
MPI_Irecv(in[1], {2}, MPI_INT, before, {0}, comm, &r[1]);
MPI_Irecv(in[2], {2}, MPI_INT, MPI_ANY_SOURCE, {0} + 1, comm, &r[2]);
MPI_Irecv(in[3], {2}, MPI_INT, before, {0}, comm, &r[3]);
for (k = 0; k < 4; k++)
MPI_Isend(out[k], {2} - (k == 3), MPI_INT, after, {0} + (k == 2), comm, &r[4 + k]);
if ({3} % 2)
MPI_Wait(&r[3], &s[3]);
else
MPI_Wait(&r[1], &s[1]);
MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
h = hash_status(hash_bytes(h, in, sizeof in), &s[{3} % 2 ? 3 : 1], MPI_INT);
MPI_Barrier(comm);
"""
PROBE_ANY = """
static int in[{2}], out[{2}];
int got, found = {3} % 2;
hash_t of[8];
MPI_Status s;
for (k = 0; k < 8; k++)
of[k] = HASH_START;
MPI_Barrier(comm);
fill_bytes(out, sizeof out, rank * 5 + step);
if (rank)
for (k = 0; k < 3; k++)
MPI_Send(out, k == 2 ? {2} : k, MPI_INT, 0, {0} + ({3} != 3) * (k % 2), comm);
for (k = 1; rank == 0 && k < 3 * size - 2; k++) {{
if ({3} % 2)
MPI_Probe(MPI_ANY_SOURCE, {3} == 3 ? {0} : MPI_ANY_TAG, comm, &s);
else
do
MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &s);
while (!found);
MPI_Get_count(&s, MPI_INT, &got);
MPI_Recv(in, got, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, comm, &s);
of[s.MPI_SOURCE] = hash_status(hash_bytes(of[s.MPI_SOURCE], in, got * sizeof(int)), &s, MPI_INT);
}}
h = hash_bytes(h, of, sizeof of);
MPI_Barrier(comm);
"""
PERSISTENT_WILDCARD = """
static int in[{2}], out[{2}];
MPI_Request r[2];
MPI_Status s[2];
MPI_Recv_init(in, {2}, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &r[0]);
MPI_Send_init(out, {2} - rank % 2, MPI_INT, after, {0}, comm, &r[1]);
for (k = 0; k < 3; k++) {{
fill_bytes(out, sizeof out, rank + step + k);
MPI_Barrier(comm);
MPI_Startall(2, r);
MPI_Waitall(2, r, s);
h = hash_status(hash_bytes(h, in, ({2} - before % 2) * sizeof(int)), &s[0], MPI_INT);
}}
MPI_Request_free(&r[0]);
MPI_Request_free(&r[1]);
"""
SENDRECV_ANY = """
static int in[{2}], out[{2}];
MPI_Status s;
fill_bytes(out, sizeof out, rank + step);
MPI_Barrier(comm);
MPI_Sendrecv(out, {2}, MPI_INT, after, {0}, in, {2}, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &s);
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_INT);
MPI_Barrier(comm);
MPI_Sendrecv_replace(out, {2}, MPI_INT, after, {0} + 1, MPI_ANY_SOURCE, {0} + 1, comm, &s);
h = hash_status(hash_bytes(h, out, sizeof out), &s, MPI_INT);
"""
CANCELLED_WILDCARD = """
static int in[2][{2}], out[{2}];
int cancelled = 0;
MPI_Request r[3];
MPI_Status s;
fill_bytes(out, sizeof out, rank + step);
MPI_Barrier(comm);
MPI_Irecv(in[0], {2}, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &r[0]);
MPI_Irecv(in[1], {2}, MPI_INT, before, {0} + {3} % 2, comm, &r[1]);
MPI_Cancel(&r[0]);
MPI_Wait(&r[0], &s);
MPI_Test_cancelled(&s, &cancelled);
MPI_Barrier(comm);
MPI_Isend(out, {2}, MPI_INT, after, {0} + {3} % 2, comm, &r[2]);
MPI_Waitall(2, r + 1, MPI_STATUSES_IGNORE);
h = hash_number(hash_bytes(h, in[1], sizeof in[1]), cancelled);
"""

SYNCHRONOUS_TO_ANY = """
static int in[{2}], out[{2}];
MPI_Request r[2];
MPI_Status s[2];
fill_bytes(out, sizeof out, rank + step);
MPI_Barrier(comm);
MPI_Irecv(in, {2}, MPI_INT, MPI_ANY_SOURCE, {0}, comm, &r[0]);
MPI_Issend(out, {2}, MPI_INT, after, {0}, comm, &r[1]);
MPI_Waitall(2, r, s);
h = hash_status(hash_bytes(h, in, sizeof in), &s[0], MPI_INT);
MPI_Barrier(comm);
"""
MPROBE = """
static int in[{2}], out[{2}];
MPI_Message message;
MPI_Request r[2];
MPI_Status s;
memset(&s, 0, sizeof s);
fill_bytes(out, sizeof out, rank + step);
MPI_Isend(out, {2}, MPI_INT, after, {1}, comm, &r[0]);
MPI_Mprobe(before, {1}, comm, &message, &s);
MPI_Imrecv(in, {2}, MPI_INT, &message, &r[1]);
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
h = hash_status(hash_bytes(h, in, sizeof in), &s, MPI_INT);
"""

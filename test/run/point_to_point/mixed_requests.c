// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One array of everything: messages of the node and of the other node, small and large, persistent requests that are
// active and inactive, MPI's own requests (a barrier, a reduction, a generalized request), null requests, and copies of
// handles; completed by every call, with statuses and without.
//
// RUN: %run-both %s --work %t
// RUN: timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_STAGE=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <string.h>

enum { LARGE = 20000, N = 14, ROUNDS = 12 };

static int rank, size, small_in[4], small_out[4], large_in[2][LARGE], large_out[2][LARGE], sum, mine; // mpishm: keep
static MPI_Request persistent[3], r[N];
static hash_t of_request[N];

static int query(void *state, MPI_Status *s) {
  MPI_Status_set_elements(s, MPI_INT, 5);
  MPI_Status_set_cancelled(s, 0);
  s->MPI_SOURCE = s->MPI_TAG = 3;
  return state ? MPI_SUCCESS : MPI_ERR_OTHER;
}
static int release(void *state) { return state ? MPI_SUCCESS : MPI_ERR_OTHER; }
static int cancel(void *state, int complete) { return state || complete ? MPI_SUCCESS : MPI_ERR_OTHER; }

static void start(int round) {
  int before = (rank + size - 1) % size, after = (rank + 1) % size, far = (rank + size / 2) % size, k;
  for (k = 0; k < 4; k++)
    small_out[k] = rank * 1000 + round * 10 + k;
  fill_bytes(large_out, sizeof large_out, rank + round * 7);
  memset(large_in, 0, sizeof large_in);
  mine = rank + round;
  r[0] = MPI_REQUEST_NULL;
  MPI_Irecv(&small_in[0], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[2]);
  MPI_Isend(&small_out[0], 1, MPI_INT, after, 1, MPI_COMM_WORLD, &r[3]);
  MPI_Irecv(large_in[0], LARGE, MPI_INT, far, 2, MPI_COMM_WORLD, &r[4]);
  MPI_Isend(large_out[0], LARGE - round, MPI_INT, far, 2, MPI_COMM_WORLD, &r[5]);
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[6]);
  r[7] = persistent[0]; /* started in every other round */
  r[8] = persistent[1];
  r[9] = persistent[2]; /* never started */
  MPI_Irecv(large_in[1], LARGE, MPI_INT, before, 4, MPI_COMM_WORLD, &r[10]);
  MPI_Issend(large_out[1], LARGE, MPI_INT, after, 4, MPI_COMM_WORLD, &r[11]);
  MPI_Irecv(&small_in[3], 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &r[12]);
  MPI_Grequest_start(query, release, cancel, &mine, &r[13]);
  if (round % 2)
    MPI_Startall(2, &r[7]);
  MPI_Grequest_complete(r[13]);
}

static void completed(int i, const MPI_Status *s) {
  of_request[i] = hash_number(of_request[i], i);
  if (s && (i == 1 || i == 4 || i == 7 || i == 10 || i == 12 || i == 13))
    of_request[i] = hash_status(of_request[i], s, MPI_INT);
}

static void by_all(int test, MPI_Status *s) {
  int i, flag = 0;
  if (test)
    while (!flag)
      MPI_Testall(N, r, &flag, s ? s : MPI_STATUSES_IGNORE);
  else
    MPI_Waitall(N, r, s ? s : MPI_STATUSES_IGNORE);
  for (i = 0; i < N; i++)
    completed(i, s ? &s[i] : NULL);
}

static void by_any(int test, MPI_Status *s) {
  int i, flag = 1;
  for (;;) {
    if (test)
      MPI_Testany(N, r, &i, &flag, s ? s : MPI_STATUS_IGNORE);
    else
      MPI_Waitany(N, r, &i, s ? s : MPI_STATUS_IGNORE);
    if (flag && i == MPI_UNDEFINED)
      return;
    if (flag)
      completed(i, s);
  }
}

static void by_some(int test, MPI_Status *s) {
  int k, count, indices[N];
  for (;;) {
    if (test)
      MPI_Testsome(N, r, &count, indices, s ? s : MPI_STATUSES_IGNORE);
    else
      MPI_Waitsome(N, r, &count, indices, s ? s : MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED)
      return;
    for (k = 0; k < count; k++)
      completed(indices[k], s ? &s[k] : NULL);
  }
}

/* One by one, each by a copy of its handle. */
static void by_one(int test, MPI_Status *s) {
  int i, flag = 0, looked;
  for (i = N - 1; i >= 0; i--) {
    MPI_Request copy = r[i];
    MPI_Request_get_status(copy, &looked, MPI_STATUS_IGNORE);
    if (test)
      for (flag = 0; !flag;)
        MPI_Test(&copy, &flag, s ? s : MPI_STATUS_IGNORE);
    else
      MPI_Wait(&copy, s ? s : MPI_STATUS_IGNORE);
    if (s && i == 9) /* inactive: empty */
      of_request[i] = hash_number(of_request[i], s->MPI_SOURCE == MPI_ANY_SOURCE && s->MPI_TAG == MPI_ANY_TAG);
    completed(i, s);
    r[i] = copy;
  }
}

int main(int argc, char **argv) {
  int round, i;
  MPI_Status s[N];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < N; i++)
    of_request[i] = HASH_START;
  MPI_Recv_init(&small_in[1], 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &persistent[0]);
  MPI_Send_init(&small_out[1], 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &persistent[1]);
  MPI_Send_init(&small_out[2], 1, MPI_INT, (rank + 2) % size, 3, MPI_COMM_WORLD, &persistent[2]);
  for (round = 0; round < ROUNDS; round++) {
    MPI_Status *statuses = round / 2 % 2 ? NULL : s;
    start(round);
    switch (round % 7) {
    case 0: by_all(0, statuses); break;
    case 1: by_any(0, statuses); break;
    case 2: by_some(0, statuses); break;
    case 3: by_one(0, statuses); break;
    case 4: by_all(1, statuses); break;
    case 5: by_any(1, statuses); break;
    default: by_some(1, statuses); by_one(1, statuses);
    }
    h = hash_bytes(hash_bytes(hash_number(h, sum), small_in, sizeof small_in), large_in, sizeof large_in);
    for (i = 0; i < N; i++)
      h = hash_number(h, r[i] == MPI_REQUEST_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (i = 0; i < 3; i++)
    MPI_Request_free(&persistent[i]);
  for (i = 0; i < N; i++)
    h = hash_number(h, (long long)of_request[i]);
  report("mixed requests", h);
  MPI_Finalize();
  return 0;
}

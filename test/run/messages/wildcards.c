// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives from any source and with any tag, between receives that are exact: which message a wildcard gets may be
// open, but not that the messages of one source come in order, nor what an earlier receive leaves for a later one. Also
// without copies by the kernel, and with a window that is nearly always full.
//
// RUN: %run-both %s --work %t
// RUN: env MPISHM_CMA=0 timeout 60 mpiexec -n 4 %t/rewritten/program | FileCheck %s
// RUN: env MPISHM_WINDOW=200K timeout 60 mpiexec -n 4 %t/rewritten/program | FileCheck %s
// RUN: env MPISHM_WINDOW=200K MPISHM_CMA=0 timeout 60 mpiexec -n 4 %t/rewritten/program | FileCheck %s
//
// CHECK: wildcards: rank 0
// CHECK: wrong: 0
#include "report.h"

enum { MAX = 40000, ROUNDS = 12, SIZES = 4 };

static const int sizes[SIZES] = {1, 100, 3000, MAX};
static int in[8][MAX], out[8][MAX], rank, size, wrong; // mpishm: keep

static int seed_of(int from, int to, int tag, int round) { return ((from * 64 + to) * 64 + tag) * 64 + round; }

static void check(const int *got, int n, int from, int tag, int round) {
  static int expected[MAX];
  fill_bytes(expected, n * sizeof(int), seed_of(from, rank, tag, round));
  if (memcmp(got, expected, n * sizeof(int)) != 0 && wrong++ == 0)
    fprintf(stderr, "rank %d: %d numbers from %d, tag %d, round %d are wrong\n", rank, n, from, tag, round);
}

static void fill(int *buffer, int n, int to, int tag, int round) {
  fill_bytes(buffer, n * sizeof(int), seed_of(rank, to, tag, round));
}

/* As programs find out who will send to them: every rank tells some others a number, and these do not know who will.
 * The exchange that follows uses the same tag, with known sources. */
static hash_t set_up(hash_t h) {
  int told[8], who[8], number[8], n = 0, i, next = 0;
  MPI_Request r[8], s[8];
  MPI_Status status;
  for (i = 0; i < size - 1; i++)
    MPI_Irecv(&told[i], 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &r[i]);
  for (i = 0; i < size; i++)
    if (i != rank) {
      number[i] = 100 * rank + i;
      MPI_Send(&number[i], 1, MPI_INT, i, 99, MPI_COMM_WORLD);
    }
  for (i = 0; i < size - 1; i++) {
    MPI_Wait(&r[i], &status);
    wrong += told[i] != 100 * status.MPI_SOURCE + rank;
    who[n++] = status.MPI_SOURCE;
  }
  MPI_Barrier(MPI_COMM_WORLD); /* or somebody's next message would come to a wildcard */
  for (i = 0; i < n; i++) {
    int n_in = sizes[(who[i] + rank) % SIZES];
    MPI_Irecv(in[i], n_in, MPI_INT, who[i], 99, MPI_COMM_WORLD, &r[i]);
  }
  for (i = 0; i < n; i++) {
    int n_out = sizes[(who[i] + rank) % SIZES];
    fill(out[i], n_out, who[i], 99, 0);
    MPI_Isend(out[i], n_out, MPI_INT, who[i], 99, MPI_COMM_WORLD, &s[i]);
  }
  MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
  MPI_Waitall(n, s, MPI_STATUSES_IGNORE);
  for (next = 0; next < size; next++) /* in the order of ranks, whoever came first */
    for (i = 0; i < n; i++)
      if (who[i] == next) {
        check(in[i], sizes[(next + rank) % SIZES], next, 99, 0);
        h = hash_bytes(h, in[i], sizes[(next + rank) % SIZES] * sizeof(int));
      }
  return h;
}

/* A master hands out work to whoever asks, by the tag of the answer. */
static hash_t master_and_workers(hash_t h) {
  int task, done = 0, result, sum = 0, stopped = 0;
  MPI_Status status;
  if (rank == 0) {
    while (stopped < size - 1) {
      MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == 21)
        sum += result;
      if (done < 30) {
        task = done++;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 22, MPI_COMM_WORLD);
      } else {
        MPI_Send(&task, 0, MPI_INT, status.MPI_SOURCE, 23, MPI_COMM_WORLD);
        stopped++;
      }
    }
    wrong += sum != 30 * 29 / 2 * 3;
    return hash_number(h, sum);
  }
  MPI_Send(NULL, 0, MPI_INT, 0, 20, MPI_COMM_WORLD);
  for (;;) {
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == 23)
      return h;
    result = 3 * task;
    MPI_Send(&result, 1, MPI_INT, 0, 21, MPI_COMM_WORLD);
  }
}

/* Rank 0 gets ROUNDS messages from every other rank, of sizes that differ, by many wildcards that are pending at a
 * time; those of a source must come in order. */
static hash_t in_order(hash_t h) {
  static int small[64][100];
  int i, k, from, next[8] = {0}, n = ROUNDS * (size - 1);
  hash_t of[8];
  MPI_Request r[64];
  MPI_Status statuses[64];
  if (rank != 0) {
    for (i = 0; i < ROUNDS; i++) {
      fill(out[0], 1 + i * 7, 0, 3, i);
      MPI_Send(out[0], 1 + i * 7, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    return h;
  }
  for (i = 0; i < size; i++)
    of[i] = HASH_START;
  for (i = 0; i < n; i++)
    MPI_Irecv(small[i], 100, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r[i]);
  MPI_Waitall(n, r, statuses);
  for (i = 0; i < n; i++) {
    from = statuses[i].MPI_SOURCE;
    k = next[from]++;
    check(small[i], 1 + k * 7, from, 3, k);
    of[from] = hash_status(hash_bytes(of[from], small[i], (1 + k * 7) * sizeof(int)), &statuses[i], MPI_INT);
  }
  return hash_bytes(h, of, size * sizeof *of);
}

/* Posted in this order: from rank 1 with tag 4; from 1 with any tag; from 1 with tag 4; from any with tag 5; from 1
 * with tag 5. Rank 1 sends tags 4, 4, 4, 5, 5: every receive gets the one of its place. Completed in another order. */
static hash_t exact_ones_wait(hash_t h, int large) {
  static const int tags[5] = {4, 4, 4, 5, 5}, order[5] = {4, 2, 3, 0, 1};
  int i, n = large ? MAX : 5;
  MPI_Request r[5];
  MPI_Status status;
  if (rank == 1) {
    for (i = 0; i < 5; i++) {
      fill(out[i], n, 0, tags[i], i);
      MPI_Isend(out[i], n, MPI_INT, 0, tags[i], MPI_COMM_WORLD, &r[i]);
    }
    MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
  } else if (rank == 0) {
    MPI_Irecv(in[0], n, MPI_INT, 1, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in[1], n, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(in[2], n, MPI_INT, 1, 4, MPI_COMM_WORLD, &r[2]);
    MPI_Irecv(in[3], n, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[3]);
    MPI_Irecv(in[4], n, MPI_INT, 1, 5, MPI_COMM_WORLD, &r[4]);
    for (i = 0; i < 5; i++) {
      int at = order[i];
      MPI_Wait(&r[at], &status);
      check(in[at], n, 1, tags[at], at);
      h = hash_status(hash_bytes(h, in[at], n * sizeof(int)), &status, MPI_INT);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return h;
}

/* Large messages to wildcards whose owner sits in a barrier until their senders are through. */
static hash_t receiver_in_barrier(hash_t h) {
  int i, from;
  hash_t of[8] = {0};
  MPI_Request r[8];
  MPI_Status statuses[8];
  if (rank == 0) {
    for (i = 0; i < size - 1; i++)
      MPI_Irecv(in[i], MAX, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &r[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(size - 1, r, statuses);
    for (i = 0; i < size - 1; i++) {
      from = statuses[i].MPI_SOURCE;
      check(in[i], MAX, from, 6, 0);
      of[from] = hash_status(hash_bytes(HASH_START, in[i], MAX * sizeof(int)), &statuses[i], MPI_INT);
    }
    return hash_bytes(h, of, sizeof of);
  }
  fill(out[0], MAX, 0, 6, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(out[0], MAX, MPI_INT, 0, 6, MPI_COMM_WORLD);
  memset(out[0], 0, MAX * sizeof(int)); /* the buffer is the program's again */
  MPI_Barrier(MPI_COMM_WORLD);
  return h;
}

/* A persistent wildcard, started again and again, beside an exact receive of the same tag that was posted later. */
static hash_t persistent(hash_t h) {
  int i, from, other[8];
  hash_t sum = 0;
  MPI_Request r, e;
  MPI_Status status;
  if (rank != 0) {
    for (i = 0; i < ROUNDS; i++) {
      fill(out[0], 50, 0, 7, i);
      MPI_Send(out[0], 50, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    return h;
  }
  MPI_Recv_init(in[0], 50, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &r);
  memset(other, 0, sizeof other);
  for (i = 0; i < ROUNDS * (size - 1); i++) {
    MPI_Start(&r);
    MPI_Wait(&r, &status);
    from = status.MPI_SOURCE;
    check(in[0], 50, from, 7, other[from]++);
    sum += hash_bytes(HASH_START, in[0], 50 * sizeof(int));
  }
  MPI_Request_free(&r);
  for (i = 1; i < size; i++) { /* all others' last message, in turn */
    MPI_Irecv(&from, 1, MPI_INT, i, 8, MPI_COMM_WORLD, &e);
    MPI_Wait(&e, MPI_STATUS_IGNORE);
    wrong += from != i || other[i] != ROUNDS;
  }
  return hash_number(h, (long long)sum);
}

/* A wildcard that is cancelled leaves what follows to those behind it. */
static hash_t cancel(hash_t h) {
  int cancelled = 0, got = 0, value = 5 * rank;
  MPI_Request any, exact;
  MPI_Status status;
  if (rank == 0) {
    MPI_Irecv(in[0], 10, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &any);
    MPI_Irecv(&got, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &exact);
    MPI_Cancel(&any);
    MPI_Wait(&any, &status);
    MPI_Test_cancelled(&status, &cancelled);
    h = hash_number(h, cancelled);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&exact, &status);
    wrong += !cancelled || got != 5;
    h = hash_status(hash_number(h, got), &status, MPI_INT);
    MPI_Irecv(in[0], 10, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &any);
    MPI_Irecv(&got, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &exact);
    MPI_Cancel(&exact); /* which still waits behind the other */
    MPI_Wait(&exact, &status);
    MPI_Test_cancelled(&status, &cancelled);
    wrong += !cancelled;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&any, &status);
    h = hash_status(hash_number(h, in[0][0]), &status, MPI_INT);
    MPI_Irecv(in[0], 10, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &any);
    MPI_Irecv(&got, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &exact);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Cancel(&exact); /* which waits no longer: the message of the other has come */
    MPI_Wait(&exact, &status);
    MPI_Test_cancelled(&status, &cancelled);
    wrong += !cancelled;
    MPI_Wait(&any, &status);
    return hash_status(hash_number(h, in[0][0]), &status, MPI_INT);
  }
  for (int round = 0; round < 3; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
      MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return h;
}

/* Both ways at once, the source unknown; then tested for, freed, and longer than the buffer is not. */
static hash_t other_forms(hash_t h) {
  int flag = 0, left = (rank + size - 1) % size, right = (rank + 1) % size, index;
  MPI_Status status;
  MPI_Request r[2];
  fill(out[0], 3000, right, 10, 0);
  MPI_Sendrecv(out[0], 3000, MPI_INT, right, 10, in[0], 4000, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &status);
  check(in[0], 3000, left, 10, 0);
  h = hash_status(hash_bytes(h, in[0], 3000 * sizeof(int)), &status, MPI_INT);
  fill(out[1], 7, right, 11, 0);
  MPI_Sendrecv_replace(out[1], 7, MPI_INT, right, 11, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  check(out[1], 7, left, 11, 0);
  h = hash_status(hash_bytes(h, out[1], 7 * sizeof(int)), &status, MPI_INT);
  MPI_Irecv(in[0], 100, MPI_INT, MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &r[0]);
  fill(out[0], 100, right, 12, 0);
  MPI_Isend(out[0], 100, MPI_INT, right, 12, MPI_COMM_WORLD, &r[1]);
  while (!flag)
    MPI_Test(&r[0], &flag, &status);
  check(in[0], 100, left, 12, 0);
  h = hash_status(h, &status, MPI_INT);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Irecv(in[1], 100, MPI_INT, MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, &r[1]);
  MPI_Irecv(in[0], 100, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
  MPI_Send(out[0], 100, MPI_INT, right, 14, MPI_COMM_WORLD);
  MPI_Waitany(2, r, &index, &status);
  h = hash_status(hash_number(h, index), &status, MPI_INT);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(out[0], 100, MPI_INT, right, 13, MPI_COMM_WORLD);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return h;
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  int all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  h = set_up(h);
  h = in_order(h);
  MPI_Barrier(MPI_COMM_WORLD);
  h = master_and_workers(h);
  MPI_Barrier(MPI_COMM_WORLD);
  h = exact_ones_wait(h, 0);
  h = exact_ones_wait(h, 1);
  h = receiver_in_barrier(h);
  MPI_Barrier(MPI_COMM_WORLD);
  h = persistent(h);
  MPI_Barrier(MPI_COMM_WORLD);
  h = cancel(h);
  MPI_Barrier(MPI_COMM_WORLD);
  h = other_forms(h);
  report("wildcards", h);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of MPI_Comm_idup and MPI_Comm_idup_with_info: several in flight, of one parent and of several, of what
// they have made, completed in other orders than they were started and by all forms of completion, used at once, freed
// unused, freed while messages are under way; a call that fails on all members and is made again, one that fails on one
// member alone; copies that an attribute's function refuses; more than there are ids for. No call waits: the other
// members come to it only once this one has a message.
//
// RUN: %run-both %s --work %t --ragged --flags "-O1 -g" --leaves Wait,Test,Waitany,Waitall
// RUN: env MPISHM_STATS=%t/stats.json timeout 60 %mpiexec -n 2 %t/rewritten/program > %t/out
// RUN: %python %S/../Inputs/check_statistics.py %t/stats.json %t/rewritten/idup.c ranks=2 \
// RUN:   "SHIFT sent inline 114 456" "SHIFT sent mpi_unregistered 16 64" "SHIFT calls 130"
#include "report.h"

enum { IN_FLIGHT = 7, FEW = 20, MORE_THAN_IDS = 300 };

static int rank, size;

/* To the next member, and a sum of all. */
static hash_t shift(hash_t h, MPI_Comm comm, int value) {
  int me, all, in = -1, sum = -1;
  MPI_Request r;
  MPI_Status s;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  MPI_Irecv(&in, 1, MPI_INT, (me + all - 1) % all, 1, comm, &r);
  MPI_Send(&value, 1, MPI_INT, (me + 1) % all, 1, comm); // SHIFT
  MPI_Wait(&r, &s);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  return hash_number(hash_number(hash_status(h, &s, MPI_INT), in), sum);
}

static hash_t in_flight(hash_t h, MPI_Comm first, MPI_Comm second) {
  MPI_Comm made[IN_FLIGHT];
  MPI_Request r[IN_FLIGHT];
  int i, done = 0, index;
  for (i = 0; i < IN_FLIGHT; i++)
    if (i == 3)
      MPI_Comm_idup_with_info(first, MPI_INFO_NULL, &made[i], &r[i]);
    else
      MPI_Comm_idup(i % 2 ? first : second, &made[i], &r[i]);
  MPI_Wait(&r[4], MPI_STATUS_IGNORE);
  h = shift(h, made[4], rank + 4);
  while (!done)
    MPI_Test(&r[1], &done, MPI_STATUS_IGNORE);
  h = shift(h, made[1], rank + 1);
  MPI_Comm_free(&made[1]);
  for (i = 0; i < 2; i++)
    MPI_Waitany(2, &r[5], &index, MPI_STATUS_IGNORE);
  h = shift(h, made[6], rank + 6); /* 5 is freed unused */
  MPI_Waitall(IN_FLIGHT, r, MPI_STATUSES_IGNORE);
  for (i = 0; i < IN_FLIGHT; i++)
    if (i != 1) {
      if (i != 5)
        h = shift(h, made[i], 10 * rank + i);
      MPI_Comm_free(&made[i]);
    }
  return h;
}

/* What is made of what was made, six times; each is freed once its own is there. */
static hash_t generations(hash_t h) {
  MPI_Comm now, next;
  MPI_Request r;
  int i;
  MPI_Comm_idup(MPI_COMM_WORLD, &now, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (i = 0; i < 6; i++) {
    h = shift(h, now, rank - i);
    MPI_Comm_idup(now, &next, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&now);
    now = next;
  }
  h = shift(h, now, rank - i);
  MPI_Comm_free(&now);
  return h;
}

/* One after the other. */
static hash_t several(hash_t h, MPI_Comm parent, int count) {
  MPI_Comm made;
  MPI_Request r;
  for (int i = 0; i < count; i++) {
    MPI_Comm_idup(parent, &made, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (i % 10 == 0)
      h = shift(h, made, rank + i);
    MPI_Comm_free(&made);
  }
  return h;
}

/* Messages outlive the handle. */
static hash_t freed(hash_t h) {
  MPI_Comm made;
  MPI_Request r, q[2];
  MPI_Status s;
  int in = -1, out = 100 + rank;
  MPI_Comm_idup(MPI_COMM_WORLD, &made, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 7, made, &q[0]);
  MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 7, made, &q[1]);
  MPI_Comm_free(&made);
  MPI_Wait(&q[1], MPI_STATUS_IGNORE);
  MPI_Wait(&q[0], &s);
  return hash_number(hash_status(h, &s, MPI_INT), in);
}

/* The last member calls once it has a message that each other sends behind its own call. */
static hash_t waits_for_nobody(hash_t h) {
  MPI_Comm made;
  MPI_Request r;
  int i, token = rank;
  if (rank < size - 1) {
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &r);
    MPI_Send(&token, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD);
  } else {
    for (i = 0; i < size - 1; i++)
      MPI_Recv(&token, 1, MPI_INT, i, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &r);
  }
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  h = shift(h, made, token);
  MPI_Comm_free(&made);
  return h;
}

static int refuses;
static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  (void)comm, (void)key, (void)extra;
  *(void **)out = in;
  *flag = 1;
  return refuses ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* A call that fails makes nothing: what is made by the next one is what the others make. */
static hash_t fails(hash_t h) {
  MPI_Comm parent, made;
  MPI_Request r;
  int key, error, count = 5, *value, found;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(parent, key, &count);
#ifdef MPICH_NUMVERSION /* Open MPI ends the program */
  refuses = 1;
  error = MPI_Comm_idup(parent, &made, &r);
  h = hash_number(h, error != MPI_SUCCESS);
  refuses = rank == 0;
  if (rank == 0)
    h = hash_number(h, MPI_Comm_idup(parent, &made, &r) != MPI_SUCCESS);
  refuses = 0;
#endif
  error = MPI_Comm_idup(parent, &made, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Comm_get_attr(made, key, &value, &found);
  h = hash_number(h, error + 10 * found + 100 * *value);
  h = shift(h, made, rank);
  h = several(h, parent, MORE_THAN_IDS);
  MPI_Comm_free(&made);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&parent);
  return h;
}

int main(int argc, char **argv) {
  MPI_Comm reversed;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  h = in_flight(h, MPI_COMM_WORLD, MPI_COMM_WORLD);
#ifdef OPEN_MPI /* 5.0 takes very long with copies of several communicators under way where ranks outnumber cores */
  h = in_flight(h, reversed, reversed);
  h = in_flight(h, MPI_COMM_SELF, MPI_COMM_SELF);
#else
  h = in_flight(h, MPI_COMM_WORLD, reversed);
  h = in_flight(h, MPI_COMM_SELF, reversed);
#endif
  h = generations(h);
  h = freed(h);
  h = waits_for_nobody(h);
  h = fails(h);
  h = several(h, MPI_COMM_WORLD, FEW);
  MPI_Comm_free(&reversed);
  report("communicators of MPI_Comm_idup", h);
  MPI_Finalize();
  return 0;
}

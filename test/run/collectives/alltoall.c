// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each has for each, and what each has for all: of every size, with counts that differ from pair to pair and are
// 0, with datatypes that differ on both sides, in place, from and to private and moved buffers; where nothing can be
// staged, where the kernel copies nothing, and where it first does and then refuses; with messages under way, on
// several communicators.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/shared
//
// RUN: mpiexec -n 2 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 2>&1 | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=512K mpiexec -n 3 %t/static | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// RUN: env MPISHM_DISABLE=1 mpiexec -n 2 %t/static | FileCheck %s
// CHECK: all right
//
// The kernel refuses rank 1 alone: then all do the collective by MPI.
// RUN: mpiexec -n 3 %t/static refused | FileCheck %s --check-prefix=REFUSED
// On two nodes its members on that node send one another the parts.
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 2 -n 4 %t/static refused | FileCheck %s --check-prefix=REFUSED
// REFUSED: refused {{[1-9]}}
// REFUSED: all right
#define _GNU_SOURCE
#include "collectives.h"
#include "refusing_kernel.h"

enum { MOST = 4 };

static void alltoall(int count, MPI_Datatype type, int moved, MPI_Comm comm) {
  int members, error;
  MPI_Aint lb, extent;
  MPI_Comm_size(comm, &members);
  MPI_Type_get_extent(type, &lb, &extent);
  size_t bytes = (size_t)count * (size_t)extent * (size_t)members + 64;
  char *from = allocate(bytes, moved), *ours = allocate(bytes, moved), *mpis = allocate(bytes, moved);
  for (int turn = 0; turn < 2; turn++) { /* what is sent is written anew as soon as the call is over */
    fill_bytes(from, bytes, rank + count + turn);
    fill_bytes(ours, bytes, 9);
    memcpy(mpis, ours, bytes);
    error = MPISHM_Alltoall(from, count, type, ours, count, type, comm);
    MPI_Alltoall(from, count, type, mpis, count, type, comm);
    same("an alltoall", ours, mpis, error == MPI_SUCCESS ? bytes : 0, count);
    MPISHM_Alltoall(MPI_IN_PLACE, 0, type, ours, count, type, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, type, mpis, count, type, comm);
    same("an alltoall in place", ours, mpis, bytes, count);
    MPISHM_Allgather(from, count, type, ours, count, type, comm);
    MPI_Allgather(from, count, type, mpis, count, type, comm);
    same("an allgather", ours, mpis, bytes, count);
    fill_bytes(ours, bytes, 10 + rank);
    memcpy(mpis, ours, bytes);
    MPISHM_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ours, count, type, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mpis, count, type, comm);
    same("an allgather in place", ours, mpis, bytes, count);
    memset(from, turn, bytes);
  }
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
}

/* How many ints the first sends to the second: none from some, much from others, ones that do not fit a slot. */
static int amount(int from, int to, int scale) { return (from * 3 + to * 5) % 4 * scale; }

static void ragged(int scale, int moved, MPI_Comm comm) {
  int me, members, sends[MOST], receives[MOST], out[MOST], in[MOST], all[MOST], places[MOST];
  int sent = 3, received = 5, gathered = 1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (int i = 0; i < members; i++) {
    sends[i] = amount(me, i, scale);
    receives[i] = amount(i, me, scale);
    out[i] = sent;
    in[i] = received;
    sent += sends[i] + 1;
    received += receives[i] + 2;
  }
  for (int i = members - 1; i >= 0; i--) { /* in another order than the ranks */
    all[i] = amount(i, 0, scale);
    places[i] = gathered;
    gathered += all[i] + 1;
  }
  size_t room = (size_t)(sent > received ? sent : received) + (size_t)gathered;
  int *from = allocate(room * sizeof(int), moved), *ours = allocate(room * sizeof(int), moved);
  int *mpis = allocate(room * sizeof(int), moved);
  fill_bytes(from, room * sizeof(int), me + scale);
  fill_bytes(ours, room * sizeof(int), 2);
  memcpy(mpis, ours, room * sizeof(int));
  MPISHM_Alltoallv(from, sends, out, MPI_INT, ours, receives, in, MPI_INT, comm);
  MPI_Alltoallv(from, sends, out, MPI_INT, mpis, receives, in, MPI_INT, comm);
  same("an alltoallv", ours, mpis, room * sizeof(int), scale);
  MPISHM_Allgatherv(from, all[me], MPI_INT, ours, all, places, MPI_INT, comm);
  MPI_Allgatherv(from, all[me], MPI_INT, mpis, all, places, MPI_INT, comm);
  same("an allgatherv", ours, mpis, room * sizeof(int), scale);
  memcpy(&ours[places[me]], from, sizeof(int) * (size_t)all[me]);
  memcpy(&mpis[places[me]], from, sizeof(int) * (size_t)all[me]);
  MPISHM_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, ours, all, places, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, mpis, all, places, MPI_INT, comm);
  same("an allgatherv in place", ours, mpis, room * sizeof(int), scale);
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
}

/* A block of a matrix for each, into columns of another; and nothing at all from and to some, whose datatype is of no
 * matter. */
static void matrices(int n, int moved) {
  int wide = n * size, counts[MOST], from_places[MOST], to_places[MOST];
  MPI_Datatype from_types[MOST], to_types[MOST], column;
  size_t bytes = sizeof(double) * (size_t)n * (size_t)wide;
  double *from = allocate(bytes, moved), *ours = allocate(bytes, moved), *mpis = allocate(bytes, moved);
  for (int i = 0; i < size; i++) {
    int whole[2] = {n, wide}, part[2] = {n, n}, start[2] = {0, n * i};
    MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &from_types[i]);
    MPI_Type_vector(n, 1, wide, MPI_DOUBLE, &column);
    MPI_Type_create_hvector(n, 1, sizeof(double), column, &to_types[i]); /* transposed */
    MPI_Type_free(&column);
    MPI_Type_commit(&from_types[i]);
    MPI_Type_commit(&to_types[i]);
    counts[i] = (rank + i) % 3 != 1;
    from_places[i] = 0;
    to_places[i] = (int)sizeof(double) * n * i;
  }
  fill_bytes(from, bytes, rank);
  fill_bytes(ours, bytes, 2);
  memcpy(mpis, ours, bytes);
  MPISHM_Alltoallw(from, counts, from_places, from_types, ours, counts, to_places, to_types, MPI_COMM_WORLD);
  MPI_Alltoallw(from, counts, from_places, from_types, mpis, counts, to_places, to_types, MPI_COMM_WORLD);
  same("an alltoallw", ours, mpis, bytes, n);
  for (int i = 0; i < size; i++) {
    MPI_Type_free(&from_types[i]);
    MPI_Type_free(&to_types[i]);
  }
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
}

/* Messages that are received behind the collective, and one that is sent synchronously into it. */
static void among_messages(MPI_Comm comm) {
  static int large[50000], in[50000];
  int me, members, value, all[MOST], before;
  MPI_Request requests[3];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  before = (me + members - 1) % members;
  fill_bytes(large, sizeof large, me);
  MPISHM_Irecv(in, 50000, MPI_INT, before, 1, comm, &requests[0]);
  MPISHM_Issend(large, 50000, MPI_INT, (me + 1) % members, 1, comm, &requests[1]);
  MPISHM_Isend(&me, 1, MPI_INT, (me + 1) % members, 2, comm, &requests[2]);
  MPISHM_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, comm);
  MPISHM_Recv(&value, 1, MPI_INT, before, 2, comm, MPI_STATUS_IGNORE);
  MPISHM_Waitall(3, requests, MPI_STATUSES_IGNORE);
  fill_bytes(large, sizeof large, before);
  same("a message beside a collective", in, large, sizeof in, before);
  for (int i = 0; i < members; i++)
    if (all[i] != i || value != before)
      wrong("a collective beside messages", i);
}

/* Wrong arguments of all members, as MPI refuses them; and right ones without any buffer. */
static void refused_by_mpi(void) {
  int value[MOST] = {0}, result[MOST] = {0}, negative[MOST] = {-1, -1, -1, -1}, none[MOST] = {0};
  MPI_Comm comm;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  alike(MPISHM_Alltoall(value, -1, MPI_INT, result, 1, MPI_INT, comm),
        MPI_Alltoall(value, -1, MPI_INT, result, 1, MPI_INT, comm), 1);
  alike(MPISHM_Alltoall(value, 1, MPI_DATATYPE_NULL, result, 1, MPI_INT, comm),
        MPI_Alltoall(value, 1, MPI_DATATYPE_NULL, result, 1, MPI_INT, comm), 1);
  alike(MPISHM_Alltoallv(value, negative, none, MPI_INT, result, none, none, MPI_INT, comm),
        MPI_Alltoallv(value, negative, none, MPI_INT, result, none, none, MPI_INT, comm), 1);
  alike(MPISHM_Allgather(value, 1, MPI_INT, result, -1, MPI_INT, comm),
        MPI_Allgather(value, 1, MPI_INT, result, -1, MPI_INT, comm), 1);
  alike(MPISHM_Alltoallv(NULL, none, none, MPI_INT, NULL, none, none, MPI_INT, comm),
        MPI_Alltoallv(NULL, none, none, MPI_INT, NULL, none, none, MPI_INT, comm), -1);
#ifndef I_MPI_VERSION /* refuses that of rank 0, for which the others then wait */
  alike(MPISHM_Alltoallv(rank == 0 ? result : value, none, none, MPI_INT, result, none, none, MPI_INT, comm),
        MPI_Alltoallv(rank == 0 ? result : value, none, none, MPI_INT, result, none, none, MPI_INT, comm), -1);
#endif
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  const int counts[] = {0, 1, 6, 300, 1040, 4160, 20000, 200000};
  MPI_Datatype gaps;
  MPI_Comm comms[2];
  start(&argc, &argv);
  if (size > MOST)
    wrong("the number of ranks", size);
  refuses = argc > 1 && rank == 1;
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[0]);
  MPISHM_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comms[1]);
  MPI_Type_vector(3, 2, 5, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  for (int moved = 0; moved < 2; moved++) {
    for (int i = 0; i < 8; i++) {
      alltoall(counts[i], MPI_BYTE, moved, i % 2 ? MPI_COMM_WORLD : comms[i / 2 % 2]);
      if (counts[i] <= 20000) {
        alltoall(counts[i] / 6, gaps, moved, MPI_COMM_WORLD);
        ragged(counts[i], moved, i % 3 ? MPI_COMM_WORLD : comms[0]);
      }
    }
    for (int n = 1; n < 200; n = 3 * n + 2)
      matrices(n, moved);
    among_messages(MPI_COMM_WORLD);
    among_messages(comms[1]);
  }
  MPI_Type_free(&gaps);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  refused_by_mpi();
  if (argc > 1) {
    MPI_Bcast(&refused, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 0)
      printf("refused %d\n", refused);
  }
  return finish(100);
}

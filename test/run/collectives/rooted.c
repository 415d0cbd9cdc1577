// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all have for one, and one has for all: of every size, with counts that differ from member to member and are 0,
// so that some parts are short and others long, with datatypes that differ on both sides, in place, to every root, by
// members that are late; where nothing can be staged, and where the kernel copies nothing.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/shared
//
// RUN: mpiexec -n 2 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// CHECK: all right
#include "collectives.h"
#include <unistd.h>

enum { MOST = 4 };

/* The i-th member's part of a ragged one. */
static int amount(int i, int scale) { return i * 7 % 3 * scale; }

struct data {
  char *from, *ours, *mpis;
  size_t bytes;
  int moved;
};

static struct data make(size_t bytes, int moved, int stamp) {
  struct data d = {allocate(bytes, moved), allocate(bytes, moved), allocate(bytes, moved), bytes, moved};
  fill_bytes(d.from, bytes, 10 * rank + stamp);
  fill_bytes(d.ours, bytes, stamp);
  memcpy(d.mpis, d.ours, bytes);
  return d;
}

static void drop(struct data *d) {
  release(d->from, d->moved);
  release(d->ours, d->moved);
  release(d->mpis, d->moved);
}

/* What comes from MPI is compared; what was sent is written anew at once. */
static void compare(const char *what, const struct data *d, int error, long number) {
  same(what, d->ours, d->mpis, error == MPI_SUCCESS ? d->bytes : 0, number);
  fill_bytes(d->from, d->bytes, (int)number + rank);
  memcpy(d->mpis, d->ours, d->bytes);
}

/* `count` bytes for each: `type` is on the root's side, and has some of them. */
static void equal(int count, MPI_Datatype type, int per_type, int root, MPI_Comm comm, int moved) {
  int me, members;
  MPI_Aint lb, extent;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  MPI_Type_get_extent(type, &lb, &extent);
  int n = count / per_type, is_root = me == root;
  struct data d = make((size_t)n * (size_t)extent * (size_t)members + 64, moved, count);
  int error = MPISHM_Gather(d.from, n * per_type, MPI_BYTE, d.ours, n, type, root, comm);
  MPI_Gather(d.from, n * per_type, MPI_BYTE, d.mpis, n, type, root, comm);
  compare("a gather", &d, error, count);
  MPISHM_Gather(is_root ? MPI_IN_PLACE : d.from, n * per_type, MPI_BYTE, d.ours, n, type, root, comm);
  MPI_Gather(is_root ? MPI_IN_PLACE : d.from, n * per_type, MPI_BYTE, d.mpis, n, type, root, comm);
  compare("a gather in place", &d, error, count + 1);
  error = MPISHM_Scatter(d.from, n, type, d.ours, n * per_type, MPI_BYTE, root, comm);
  MPI_Scatter(d.from, n, type, d.mpis, n * per_type, MPI_BYTE, root, comm);
  compare("a scatter", &d, error, count + 2);
  MPISHM_Scatter(d.from, n, type, is_root ? MPI_IN_PLACE : d.ours, n * per_type, MPI_BYTE, root, comm);
  MPI_Scatter(d.from, n, type, is_root ? MPI_IN_PLACE : d.mpis, n * per_type, MPI_BYTE, root, comm);
  compare("a scatter in place", &d, error, count + 3);
  drop(&d);
}

static void ragged(int scale, int root, MPI_Comm comm, int moved) {
  int me, members, counts[MOST], places[MOST], all = 2;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (int i = members - 1; i >= 0; i--) { /* in another order than the ranks, with gaps */
    counts[i] = amount(i, scale);
    places[i] = all;
    all += counts[i] + 3;
  }
  struct data d = make(sizeof(int) * (size_t)all, moved, scale + root);
  int is_root = me == root, *from = (int *)d.from, *ours = (int *)d.ours, *mpis = (int *)d.mpis;
  int *n = is_root ? counts : NULL, *p = is_root ? places : NULL; /* for the root alone */
  MPISHM_Gatherv(from, counts[me], MPI_INT, ours, n, p, MPI_INT, root, comm);
  MPI_Gatherv(from, counts[me], MPI_INT, mpis, n, p, MPI_INT, root, comm);
  compare("a gatherv", &d, MPI_SUCCESS, scale);
  MPISHM_Gatherv(is_root ? MPI_IN_PLACE : from, counts[me], MPI_INT, ours, n, p, MPI_INT, root, comm);
  MPI_Gatherv(is_root ? MPI_IN_PLACE : from, counts[me], MPI_INT, mpis, n, p, MPI_INT, root, comm);
  compare("a gatherv in place", &d, MPI_SUCCESS, scale + 1);
  MPISHM_Scatterv(from, n, p, MPI_INT, ours, counts[me], MPI_INT, root, comm);
  MPI_Scatterv(from, n, p, MPI_INT, mpis, counts[me], MPI_INT, root, comm);
  compare("a scatterv", &d, MPI_SUCCESS, scale + 2);
  MPISHM_Scatterv(from, n, p, MPI_INT, is_root ? MPI_IN_PLACE : ours, counts[me], MPI_INT, root, comm);
  MPI_Scatterv(from, n, p, MPI_INT, is_root ? MPI_IN_PLACE : mpis, counts[me], MPI_INT, root, comm);
  compare("a scatterv in place", &d, MPI_SUCCESS, scale + 3);
  drop(&d);
}

/* One after the other, where each member is late in turns, and the slots of those ahead are full. */
static void ahead(MPI_Comm comm) {
  int me, members, all[MOST], value;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (int i = 0; i < 60; i++) {
    int root = i / 15 % members, mine = 100 * me + i;
    if (i % 10 == 5 && me == i / 10 % members)
      usleep(2000);
    for (int k = 0; k < members; k++)
      all[k] = 0;
    MPISHM_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, comm);
    for (int k = 0; k < members && me == root; k++)
      if (all[k] != 100 * k + i)
        wrong("a gather after others", i);
    for (int k = 0; k < members; k++)
      all[k] = me == root ? 10 * i + k : -1;
    MPISHM_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, root, comm);
    if (value != 10 * i + me)
      wrong("a scatter after others", i);
  }
  checks++;
}

/* Wrong arguments of all members; what comes after them is right again. */
static void refused_by_mpi(MPI_Comm comm) {
  int from[MOST] = {0}, to[MOST] = {0};
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  alike(MPISHM_Gather(from, -1, MPI_INT, to, -1, MPI_INT, 0, comm),
        MPI_Gather(from, -1, MPI_INT, to, -1, MPI_INT, 0, comm), 1);
  alike(MPISHM_Gather(from, 1, MPI_DATATYPE_NULL, to, 1, MPI_DATATYPE_NULL, 0, comm),
        MPI_Gather(from, 1, MPI_DATATYPE_NULL, to, 1, MPI_DATATYPE_NULL, 0, comm), 1);
  alike(MPISHM_Gather(from, 1, MPI_INT, to, 1, MPI_INT, size, comm),
        MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, size, comm), 1);
  alike(MPISHM_Scatter(from, -1, MPI_INT, to, -1, MPI_INT, 0, comm),
        MPI_Scatter(from, -1, MPI_INT, to, -1, MPI_INT, 0, comm), 1);
  alike(MPISHM_Scatter(from, 1, MPI_INT, to, 1, MPI_INT, -1, comm),
        MPI_Scatter(from, 1, MPI_INT, to, 1, MPI_INT, -1, comm), 1);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  ahead(comm);
}

int main(int argc, char **argv) {
  const int counts[] = {0, 1, 8, 1200, 4200, 20000, 200000};
  MPI_Datatype gaps;
  MPI_Comm turned;
  start(&argc, &argv);
  if (size > MOST)
    wrong("the number of ranks", size);
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  MPI_Type_vector(3, 2, 5, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  for (int moved = 0; moved < 2; moved++)
    for (int i = 0; i < 7; i++) {
      equal(counts[i], MPI_BYTE, 1, i % size, i % 2 ? MPI_COMM_WORLD : turned, moved);
      equal(counts[i] / 2, gaps, 6, (i + 1) % size, turned, moved);
      ragged(counts[i] / 4, i / 2 % size, i % 3 ? MPI_COMM_WORLD : turned, moved);
    }
  ahead(MPI_COMM_WORLD);
  refused_by_mpi(turned);
  MPI_Type_free(&gaps);
  MPI_Comm_free(&turned);
  return finish(160);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather, scatter, collectives of neighbours and nonblocking ones send as messages goes from layout to layout,
// too: between vectors of other rows on both sides, each 400 KB long, where what is staged would find no room in the
// window, and would be left to MPI, with a warning. What is private all is.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
//
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=64M mpiexec -n 2 %t/program 1 2>&1 | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=64M mpiexec -n 3 %t/program 1 2>&1 | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=64M mpiexec -n 2 %t/program 0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PRIVATE
// RUN: mpiexec -n 4 %t/program 1 | FileCheck %s
// RUN: mpiexec -n 1 %t/program 1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/program 1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program 1 | FileCheck %s
// CHECK-NOT: the window is full
// CHECK:     all right
// PRIVATE:   the window is full
// PRIVATE:   all right
#include "collectives.h"

enum { MOST = 4, ROWS = 500, LENGTH = 100, APART = 120, PART = ROWS * APART };

static int moved, everyone[MOST], places[MOST];
static MPI_Aint addresses[MOST];
static MPI_Datatype sent, received, all_sent[MOST], all_received[MOST];

/* Both have so many doubles, and the next element begins where the next part does. */
static MPI_Datatype vector(int rows, int length, int apart) {
  MPI_Datatype type, resized;
  MPI_Type_vector(rows, length, apart, MPI_DOUBLE, &type);
  MPI_Type_create_resized(type, 0, sizeof(double) * PART, &resized);
  MPI_Type_commit(&resized);
  MPI_Type_free(&type);
  return resized;
}

static void prepare(void) {
  sent = vector(ROWS, LENGTH, APART);
  received = vector(2 * ROWS, LENGTH / 2, APART / 2 - 1);
  for (int i = 0; i < MOST; i++) {
    everyone[i] = 1;
    places[i] = i;
    addresses[i] = (MPI_Aint)sizeof(double) * PART * i;
    all_sent[i] = sent;
    all_received[i] = received;
  }
}

/* Doubles of the program's, a part for each member. */
struct parts {
  size_t bytes;
  char *from, *ours, *mpis;
};

static struct parts make(void) {
  size_t bytes = sizeof(double) * PART * (size_t)(size > 2 ? size : 2); /* neighbours on a line: two */
  struct parts p = {bytes, allocate(bytes, moved), allocate(bytes, moved), allocate(bytes, moved)};
  fill_bytes(p.from, bytes, rank);
  return p;
}

static void clear(struct parts *p) {
  fill_bytes(p->ours, p->bytes, 7);
  memcpy(p->mpis, p->ours, p->bytes);
}

/* What was sent is written anew at once. */
static void compare(const char *what, struct parts *p, int number) {
  same(what, p->ours, p->mpis, p->bytes, number);
  fill_bytes(p->from, p->bytes, rank + checks);
  clear(p);
}

/* The same by both, into `to`, which their arguments name. NOLINTBEGIN(bugprone-macro-parentheses) */
#define BOTH(call, ...)                                                                                                \
  do {                                                                                                                 \
    char *to = p->ours;                                                                                                \
    MPISHM_##call(__VA_ARGS__);                                                                                        \
    to = p->mpis;                                                                                                      \
    PMPI_##call(__VA_ARGS__);                                                                                          \
    compare(#call, p, 0);                                                                                              \
  } while (0)
#define BOTH_STARTED(call, ...)                                                                                        \
  do {                                                                                                                 \
    MPI_Request request, mpis;                                                                                         \
    char *to = p->ours;                                                                                                \
    MPISHM_##call(__VA_ARGS__, &request);                                                                              \
    to = p->mpis;                                                                                                      \
    PMPI_##call(__VA_ARGS__, &mpis);                                                                                   \
    PMPI_Wait(&mpis, MPI_STATUS_IGNORE);                                                                               \
    MPISHM_Wait(&request, MPI_STATUS_IGNORE);                                                                          \
    compare(#call, p, 1);                                                                                              \
  } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */

static void with_root(struct parts *p, int root) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  BOTH(Gather, p->from, 1, sent, to, 1, received, root, comm);
  BOTH(Gatherv, p->from, 1, sent, to, everyone, places, received, root, comm);
  BOTH(Gather, p->from, 1, sent, to, ROWS * LENGTH, MPI_DOUBLE, root, comm);
  BOTH(Scatter, p->from, 1, sent, to, 1, received, root, comm);
  BOTH(Scatterv, p->from, everyone, places, sent, to, 1, received, root, comm);
  BOTH_STARTED(Ibcast, rank == root ? p->from : to, 1, rank == root ? sent : received, root, comm);
  BOTH_STARTED(Igather, p->from, 1, sent, to, 1, received, root, comm);
  BOTH_STARTED(Igatherv, p->from, 1, sent, to, everyone, places, received, root, comm);
  BOTH_STARTED(Iscatter, p->from, 1, sent, to, 1, received, root, comm);
  BOTH_STARTED(Iscatterv, p->from, everyone, places, sent, to, 1, received, root, comm);
}

static void with_all(struct parts *p) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  int bytes[MOST];
  for (int i = 0; i < MOST; i++)
    bytes[i] = (int)addresses[i];
  BOTH_STARTED(Iallgather, p->from, 1, sent, to, 1, received, comm);
  BOTH_STARTED(Iallgatherv, p->from, 1, sent, to, everyone, places, received, comm);
  BOTH_STARTED(Ialltoall, p->from, 1, sent, to, 1, received, comm);
  BOTH_STARTED(Ialltoallv, p->from, everyone, places, sent, to, everyone, places, received, comm);
  BOTH_STARTED(Ialltoallw, p->from, everyone, bytes, all_sent, to, everyone, bytes, all_received, comm);
}

static void with_neighbors(struct parts *p) {
  const int no[] = {0};
  MPI_Comm comm;
  MPISHM_Cart_create(MPI_COMM_WORLD, 1, &size, no, 0, &comm);
  BOTH(Neighbor_allgather, p->from, 1, sent, to, 1, received, comm);
  BOTH(Neighbor_allgatherv, p->from, 1, sent, to, everyone, places, received, comm);
  BOTH(Neighbor_alltoall, p->from, 1, sent, to, 1, received, comm);
  BOTH(Neighbor_alltoallv, p->from, everyone, places, sent, to, everyone, places, received, comm);
  BOTH(Neighbor_alltoallw, p->from, everyone, addresses, all_sent, to, everyone, addresses, all_received, comm);
  BOTH_STARTED(Ineighbor_allgather, p->from, 1, sent, to, 1, received, comm);
  BOTH_STARTED(Ineighbor_allgatherv, p->from, 1, sent, to, everyone, places, received, comm);
  BOTH_STARTED(Ineighbor_alltoall, p->from, 1, sent, to, 1, received, comm);
  BOTH_STARTED(Ineighbor_alltoallv, p->from, everyone, places, sent, to, everyone, places, received, comm);
  BOTH_STARTED(Ineighbor_alltoallw, p->from, everyone, addresses, all_sent, to, everyone, addresses, all_received,
               comm);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  moved = argc > 1 && atoi(argv[1]);
  prepare();
  struct parts p = make();
  clear(&p);
  with_root(&p, 0);
  with_root(&p, size - 1);
  with_all(&p);
  with_neighbors(&p);
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
  release(p.from, moved);
  release(p.ours, moved);
  release(p.mpis, moved);
  return finish(35);
}

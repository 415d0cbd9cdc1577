// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every persistent collective by libmpishm, against MPI's blocking one on the same data: all under way at a time, each
// started three times, by the members in different orders; completed by every function; in place and not; with derived
// datatypes that are freed before the first start; on a communicator that is freed then, too; of sizes from nothing to
// long ones. What is MPI's is not tried: MPICH 4.0.2 has errors there (docs/collectives.md).
//
// REQUIRES: mpi4
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/shared
//
// RUN: mpiexec -n 2 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 2>&1 | FileCheck %s
// CHECK: all right
#include "report.h"
#include <mpishm.h>

enum { KINDS = 22, MEMBERS = 3, LONGEST = 30000, ROOM = MEMBERS * (LONGEST + 8), ROUNDS = 3 };

static int by_mpi, rank, size;

/* What libmpishm hands on comes by. */
int MPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Info info, MPI_Request *request) {
  by_mpi++;
  return PMPI_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
                             request);
}
int MPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request *request) {
  by_mpi++;
  return PMPI_Bcast_init(buffer, count, datatype, root, comm, info, request);
}
int MPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request *request) {
  by_mpi++;
  return PMPI_Scan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request);
}

/* The buffers of one collective: what is given, what has come, what MPI's own makes of the same. */
static int out[KINDS][ROOM], in[KINDS][ROOM], wanted[ROOM];
static int counts[MEMBERS], places[MEMBERS], bytes[MEMBERS], one_root;
static MPI_Aint far[MEMBERS];
static MPI_Datatype types[MEMBERS];

/* One of them, made by functions PREFIX##name##SUFFIX, whose arguments end with LAST. */
#define CALL_KIND(BY, kind, give, take, n, type, comm, grid)                                                           \
  switch (kind) {                                                                                                      \
  case 0:                                                                                                              \
    BY(Barrier, comm);                                                                                                 \
    break;                                                                                                             \
  case 1:                                                                                                              \
    BY(Bcast, take, 1, type, one_root, comm);                                                                          \
    break;                                                                                                             \
  case 2:                                                                                                              \
    BY(Gather, give, n, MPI_INT, take, n, MPI_INT, one_root, comm);                                                    \
    break;                                                                                                             \
  case 3:                                                                                                              \
    BY(Gatherv, give, counts[rank], MPI_INT, take, counts, places, MPI_INT, one_root, comm);                           \
    break;                                                                                                             \
  case 4:                                                                                                              \
    BY(Scatter, give, n, MPI_INT, take, n, MPI_INT, one_root, comm);                                                   \
    break;                                                                                                             \
  case 5:                                                                                                              \
    BY(Scatterv, give, counts, places, MPI_INT, take, counts[rank], MPI_INT, one_root, comm);                          \
    break;                                                                                                             \
  case 6:                                                                                                              \
    BY(Allgather, give, n, MPI_INT, take, n, MPI_INT, comm);                                                           \
    break;                                                                                                             \
  case 7:                                                                                                              \
    BY(Allgatherv, give, counts[rank], MPI_INT, take, counts, places, MPI_INT, comm);                                  \
    break;                                                                                                             \
  case 8:                                                                                                              \
    BY(Alltoall, give, n, MPI_INT, take, n, MPI_INT, comm);                                                            \
    break;                                                                                                             \
  case 9:                                                                                                              \
    BY(Alltoallv, give, same(n), places, MPI_INT, take, same(n), places, MPI_INT, comm);                               \
    break;                                                                                                             \
  case 10:                                                                                                             \
    BY(Alltoallw, give, same(n), bytes, types, take, same(n), bytes, types, comm);                                     \
    break;                                                                                                             \
  case 11:                                                                                                             \
    BY(Allreduce, give, take, few(n), MPI_INT, MPI_SUM, comm);                                                         \
    break;                                                                                                             \
  case 12:                                                                                                             \
    BY(Reduce, give, take, few(n), MPI_INT, MPI_BXOR, one_root, comm);                                                 \
    break;                                                                                                             \
  case 13:                                                                                                             \
    BY(Scan, give, take, few(n), MPI_INT, MPI_MAX, comm);                                                              \
    break;                                                                                                             \
  case 14:                                                                                                             \
    BY(Exscan, give, take, few(n), MPI_INT, MPI_SUM, comm);                                                            \
    break;                                                                                                             \
  case 15:                                                                                                             \
    BY(Reduce_scatter, give, take, same(few(n)), MPI_INT, MPI_MIN, comm);                                              \
    break;                                                                                                             \
  case 16:                                                                                                             \
    BY(Reduce_scatter_block, give, take, few(n), MPI_INT, MPI_SUM, comm);                                              \
    break;                                                                                                             \
  case 17:                                                                                                             \
    BY(Neighbor_allgather, give, n, MPI_INT, take, n, MPI_INT, grid);                                                  \
    break;                                                                                                             \
  case 18:                                                                                                             \
    BY(Neighbor_allgatherv, give, n, MPI_INT, take, same(n), places, MPI_INT, grid);                                   \
    break;                                                                                                             \
  case 19:                                                                                                             \
    BY(Neighbor_alltoall, give, n, MPI_INT, take, n, MPI_INT, grid);                                                   \
    break;                                                                                                             \
  case 20:                                                                                                             \
    BY(Neighbor_alltoallv, give, same(n), places, MPI_INT, take, same(n), places, MPI_INT, grid);                      \
    break;                                                                                                             \
  case 21:                                                                                                             \
    BY(Neighbor_alltoallw, give, same(n), far, types, take, same(n), far, types, grid);                                \
    break;                                                                                                             \
  }
#define MAKE(name, ...) MPISHM_##name##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#define DO(name, ...) PMPI_##name(__VA_ARGS__)

/* Long reductions are MPI's, and those of nothing. */
static int few(int n) { return n < 1 ? 1 : n < 300 ? n : 300; }

static const int *same(int n) {
  static int all[2][MEMBERS]; /* of the two lengths that are in use at a time */
  int *mine = all[n > 1000];
  for (int i = 0; i < MEMBERS; i++)
    mine[i] = n;
  return mine;
}

/* Which are in place: of those, what they take is what they give. */
static int is_in_place(int kind, int n) {
  return n % 2 && (kind == 6 || kind == 11 || (kind == 2 && rank == one_root));
}

static void make(int kind, int n, MPI_Datatype type, MPI_Comm comm, MPI_Comm grid, MPI_Request *request) {
  void *give = is_in_place(kind, n) ? MPI_IN_PLACE : out[kind];
  CALL_KIND(MAKE, kind, give, in[kind], n, type, comm, grid)
}

static void fill(int kind, int round) {
  fill_bytes(out[kind], sizeof out[kind], 100 * round + 10 * kind + rank);
  fill_bytes(in[kind], sizeof in[kind], 100 * round + 10 * kind + rank + 5);
}

/* Whether what has come is what MPI's own makes of it. */
static int is_right(int kind, int round, int n, MPI_Datatype type, MPI_Comm comm, MPI_Comm grid) {
  fill_bytes(wanted, sizeof wanted, 100 * round + 10 * kind + rank + 5);
  void *give = is_in_place(kind, n) ? MPI_IN_PLACE : out[kind];
  CALL_KIND(DO, kind, give, wanted, n, type, comm, grid)
  return !memcmp(wanted, in[kind], sizeof wanted);
}

static void start_all(MPI_Request requests[], int round) {
  if (rank == 0)
    MPISHM_Startall(KINDS, requests);
  else
    for (int i = 0; i < KINDS; i++)
      MPISHM_Start(&requests[rank == 1 ? KINDS - 1 - i : (i * 5 + round) % KINDS]);
}

static void complete_all(MPI_Request requests[], int round) {
  MPI_Status statuses[KINDS];
  int flag = 0, index;
  if (round == 0) {
    MPISHM_Waitall(KINDS, requests, statuses);
  } else if (round == 1) {
    for (int i = KINDS; i-- > 0;)
      MPISHM_Wait(&requests[i], &statuses[i]);
  } else if (rank == 0) {
    while (!flag)
      MPISHM_Testall(KINDS, requests, &flag, statuses);
  } else {
    do
      MPISHM_Waitany(KINDS, requests, &index, MPI_STATUS_IGNORE);
    while (index != MPI_UNDEFINED);
  }
}

/* Of parts of n elements; how many were wrong. */
static int try_size(int n, MPI_Comm comm, MPI_Comm grid) {
  MPI_Request requests[KINDS];
  MPI_Datatype type, other;
  int wrong = 0;
  for (int i = 0, at = 0; i < MEMBERS; i++) {
    counts[i] = n > i ? n - i : 0;
    places[i] = at;
    far[i] = bytes[i] = at * (int)sizeof(int);
    types[i] = MPI_INT;
    at += n + 2;
  }
  for (int i = 0; i < 2; i++) { /* one for MPI's own, one that is freed */
    MPI_Type_vector(n / 2 + 1, 1, 2, MPI_INT, i ? &other : &type);
    MPI_Type_commit(i ? &other : &type);
  }
  for (int kind = 0; kind < KINDS; kind++)
    make(kind, n, other, comm, grid, &requests[kind]);
  MPI_Type_free(&other);
  for (int round = 0; round < ROUNDS; round++) {
    for (int kind = 0; kind < KINDS; kind++)
      fill(kind, round);
    start_all(requests, round);
    complete_all(requests, round);
    for (int kind = 0; kind < KINDS; kind++)
      if (requests[kind] == MPI_REQUEST_NULL || !is_right(kind, round, n, type, comm, grid)) {
        printf("kind %d of %d is wrong on rank %d, round %d\n", kind, n, rank, round);
        wrong++;
      }
  }
  for (int kind = 0; kind < KINDS; kind++) {
    MPISHM_Request_free(&requests[kind]);
    wrong += requests[kind] != MPI_REQUEST_NULL;
  }
  MPI_Type_free(&type);
  return wrong;
}

/* Two that outlive the handle of their communicator, made beside nonblocking ones that match by order. */
static int try_freed(void) {
  MPI_Comm comm;
  MPI_Request requests[4];
  int value = 7 + rank, other = rank, sums[2];
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPISHM_Iallreduce(&rank, &sums[0], 1, MPI_INT, MPI_SUM, comm, &requests[2]);
  MPISHM_Bcast_init(&value, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &requests[0]);
  MPISHM_Iallreduce(&size, &sums[1], 1, MPI_INT, MPI_MAX, comm, &requests[3]);
  MPISHM_Bcast_init(&other, 1, MPI_INT, size - 1, comm, MPI_INFO_NULL, &requests[1]);
  MPI_Comm_free(&comm);
  MPISHM_Start(&requests[rank % 2]);
  MPISHM_Start(&requests[1 - rank % 2]);
  MPISHM_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPISHM_Request_free(&requests[0]);
  MPISHM_Request_free(&requests[1]);
  return value != 7 || other != size - 1 || sums[0] != size * (size - 1) / 2 || sums[1] != size;
}

int main(int argc, char **argv) {
  MPI_Comm comm, grid;
  int wrong = 0, all, off = 0;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  one_root = size - 1;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPISHM_Cart_create(MPI_COMM_WORLD, 1, &size, &off, 0, &grid);
  const int sizes[] = {1, 0, 2, 300, LONGEST - 1};
  for (int i = 0; i < 5; i++)
    wrong += try_size(sizes[i], comm, grid);
  wrong += try_freed();
  wrong += by_mpi > 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf(all ? "wrong: %d, by MPI: %d\n" : "all right\n", all, by_mpi);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&comm);
  return MPI_Finalize();
}

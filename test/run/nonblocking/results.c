// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every nonblocking collective by libmpishm and by MPI on the same data: several under way on several communicators,
// completed in any order and by every function, among messages and requests of MPI's own; of sizes from nothing to long
// ones, in place, with counts that differ, with derived datatypes that are freed while they are under way, from and to
// private and moved memory.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives -Wno-stringop-overflow %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives -Wno-stringop-overflow %s -o %t/shared
//
// RUN: mpiexec -n 2 %t/static 1 here | FileCheck %s
// RUN: mpiexec -n 3 %t/shared 2 here | FileCheck %s
// RUN: mpiexec -n 1 %t/static 3 | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 3 %t/static 4 here | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 5 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static 6 | FileCheck %s
// RUN: env MPISHM_DISABLE=1 mpiexec -n 2 %t/static 7 | FileCheck %s
// CHECK: all right
#include "collectives.h"

enum { KINDS = 17, UNDER_WAY = 6, STEPS = 60, MEMBERS = 3, LONGEST = 90000, ROOM = 4 * (LONGEST + 600) };

static int by_mpi;

/* What libmpishm hands on comes by here. */
int MPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request *request) {
  by_mpi++;
  return PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
}
int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
  by_mpi += count > 0 && count <= 1024; /* long ones are MPI's */
  return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request);
}

static uint64_t state;
static int draw(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

/* What one of them is called with, the same on all members. */
struct call {
  int kind, root, in_place, derived, n, counts[MEMBERS], at[MEMBERS];
  MPI_Op op;
  MPI_Comm comm;
};

static struct call draw_call(const MPI_Comm comms[], int count) {
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BXOR, MPI_PROD};
  struct call call = {.kind = draw(KINDS), .in_place = draw(3) == 0, .derived = draw(4) == 0, .op = ops[draw(4)]};
  int members, sum = 0;
  call.comm = comms[draw(count)];
  MPI_Comm_size(call.comm, &members);
  call.root = draw(MEMBERS) % members;
  call.n = draw(5) == 0 ? LONGEST / 4 / MEMBERS / (1 + draw(20)) : draw(6) == 0 ? 0 : draw(60);
  for (int i = 0; i < MEMBERS; i++) {
    call.counts[i] = draw(3) ? call.n / (i + 1) : 0;
    call.at[i] = sum;
    sum += call.counts[i] + 3;
  }
  return call;
}

typedef struct {
  int (*Ibarrier)(MPI_Comm, MPI_Request *);
  __typeof__(MPI_Ibcast) *Ibcast;
  __typeof__(MPI_Igather) *Igather;
  __typeof__(MPI_Igatherv) *Igatherv;
  __typeof__(MPI_Iscatter) *Iscatter;
  __typeof__(MPI_Iscatterv) *Iscatterv;
  __typeof__(MPI_Iallgather) *Iallgather;
  __typeof__(MPI_Iallgatherv) *Iallgatherv;
  __typeof__(MPI_Ialltoall) *Ialltoall;
  __typeof__(MPI_Ialltoallv) *Ialltoallv;
  __typeof__(MPI_Ialltoallw) *Ialltoallw;
  __typeof__(MPI_Iallreduce) *Iallreduce;
  __typeof__(MPI_Ireduce) *Ireduce;
  __typeof__(MPI_Iscan) *Iscan;
  __typeof__(MPI_Iexscan) *Iexscan;
  __typeof__(MPI_Ireduce_scatter) *Ireduce_scatter;
  __typeof__(MPI_Ireduce_scatter_block) *Ireduce_scatter_block;
} functions;
#define ALL(X)                                                                                                         \
  {X(Ibarrier),                                                                                                        \
   X(Ibcast),                                                                                                          \
   X(Igather),                                                                                                         \
   X(Igatherv),                                                                                                        \
   X(Iscatter),                                                                                                        \
   X(Iscatterv),                                                                                                       \
   X(Iallgather),                                                                                                      \
   X(Iallgatherv),                                                                                                     \
   X(Ialltoall),                                                                                                       \
   X(Ialltoallv),                                                                                                      \
   X(Ialltoallw),                                                                                                      \
   X(Iallreduce),                                                                                                      \
   X(Ireduce),                                                                                                         \
   X(Iscan),                                                                                                           \
   X(Iexscan),                                                                                                         \
   X(Ireduce_scatter),                                                                                                 \
   X(Ireduce_scatter_block)}
#define OURS(name) MPISHM_##name
#define MPIS(name) PMPI_##name
static const functions ours = ALL(OURS), mpis = ALL(MPIS);

/* Every second one of four integers. */
static MPI_Datatype make_derived(void) {
  MPI_Datatype type, spread;
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Type_create_resized(type, 0, 4 * sizeof(int), &spread);
  MPI_Type_commit(&spread);
  MPI_Type_free(&type);
  return spread;
}

/* Starts it; `in` and `out` have room for all members. */
static void begin(const functions *f, const struct call *c, int *in, int *out, MPI_Request *request) {
  MPI_Datatype type = MPI_INT;
  int me, members, n = c->n, counts[MEMBERS], at[MEMBERS], mine[MEMBERS], mine_at[MEMBERS], bytes_at[MEMBERS];
  MPI_Datatype types[MEMBERS];
  MPI_Comm_rank(c->comm, &me);
  MPI_Comm_size(c->comm, &members);
  int is_root = me == c->root;
  if (c->derived && c->kind < 10) {
    type = make_derived();
    n /= 4;
  }
  for (int i = 0; i < MEMBERS; i++) {
    counts[i] = type == MPI_INT ? c->counts[i] : c->counts[i] / 4;
    at[i] = type == MPI_INT ? c->at[i] : c->at[i] / 4;
    types[i] = MPI_INT;
  }
  for (int i = 0; i < MEMBERS; i++) { /* what this one has for another, which has as much for it */
    mine[i] = counts[(me + i) % members];
    mine_at[i] = i ? mine_at[i - 1] + mine[i - 1] + 1 : 0;
    bytes_at[i] = (int)sizeof(int) * mine_at[i];
  }
  const void *from = c->in_place ? MPI_IN_PLACE : in;
  switch (c->kind) {
  case 0:
    f->Ibarrier(c->comm, request);
    break;
  case 1:
    f->Ibcast(out, n, type, c->root, c->comm, request);
    break;
  case 2:
    f->Igather(is_root ? from : in, n, type, out, n, type, c->root, c->comm, request);
    break;
  case 3:
    f->Igatherv(is_root ? from : in, counts[me], type, out, counts, at, type, c->root, c->comm, request);
    break;
  case 4:
    f->Iscatter(in, n, type, is_root && c->in_place ? MPI_IN_PLACE : out, n, type, c->root, c->comm, request);
    break;
  case 5:
    f->Iscatterv(in, counts, at, type, is_root && c->in_place ? MPI_IN_PLACE : out, counts[me], type, c->root, c->comm,
                 request);
    break;
  case 6:
    f->Iallgather(from, n, type, out, n, type, c->comm, request);
    break;
  case 7:
    f->Iallgatherv(from, counts[me], type, out, counts, at, type, c->comm, request);
    break;
  case 8:
    f->Ialltoall(from, n, type, out, n, type, c->comm, request);
    break;
  case 9:
    f->Ialltoallv(in, mine, mine_at, type, out, mine, mine_at, type, c->comm, request);
    break;
  case 10:
    f->Ialltoallw(in, mine, bytes_at, types, out, mine, bytes_at, types, c->comm, request);
    break;
  case 11:
    f->Iallreduce(from, out, n, MPI_INT, c->op, c->comm, request);
    break;
  case 12:
    f->Ireduce(is_root ? from : in, out, n, MPI_INT, c->op, c->root, c->comm, request);
    break;
  case 13:
    f->Iscan(from, out, n, MPI_INT, c->op, c->comm, request);
    break;
  case 14:
    f->Iexscan(from, out, n, MPI_INT, c->op, c->comm, request);
    break;
  case 15:
    f->Ireduce_scatter(in, out, c->counts, MPI_INT, c->op, c->comm, request);
    break;
  default:
    f->Ireduce_scatter_block(in, out, n, MPI_INT, c->op, c->comm, request);
  }
  if (type != MPI_INT)
    MPI_Type_free(&type);
}

/* As each member likes. */
static void complete(int count, MPI_Request requests[], int how) {
  MPI_Status statuses[UNDER_WAY + 3];
  int indices[UNDER_WAY + 3], done = 0, index, n;
  switch (how) {
  case 0:
    for (int i = 0; i < count; i++)
      MPISHM_Wait(&requests[i], &statuses[0]);
    break;
  case 1:
    for (int i = count; i-- > 0;)
      for (done = 0; !done;)
        MPISHM_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    break;
  case 2:
    MPISHM_Waitall(count, requests, statuses);
    break;
  case 3:
    while (!done)
      MPISHM_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
    break;
  case 4:
    do
      MPISHM_Waitany(count, requests, &index, &statuses[0]);
    while (index != MPI_UNDEFINED);
    break;
  case 5:
    do
      MPISHM_Waitsome(count, requests, &n, indices, statuses);
    while (n != MPI_UNDEFINED);
    break;
  default:
    do
      MPISHM_Testsome(count, requests, &n, indices, MPI_STATUSES_IGNORE);
    while (n != MPI_UNDEFINED);
  }
  for (int i = 0; i < count; i++)
    if (requests[i] != MPI_REQUEST_NULL)
      wrong("a completed request", i);
}

static void step(int number, const MPI_Comm comms[], int count, unsigned *mine) {
  static int *in[UNDER_WAY], *out[UNDER_WAY], *expected[UNDER_WAY];
  struct call calls[UNDER_WAY];
  MPI_Request requests[UNDER_WAY + 3], theirs[UNDER_WAY];
  int n = 1 + draw(UNDER_WAY), value = number, got = -1, next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int i = 0; i < n; i++) {
    int moved = (i + number) % 2;
    in[i] = allocate(ROOM, moved);
    out[i] = allocate(ROOM, moved);
    expected[i] = allocate(ROOM, 0);
    fill_bytes(in[i], ROOM, 9 * number + i + rank);
    fill_bytes(out[i], ROOM, 31 * number + i + 7 * rank);
    memcpy(expected[i], out[i], ROOM);
    calls[i] = draw_call(comms, count);
  }
  MPISHM_Irecv(&got, 1, MPI_INT, before, 8, comms[0], &requests[n]);
  for (int i = 0; i < n; i++)
    begin(&ours, &calls[i], in[i], out[i], &requests[i]);
  MPISHM_Isend(&value, 1, MPI_INT, next, 8, comms[0], &requests[n + 1]);
  PMPI_Ibarrier(comms[0], &requests[n + 2]);
  *mine = *mine * 1664525u + 1013904223u;
  complete(n + 3, requests, (int)(*mine >> 16) % 7);
  if (got != number)
    wrong("a message", got);
  for (int i = 0; i < n; i++)
    begin(&mpis, &calls[i], in[i], expected[i], &theirs[i]);
  PMPI_Waitall(n, theirs, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; i++) {
    int moved = (i + number) % 2;
    same("a collective", out[i], expected[i], ROOM, 100 * number + calls[i].kind);
    release(in[i], moved);
    release(out[i], moved);
    release(expected[i], 0);
  }
}

int main(int argc, char **argv) {
  enum { COMMUNICATORS = 3 };
  MPI_Comm comms[COMMUNICATORS];
  start(&argc, &argv);
  state = (uint64_t)atoi(argv[1]);
  unsigned mine = (unsigned)(rank + 10 * atoi(argv[1]));
  comms[0] = MPI_COMM_WORLD;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
  for (int i = 0; i < STEPS; i++)
    step(i, comms, COMMUNICATORS, &mine);
  if (argc > 2 && by_mpi)
    wrong("the number of those by MPI", by_mpi);
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
  return finish(STEPS);
}

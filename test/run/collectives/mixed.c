// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random collectives of random sizes, one after the other on several communicators, through the window and through MPI
// in turns, among messages; communicators are made and freed meanwhile, and the memory of their areas is given back.
// All draw the same, from a seed that the program is given.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// MPICH 5 is left the first broadcasts otherwise (communicators/counted.h).
// RUN: export MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD=0
// RUN: mpiexec -n 2 %t/program 1 here | FileCheck %s
// RUN: mpiexec -n 3 %t/program 2 | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=1M mpiexec -n 2 %t/program 3 here 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program 4 | FileCheck %s
// RUN: env MPISHM_LEADERS=2 %mpiexec --nodes 2 -n 4 %t/program 5 | FileCheck %s
// CHECK: all right
#include "collectives.h"

enum { COMMUNICATORS = 4, STEPS = 120, MOST = 4, ROOM = 1 << 20 };

static int broadcasts_by_mpi;

/* What libmpishm hands on comes by here. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  broadcasts_by_mpi++;
  return PMPI_Bcast(buffer, count, datatype, root, comm);
}

static uint64_t state;
static char *from, *ours, *mpis;

static int draw(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

/* Often small, sometimes just about a slot, now and then large. */
static int draw_bytes(void) {
  switch (draw(6)) {
  case 0:
    return 4000 + 4 * draw(60);
  case 1:
    return 4 * draw(20000);
  default:
    return 4 * draw(40);
  }
}

/* To the next member, received behind the collective. */
static void send_before(MPI_Comm comm, int me, int members, MPI_Request requests[2], int values[2]) {
  values[0] = me;
  MPISHM_Isend(&values[0], 1, MPI_INT, (me + 1) % members, 3, comm, &requests[0]);
  MPISHM_Irecv(&values[1], 1, MPI_INT, (me + members - 1) % members, 3, comm, &requests[1]);
}

static void step(MPI_Comm comm, int number) {
  int me, members, n = draw_bytes(), root, kind = draw(9), messages = draw(3) == 0, values[2];
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BXOR};
  MPI_Op op = ops[draw(3)];
  MPI_Request requests[2];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  root = draw(members);
  if (draw(8) == 0)
    MPI_Bcast(&number, 1, MPI_INT, root, comm);
  if (messages)
    send_before(comm, me, members, requests, values);
  fill_bytes(from, (size_t)n * MOST, number + me);
  fill_bytes(ours, (size_t)n * MOST, 7 * number + me);
  memcpy(mpis, ours, (size_t)n * MOST);
  switch (kind) {
  case 0:
    MPISHM_Barrier(comm);
    break;
  case 1:
  case 2:
    MPISHM_Bcast(ours, n, MPI_BYTE, root, comm);
    MPI_Bcast(mpis, n, MPI_BYTE, root, comm);
    break;
  case 3:
    MPISHM_Allreduce(from, ours, n / 4, MPI_INT, op, comm);
    MPI_Allreduce(from, mpis, n / 4, MPI_INT, op, comm);
    break;
  case 4:
    MPISHM_Allreduce(MPI_IN_PLACE, ours, n / 8, MPI_DOUBLE, op == MPI_BXOR ? MPI_MIN : op, comm);
    MPI_Allreduce(MPI_IN_PLACE, mpis, n / 8, MPI_DOUBLE, op == MPI_BXOR ? MPI_MIN : op, comm);
    break;
  case 5:
  case 6:
    MPISHM_Reduce(from, ours, n / 4, MPI_INT, op, root, comm);
    MPI_Reduce(from, mpis, n / 4, MPI_INT, op, root, comm);
#ifdef I_MPI_VERSION /* writes into the buffers of others than the root, between nodes */
    if (me != root)
      memcpy(mpis, ours, (size_t)n * MOST);
#endif
    break;
  case 7:
    MPISHM_Alltoall(from, n / 4, MPI_INT, ours, n / 4, MPI_INT, comm);
    MPI_Alltoall(from, n / 4, MPI_INT, mpis, n / 4, MPI_INT, comm);
    break;
  default:
    MPISHM_Allgather(from, n, MPI_BYTE, ours, n, MPI_BYTE, comm);
    MPI_Allgather(from, n, MPI_BYTE, mpis, n, MPI_BYTE, comm);
  }
  same("a collective", ours, mpis, (size_t)n * MOST, number);
  if (messages) {
    MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (values[1] != (me + members - 1) % members)
      wrong("a message among collectives", number);
  }
}

/* With members from all ranks, in another order each time, or from every second. */
static MPI_Comm draw_communicator(void) {
  MPI_Comm comm;
  int which = draw(3);
  if (which == 0)
    MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  else
    MPISHM_Comm_split(MPI_COMM_WORLD, which == 1 ? 0 : rank % 2, -rank, &comm);
  return comm;
}

/* More areas than the window has room for at a time. `here`: none of them has to do without. */
static void one_after_the_other(int here) {
  int before = broadcasts_by_mpi;
  for (int i = 0; i < 120; i++) {
    MPI_Comm comm;
    int value = rank;
    MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
    MPISHM_Bcast(&value, 1, MPI_INT, size - 1, comm);
    if (value != size - 1)
      wrong("a broadcast on a new communicator", i);
    MPI_Comm_free(&comm);
  }
  if (here && broadcasts_by_mpi != before)
    wrong("the number of broadcasts by MPI", broadcasts_by_mpi - before);
}

int main(int argc, char **argv) {
  MPI_Comm comms[COMMUNICATORS];
  start(&argc, &argv);
  state = (uint64_t)atoi(argv[1]);
  int moved = atoi(argv[1]) % 2;
  from = allocate(ROOM, moved);
  ours = allocate(ROOM, moved);
  mpis = allocate(ROOM, moved);
  for (int i = 0; i < COMMUNICATORS; i++)
    comms[i] = draw_communicator();
  for (int i = 0; i < STEPS; i++) {
    uint64_t common = state;
    int which = draw(COMMUNICATORS);
    step(comms[which], i);
    state = common + 77; /* members of parts draw other roots */
    if (i % 5 == 0) {
      MPI_Comm_free(&comms[which]);
      comms[which] = draw_communicator();
    }
  }
  one_after_the_other(argc > 2);
  for (int i = 0; i < COMMUNICATORS; i++)
    MPI_Comm_free(&comms[i]);
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
  return finish(STEPS);
}

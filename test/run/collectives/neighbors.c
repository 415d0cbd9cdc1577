// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of neighbours: on Cartesian topologies with borders and without, where one neighbour comes twice or is
// the member itself, on graphs of both kinds, which need not be the same both ways; with and without data, short and
// long, with datatypes that differ on both sides; and what MPI refuses.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow -Wno-stringop-overread %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow -Wno-stringop-overread %s -o %t/shared
//
// RUN: mpiexec -n 4 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// CHECK: all right
//
// What goes through the window is no call of MPI's, but where a neighbour comes twice.
// RUN: mpishmcc -O1 -g -DCOUNTS -I%S/../Inputs -Wno-stringop-overflow -Wno-stringop-overread %s -o %t/counts
// RUN: mpiexec -n 3 %t/counts | FileCheck %s --check-prefix=COUNTED
// COUNTED: by MPI: ring 0, graph 0, line 0, twice 1
#include "collectives.h"

enum { MOST = 8 };

/* For LeakSanitizer: MPICH 4.0.2 keeps some memory when it refuses a communicator without a topology. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libmpich.so\n"; }

static int by_mpi;
#ifdef COUNTS
/* What libmpishm hands on comes by here. */
int MPI_Neighbor_alltoall(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type,
                          MPI_Comm comm) {
  by_mpi++;
  return PMPI_Neighbor_alltoall(from, n, type, to, m, to_type, comm);
}
#endif

struct neighbors {
  int topology, in, out, sources[MOST], destinations[MOST];
};

static struct neighbors neighbors_of(MPI_Comm comm) {
  struct neighbors n = {0};
  int weighted, weights[MOST], more[MOST];
  MPI_Topo_test(comm, &n.topology);
  if (n.topology == MPI_DIST_GRAPH) {
    MPI_Dist_graph_neighbors_count(comm, &n.in, &n.out, &weighted);
    MPI_Dist_graph_neighbors(comm, n.in, n.sources, weights, n.out, n.destinations, more);
    return n;
  }
  if (n.topology == MPI_GRAPH) {
    MPI_Graph_neighbors_count(comm, rank, &n.in);
    MPI_Graph_neighbors(comm, rank, n.in, n.sources);
  } else {
    MPI_Cartdim_get(comm, &n.in);
    n.in *= 2;
    for (int i = 0; i < n.in; i += 2)
      MPI_Cart_shift(comm, i / 2, 1, &n.sources[i], &n.sources[i + 1]);
  }
  n.out = n.in;
  memcpy(n.destinations, n.sources, sizeof n.sources);
  return n;
}

struct data {
  char *from, *ours, *mpis;
  size_t room;
  int moved;
};

static struct data make(size_t room, int moved, int stamp) {
  struct data d = {allocate(room, moved), allocate(room, moved), allocate(room, moved), room, moved};
  fill_bytes(d.from, room, 10 * rank + stamp);
  fill_bytes(d.ours, room, 3);
  memcpy(d.mpis, d.ours, room);
  return d;
}

static void drop(struct data *d) {
  release(d->from, d->moved);
  release(d->ours, d->moved);
  release(d->mpis, d->moved);
}

/* What was sent is written anew at once. */
static void compare(const char *what, const struct data *d, int number) {
  same(what, d->ours, d->mpis, d->room, number);
  fill_bytes(d->from, d->room, rank - number + checks);
}

/* As many bytes to each; every second member has them in pairs with gaps. */
static void equal(MPI_Comm comm, int bytes, int moved) {
  struct neighbors all = neighbors_of(comm);
  MPI_Datatype pairs, type = MPI_BYTE;
  MPI_Type_vector(2, 1, 2, MPI_BYTE, &pairs);
  MPI_Type_commit(&pairs);
  struct data d = make(2 * (size_t)bytes * (size_t)(all.in + all.out) + 64, moved, bytes);
  int n = rank % 2 ? bytes / 2 : bytes;
  if (rank % 2)
    type = pairs;
  for (int turn = 0; turn < 2; turn++) {
    MPISHM_Neighbor_alltoall(d.from, n, type, d.ours, bytes, MPI_BYTE, comm);
    MPI_Neighbor_alltoall(d.from, n, type, d.mpis, bytes, MPI_BYTE, comm);
    compare("an alltoall of neighbours", &d, bytes);
    MPISHM_Neighbor_allgather(d.from, bytes, MPI_BYTE, d.ours, n, type, comm);
    MPI_Neighbor_allgather(d.from, bytes, MPI_BYTE, d.mpis, n, type, comm);
    compare("an allgather of neighbours", &d, bytes);
  }
  MPI_Type_free(&pairs);
  drop(&d);
}

/* What goes from one member to another. */
static int amount(int from, int to, int scale) { return from < 0 || to < 0 ? 0 : (from * 3 + to * 5) % 4 * scale; }

static void ragged(MPI_Comm comm, int scale, int moved) {
  struct neighbors n = neighbors_of(comm);
  int sends[MOST], receives[MOST], to[MOST], at[MOST], all[MOST], all_at[MOST], mine = amount(rank, 0, scale);
  int sent = 2, received = 1, gathered = 1;
  MPI_Aint to_bytes[MOST], at_bytes[MOST];
  MPI_Datatype types[MOST];
  for (int i = 0; i < MOST; i++)
    types[i] = MPI_INT;
  for (int i = 0; i < n.out; i++) {
    sends[i] = amount(rank, n.destinations[i], scale);
    to[i] = sent;
    to_bytes[i] = sent * (MPI_Aint)sizeof(int);
    sent += sends[i] + 1;
  }
  for (int i = n.in - 1; i >= 0; i--) {
    receives[i] = amount(n.sources[i], rank, scale);
    all[i] = amount(n.sources[i], 0, scale);
    at[i] = received;
    at_bytes[i] = received * (MPI_Aint)sizeof(int);
    all_at[i] = gathered;
    received += receives[i] + 2;
    gathered += all[i] + 2;
  }
  struct data d = make(sizeof(int) * (size_t)(sent + received + gathered + mine), moved, scale);
  MPISHM_Neighbor_alltoallv(d.from, sends, to, MPI_INT, d.ours, receives, at, MPI_INT, comm);
  MPI_Neighbor_alltoallv(d.from, sends, to, MPI_INT, d.mpis, receives, at, MPI_INT, comm);
  compare("an alltoallv of neighbours", &d, scale);
  if (n.topology != MPI_DIST_GRAPH) { /* where MPICH 4.0.2 loses parts */
    MPISHM_Neighbor_alltoallw(d.from, sends, to_bytes, types, d.ours, receives, at_bytes, types, comm);
    MPI_Neighbor_alltoallw(d.from, sends, to_bytes, types, d.mpis, receives, at_bytes, types, comm);
    compare("an alltoallw of neighbours", &d, scale);
  }
  MPISHM_Neighbor_allgatherv(d.from, mine, MPI_INT, d.ours, all, all_at, MPI_INT, comm);
  MPI_Neighbor_allgatherv(d.from, mine, MPI_INT, d.mpis, all, all_at, MPI_INT, comm);
  compare("an allgatherv of neighbours", &d, scale);
  drop(&d);
}

static MPI_Comm cart(int dims, const int *sizes, const int *periods) {
  MPI_Comm comm;
  MPISHM_Cart_create(MPI_COMM_WORLD, dims, sizes, periods, 0, &comm);
  return comm;
}

/* Each to itself and to the next two, but the last one to nobody. */
static MPI_Comm distributed(void) {
  int sources[3], destinations[3], in = 0, out = 0;
  MPI_Comm comm;
  for (int step = 0; step < 3 && step < size; step++) {
    int from = (rank + size - step) % size;
    if (rank != size - 1)
      destinations[out++] = (rank + step) % size;
    if (from != size - 1)
      sources[in++] = from;
  }
  MPISHM_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out, destinations, MPI_UNWEIGHTED,
                                    MPI_INFO_NULL, 0, &comm);
  return comm;
}

/* All others with the first. */
static MPI_Comm star(void) {
  int index[MOST], edges[2 * MOST];
  MPI_Comm comm;
  for (int i = 0; i < size; i++)
    index[i] = size - 1 + i;
  for (int i = 1; i < size; i++) {
    edges[i - 1] = i;
    edges[size - 2 + i] = 0;
  }
  MPISHM_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
  return comm;
}

static int counted(MPI_Comm comm) {
  int from[MOST] = {0}, to[MOST], before = by_mpi;
  MPISHM_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, comm);
  return by_mpi - before;
}

/* Wrong arguments of all members, and no topology; what comes after them is right again. */
static void refused_by_mpi(MPI_Comm comm) {
  int from[MOST] = {0}, to[MOST];
  MPI_Comm none;
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, rank, &none);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(none, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* Open MPI raises a missing topology there */
  alike(MPISHM_Neighbor_alltoall(from, -1, MPI_INT, to, -1, MPI_INT, comm),
        MPI_Neighbor_alltoall(from, -1, MPI_INT, to, -1, MPI_INT, comm), 1);
  alike(MPISHM_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, none),
        MPI_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, none), 1);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  equal(comm, 64, 0);
  MPI_Comm_free(&none);
}

int main(int argc, char **argv) {
  enum { RING, LINE, TWICE, SQUARE, DISTRIBUTED, STAR, COMMS };
  const int yes[] = {1, 1}, no[] = {0, 0}, sizes[] = {0, 2, 48, 1200, 3000, 40000};
  MPI_Comm comms[COMMS];
  start(&argc, &argv);
  comms[RING] = cart(1, &size, yes);
  comms[LINE] = cart(1, &size, no);
  comms[TWICE] = cart(2, (const int[]){size, 1}, yes);
  comms[SQUARE] = cart(2, size == 4 ? (const int[]){2, 2} : (const int[]){1, size}, no);
  comms[DISTRIBUTED] = distributed();
  comms[STAR] = star();
  for (int moved = 0; moved < 2; moved++)
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < COMMS; k++) {
        equal(comms[k], sizes[i], moved);
        ragged(comms[k], sizes[i] / 3, moved);
      }
  refused_by_mpi(comms[LINE]);
  int ring = counted(comms[RING]), graph = counted(comms[DISTRIBUTED]), line = counted(comms[LINE]);
  int twice = counted(comms[TWICE]);
  if (rank == 0 && by_mpi > 0)
    printf("by MPI: ring %d, graph %d, line %d, twice %d\n", ring, graph, line, twice);
  for (int k = 0; k < COMMS; k++)
    MPI_Comm_free(&comms[k]);
  return finish(400);
}

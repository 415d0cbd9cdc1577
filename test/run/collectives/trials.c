// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which way collectives go where both are right: that of the library when it is faster, and no longer than it is. Here
// the library is what this program has in front of it: a broadcast that takes no time, as all have its data, and one
// that takes long; and an exchange of which one member alone knows that it is a long one. Then random ones of every
// operation, on two communicators, to which members come at different times, so that each measures something else; all
// have to come to the same decisions, or they wait for ever.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: export MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD=0
// RUN: env MPISHM_TRIALS=1 MPISHM_STATS=1 mpiexec -n 2 %t/program 1 tried 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,STATS
// RUN: env MPISHM_TRIALS=1 mpiexec -n 3 %t/program 2 | FileCheck %s
// RUN: env MPISHM_TRIALS=1 MPISHM_CMA=0 MPISHM_STATS=%t/stats.json mpiexec -n 2 %t/program 3 tried | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t/stats.json
// RUN: env MPISHM_TRIALS=1 %mpiexec --nodes 2 -n 4 %t/program 4 | FileCheck %s
// RUN: env MPISHM_TRIALS=1 %mpiexec --nodes 2 -n 3 %t/program 5 | FileCheck %s
// RUN: env MPISHM_TRIALS=0 mpiexec -n 2 %t/program 6 never | FileCheck %s
// Standard output and error may come in any order.
// CHECK-DAG: all right
// STATS-DAG: {{[0-9]+}} {{ *}}calls left to the library
// JSON: "left_to_library": {{[1-9]}}
#include "collectives.h"
#include <time.h>

enum { LONG = 64 << 10, MANY = 1400, LAST = 300, STEPS = 500, MEMBERS = 4, ROOM = MEMBERS * 2 * LONG };

static int by_library;
static enum { AS_EVER, AT_ONCE, LATE } library;
enum { TOO_LONG = 4000 }; /* microseconds: more than a busy machine makes an exchange of this one's take */

static void pass(long microseconds) {
  struct timespec time = {0, microseconds * 1000};
  nanosleep(&time, NULL);
}

/* What libmpishm hands on comes by here. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  by_library++;
  if (library == AT_ONCE)
    return MPI_SUCCESS;
  if (library == LATE)
    pass(TOO_LONG);
  return PMPI_Bcast(buffer, count, datatype, root, comm);
}

int MPI_Alltoallv(const void *from, const int *counts, const int *places, MPI_Datatype datatype, void *to,
                  const int *to_counts, const int *to_places, MPI_Datatype to_datatype, MPI_Comm comm) {
  by_library++;
  if (library == AT_ONCE)
    return MPI_SUCCESS;
  if (library == LATE)
    pass(TOO_LONG);
  return PMPI_Alltoallv(from, counts, places, datatype, to, to_counts, to_places, to_datatype, comm);
}

static uint64_t state;
static char *from, *ours, *mpis;
static MPI_Datatype four;

static int draw(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

/* How many of the last of many broadcasts are the library's. */
static int broadcast_many(MPI_Comm comm) {
  memset(ours, 5, LONG);
  for (int i = 0; i < MANY; i++) {
    if (i == MANY - LAST)
      by_library = 0;
    MPISHM_Bcast(ours, LONG, MPI_BYTE, 0, comm);
  }
  return by_library;
}

/* The same of exchanges, in which the first member has long parts for the others, and those short ones for all. */
static int exchange_many(MPI_Comm comm) {
  int me, members, counts[MEMBERS], places[MEMBERS], to_counts[MEMBERS];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (int i = 0; i < members; i++) {
    counts[i] = me == 0 && i > 0 ? LONG : 8;
    to_counts[i] = i == 0 && me > 0 ? LONG : 8;
    places[i] = i * LONG;
  }
  for (int i = 0; i < MANY; i++) {
    if (i == MANY - LAST)
      by_library = 0;
    MPISHM_Alltoallv(from, counts, places, MPI_BYTE, ours, to_counts, places, MPI_BYTE, comm);
  }
  return by_library;
}

static void prefer(int (*many)(MPI_Comm), MPI_Comm comm, const char *expected) {
  const int tried = strcmp(expected, "tried") == 0;
  library = AT_ONCE;
  if (many(comm) < LAST / 2 && tried)
    wrong("the number of calls by a library that is at once", by_library);
  if (by_library && strcmp(expected, "never") == 0)
    wrong("the number of calls by the library", by_library);
  library = LATE;
  if (many(comm) > LAST / 4 && tried)
    wrong("the number of calls by a library that is late", by_library);
  library = AS_EVER;
}

static void step(MPI_Comm comm, int number) {
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BXOR};
  int me, members, n = 4096 << draw(4), root, in_place = draw(4) == 0, kind = draw(13);
  MPI_Op op = ops[draw(3)];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  root = draw(members);
  int counts[MEMBERS], ragged[MEMBERS], with_me[MEMBERS], places[MEMBERS];
  for (int i = 0; i < MEMBERS; i++) {
    counts[i] = n / 4;
    places[i] = i * (n / 4);
    ragged[i] = n / 4 / (1 + (i + number) % 5 * (i + number) % 3 * 7);   /* what the i-th has for all */
    with_me[i] = n / 4 / (1 + (i + me + number) % 5 * (i + me) % 3 * 7); /* and this one and the i-th for each other */
  }
  size_t bytes = (size_t)n * MEMBERS;
  fill_bytes(from, bytes, number + me);
  fill_bytes(ours, bytes, 7 * number + me);
  memcpy(mpis, ours, bytes);
  if ((number / 8 + me) % 3 == 0)
    pass(20 * (me + 1));
#define BOTH(name, ...)                                                                                                \
  do {                                                                                                                 \
    char *to = ours;                                                                                                   \
    MPISHM_##name(__VA_ARGS__);                                                                                        \
    to = mpis;                                                                                                         \
    PMPI_##name(__VA_ARGS__);                                                                                          \
  } while (0)
#define GIVEN (in_place ? MPI_IN_PLACE : from)
  switch (kind) {
  case 0:
    BOTH(Bcast, to, n, MPI_BYTE, root, comm);
    break;
  case 1:
    BOTH(Allreduce, GIVEN, to, n / 4, MPI_INT, op, comm);
    break;
  case 2:
    BOTH(Allreduce, GIVEN, to, n / 8, MPI_DOUBLE, op == MPI_BXOR ? MPI_MIN : op, comm);
    break;
  case 3:
    BOTH(Reduce, from, to, n / 4, MPI_INT, op, root, comm);
    if (me != root) /* libraries may use it */
      memcpy(mpis, ours, bytes);
    break;
  case 4:
    BOTH(Alltoall, in_place ? MPI_IN_PLACE : from, n / 4, MPI_INT, to, n / 4, MPI_INT, comm);
    break;
  case 5:
    BOTH(Allgather, GIVEN, n / 4, MPI_INT, to, n / 4, MPI_INT, comm);
    break;
  case 6: /* the same bytes as other counts of other datatypes, and those that do not matter are others */
    BOTH(Gather, in_place && me == root ? MPI_IN_PLACE : from, me % 2 ? n / 16 : n / 4, me % 2 ? four : MPI_INT, to,
         me == root ? n / 4 : 3, me == root ? MPI_INT : MPI_DOUBLE, root, comm);
    break;
  case 7:
    BOTH(Scatter, me == root ? from : NULL, me == root ? n / 4 : 3, me == root ? MPI_INT : MPI_DOUBLE,
         in_place && me == root ? MPI_IN_PLACE : to, me % 2 ? n / 16 : n / 4, me % 2 ? four : MPI_INT, root, comm);
    break;
  case 8:
    BOTH(Scan, GIVEN, to, n / 4, MPI_INT, op, comm);
    break;
  case 9:
    BOTH(Reduce_scatter, GIVEN, to, counts, MPI_INT, op, comm);
    break;
  case 11:
    BOTH(Alltoallv, from, with_me, places, MPI_INT, to, with_me, places, MPI_INT, comm);
    break;
  case 12:
    BOTH(Allgatherv, GIVEN, ragged[me], MPI_INT, to, ragged, places, MPI_INT, comm);
    break;
  default:
    BOTH(Reduce_scatter_block, GIVEN, to, n / 4, MPI_INT, op, comm);
  }
  if (in_place && (kind == 9 || kind == 10)) /* what is behind the own part is anything */
    memcpy(mpis + n, ours + n, bytes - (size_t)n);
  same("a collective", ours, mpis, bytes, 100 * number + kind);
}

int main(int argc, char **argv) {
  MPI_Comm comms[2];
  start(&argc, &argv);
  state = (uint64_t)atoi(argv[1]);
  int moved = atoi(argv[1]) % 2;
  from = allocate(ROOM, moved);
  ours = allocate(ROOM, moved);
  mpis = allocate(ROOM, moved);
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPISHM_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comms[1]);
  MPI_Type_contiguous(4, MPI_INT, &four);
  MPI_Type_commit(&four);
  prefer(broadcast_many, comms[1], argc > 2 ? argv[2] : "");
  if (argc > 2)
    prefer(exchange_many, comms[1], argv[2]);
  for (int i = 0; i < STEPS; i++) {
    uint64_t common = state;
    step(comms[i / 20 % 2], i);
    state = common + 77; /* communicators of other sizes draw other roots */
  }
  MPI_Type_free(&four);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
  return finish(STEPS);
}

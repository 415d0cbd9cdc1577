// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many messages libmpishm sends between nodes in one call of each collective, counted where it hands them to MPI:
// in an exchange of all with all one for each leader and other node, where each member would send one to each
// elsewhere; in broadcasts and reductions one for each node but the root's; none where MPI does it all.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives %s -o %t/program -ldl
//
// MPICH 5 is left the first of them otherwise (communicators/counted.h).
// RUN: export MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD=0
//
// Two nodes of 2: 2 in place of 8, and of 4: 2 in place of 32; with as many leaders as members 4 and 8.
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s --check-prefixes=SENT,ONE
// RUN: env MPISHM_LEADERS=2 %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s --check-prefixes=SENT,TWO
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 2 -n 8 %t/program | FileCheck %s --check-prefixes=SENT,ONE
// RUN: env MPISHM_LEADERS=9 %mpiexec --nodes 2 -n 8 %t/program | FileCheck %s --check-prefixes=SENT,FOUR
// No more leaders than the smallest node has members, and none where each node has one.
// RUN: env MPISHM_LEADERS=2 %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s --check-prefixes=SENT,ONE
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 2 -n 2 %t/program | FileCheck %s --check-prefix=NONE
// RUN: env MPISHM_LEADERS=0 %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s --check-prefix=NONE
// RUN: env MPISHM_DISABLE=1 %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s --check-prefix=NONE
// As many as the model says; of 2 each it expects nothing of an exchange of all with all.
// RUN: %mpiexec --nodes 2 -n 8 %t/program | FileCheck %s --check-prefixes=SENT,MODEL
// RUN: %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s --check-prefixes=SENT,SMALL
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 3 -n 5 %t/program | FileCheck %s --check-prefix=THREE
//
// SENT:   barrier 2{{$}}
// SENT:   bcast 1{{$}}
// SENT:   long bcast 1{{$}}
// SENT:   allreduce 2{{$}}
// SENT:   allreduce of doubles 0{{$}}
// SENT:   reduce 1{{$}}
// ONE:    allgather 2{{$}}
// ONE:    alltoall 2{{$}}
// ONE:    alltoallv 2{{$}}
// ONE:    alltoallw 2{{$}}
// TWO:    allgather 4{{$}}
// TWO:    alltoall 4{{$}}
// TWO:    alltoallv 4{{$}}
// TWO:    alltoallw 4{{$}}
// FOUR:   allgather 8{{$}}
// FOUR:   alltoall 8{{$}}
// FOUR:   alltoallv 8{{$}}
// FOUR:   alltoallw 8{{$}}
// MODEL:  allgather 2{{$}}
// MODEL:  alltoall 4{{$}}
// MODEL:  alltoallv 8{{$}}
// MODEL:  alltoallw 8{{$}}
// SMALL:  allgather 2{{$}}
// SMALL:  alltoall 0{{$}}
// SMALL:  alltoallv 0{{$}}
// SMALL:  alltoallw 0{{$}}
// SENT:   others 0{{$}}
// THREE:  barrier 6{{$}}
// THREE:  bcast 2{{$}}
// THREE:  long bcast 2{{$}}
// THREE:  allreduce 4{{$}}
// THREE:  allreduce of doubles 0{{$}}
// THREE:  reduce 2{{$}}
// THREE:  allgather 6{{$}}
// THREE:  alltoall 6{{$}}
// THREE:  alltoallv 6{{$}}
// THREE:  alltoallw 6{{$}}
// NONE:   barrier 0{{$}}
// NONE:   bcast 0{{$}}
// NONE:   long bcast 0{{$}}
// NONE:   allreduce 0{{$}}
// NONE:   allreduce of doubles 0{{$}}
// NONE:   reduce 0{{$}}
// NONE:   allgather 0{{$}}
// NONE:   alltoall 0{{$}}
// NONE:   alltoallv 0{{$}}
// NONE:   alltoallw 0{{$}}
// SENT:   all right
// THREE:  all right
// NONE:   all right
#define _GNU_SOURCE /* RTLD_NEXT */
#include "collectives.h"
#include <dlfcn.h>

enum { MOST = 8, LONG = 10000 };

static int sent;

/* In the place of MPI's, for libmpishm, which calls it by this name. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype datatype, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
  static __typeof__(PMPI_Isend) *next;
  if (!next)
    next = (__typeof__(next))dlsym(RTLD_NEXT, "PMPI_Isend");
  sent++;
  return next(buffer, count, datatype, to, tag, comm, request);
}

static int in[LONG], out[LONG], counts[MOST], places[MOST];
static double number = 1, sum;
static MPI_Datatype types[MOST];

static void barrier(void) { MPISHM_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPISHM_Bcast(in, 2, MPI_INT, size - 1, MPI_COMM_WORLD); }
static void long_bcast(void) { MPISHM_Bcast(in, LONG, MPI_INT, 0, MPI_COMM_WORLD); }
static void allreduce(void) { MPISHM_Allreduce(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
static void allreduce_doubles(void) { MPISHM_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void reduce(void) { MPISHM_Reduce(in, out, 2, MPI_INT, MPI_BAND, size - 1, MPI_COMM_WORLD); }
static void allgather(void) { MPISHM_Allgather(in, 2, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD); }
static void alltoall(void) { MPISHM_Alltoall(in, 2, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD); }
static void alltoallv(void) {
  MPISHM_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD);
}
static void alltoallw(void) { MPISHM_Alltoallw(in, counts, places, types, out, counts, places, types, MPI_COMM_WORLD); }
/* Not of leaders. */
static void others(void) {
  MPISHM_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPISHM_Scan(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPISHM_Alltoall(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
}

/* Of the second call: the first may open something. */
static void count(const char *name, void (*call)(void)) {
  int all;
  call();
  PMPI_Barrier(MPI_COMM_WORLD);
  sent = 0;
  call();
  PMPI_Reduce(&sent, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %d\n", name, all);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (int i = 0; i < MOST; i++) {
    counts[i] = 2;
    places[i] = 2 * (int)sizeof(int) * i;
    types[i] = MPI_INT;
  }
  count("barrier", barrier);
  count("bcast", bcast);
  count("long bcast", long_bcast);
  count("allreduce", allreduce);
  count("allreduce of doubles", allreduce_doubles);
  count("reduce", reduce);
  count("allgather", allgather);
  count("alltoall", alltoall);
  count("alltoallv", alltoallv);
  count("alltoallw", alltoallw);
  count("others", others);
  return finish(0);
}

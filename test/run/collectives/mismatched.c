// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that call different collectives, which MPI forbids. Calls of different functions do not match: where no
// member needs what another is to give later, all goes on, as in MPI libraries; where they wait for one another for
// ever, that is said; where they meet in a slot the job ends. Nothing is said of members that are late.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -Wno-stringop-overflow %s -o %t/program
// MPICH from 4.1 on is left the first ones otherwise (communicators/counted.h).
// RUN: export MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD=0
// RUN: timeout 100 mpiexec -n 2 %t/program apart > %t/apart 2>&1
// RUN: FileCheck %s --check-prefix=APART --implicit-check-not=mpishm: < %t/apart
// RUN: timeout 100 mpiexec -n 3 %t/program late > %t/late 2>&1
// RUN: FileCheck %s --check-prefix=LATE --implicit-check-not=mpishm: < %t/late
//
// These say it and wait for ever. DEFINE: %{ever} = sh %S/until_said.sh %t/program
// RUN: %{ever} 2 barrier %t/barrier && FileCheck %s --check-prefix=BARRIER < %t/barrier
// RUN: %{ever} 2 first %t/first && FileCheck %s --check-prefix=FIRST < %t/first
// RUN: %{ever} 2 pairs %t/pairs && FileCheck %s --check-prefix=PAIRS < %t/pairs
// RUN: %{ever} 3 three %t/three && FileCheck %s --check-prefix=THREE < %t/three
//
// RUN: not timeout 100 mpiexec -n 2 %t/program slots > %t/slots 2>&1
// RUN: FileCheck %s --check-prefix=SLOTS < %t/slots
// RUN: not timeout 100 mpiexec -n 3 %t/program broadcast > %t/broadcast 2>&1
// RUN: FileCheck %s --check-prefix=BROADCAST < %t/broadcast
//
// APART: all right
// LATE: all right
// BARRIER: {{^}}mpishm: warning: members of MPI_COMM_WORLD call different collectives, and wait for one another for
// BARRIER-SAME: ever: rank [[A:[01]]] in MPI_{{Barrier|Allreduce}} for rank [[B:[01]]], rank [[B]] in
// BARRIER-SAME: MPI_{{Barrier|Allreduce}} for rank [[A]]{{$}}
// BARRIER-NOT: mpishm:
// FIRST: mpishm: warning: members of MPI_COMM_WORLD call different collectives{{.*}}MPI_{{Gather|Barrier}}
// FIRST-NOT: mpishm:
// PAIRS: mpishm: warning: members of apart call different collectives{{.*}}MPI_{{Reduce|Bcast}}
// PAIRS-NOT: mpishm:
// THREE: mpishm: warning: members of MPI_COMM_WORLD call different collectives{{.*}}MPI_{{Barrier|Alltoall}}
// THREE-NOT: mpishm:
// SLOTS: {{^}}mpishm: error: members of MPI_COMM_WORLD call different collectives: rank [[A:[01]]] calls
// SLOTS-SAME: MPI_{{Allreduce|Allgather}} where rank {{[01]}} has called MPI_{{Allreduce|Allgather}}; the job ends{{$}}
// BROADCAST: mpishm: error: members of MPI_COMM_WORLD call different collectives: rank {{[012]}} calls
#include <mpishm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, wrong;
static MPI_Comm comm = MPI_COMM_WORLD;

static void expect(int is, int should) { wrong += is != should; }

static void barrier(void) { MPISHM_Barrier(comm); }
static void broadcast(int root) {
  int n = rank == root ? 7 : 0;
  MPISHM_Bcast(&n, 1, MPI_INT, root, comm);
  expect(n, 7);
}
static void reduce(int root) {
  int mine = rank + 1, sum = 0;
  MPISHM_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
  if (rank == root)
    expect(sum, size * (size + 1) / 2);
}
static void reduce_to_all(void) {
  int mine = rank + 1, sum = 0;
  MPISHM_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum, size * (size + 1) / 2);
}
/* Of which one library makes a signed one; handed over all the same. */
static void reduce_unsigned(int root) {
  unsigned mine = rank == 0 ? 3u : 7u, most = 0;
  MPISHM_Reduce(&mine, &most, 1, MPI_UNSIGNED, MPI_MAX, root, comm);
  if (rank == root)
    expect((int)most, 7);
}
static void scan(void) {
  int mine = rank + 1, sum = 0;
  MPISHM_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect(sum, (rank + 1) * (rank + 2) / 2);
}
static void gather(int root) {
  int mine = rank + 10, all[3] = {0};
  MPISHM_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, comm);
  if (rank == root)
    expect(all[size - 1], size + 9);
}
static void scatter(int root) {
  int mine = 0, all[3] = {20, 21, 22};
  MPISHM_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, root, comm);
  expect(mine, rank + 20);
}
static void gather_to_all(void) {
  int mine = rank + 10, all[3] = {0};
  MPISHM_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
  expect(all[size - 1], size + 9);
}
static void exchange(void) {
  int mine[3] = {rank, rank, rank}, all[3] = {0};
  MPISHM_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, comm);
  expect(all[size - 1], size - 1);
}

/* Two members; rank 0 needs nothing of the second one for its first call. */
static void go_on_apart(void) {
  for (int i = 0; i < 3; i++) {
    rank == 0 ? (broadcast(0), reduce_to_all()) : (reduce_to_all(), broadcast(0));
    rank == 0 ? (broadcast(0), reduce(0)) : (reduce(0), broadcast(0));
    rank == 0 ? (broadcast(0), gather(0)) : (gather(0), broadcast(0));
    rank == 0 ? (broadcast(0), barrier()) : (barrier(), broadcast(0));
    rank == 0 ? (scatter(0), gather_to_all()) : (gather_to_all(), scatter(0));
    rank == 0 ? (reduce(0), gather(0)) : (gather(0), reduce(0));
    rank == 0 ? (reduce(1), scan()) : (scan(), reduce(1));
    rank == 0 ? (reduce_unsigned(1), scan()) : (scan(), reduce_unsigned(1));
    rank == 0 ? (broadcast(0), broadcast(1)) : (broadcast(1), broadcast(0));
    barrier();
  }
}

/* Three members, each of which waits for longer than it takes to be sure. */
static void come_late(void) {
  enum { LONG = 1800000 };
  if (rank == 0) /* who waits is not in the call that its last long wait was in */
    usleep(LONG);
  barrier();
  if (rank == 1)
    usleep(LONG);
  broadcast(1);
  if (rank == 1) /* the first waits for this one, the third one for the first, in another call */
    usleep(LONG);
  gather(0);
  barrier();
  for (int i = 0; i < 2; i++) {
    if (rank == i)
      usleep(LONG);
    exchange();
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(what, "first") == 0) /* there was none before */
    rank == 0 ? gather(0) : barrier();
  barrier();
  if (strcmp(what, "apart") == 0)
    go_on_apart();
  else if (strcmp(what, "late") == 0)
    come_late();
  else if (strcmp(what, "barrier") == 0)
    rank == 0 ? barrier() : reduce_to_all();
  else if (strcmp(what, "three") == 0)
    rank == 1 ? barrier() : exchange();
  else if (strcmp(what, "slots") == 0)
    rank == 0 ? gather_to_all() : reduce_to_all();
  else if (strcmp(what, "broadcast") == 0)
    rank == 0 ? broadcast(0) : reduce_to_all();
  if (strcmp(what, "pairs") == 0) {
    MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "apart");
    rank == 0 ? reduce(0) : broadcast(0);
  }
  barrier();
  if (rank == 0)
    puts(wrong ? "wrong" : "all right");
  fflush(stdout);
  if (wrong)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}

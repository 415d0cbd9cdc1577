// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A /dev/shm that is too small for a window, one that is large enough, and one that something else fills up after
// MPI_Init or in the middle: right results through MPI, and one warning that says what to do, never SIGBUS. (Without
// /dev/shm MPICH's UCX must be told to use System V's shared memory, which it does not find by itself. MPICH 5 itself
// needs 4 MiB of /dev/shm for these ranks.)
//
// REQUIRES: private-shm, mpi-mpich
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// DEFINE: %{in-shm-of} = env UCX_TLS=self,sysv \
// DEFINE:   unshare -m sh -c 'mount -t tmpfs -o size=$0 tmpfs /dev/shm && exec "$@"'
//
// RUN: %{in-shm-of} %if mpi-mpich5 %{5m%} %else %{1m%} timeout 100 mpiexec -n 4 %t/program never > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out && FileCheck %s --check-prefix=SMALL < %t/err
// RUN: %{in-shm-of} 64m timeout 100 mpiexec -n 4 %t/program never > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out && count 0 < %t/err
// RUN: %{in-shm-of} 64m timeout 100 mpiexec -n 4 %t/program first > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out && FileCheck %s --check-prefix=FULL < %t/err
// RUN: %{in-shm-of} 64m timeout 100 mpiexec -n 4 %t/program later > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out
// RUN: env MPISHM_CMA=0 %{in-shm-of} 64m timeout 100 mpiexec -n 4 %t/program later > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out && FileCheck %s --check-prefix=FULL < %t/err
//
// CHECK: wrong: 0
// SMALL: {{^mpishm: warning: too little shared memory \(12[0-9] KiB per rank; raise .* MPISHM_WINDOW\).*$}}
// SMALL-NOT: {{.}}
// FULL: {{^mpishm: warning: the window is full \([0-9]+ KiB per rank\); .* raise MPISHM_WINDOW.*$}}
// FULL-NOT: {{.}}
#include "report.h"
#include <fcntl.h>
#include <mpishm.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 6, MESSAGES = 40, LARGE = 30000 };

static int rank, size, *in[MESSAGES], *out[MESSAGES];

static void fill_shm(void) {
  static char block[1 << 16];
  if (rank == 0) {
    int file = open("/dev/shm/filler", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    size_t bytes = sizeof block;
    while (bytes > 0)
      if (write(file, block, bytes) <= 0)
        bytes /= 2;
    close(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static int exchange(int step) {
  static int expected[LARGE];
  int i, wrong = 0, to = (rank + 1 + step) % size, from = (rank + 2 * size - 1 - step) % size;
  MPI_Request r[2 * MESSAGES];
  for (i = 0; i < MESSAGES; i++) {
    in[i] = i % 3 ? malloc(sizeof(int[LARGE])) : MPISHM_Malloc(sizeof(int[LARGE]));
    out[i] = i % 5 ? MPISHM_Malloc(sizeof(int[LARGE])) : malloc(sizeof(int[LARGE]));
    memset(in[i], 0, sizeof(int[LARGE]));
  }
  for (i = 0; i < MESSAGES; i++) {
    int n = i % 4 ? 10 + i * 30 : LARGE;
    fill_bytes(out[i], n * sizeof(int), rank * 100 + step + i);
    MPISHM_Isend(out[i], n, MPI_INT, to, i, MPI_COMM_WORLD, &r[i]);
  }
  if (step % 2)
    MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; i < MESSAGES; i++)
    MPISHM_Irecv(in[i], LARGE, MPI_INT, from, i, MPI_COMM_WORLD, &r[MESSAGES + i]);
  MPISHM_Waitall(2 * MESSAGES, r, MPI_STATUSES_IGNORE);
  for (i = 0; i < MESSAGES; i++) {
    int n = i % 4 ? 10 + i * 30 : LARGE;
    fill_bytes(expected, n * sizeof(int), from * 100 + step + i);
    wrong += memcmp(expected, in[i], n * sizeof(int)) != 0;
    MPISHM_Free(in[i]);
    MPISHM_Free(out[i]);
  }
  return wrong;
}

int main(int argc, char **argv) {
  int step, wrong = 0, all;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < STEPS; step++) {
    if ((step == 0 && !strcmp(argv[1], "first")) || (step == 2 && !strcmp(argv[1], "later")))
      fill_shm();
    wrong += exchange(step);
  }
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all);
  MPI_Finalize();
  return 0;
}

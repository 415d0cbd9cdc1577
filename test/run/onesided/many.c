// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thousand windows, one after the other, leave nothing: neither private memory nor shared memory grows by more than
// the library's own windows make it grow.
//
// DEFINE: %{flags} = -I%S/../Inputs -Wno-stringop-overflow
// RUN: mkdir -p %t && mpishmcc -O1 -g %{flags} %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 mpiexec -n 3 %t/program | FileCheck %s
// CHECK: nothing is left
#include "report.h"
#include <mpishm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 3, FIRST = 40, MORE = 300, BYTES = 8192, TOLERATED = 512 /* KiB, of thousands that the windows have */ };

/* KiB that this process has touched, of its own or shared. */
static long resident(const char *what) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status))
    if (strncmp(line, what, strlen(what)) == 0)
      kib = atol(line + strlen(what));
  fclose(status);
  return kib;
}

static void use(MPI_Win win, char *base, int rank, int size, int ours) {
  int number = rank;
  memset(base, 0, BYTES);
  ours ? MPISHM_Win_fence(0, win) : PMPI_Win_fence(0, win);
  if (ours)
    MPISHM_Put(&number, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  else
    PMPI_Put(&number, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  ours ? MPISHM_Win_fence(0, win) : PMPI_Win_fence(0, win);
  memcpy(&number, base, sizeof number);
  if (number != (rank + size - 1) % size) {
    printf("wrong: %d\n", number);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void make(int way, int times, int ours, int rank, int size) {
  char *own = malloc(BYTES), *base;
  MPI_Win win;
  for (int i = 0; i < times; i++) {
    base = own;
    if (way == 0 && ours)
      MPISHM_Win_create(base, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    else if (way == 0)
      PMPI_Win_create(base, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    else if (way == 1 && ours)
      MPISHM_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else if (way == 1)
      PMPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else if (ours)
      MPISHM_Win_allocate_shared(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else
      PMPI_Win_allocate_shared(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    use(win, base, rank, size, ours);
    ours ? MPISHM_Win_free(&win) : PMPI_Win_free(&win);
  }
  free(own);
}

int main(int argc, char **argv) {
  int rank, size, wrong = 0;
  setenv("MPISHM_NET", "0", 1);
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int way = 0; way < WAYS; way++) {
    long grown[2][2];
    for (int ours = 0; ours < 2; ours++) {
      make(way, FIRST, ours, rank, size);
      long own = resident("RssAnon:"), shared = resident("RssShmem:");
      make(way, MORE, ours, rank, size);
      grown[ours][0] = resident("RssAnon:") - own;
      grown[ours][1] = resident("RssShmem:") - shared;
    }
    for (int i = KEEPS_FREED_MEMORY; i < 2; i++) /* then private memory grows in any case */
      if (grown[1][i] > grown[0][i] + TOLERATED && ++wrong)
        printf("rank %d, way %d: %s grew by %ld KiB, with the library by %ld\n", rank, way, i ? "shared" : "private",
               grown[1][i], grown[0][i]);
  }
  int all;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0)
    printf("nothing is left\n");
  MPI_Finalize();
  return all != 0;
}

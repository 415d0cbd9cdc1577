// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window costs no time by its size at the start: MPICH would look for addresses that are free on all ranks, and ask
// the system about each page (by msync) of a window of some GiB. What the program says about its own windows stays.
//
// REQUIRES: mpi-mpich
// RUN: mpishmcc %s -o %t && mpiexec -n 2 %t | FileCheck %s
// CHECK: pages asked for: few, retries: 7 and 7
#define _GNU_SOURCE
#include <mpishm.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long asked;

/* Stands before the C library's. */
int msync(void *address, size_t length, int flags) {
  asked++;
  return (int)syscall(SYS_msync, address, length, flags);
}

static MPI_T_cvar_handle retries;

static int how_many_retries(void) {
  int value = -1;
  MPI_T_cvar_read(retries, &value);
  return value;
}

int main(int argc, char **argv) {
  int rank, provided, index, count, before, seven = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_cvar_get_index("MPIR_CVAR_SHM_SYMHEAP_RETRY", &index);
  MPI_T_cvar_handle_alloc(index, NULL, &retries, &count);
  MPI_T_cvar_write(retries, &seven);
  before = how_many_retries();
  asked = 0;
  MPISHM_Attach();
  if (rank == 0)
    printf("pages asked for: %s, retries: %d and %d\n", asked > 1000 ? "many" : "few", before, how_many_retries());
  MPI_T_cvar_handle_free(&retries);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}

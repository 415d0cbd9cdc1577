// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window costs no time by its size at the start: MPICH would look for addresses that are free on all ranks, and ask
// the system about each page (by msync) of a window of some GiB. What the program says about its own windows stays, and
// so does MPI's tool interface for a program that comes to it later.
//
// REQUIRES: mpi-mpich
// RUN: mpishmcc %s -o %t && mpiexec -n 2 %t | FileCheck %s
// CHECK: pages asked for: few, retries: 7 and 7
// RUN: env MPIR_CVAR_SHM_SYMHEAP_RETRY=5 mpiexec -n 2 %t later | FileCheck %s --check-prefix=LATER
// LATER: retries: 5
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
  if (retries)
    MPI_T_cvar_read(retries, &value);
  return value;
}

static void find_retries(void) {
  int provided, index, count;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  if (MPI_T_cvar_get_index("MPIR_CVAR_SHM_SYMHEAP_RETRY", &index) == MPI_SUCCESS)
    MPI_T_cvar_handle_alloc(index, NULL, &retries, &count);
}

static void forget_retries(void) {
  if (retries)
    MPI_T_cvar_handle_free(&retries);
  MPI_T_finalize();
}

static int later(int rank) {
  MPISHM_Attach();
  find_retries();
  if (rank == 0)
    printf("retries: %d\n", how_many_retries());
  forget_retries();
  MPI_Finalize();
  return 0;
}

int main(int argc, char **argv) {
  int rank, before, seven = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1)
    return later(rank);
  find_retries();
  MPI_T_cvar_write(retries, &seven);
  before = how_many_retries();
  asked = 0;
  MPISHM_Attach();
  if (rank == 0)
    printf("pages asked for: %s, retries: %d and %d\n", asked > 1000 ? "many" : "few", before, how_many_retries());
  forget_retries();
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that allocates and frees its buffers in every exchange takes nothing more of /dev/shm after its first
// steps. (The runtime's memory for small messages is committed as it is used: here all of it before the first step.)
//
// REQUIRES: private-shm, mpi-mpich
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: env UCX_TLS=self,sysv unshare -m sh -c 'mount -t tmpfs -o size=256m tmpfs /dev/shm && exec "$@"' - \
// RUN:   timeout 100 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: {{^after the first steps: [1-9][0-9]* KiB, grown since by 0 KiB, wrong: 0}}
#include "report.h"
#include <mpishm.h>
#include <sys/statvfs.h>

enum { MESSAGES = 6, FIRST = 10, STEPS = 300 };
static const int sizes[MESSAGES] = {40, 900, 5000, 20000, 70000, 600000};

static long shm_kib(void) {
  struct statvfs shm;
  statvfs("/dev/shm", &shm);
  return (long)((shm.f_blocks - shm.f_bfree) * shm.f_frsize / 1024);
}

static int exchange(int rank, int step) {
  unsigned char *in[MESSAGES], *out[MESSAGES], *expected = malloc(sizes[MESSAGES - 1]);
  MPI_Request r[2 * MESSAGES];
  int wrong = 0, other = 1 - rank;
  for (int i = 0; i < MESSAGES; i++) {
    in[i] = MPISHM_Malloc(sizes[i]);
    out[i] = MPISHM_Calloc(sizes[i], 1);
    fill_bytes(out[i], sizes[i], rank + step + i);
    MPISHM_Irecv(in[i], sizes[i], MPI_BYTE, other, i, MPI_COMM_WORLD, &r[i]);
    MPISHM_Isend(out[i], sizes[i], MPI_BYTE, other, i, MPI_COMM_WORLD, &r[MESSAGES + i]);
  }
  MPISHM_Waitall(2 * MESSAGES, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MESSAGES; i++) {
    fill_bytes(expected, sizes[i], other + step + i);
    wrong += memcmp(expected, in[i], sizes[i]) != 0;
    MPISHM_Free(step % 2 ? in[i] : out[i]);
    MPISHM_Free(step % 2 ? out[i] : in[i]);
  }
  free(expected);
  return wrong;
}

/* So much that waits takes all the memory for messages of this size, which is 256 KiB, and no more. */
static void fill_memory_of_messages(int rank) {
  enum { WAITING = 50, BYTES = 5000 };
  static unsigned char buffer[BYTES];
  for (int i = 0; i < WAITING; i++)
    MPISHM_Send(buffer, BYTES, MPI_BYTE, 1 - rank, i, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < WAITING; i++)
    MPISHM_Recv(buffer, BYTES, MPI_BYTE, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, wrong = 0, all;
  long first = 0, last;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill_memory_of_messages(rank);
  for (int step = 0; step < STEPS; step++) {
    wrong += exchange(rank, step);
    if (step == FIRST) {
      for (int i = 0; i < 4; i++)
        MPI_Barrier(MPI_COMM_WORLD); /* MPICH 5 takes a page for each of the first */
      first = shm_kib();
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  last = shm_kib(); /* before a first reduction takes some */
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("after the first steps: %ld KiB, grown since by %ld KiB, wrong: %d\n", first, last - first, all);
  MPI_Finalize();
  return 0;
}

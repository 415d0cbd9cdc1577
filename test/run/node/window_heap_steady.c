// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that allocates and frees its buffers in every exchange takes nothing more of /dev/shm after its first
// steps: no block lies higher than those of its size did. (Of the runtime's own memory, for messages that come early or
// whose receiver is late, more is committed by chance, at most a few MiB.)
//
// REQUIRES: private-shm, mpi-mpich
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: env UCX_TLS=self,sysv unshare -m sh -c 'mount -t tmpfs -o size=256m tmpfs /dev/shm && exec "$@"' - \
// RUN:   timeout 100 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: {{^after the first steps: [1-9][0-9]* KiB, grown since by more: 0, blocks higher: 0, wrong: 0}}
#include "report.h"
#include <mpishm.h>
#include <sys/statvfs.h>

enum { MESSAGES = 6, FIRST = 10, STEPS = 300, OWN_KIB = 8 << 10 };
static const int sizes[MESSAGES] = {40, 900, 5000, 20000, 70000, 600000};

static unsigned char *highest[MESSAGES];
static int higher;

static void note_place(int i, int step, unsigned char *block) {
  if (block <= highest[i])
    return;
  highest[i] = block;
  higher += step > FIRST;
}

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
    note_place(i, step, in[i]);
    note_place(i, step, out[i]);
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

int main(int argc, char **argv) {
  int rank, counts[2] = {0}, all[2];
  long first = 0, last;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < STEPS; step++) {
    counts[0] += exchange(rank, step);
    if (step == FIRST) {
      for (int i = 0; i < 4; i++)
        MPI_Barrier(MPI_COMM_WORLD); /* MPICH 5 takes a page for each of the first */
      first = shm_kib();
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  last = shm_kib(); /* before a first reduction takes some */
  counts[1] = higher;
  MPI_Reduce(counts, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("after the first steps: %ld KiB, grown since by more: %d, blocks higher: %d, wrong: %d\n", first,
           last - first > OWN_KIB, all[1], all[0]);
  MPI_Finalize();
  return 0;
}

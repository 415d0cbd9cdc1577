// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where /dev/shm gives huge pages to who asks, large buffers in the window have them, small ones have not, and no
// more of /dev/shm is taken than without.
//
// REQUIRES: huge-shm, mpi-mpich
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// DEFINE: %{with-huge} = env UCX_TLS=self,sysv unshare -m \
// DEFINE:   sh -c 'mount -t tmpfs -o size=512m,huge=$0 tmpfs /dev/shm && exec "$@"'
// RUN: %{with-huge} advise timeout 100 mpiexec -n 2 %t/program > %t/out
// RUN: FileCheck %s --check-prefix=ADVISE < %t/out
// RUN: %{with-huge} never timeout 100 mpiexec -n 2 %t/program > %t/without
// RUN: FileCheck %s --check-prefix=NEVER < %t/without
// RUN: grep taken %t/out > %t/taken && grep taken %t/without | diff %t/taken -
// ADVISE: {{^}}in huge pages: small 0 MiB, large {{[1-9][0-9]*}} MiB
// NEVER: {{^}}in huge pages: small 0 MiB, large 0 MiB
#include "report.h"
#include <mpishm.h>
#include <string.h>
#include <sys/statvfs.h>

enum { SMALL = 300 << 10, LARGE = 24 << 20 };

/* KiB of this process's address space that huge pages of shared memory stand behind. */
static long huge_kib(void) {
  char line[256];
  long sum = 0, kib;
  FILE *maps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "ShmemPmdMapped: %ld", &kib) == 1)
      sum += kib;
  fclose(maps);
  return sum;
}

static long shm_kib(void) {
  struct statvfs shm;
  statvfs("/dev/shm", &shm);
  return (long)((shm.f_blocks - shm.f_bfree) * shm.f_frsize / 1024);
}

/* A message of so many bytes to the other rank, and one from there; how many arrived wrong. */
static int exchange(int rank, unsigned char *out, unsigned char *in, int bytes) {
  unsigned char *expected = malloc(bytes);
  fill_bytes(out, bytes, rank);
  MPISHM_Sendrecv(out, bytes, MPI_BYTE, 1 - rank, 0, in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
  fill_bytes(expected, bytes, 1 - rank);
  int wrong = memcmp(in, expected, bytes) != 0;
  free(expected);
  return wrong;
}

int main(int argc, char **argv) {
  int rank, wrong;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned char *small_out = MPISHM_Malloc(SMALL), *small_in = MPISHM_Malloc(SMALL);
  wrong = exchange(rank, small_out, small_in, SMALL);
  MPI_Barrier(MPI_COMM_WORLD);
  long small = huge_kib(), before = shm_kib();
  MPI_Barrier(MPI_COMM_WORLD);
  unsigned char *out = MPISHM_Malloc(LARGE), *in = MPISHM_Malloc(LARGE);
  MPI_Barrier(MPI_COMM_WORLD);
  long taken = shm_kib() - before; /* before messages, which may be staged or not */
  MPI_Barrier(MPI_COMM_WORLD);
  wrong += exchange(rank, out, in, LARGE);
  long large = huge_kib();
  if (rank == 0)
    printf("in huge pages: small %ld MiB, large %ld MiB\ntaken: %ld KiB\n", small >> 10, large >> 10, taken);
  MPI_Finalize();
  return wrong;
}

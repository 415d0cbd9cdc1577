// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of a rank's buffers are there once it has allocated them, before the program or another rank touches them:
// the kernel took them for the owner, near whose core it looks for memory first, by the policy that the user has set.
// Linux counts per process which pages of shared memory it has touched (RssShmem, proc(5)); and it names the policy.
//
// REQUIRES: private-shm, mpi-mpich
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: env UCX_TLS=self,sysv unshare -m sh -c 'mount -t tmpfs -o size=1g tmpfs /dev/shm && exec "$@"' - \
// RUN:   timeout 100 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: {{^}}taken: 32 MiB, of these by the owner 32, by the other rank 0
// CHECK-NEXT: {{^}}policy of the owner: {{default|not told}}{{$}}
#include "report.h"
#include <mpishm.h>
#include <string.h>
#include <sys/statvfs.h>

enum { BYTES = 32 << 20 };

static long shm_mib(void) {
  struct statvfs shm;
  statvfs("/dev/shm", &shm);
  return (long)((shm.f_blocks - shm.f_bfree) * shm.f_frsize) >> 20;
}

static long touched_mib(void) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status) && sscanf(line, "RssShmem: %ld", &kib) != 1)
    ;
  fclose(status);
  return kib >> 10;
}

/* The policy of the mapping with the most pages of shared memory, if the kernel tells it. */
static void print_policy(void) {
  char line[1024], policy[64], found[64] = "not told";
  long pages, most = 0;
  FILE *maps = fopen("/proc/self/numa_maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    const char *node = strstr(line, " N0=");
    if (strstr(line, "file=/dev/shm") && node && sscanf(node, " N0=%ld", &pages) == 1 && pages > most &&
        sscanf(line, "%*s %63s", policy) == 1) {
      most = pages;
      strcpy(found, policy);
    }
  }
  if (maps)
    fclose(maps);
  printf("policy of the owner: %s\n", found);
}

int main(int argc, char **argv) {
  int rank;
  long of_other;
  void *buffer = NULL;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  long taken = shm_mib(), touched = touched_mib();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    buffer = MPISHM_Malloc(BYTES);
  MPI_Barrier(MPI_COMM_WORLD);
  taken = shm_mib() - taken;
  long mine = touched_mib() - touched;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(&of_other, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("taken: %ld MiB, of these by the owner %ld, by the other rank %ld\n", taken, mine, of_other);
    print_policy();
  } else {
    MPI_Send(&mine, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
  }
  MPISHM_Free(buffer);
  MPI_Finalize();
  return 0;
}

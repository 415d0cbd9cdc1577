/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What many ranks on a node take of memory, and that they find their messages: a few exchanges of each kind, every byte
 * of which is checked, with what /dev/shm and the private memory of the ranks have grown by. Times nothing, so that it
 * may have many more ranks than the machine has cores.
 */
#include "fail.h"

#include <mpishm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

enum { HALO_BYTES = 4000, ROUNDS = 3, COMMUNICATORS = 16 };

static int rank, size;

/* ---- Memory. ---- */

static long shm_bytes(void) {
  struct statvfs shm;
  if (statvfs("/dev/shm", &shm) != 0)
    fail("there is no /dev/shm");
  return (long)((shm.f_blocks - shm.f_bfree) * shm.f_frsize);
}

/* Of this process, not shared with others (proc(5)). */
static long private_bytes(void) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  if (!status)
    fail("there is no /proc/self/status");
  while (fgets(line, sizeof line, status) && sscanf(line, "RssAnon: %ld", &kib) != 1) {
  }
  fclose(status);
  return kib * 1024;
}

static long shm_before, private_before;

/* No rank goes on before all have looked. */
static void look(long *shm, long *own) {
  PMPI_Barrier(MPI_COMM_WORLD);
  *shm = shm_bytes();
  *own = private_bytes();
  PMPI_Barrier(MPI_COMM_WORLD);
}

/* What there is more of than at the last call. */
static void show(const char *what) {
  long shm, own, grown, most;
  look(&shm, &own);
  grown = own - private_before;
  PMPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%-34s %12.1f %12.1f\n", what, (double)(shm - shm_before) / size / 1024, (double)most / 1024);
  look(&shm_before, &private_before);
}

/* ---- Exchanges. ---- */

static unsigned char value_of(int from, int to, int round) { return (unsigned char)(7 * from + 3 * to + round); }

/* With the ranks `distance` before and after this one. */
static void halo(int distance, int bytes, int round) {
  static unsigned char in[2][HALO_BYTES], out[2][HALO_BYTES];
  int neighbors[2] = {(rank + size - distance % size) % size, (rank + distance) % size};
  MPI_Request requests[4];
  for (int i = 0; i < 2; i++) {
    memset(out[i], value_of(rank, neighbors[i], round), sizeof out[i]);
    MPISHM_Irecv(in[i], bytes, MPI_BYTE, neighbors[i], 1 - i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < 2; i++)
    MPISHM_Isend(out[i], bytes, MPI_BYTE, neighbors[i], i, MPI_COMM_WORLD, &requests[2 + i]);
  MPISHM_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++)
    for (int at = 0; at < bytes; at++)
      if (in[i][at] != value_of(neighbors[i], rank, round))
        fail("rank %d: a message from %d is wrong", rank, neighbors[i]);
}

/* A word from each rank to each other one. */
static void all_pairs(void) {
  for (int distance = 1; 2 * distance <= size; distance++)
    halo(distance, 8, distance);
}

/* Every other rank's word, in whatever order. */
static void wildcards(void) {
  int word = 3 * rank, got;
  MPI_Status status;
  if (rank > 0)
    MPISHM_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; i++) {
    MPISHM_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    if (got != 3 * status.MPI_SOURCE)
      fail("a word that came from %d is wrong", status.MPI_SOURCE);
  }
}

static void collectives(void) {
  int sum, *all = checked_malloc((long)sizeof(int) * size), *given = checked_malloc((long)sizeof(int) * size);
  for (int i = 0; i < size; i++)
    given[i] = rank * size + i;
  MPISHM_Barrier(MPI_COMM_WORLD);
  MPISHM_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPISHM_Alltoall(given, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    if (all[i] != i * size + rank || sum != size * (size - 1) / 2)
      fail("rank %d: a collective is wrong", rank);
  free(all);
  free(given);
}

/* Registered, but without collectives. */
static void make_communicators(MPI_Comm made[COMMUNICATORS]) {
  for (int i = 0; i < COMMUNICATORS; i++)
    MPISHM_Comm_split(MPI_COMM_WORLD, 0, rank, &made[i]);
}

int main(int argc, char **argv) {
  MPI_Comm made[COMMUNICATORS];
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    printf("%-34s %12s %12s\n", "what, KiB a rank", "/dev/shm", "private");
  look(&shm_before, &private_before);
  for (int round = 0; round < ROUNDS; round++)
    halo(1, 40, round);
  show("40 bytes with 2 neighbours");
  for (int round = 0; round < ROUNDS; round++)
    halo(1, HALO_BYTES, round);
  show("4000 bytes with 2 neighbours");
  wildcards();
  show("a word from all to one");
  all_pairs();
  show("a word from each to each");
  collectives();
  show("barrier, allreduce, alltoall");
  make_communicators(made);
  show("16 communicators");
  for (int i = 0; i < COMMUNICATORS; i++)
    MPI_Comm_free(&made[i]);
  show("these freed");
  if (rank == 0)
    printf("all right\n");
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that have no data leave MPI_Gatherv and MPI_Scatterv out, which no library minds: as the first collective on a
// communicator, by the root's wish or the member's, with parts of every length, and other collectives right behind.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { MOST = 8, LONG = 50000, ROUNDS = 12 };

static int rank, size;
static int mine[LONG], all[MOST * LONG], counts[MOST], places[MOST];

/* How much the i-th has in a round: nothing, little, or much. */
static int amount(int i, int round) {
  switch ((i * 5 + round) % 4) {
  case 0:
  case 1:
    return 0;
  case 2:
    return 3 + i;
  default:
    return LONG / (1 + i);
  }
}

static hash_t round_of(MPI_Comm comm, int round, hash_t h) {
  int root = round % size, n = amount(rank, round), sum = 0, total = 0, i;
  for (i = 0; i < size; i++) {
    counts[i] = amount(i, round);
    places[i] = total;
    total += counts[i];
  }
  for (i = 0; i < n; i++)
    mine[i] = rank * 1000 + round * 100 + i;
  if (rank == root || n > 0)
    MPI_Gatherv(mine, n, MPI_INT, all, counts, places, MPI_INT, root, comm);
  if (rank == root)
    h = hash_bytes(h, all, sizeof *all * (size_t)total);
  if (round % 3 == 0)
    MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, comm);
  for (i = 0; rank == root && i < total; i++)
    all[i] += 7;
  if (rank == root || n > 0)
    MPI_Scatterv(all, counts, places, MPI_INT, mine, n, MPI_INT, root, comm);
  h = hash_bytes(h, mine, sizeof *mine * (size_t)n);
  return hash_number(h, sum);
}

int main(int argc, char **argv) {
  MPI_Comm comm;
  hash_t h = HASH_START;
  int round;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (round = 0; round < ROUNDS; round++)
    h = round_of(comm, round, h);
  MPI_Barrier(comm);
  report("rounds", h);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent collectives in a rewritten program: made in different places of the ranks, started alone and together with
// persistent messages, by ranks in different orders, completed among nonblocking ones, freed.
//
// REQUIRES: mpi4
// (With Intel MPI 2021.18 the original does not end in 120 s, four ranks on two cores.)
// UNSUPPORTED: mpi-impi
// RUN: %run-both %s --work %t
#include "report.h"
#include <string.h>

enum { STEPS = 4, LENGTH = 3000 };

static int rank, size;

static void make(MPI_Comm comm, int *value, int *give, int *sums, long *all, long *mine, MPI_Request r[]) {
  if (rank % 2)
    MPI_Bcast_init(value, 5, MPI_INT, 1, comm, MPI_INFO_NULL, &r[0]);
  else
    MPI_Bcast_init(value, 5, MPI_INT, 1, comm, MPI_INFO_NULL, &r[0]);
  MPI_Allreduce_init(give, sums, 20, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r[1]);
  MPI_Alltoall_init_c(all, LENGTH, MPI_LONG, mine, LENGTH, MPI_LONG, comm, MPI_INFO_NULL, &r[2]);
}

static void start(MPI_Request r[], int step) {
  if ((rank + step) % 2)
    MPI_Startall(5, r);
  else
    for (int i = 5; i-- > 0;)
      MPI_Start(&r[i]);
}

int main(int argc, char **argv) {
  static long all[8 * LENGTH], mine[8 * LENGTH];
  int value[5], give[20], sums[20], out[2], in[2], root;
  hash_t h = HASH_START;
  MPI_Comm comm;
  MPI_Request r[6];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  make(comm, value, give, sums, all, mine, r);
  MPI_Send_init(out, 2, MPI_INT, (rank + 1) % size, 3, comm, &r[3]);
  MPI_Recv_init(in, 2, MPI_INT, (rank + size - 1) % size, 3, comm, &r[4]);
  for (int step = 0; step < STEPS; step++) {
    fill_bytes(value, sizeof value, rank + 10 * step);
    fill_bytes(give, sizeof give, rank + 10 * step + 1);
    fill_bytes(all, sizeof all, rank + 10 * step + 2);
    out[0] = out[1] = rank * step;
    start(r, step);
    root = step;
    MPI_Ibcast(&root, 1, MPI_INT, 0, comm, &r[5]);
    if (step % 2) {
      MPI_Waitall(6, r, MPI_STATUSES_IGNORE);
    } else {
      for (int i = 5; i >= 0; i--)
        MPI_Wait(&r[i], MPI_STATUS_IGNORE);
    }
    h = hash_bytes(hash_bytes(hash_bytes(h, value, sizeof value), sums, sizeof sums), in, sizeof in);
    h = hash_number(hash_bytes(h, mine, (size_t)size * LENGTH * sizeof *mine), root);
  }
  for (int i = 0; i < 5; i++) {
    MPI_Request_free(&r[i]);
    h = hash_number(h, r[i] == MPI_REQUEST_NULL);
  }
  MPI_Comm_free(&comm);
  report("done", h);
  return MPI_Finalize();
}

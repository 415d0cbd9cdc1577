// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of every constructor, made and freed thousands of times, with messages on each: they arrive, and memory
// does not grow, neither the process's own nor what it has of the window. Messages outlive the handle of their
// communicator. Datatypes and tags change in every step, too.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <string.h>

enum { STEPS = 3000, WARM = 1000, LARGE = 6000, GROWTH_KB = 2048 };

static int rank, size;

static MPI_Comm make(int which) {
  int dims[2] = {1, size}, periods[2] = {1, 1}, keep[2] = {0, 1}, degree = 1, other = 1 - rank;
  int index[2] = {1, 2}, edges[2] = {1, 0};
  MPI_Comm comm, grid;
  MPI_Group group;
  switch (which % 11) {
  case 0: MPI_Comm_dup(MPI_COMM_WORLD, &comm); break;
  case 1: MPI_Comm_split(MPI_COMM_WORLD, 1, -rank, &comm); break;
  case 2: MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm); break;
  case 3: MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm); break;
  case 4:
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Group_free(&group);
    break;
  case 5:
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, which % 7, &comm);
    MPI_Group_free(&group);
    break;
  case 6: MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &comm); break;
  case 7:
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    break;
  case 8:
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &comm);
    break;
  case 9:
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &comm);
    MPI_Comm_free(&grid);
    break;
  default: MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm);
  }
  return comm;
}

static hash_t use(hash_t h, MPI_Comm comm, int step) {
  static int in[LARGE], out[LARGE];
  int me, all, n = step % 40 == 0 ? LARGE / 2 : 3;
  MPI_Request r[2];
  MPI_Datatype type;
  MPI_Status s;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  MPI_Type_vector(n, 1, 1 + step % 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  fill_bytes(out, n * 2 * sizeof(int), rank + step);
  memset(in, 0, n * 2 * sizeof(int));
  MPI_Irecv(in, 1, type, (me + all - 1) % all, 5 * step, comm, &r[0]);
  MPI_Isend(out, 1, type, (me + 1) % all, 5 * step, comm, &r[1]);
  MPI_Type_free(&type);
  if (step % 3 == 0) /* before the messages are complete */
    MPI_Comm_free(&comm);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], &s);
  if (step % 3)
    MPI_Comm_free(&comm);
  return hash_bytes(hash_status(h, &s, MPI_INT), in, n * 2 * sizeof(int));
}

int main(int argc, char **argv) {
  int step;
  long private_kb = 0, shared_kb = 0;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (step = 0; step < STEPS; step++) {
    if (step == WARM) {
      private_kb = status_kb("RssAnon:");
      shared_kb = status_kb("RssShmem:");
    }
    h = use(h, make(step), step);
  }
  private_kb = status_kb("RssAnon:") - private_kb;
  shared_kb = status_kb("RssShmem:") - shared_kb;
  if ((private_kb > GROWTH_KB && !KEEPS_FREED_MEMORY) || shared_kb > GROWTH_KB)
    printf("rank %d has grown by %ld KiB of its own, %ld KiB shared\n", rank, private_kb, shared_kb);
  report("communicators in a loop", h);
  MPI_Finalize();
  return 0;
}

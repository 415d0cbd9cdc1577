// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other makers: dup_with_info, split_type, create, create_group, Cart_sub, Dist_graph_create_adjacent, and sixty
// communicators one after the other.
//
// RUN: %run-both %s --work %t
#include "report.h"

static hash_t shift(hash_t h, MPI_Comm comm, int value) {
  int rank, size, in = -1;
  MPI_Request r[2];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, comm, &r[0]);
  MPI_Isend(&value, 1, MPI_INT, (rank + 1) % size, 1, comm, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_number(h, in);
}

int main(int argc, char **argv) {
  int rank, size, i, dims[2] = {0, 0}, periods[2] = {1, 1}, keep[2] = {0, 1};
  MPI_Comm c[7];
  MPI_Group all, some;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &c[0]);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &c[1]);
  int last[1][3] = {{0, size - 2, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_range_incl(all, 1, last, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &c[2]);
  c[3] = MPI_COMM_NULL;
  if (rank < size - 1)
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &c[3]);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &c[4]);
  MPI_Cart_sub(c[4], keep, &c[5]);
  int before = (rank + size - 1) % size, after = (rank + 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &c[6]);
  for (i = 0; i < 7; i++)
    if (c[i] != MPI_COMM_NULL) {
      h = shift(h, c[i], rank * 10 + i);
      MPI_Comm_free(&c[i]);
    }
  MPI_Group_free(&all);
  MPI_Group_free(&some);

  for (i = 0; i < 60; i++) {
    MPI_Comm one;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, i % 2 ? rank : -rank, &one);
    if (i % 20 == 0)
      h = shift(h, one, rank + i);
    MPI_Comm_free(&one);
  }
  report("more communicators", h);
  MPI_Finalize();
  return 0;
}

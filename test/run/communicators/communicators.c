// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators from dup, split and Cart_create, in variables, struct members, arrays and parameters. The same peers and
// tags are used on all of them at once: messages must not cross. One is made and freed in every step.
//
// RUN: %run-both %s --work %t
#include "report.h"

struct domain {
  MPI_Comm comm;
  int low, high;
};

static MPI_Comm half;

static hash_t shift(hash_t h, MPI_Comm comm, int value, int tag) {
  int rank, size, in[2] = {-1, -1}, out[2];
  MPI_Request r[2];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  out[0] = value;
  out[1] = rank;
  MPI_Irecv(in, 2, MPI_INT, (rank + size - 1) % size, tag, comm, &r[0]);
  MPI_Isend(out, 2, MPI_INT, (rank + 1) % size, tag, comm, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, sizeof in);
}

static void domain_open(struct domain *d, MPI_Comm parent) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, size;
  MPI_Comm_size(parent, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(parent, 2, dims, periods, 0, &d->comm);
  MPI_Cart_shift(d->comm, 1, 1, &d->low, &d->high);
}

static hash_t domain_exchange(hash_t h, const struct domain *d, int value) {
  double in[2] = {0, 0}, out[2] = {value, -value};
  MPI_Request r[4];
  MPI_Irecv(&in[0], 1, MPI_DOUBLE, d->low, 3, d->comm, &r[0]);
  MPI_Irecv(&in[1], 1, MPI_DOUBLE, d->high, 3, d->comm, &r[1]);
  MPI_Isend(&out[0], 1, MPI_DOUBLE, d->low, 3, d->comm, &r[2]);
  MPI_Isend(&out[1], 1, MPI_DOUBLE, d->high, 3, d->comm, &r[3]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, sizeof in);
}

/* The same envelope on two communicators, received in the opposite order. */
static hash_t crossing(hash_t h, MPI_Comm a, MPI_Comm b, int rank, int size) {
  int from_a = -1, from_b = -1, to_a = rank * 2, to_b = rank * 2 + 1;
  MPI_Request r[4];
  MPI_Isend(&to_a, 1, MPI_INT, (rank + 1) % size, 9, a, &r[0]);
  MPI_Isend(&to_b, 1, MPI_INT, (rank + 1) % size, 9, b, &r[1]);
  MPI_Irecv(&from_b, 1, MPI_INT, (rank + size - 1) % size, 9, b, &r[2]);
  MPI_Irecv(&from_a, 1, MPI_INT, (rank + size - 1) % size, 9, a, &r[3]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  return hash_number(hash_number(h, from_a), from_b);
}

int main(int argc, char **argv) {
  int rank, size, step;
  MPI_Comm twin, pair[2], step_comm;
  struct domain whole, part;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_split(twin, rank % 2, -rank, &half);
  MPI_Comm_dup(half, &pair[0]);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &pair[1]);
  domain_open(&whole, twin);
  domain_open(&part, half);
  for (step = 0; step < 4; step++) {
    h = shift(h, MPI_COMM_WORLD, step, 3);
    h = shift(h, twin, rank + step, 3);
    h = shift(h, half, rank - step, 3);
    h = shift(h, pair[0], rank * step, 3);
    if (pair[1] != MPI_COMM_NULL)
      h = shift(h, pair[1], rank + 100 * step, 3);
    h = domain_exchange(h, &whole, rank + step);
    h = domain_exchange(h, &part, rank * 3 + step);
    h = crossing(h, MPI_COMM_WORLD, twin, rank, size);

    MPI_Comm_split(MPI_COMM_WORLD, (rank + step) % 3, rank, &step_comm);
    h = shift(h, step_comm, step, 3);
    MPI_Comm_free(&step_comm);
  }
  MPI_Comm_free(&whole.comm);
  MPI_Comm_free(&part.comm);
  MPI_Comm_free(&half);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&pair[0]);
  if (pair[1] != MPI_COMM_NULL)
    MPI_Comm_free(&pair[1]);
  report("communicators", h);
  MPI_Finalize();
  return 0;
}

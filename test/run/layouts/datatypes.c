// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derived datatypes: vector, indexed, struct with holes, subarray, resized, nested, absolute addresses; the same on
// both sides, or a layout on one side and plain elements on the other. Bytes between the elements must stay.
//
// RUN: %run-both %s --work %t
// RUN: timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_STAGE=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <stddef.h>
#include <string.h>

enum { BYTES = 65536, DOUBLES = BYTES / 8, TYPES = 8 };

struct particle {
  char kind;
  double position[3];
  short cell;
  int flags;
};

static char in[BYTES], out[BYTES]; // mpishm: keep

static MPI_Datatype particle_type(void) {
  int lengths[] = {1, 3, 1};
  MPI_Aint displacements[] = {offsetof(struct particle, kind), offsetof(struct particle, position),
                              offsetof(struct particle, flags)};
  MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, packed, type;
  MPI_Type_create_struct(3, lengths, displacements, parts, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(struct particle), &type);
  MPI_Type_free(&packed);
  return type;
}

static void make_types(MPI_Datatype *type, int *count) {
  int blocks[] = {3, 1, 7}, places[] = {20, 0, 60}, sizes[] = {8, 9, 10}, part[] = {3, 4, 5}, start[] = {2, 1, 4};
  MPI_Datatype inner;

  MPI_Type_contiguous(17, MPI_DOUBLE, &type[0]), count[0] = 5;
  MPI_Type_vector(40, 1, 11, MPI_DOUBLE, &type[1]), count[1] = 1;
  MPI_Type_vector(10, 4, 9, MPI_INT, &type[2]), count[2] = 7;
  MPI_Type_indexed(3, blocks, places, MPI_FLOAT, &type[3]), count[3] = 4;
  type[4] = particle_type(), count[4] = 100;
  MPI_Type_create_subarray(3, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &type[5]), count[5] = 2;
  MPI_Type_vector(3, 2, 5, MPI_SHORT, &inner);
  MPI_Type_create_hvector(6, 1, 100, inner, &type[6]), count[6] = 3;
  MPI_Type_free(&inner);
  MPI_Type_vector(512, 2, 6, MPI_DOUBLE, &type[7]), count[7] = 1; /* longer than what fits a small message */
  for (int i = 0; i < TYPES; i++)
    MPI_Type_commit(&type[i]);
}

/* Both sides have the layout. */
static hash_t same_layout(hash_t h, MPI_Datatype type, int count, int to, int from, int tag) {
  MPI_Request r[2];
  MPI_Status s[2];
  memset(in, 0x5a, sizeof in);
  MPI_Irecv(in, count, type, from, tag, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, count, type, to, tag, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, s);
  return hash_bytes(hash_status(h, &s[0], type), in, sizeof in);
}

/* One side sends elements that lie together, the other places them; and back. */
static hash_t other_layout(hash_t h, int to, int from, int tag) {
  enum { N = 120 };
  MPI_Datatype column, wide;
  MPI_Request r[4];
  MPI_Status s[4];
  double *places = (double *)in, *together = (double *)in + DOUBLES / 2;
  const double *source = (const double *)out;

  MPI_Type_vector(N, 1, 13, MPI_DOUBLE, &column);
  MPI_Type_vector(N / 6, 6, 10, MPI_DOUBLE, &wide);
  MPI_Type_commit(&column);
  MPI_Type_commit(&wide);
  memset(in, 0x33, sizeof in);
  MPI_Irecv(places, 1, column, from, tag, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(together, N, MPI_DOUBLE, from, tag + 1, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(source, N, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(source, 1, column, to, tag + 1, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, s);
  h = hash_bytes(hash_status(hash_status(h, &s[0], MPI_DOUBLE), &s[1], MPI_DOUBLE), in, sizeof in);
  MPI_Irecv(places, 1, wide, from, tag, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(source, 1, column, to, tag, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, s);
  MPI_Type_free(&column);
  MPI_Type_free(&wide);
  return hash_bytes(hash_status(h, &s[0], MPI_DOUBLE), in, sizeof in);
}

/* A type that is freed while the message is on its way lives until the message is complete. */
static hash_t freed_type(hash_t h, int to, int from) {
  MPI_Datatype type;
  MPI_Request r[2];
  MPI_Type_vector(50, 2, 4, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  memset(in, 0x77, sizeof in);
  MPI_Irecv(in, 1, type, from, 1000, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, 1, type, to, 1000, MPI_COMM_WORLD, &r[1]);
  MPI_Type_free(&type);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, sizeof in);
}

/* Buffers that only the type knows. */
static hash_t absolute_addresses(hash_t h, int to, int from, int seed) {
  double a[30], b[10], c[30], d[10];
  int lengths[] = {30, 10};
  MPI_Aint at[2];
  MPI_Datatype parts[] = {MPI_DOUBLE, MPI_DOUBLE}, sent, received;
  MPI_Request r[2];

  fill_bytes(a, sizeof a, seed);
  fill_bytes(b, sizeof b, seed + 1);
  MPI_Get_address(a, &at[0]);
  MPI_Get_address(b, &at[1]);
  MPI_Type_create_struct(2, lengths, at, parts, &sent);
  MPI_Get_address(c, &at[0]);
  MPI_Get_address(d, &at[1]);
  MPI_Type_create_struct(2, lengths, at, parts, &received);
  MPI_Type_commit(&sent);
  MPI_Type_commit(&received);
  MPI_Irecv(MPI_BOTTOM, 1, received, from, 2000, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(MPI_BOTTOM, 1, sent, to, 2000, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
  return hash_bytes(hash_bytes(h, c, sizeof c), d, sizeof d);
}

int main(int argc, char **argv) {
  int rank, size, i, count[TYPES];
  MPI_Datatype type[TYPES];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make_types(type, count);
  for (i = 0; i < TYPES; i++) {
    int to = (rank + 1 + i) % size, from = (rank + size * TYPES - 1 - i) % size;
    fill_bytes(out, sizeof out, rank * TYPES + i);
    h = same_layout(h, type[i], count[i], to, from, i);
    h = other_layout(h, to, from, 100 + 2 * i);
  }
  h = freed_type(h, (rank + 1) % size, (rank + size - 1) % size);
  h = absolute_addresses(h, (rank + 1) % size, (rank + size - 1) % size, rank);
  for (i = 0; i < TYPES; i++)
    MPI_Type_free(&type[i]);
  report("datatypes", h);
  MPI_Finalize();
  return 0;
}

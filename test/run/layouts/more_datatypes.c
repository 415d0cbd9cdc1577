// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other datatypes: hvector, hindexed, blocks of one length, struct of derived types with holes, Fortran subarray,
// darray, negative lower bounds and strides, overlapping sends, pair types, dup, types of types, a part of
// MPI_BOTTOM. Each as itself, against packed elements, in messages small and large. Types are freed and made again.
//
// (Between nodes MPICH 5.0.2 refuses some of them in the original, unless it takes UCX.)
//
// RUN: %run-both %s --work %t --env MPIR_CVAR_CH4_NETMOD=ucx
// RUN: env MPISHM_CMA=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_CMA=0 MPISHM_DISABLE=1 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <stddef.h>
#include <string.h>

enum { BYTES = 400000, MIDDLE = BYTES / 2, TYPES = 16 };

struct record {
  char name[3];
  double value;
  struct {
    float x;
    int i;
  } pair;
  short tail;
};

static char in[BYTES], out[BYTES]; // mpishm: keep

static MPI_Datatype record_type(void) {
  int lengths[] = {3, 1, 1, 1};
  MPI_Aint places[] = {offsetof(struct record, name), offsetof(struct record, value), offsetof(struct record, pair),
                       offsetof(struct record, tail)};
  MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_FLOAT_INT, MPI_SHORT}, whole, type;
  MPI_Type_create_struct(4, lengths, places, parts, &whole);
  MPI_Type_create_resized(whole, 0, sizeof(struct record), &type);
  MPI_Type_free(&whole);
  return type;
}

static void make_types(MPI_Datatype *type, int *count) {
  int lengths[] = {2, 0, 5, 1}, places[] = {9, 1, 2, 30}, sizes[] = {12, 10}, part[] = {5, 4}, start[] = {3, 2};
  int grid[] = {2, 2}, blocks[] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  int kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
  int cube[] = {9, 11, 10}, column[] = {7, 8, 1}, thick[] = {7, 8, 3}, corner[] = {1, 2, 4};
  MPI_Aint bytes[] = {-64, 3, 200, 17};
  MPI_Datatype inner, outer;
  MPI_Type_create_hvector(20, 3, -72, MPI_DOUBLE, &type[0]), count[0] = 3;
  MPI_Type_create_hindexed(4, lengths, bytes, MPI_FLOAT, &type[1]), count[1] = 30;
  MPI_Type_create_indexed_block(4, 2, places, MPI_SHORT, &type[2]), count[2] = 50;
  MPI_Type_create_hindexed_block(4, 3, bytes, MPI_CHAR, &type[3]), count[3] = 20;
  type[4] = record_type(), count[4] = 300;
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_FORTRAN, MPI_INT, &type[5]), count[5] = 9;
  MPI_Type_create_darray(4, 2, 2, sizes, kinds, blocks, grid, MPI_ORDER_C, MPI_DOUBLE, &type[6]), count[6] = 2;
  MPI_Type_create_resized(MPI_INT, -20, 12, &type[7]), count[7] = 3000;
  MPI_Type_create_resized(MPI_INT, 0, -12, &type[8]), count[8] = 400;
  MPI_Type_dup(type[4], &type[9]), count[9] = 7;
  inner = record_type();
  MPI_Type_vector(4, 2, 3, inner, &outer);
  MPI_Type_create_hvector(3, 1, 700, outer, &type[10]), count[10] = 11;
  MPI_Type_free(&inner);
  MPI_Type_free(&outer);
  MPI_Type_vector(30, 1, 50, MPI_DOUBLE_INT, &type[11]), count[11] = 4;
  MPI_Type_contiguous(4, type[7], &type[12]), count[12] = 1;
  MPI_Type_create_subarray(3, cube, column, corner, MPI_ORDER_C, MPI_DOUBLE, &type[13]), count[13] = 2;
  MPI_Type_create_subarray(3, cube, thick, corner, MPI_ORDER_C, MPI_DOUBLE, &type[14]), count[14] = 2;
  MPI_Type_vector(7, 5, 6, MPI_DOUBLE, &inner);
  MPI_Type_create_hvector(6, 1, -400, inner, &type[15]), count[15] = 3;
  MPI_Type_free(&inner);
  for (int i = 0; i < TYPES; i++)
    MPI_Type_commit(&type[i]);
}

/* The layout on both sides; then on the one, and packed on the other. */
static hash_t exchange(hash_t h, MPI_Datatype type, int count, int to, int from) {
  static char packed_in[BYTES], packed_out[BYTES];
  int room = 0, size_of = 0, position = 0, k;
  MPI_Request r[4];
  MPI_Status s[4];
  memset(in, 0x5a, sizeof in);
  memset(packed_in, 0x5b, sizeof packed_in);
  MPI_Irecv(in + MIDDLE, count, type, from, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out + MIDDLE, count, type, to, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, s);
  h = hash_bytes(hash_status(h, &s[0], type), in, sizeof in);
  MPI_Pack_size(count, type, MPI_COMM_WORLD, &room);
  MPI_Type_size(type, &size_of);
  MPI_Pack(out + MIDDLE, count, type, packed_out, BYTES, &position, MPI_COMM_WORLD);
  memset(in, 0x5a, sizeof in);
  for (k = 0; k < 2; k++) {
    MPI_Irecv(in + MIDDLE, count, type, from, 2, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(packed_in, room, MPI_PACKED, from, 3, MPI_COMM_WORLD, &r[1]);
    if (k) {
      MPI_Isend(packed_out, position, MPI_PACKED, to, 2, MPI_COMM_WORLD, &r[2]);
      MPI_Issend(out + MIDDLE, count, type, to, 3, MPI_COMM_WORLD, &r[3]);
    } else {
      MPI_Issend(packed_out, position, MPI_PACKED, to, 2, MPI_COMM_WORLD, &r[2]);
      MPI_Isend(out + MIDDLE, count, type, to, 3, MPI_COMM_WORLD, &r[3]);
    }
    MPI_Waitall(4, r, s);
    h = hash_bytes(hash_status(h, &s[0], type), in, sizeof in);
    h = hash_bytes(hash_status(h, &s[1], MPI_PACKED), packed_in, (size_t)size_of * count);
  }
  return h;
}

/* A handle that is freed and made again as another type. */
static hash_t reused(hash_t h, int to, int from) {
  MPI_Request r[2];
  int k;
  for (k = 0; k < 40; k++) {
    MPI_Datatype type;
    MPI_Type_vector(10 + k, 1 + k % 3, 4, MPI_INT, &type);
    MPI_Type_commit(&type);
    memset(in, 0x44, 2000);
    MPI_Irecv(in, 1, type, from, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, 1, type, to, 4, MPI_COMM_WORLD, &r[1]);
    if (k % 2)
      MPI_Type_free(&type);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (k % 2 == 0)
      MPI_Type_free(&type);
    h = hash_bytes(h, in, 2000);
  }
  return h;
}

static hash_t from_bottom(hash_t h, int to, int from, int seed) {
  double a[50], b[50];
  MPI_Aint at[2];
  int one[] = {50};
  MPI_Datatype sent, received;
  MPI_Request r[2];
  fill_bytes(a, sizeof a, seed);
  MPI_Get_address(a, &at[0]);
  MPI_Get_address(b, &at[1]);
  MPI_Type_create_hindexed(1, one, &at[0], MPI_DOUBLE, &sent);
  MPI_Type_create_hindexed(1, one, &at[1], MPI_DOUBLE, &received);
  MPI_Type_commit(&sent);
  MPI_Type_commit(&received);
  MPI_Irecv(MPI_BOTTOM, 1, received, from, 5, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(MPI_BOTTOM, 1, sent, to, 5, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  h = hash_bytes(h, b, sizeof b);
  MPI_Irecv(b, 50, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, &r[0]);
  MPI_Issend(MPI_BOTTOM, 1, sent, to, 5, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
  return hash_bytes(h, b, sizeof b);
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
    h = exchange(h, type[i], 1, to, from);
    h = exchange(h, type[i], count[i], to, from);
  }
  h = reused(h, (rank + 1) % size, (rank + size - 1) % size);
  h = from_bottom(h, (rank + 1) % size, (rank + size - 1) % size, rank);
  for (i = 0; i < TYPES; i++)
    MPI_Type_free(&type[i]);
  report("more datatypes", h);
  MPI_Finalize();
  return 0;
}

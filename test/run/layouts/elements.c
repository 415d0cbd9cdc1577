// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages shorter than their receive: MPI_Get_count and MPI_Get_elements of derived datatypes, also where the message
// ends inside an element; types of size zero; counts of zero.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <stddef.h>
#include <string.h>

struct mixed {
  char c;
  double d[2];
  short s;
};
enum { TYPES = 5, MAX = 6000, BYTES = 4 * MAX * 8 };

static hash_t whole(hash_t h, const MPI_Status *s, MPI_Datatype type) {
  int count, elements;
  MPI_Count wide;
  MPI_Get_count(s, type, &count);
  MPI_Get_elements(s, type, &elements);
  MPI_Get_elements_x(s, type, &wide);
  h = hash_number(hash_number(hash_number(h, count), elements), wide);
  return hash_number(hash_number(h, count == MPI_UNDEFINED), s->MPI_SOURCE * 1000 + s->MPI_TAG);
}

static void make_types(MPI_Datatype *type, MPI_Datatype *basic) {
  int lengths[] = {1, 2, 1};
  MPI_Aint places[] = {offsetof(struct mixed, c), offsetof(struct mixed, d), offsetof(struct mixed, s)};
  MPI_Datatype parts[] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE};
  MPI_Type_contiguous(3, MPI_DOUBLE, &type[0]);
  MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &type[1]);
  places[1] = 16, places[2] = 40;
  MPI_Type_create_struct(3, lengths, places, parts, &type[2]);
  MPI_Type_create_resized(type[1], -8, 104, &type[3]);
  MPI_Type_contiguous(0, MPI_DOUBLE, &type[4]);
  for (int i = 0; i < TYPES; i++)
    MPI_Type_commit(&type[i]);
  *basic = MPI_DOUBLE;
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 1, 2, 3, 4, 5, 7, 12, 13, 2000, 5999};
  static char in[BYTES], out[BYTES]; // mpishm: keep
  int rank, size, k, t;
  MPI_Datatype type[TYPES], basic;
  MPI_Request r[2];
  MPI_Status s;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make_types(type, &basic);
  for (t = 0; t < TYPES; t++)
    for (k = 0; k < (int)(sizeof lengths / sizeof lengths[0]); k++) {
      int from = (rank + size - 1 - k % 2) % size, to = (rank + 1 + k % 2) % size, n = t == 4 ? 0 : lengths[k];
      fill_bytes(out, sizeof out, rank + k);
      memset(in, 0x6b, sizeof in);
      MPI_Irecv(in + 64, MAX / 3, type[t], from, k, MPI_COMM_WORLD, &r[0]);
      MPI_Isend(out, n, basic, to, k, MPI_COMM_WORLD, &r[1]);
      MPI_Wait(&r[0], &s);
      h = hash_bytes(whole(h, &s, type[t]), in, sizeof in);
      if (t != 4)
        h = whole(h, &s, MPI_DOUBLE);
      MPI_Wait(&r[1], MPI_STATUS_IGNORE);
      /* A count of zero, with and without a buffer. */
      MPI_Irecv(k % 2 ? NULL : in, 0, type[t], from, k, MPI_COMM_WORLD, &r[0]);
      MPI_Isend(k % 2 ? NULL : out, 0, type[t], to, k, MPI_COMM_WORLD, &r[1]);
      MPI_Wait(&r[0], &s);
      h = whole(h, &s, MPI_DOUBLE);
      MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    }
  for (t = 0; t < TYPES; t++)
    MPI_Type_free(&type[t]);
  report("elements", h);
  MPI_Finalize();
  return 0;
}

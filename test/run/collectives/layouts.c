// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the layout of who gives straight into the layout of who gets, where both are scattered: in rows of blocks, in
// blocks of many sizes, more than a slot can tell of, at absolute addresses, with elements that follow backwards. In so
// small a window that what is scattered finds no room to be staged in, nothing is left to MPI if it lies among the
// program's buffers there; what is private all is.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -rdynamic %s -o %t/program
// RUN: mpicc -DCOUNTER -shared -fPIC %s -o %t/counter.so
//
// MPICH 5 is not to have its first broadcasts for itself, which it counts.
// RUN: export MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD=0
// RUN: env LD_PRELOAD=%t/counter.so mpiexec -n 2 %t/program 1 | FileCheck %s --check-prefix=HERE
// RUN: env LD_PRELOAD=%t/counter.so mpiexec -n 3 %t/program 1 | FileCheck %s --check-prefix=HERE
// RUN: env LD_PRELOAD=%t/counter.so MPISHM_WINDOW=300K MPISHM_BUFFERS=48M mpiexec -n 2 %t/program 1 \
// RUN:   | FileCheck %s --check-prefix=HERE
// RUN: env LD_PRELOAD=%t/counter.so MPISHM_WINDOW=300K MPISHM_BUFFERS=48M mpiexec -n 2 %t/program 0 \
// RUN:   | FileCheck %s --check-prefix=LEFT
// RUN: env LD_PRELOAD=%t/counter.so MPISHM_DISABLE=1 mpiexec -n 2 %t/program 1 | FileCheck %s --check-prefix=LEFT
// RUN: %mpiexec --nodes 2 -n 3 %t/program 1 | FileCheck %s --check-prefix=RIGHT
// HERE:  left to MPI: 0{{$}}
// LEFT:  left to MPI: {{[1-9]}}
// RIGHT: all right
// HERE:  all right
// LEFT:  all right
#ifdef COUNTER

#include <mpi.h>

extern int left_to_mpi __attribute__((weak)); /* the launcher has none */

int MPI_Alltoallw(const void *from, const int *counts, const int *places, const MPI_Datatype *types, void *to,
                  const int *to_counts, const int *to_places, const MPI_Datatype *to_types, MPI_Comm comm) {
  left_to_mpi++;
  return PMPI_Alltoallw(from, counts, places, types, to, to_counts, to_places, to_types, comm);
}
int MPI_Alltoallv(const void *from, const int *counts, const int *places, MPI_Datatype type, void *to,
                  const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm) {
  left_to_mpi++;
  return PMPI_Alltoallv(from, counts, places, type, to, to_counts, to_places, to_type, comm);
}
int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int to_count, MPI_Datatype to_type,
                  MPI_Comm comm) {
  left_to_mpi++;
  return PMPI_Allgather(from, count, type, to, to_count, to_type, comm);
}
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  left_to_mpi++;
  return PMPI_Bcast(buffer, count, type, root, comm);
}

#else

#include "collectives.h"

enum { MOST = 4, ROWS = 64, COLUMNS = 1024, LISTED = 900 };

int left_to_mpi; /* the preloaded library counts here */

static int moved;

/* Two matrices of doubles, COLUMNS wide, with ROWS rows for each rank. */
struct matrices {
  size_t bytes;
  char *from, *ours, *mpis;
};

static struct matrices make(void) {
  size_t bytes = sizeof(double) * ROWS * COLUMNS * (size_t)size;
  struct matrices m = {bytes, allocate(bytes, moved), allocate(bytes, moved), allocate(bytes, moved)};
  fill_bytes(m.from, bytes, rank);
  fill_bytes(m.ours, bytes, 7);
  memcpy(m.mpis, m.ours, bytes);
  return m;
}

static void compare(const char *what, struct matrices *m, long number) {
  same(what, m->ours, m->mpis, m->bytes, number);
  release(m->from, moved);
  release(m->ours, moved);
  release(m->mpis, moved);
}

static void commit(MPI_Datatype *type, int gap) { /* `gap`: from element to element */
  MPI_Datatype plain = *type;
  if (gap) {
    MPI_Type_create_resized(plain, 0, gap, type);
    MPI_Type_free(&plain);
  }
  MPI_Type_commit(type);
}

/* Columns for each, into rows of theirs: subarrays of both matrices. */
static void subarrays(int wide, int to_wide) {
  struct matrices m = make();
  MPI_Datatype out[MOST], in[MOST];
  int counts[MOST], nowhere[MOST] = {0}, all[] = {ROWS * size, COLUMNS};
  for (int i = 0; i < size; i++) {
    int part[] = {ROWS, wide}, start[] = {ROWS * i, 3 + i}, to_part[] = {ROWS * wide / to_wide, to_wide};
    int to_start[] = {i, i * to_wide};
    counts[i] = 1;
    MPI_Type_create_subarray(2, all, part, start, MPI_ORDER_C, MPI_DOUBLE, &out[i]);
    MPI_Type_create_subarray(2, all, to_part, to_start, MPI_ORDER_C, MPI_DOUBLE, &in[i]);
    commit(&out[i], 0);
    commit(&in[i], 0);
  }
  MPISHM_Alltoallw(m.from, counts, nowhere, out, m.ours, counts, nowhere, in, MPI_COMM_WORLD);
  PMPI_Alltoallw(m.from, counts, nowhere, out, m.mpis, counts, nowhere, in, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) {
    MPI_Type_free(&out[i]);
    MPI_Type_free(&in[i]);
  }
  compare("an alltoallw of subarrays", &m, wide);
}

/* Rows with gaps, into single elements of other distances. */
static void vectors(int length) {
  struct matrices m = make();
  MPI_Datatype out, in;
  int counts[MOST], places[MOST], to_counts[MOST], to_places[MOST];
  MPI_Type_vector(ROWS, length, COLUMNS / 2, MPI_DOUBLE, &out);
  commit(&out, length * (int)sizeof(double));
  MPI_Type_contiguous(2, MPI_DOUBLE, &in);
  commit(&in, 3 * (int)sizeof(double));
  for (int i = 0; i < size; i++) {
    counts[i] = 1 + (i + rank) % 2;
    to_counts[i] = counts[i] * ROWS * length / 2;
    places[i] = 2 * i;
    to_places[i] = ROWS * COLUMNS / 3 * i;
  }
  MPISHM_Alltoallv(m.from, counts, places, out, m.ours, to_counts, to_places, in, MPI_COMM_WORLD);
  PMPI_Alltoallv(m.from, counts, places, out, m.mpis, to_counts, to_places, in, MPI_COMM_WORLD);
  MPI_Type_free(&out);
  MPI_Type_free(&in);
  compare("an alltoallv of vectors", &m, length);
}

/* Blocks of different lengths, so many that they are told in the window, into another list of those; and from absolute
 * addresses. */
static void lists(int listed) {
  struct matrices m = make();
  MPI_Datatype out, in;
  int *lengths = malloc(sizeof(int) * (size_t)listed), *places = malloc(sizeof(int) * (size_t)listed), bytes = 0;
  for (int i = 0; i < listed; i++) {
    lengths[i] = 400 + i % 7;
    places[i] = i * 500;
    bytes += lengths[i];
  }
  MPI_Type_indexed(listed, lengths, places, MPI_BYTE, &out);
  MPI_Type_vector(bytes / 100, 100, 110, MPI_BYTE, &in);
  commit(&out, 0);
  commit(&in, 1 << 19);
  MPI_Datatype rest;
  int blocks[] = {1, bytes % 100};
  MPI_Aint starts[] = {0, bytes / 100 * 110};
  MPI_Datatype parts[] = {in, MPI_BYTE};
  MPI_Type_create_struct(2, blocks, starts, parts, &rest);
  commit(&rest, 1 << 19);
  MPISHM_Allgather(m.from, 1, out, m.ours, 1, rest, MPI_COMM_WORLD);
  PMPI_Allgather(m.from, 1, out, m.mpis, 1, rest, MPI_COMM_WORLD);
  same("an allgather of blocks", m.ours, m.mpis, m.bytes, listed);
  MPI_Aint address;
  MPI_Datatype placed;
  MPI_Get_address(m.ours, &address);
  MPI_Type_create_hindexed_block(1, 1, &address, out, &placed);
  commit(&placed, 0);
  MPISHM_Bcast(MPI_BOTTOM, 1, placed, size - 1, MPI_COMM_WORLD);
  PMPI_Bcast(m.mpis, 1, out, size - 1, MPI_COMM_WORLD);
  MPI_Type_free(&placed);
  MPI_Type_free(&rest);
  MPI_Type_free(&out);
  MPI_Type_free(&in);
  free(lengths);
  free(places);
  compare("a bcast of blocks", &m, listed);
}

/* Elements from the last to the first. */
static void backwards(void) {
  struct matrices m = make();
  MPI_Datatype row;
  int whole = COLUMNS * (int)sizeof(double), last = (ROWS - 1) * whole;
  int counts[MOST], places[MOST], to_places[MOST];
  MPI_Datatype types[MOST], to_types[MOST], to_row;
  MPI_Type_contiguous(256, MPI_DOUBLE, &row);
  MPI_Type_create_resized(row, 0, -whole, &to_row);
  MPI_Type_commit(&to_row);
  commit(&row, whole);
  for (int i = 0; i < size; i++) {
    counts[i] = ROWS;
    types[i] = row;
    to_types[i] = to_row;
    places[i] = i * ROWS * whole;
    to_places[i] = places[i] + last;
  }
  MPISHM_Alltoallw(m.from, counts, places, types, m.ours, counts, to_places, to_types, MPI_COMM_WORLD);
  PMPI_Alltoallw(m.from, counts, places, types, m.mpis, counts, to_places, to_types, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  MPI_Type_free(&to_row);
  compare("an alltoallw backwards", &m, 0);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  if (size > MOST || argc < 2)
    wrong("the number of ranks", size);
  moved = atoi(argv[1]);
  for (int turn = 0; turn < 2; turn++) {
    subarrays(300, 200);
    subarrays(16, 16);
    subarrays(96, 256);
    vectors(96);
    vectors(10);
    lists(LISTED);
    lists(20);
    backwards();
  }
  int all;
  PMPI_Allreduce(&left_to_mpi, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("left to MPI: %d\n", all);
  fflush(stdout);
  return finish(20);
}

#endif

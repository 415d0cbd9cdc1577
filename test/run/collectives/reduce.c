// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: every operation on every type of C, of values that tell the order (zeros of both signs, numbers that are
// none, infinities, sums that overflow), to all and to each root, of those before and of some elements alone, in place
// and not, short and long; operations of the program's own; and what MPI refuses.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static -lm
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/shared -lm
//
// RUN: mpiexec -n 2 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 2 %t/static 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// RUN: env MPISHM_DISABLE=1 mpiexec -n 2 %t/static | FileCheck %s
// CHECK: all right
#include "collectives.h"
#include <complex.h>
#include <math.h>

enum { LONG = 30000, MOST_BYTES = LONG * 16 };

static char *mine, *ours, *mpis;
static int refusals, reductions; /* the latter to find one that is wrong */

/* Both do the same, to `root`, or to all where that is -1. */
static void reduce(int count, MPI_Datatype type, MPI_Op op, int root, int in_place) {
  MPI_Aint lb, extent;
  int is_root = root < 0 || root == rank, error, expected, class, expected_class;
  const void *from = in_place && is_root ? MPI_IN_PLACE : mine;
  MPI_Type_get_extent(type, &lb, &extent);
  size_t bytes = (size_t)count * (size_t)extent;
  fill_bytes(ours, bytes + 16, 3);
  if (in_place && is_root)
    memcpy(ours, mine, bytes);
  memcpy(mpis, ours, bytes + 16);
  if (root < 0) {
    error = MPISHM_Allreduce(from, ours, count, type, op, MPI_COMM_WORLD);
    expected = MPI_Allreduce(from, mpis, count, type, op, MPI_COMM_WORLD);
  } else {
    error = MPISHM_Reduce(from, ours, count, type, op, root, MPI_COMM_WORLD);
    expected = MPI_Reduce(from, mpis, count, type, op, root, MPI_COMM_WORLD);
  }
  MPI_Error_class(error, &class);
  MPI_Error_class(expected, &expected_class);
  if (class != expected_class)
    wrong("the error class of a reduction", class);
  refusals += expected != MPI_SUCCESS;
#ifdef I_MPI_VERSION /* writes into the buffers of others than the root, between nodes */
  bytes = is_root ? bytes + 16 : 0;
#else
  bytes += 16;
#endif
  same("a reduction", ours, mpis, expected == MPI_SUCCESS ? bytes : 0, ++reductions);
}

enum kind { SCAN, EXSCAN, SCATTER, SCATTER_BLOCK, KINDS };

/* How many elements are the i-th member's: what is left over is the first one's, and the second of three has none. */
static int elements(enum kind kind, int i, int count) {
  int n = count / size;
  if (kind != SCATTER)
    return kind == SCATTER_BLOCK ? n : count;
  return i == 0 ? count - n * (size - 1) : size < 3 ? n : i == 1 ? 0 : i == 2 ? 2 * n : n;
}

static int reduce_some(enum kind kind, const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                       int by_mpi) {
  int counts[4], n = count / size;
  for (int i = 0; i < size; i++)
    counts[i] = elements(kind, i, count);
  switch (kind) {
  case SCAN:
    return by_mpi ? MPI_Scan(from, to, count, type, op, MPI_COMM_WORLD)
                  : MPISHM_Scan(from, to, count, type, op, MPI_COMM_WORLD);
  case EXSCAN:
    return by_mpi ? MPI_Exscan(from, to, count, type, op, MPI_COMM_WORLD)
                  : MPISHM_Exscan(from, to, count, type, op, MPI_COMM_WORLD);
  case SCATTER:
    return by_mpi ? MPI_Reduce_scatter(from, to, counts, type, op, MPI_COMM_WORLD)
                  : MPISHM_Reduce_scatter(from, to, counts, type, op, MPI_COMM_WORLD);
  default:
    return by_mpi ? MPI_Reduce_scatter_block(from, to, n, type, op, MPI_COMM_WORLD)
                  : MPISHM_Reduce_scatter_block(from, to, n, type, op, MPI_COMM_WORLD);
  }
}

/* Of the members before each, or of some elements for each. In place, a library may leave anything behind what is the
 * member's own. */
static void partial(enum kind kind, int count, MPI_Datatype type, MPI_Op op, int in_place) {
  MPI_Aint lb, extent;
  MPI_Type_get_extent(type, &lb, &extent);
  size_t bytes = (size_t)count * (size_t)extent;
  int own = elements(kind, rank, count);
  size_t compared = in_place ? (size_t)own * (size_t)extent : bytes + 16;
  fill_bytes(ours, bytes + 16, 3);
  if (in_place)
    memcpy(ours, mine, bytes);
  memcpy(mpis, ours, bytes + 16);
  int error = reduce_some(kind, in_place ? MPI_IN_PLACE : mine, ours, count, type, op, 0);
  int expected = reduce_some(kind, in_place ? MPI_IN_PLACE : mine, mpis, count, type, op, 1);
  if (error != expected)
    wrong("the error of a partial reduction", error);
  same("a partial reduction", ours, mpis, compared, 10 * ++reductions + (int)kind);
}

static void in_all_ways(int count, MPI_Datatype type, MPI_Op op) {
  for (int kind = 0; kind < KINDS; kind++)
    partial((enum kind)kind, count, type, op, (kind + reductions / 7) % 2);
  reduce(count, type, op, -1, 0);
  reduce(count, type, op, -1, 1);
  reduce(count, type, op, size - 1, 0);
  reduce(count, type, op, 0, 1);
}

static void integers(void) {
  const MPI_Datatype types[] = {
      MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT,     MPI_UNSIGNED_SHORT,     MPI_INT,      MPI_UNSIGNED,
      MPI_LONG,        MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT8_T,   MPI_INT16_T,
      MPI_INT32_T,     MPI_INT64_T,       MPI_UINT8_T,   MPI_UINT16_T,           MPI_UINT32_T, MPI_UINT64_T,
      MPI_AINT,        MPI_OFFSET,        MPI_COUNT};
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
      fill_bytes(mine, 64, rank + (int)(t * 10 + o));
      for (int i = 0; i < 64; i++) /* zeros are what logical operations are about */
        if ((i / 8 + rank) % 3 == 0)
          mine[i] = 0;
      int count = 1 + (int)(t + o) % 7;
      partial((enum kind)((t + o) % KINDS), count, types[t], ops[o], (int)t % 2);
      reduce(count, types[t], ops[o], -1, 0);
      if (o % 2)
        reduce(count, types[t], ops[o], -1, 1);
      else
        reduce(count, types[t], ops[o], (int)t % size, (int)o % 4 == 0);
    }
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) /* so many that libraries add them by vectors */
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
      fill_bytes(mine, 450 * sizeof(long long), rank + (int)(t * 10 + o));
      partial((enum kind)((t + o) % KINDS), 450, types[t], ops[o], (int)o % 2);
      int root = o % 2 ? -1 : (int)t % size; /* so many in place at another root than 0 crash MPICH 4.0.2 itself */
      reduce(450, types[t], ops[o], root, root <= 0 && (t + o) % 3 == 0);
    }
  fill_bytes(mine, 64, rank);
  for (size_t o = 7; o < sizeof ops / sizeof *ops; o++)
    in_all_ways(13, MPI_BYTE, ops[o]);
  for (int i = 0; i < 64; i++)
    ((_Bool *)mine)[i] = i >> rank & 1;
  for (size_t o = 4; o < 7; o++)
    in_all_ways(64, MPI_C_BOOL, ops[o]);
  fill_bytes(mine, MOST_BYTES, rank + 77);
  for (size_t o = 0; o < sizeof ops / sizeof *ops; o += 3) {
    in_all_ways(LONG, MPI_INT, ops[o]);
    in_all_ways(1100, MPI_INT, ops[o]); /* a slot, and a little more */
  }
}

/* Numbers that are none come with the bits that tell them apart. */
static double special(int i, int may_be_none) {
  const double values[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY, 1.0, -1.0, 1e308, 5e-324, 0.1, 1e16};
  return may_be_none || !isnan(values[i % 12]) ? values[i % 12] : -1e308;
}

/* One for each kind of operands of this rank: ordinary ones; each special one with each, some of which are none in all,
 * in those of every other rank, in those of the others, or in none. */
enum { ORDINARY, NONE_IN_ALL, NONE_IN_EVEN, NONE_IN_ODD, NONE_IN_NONE, OPERANDS };
static double operand(int operands, int i) {
  const int odd = rank % 2;
  if (operands == ORDINARY)
    return sin(i * 1.7 + rank) * pow(10, i % 30);
  return special(odd ? i / 12 : i, operands == NONE_IN_ALL || operands == (odd ? NONE_IN_ODD : NONE_IN_EVEN));
}

static void numbers(void) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
  const int counts[] = {1, 7, 144, 1100, LONG};
  for (int o = 0; o < 4; o++)
    for (int c = 0; c < 5; c++)
      for (int operands = ORDINARY; operands < (c == 0 ? NONE_IN_ALL : OPERANDS); operands++) {
        double *d = (double *)mine;
        float f;
        for (int i = 0; i < counts[c]; i++)
          d[i] = operand(operands, i);
        in_all_ways(counts[c], MPI_DOUBLE, ops[o]);
        for (int i = 0; i < counts[c]; i++) {
          f = (float)d[i];
          memcpy(mine + (size_t)i * sizeof f, &f, sizeof f);
        }
        in_all_ways(counts[c], MPI_FLOAT, ops[o]);
      }
}

/* Not commutative in what it does, though MPI is told that it is: the order is the library's. */
static void subtract(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    ((int *)inout)[i] = 3 * ((int *)in)[i] - ((int *)inout)[i];
}

static void by_mpi(void) {
  MPI_Op own;
  memset(mine, 0, 1024);
  for (int i = 0; i < 8; i++)
    ((long double *)mine)[i] = (rank + 1) / 3.0L * i;
  reduce(8, MPI_LONG_DOUBLE, MPI_SUM, -1, 0);
  for (int i = 0; i < 8; i++)
    ((double complex *)mine)[i] = (rank + 0.1) / 3 * i + I * (rank - i);
  reduce(8, MPI_C_DOUBLE_COMPLEX, MPI_PROD, -1, 0);
  struct {
    double value;
    int place;
  } pairs[4] = {{1.0 / (rank + 1), rank}, {rank % 2, rank}, {7, rank}, {-rank, rank}};
  memset(mine, 0, sizeof pairs);
  memcpy(mine, pairs, sizeof pairs);
  reduce(4, MPI_DOUBLE_INT, MPI_MAXLOC, -1, 1);
  for (int i = 0; i < 8; i++)
    ((int *)mine)[i] = rank + i;
  MPI_Op_create(subtract, 1, &own);
  reduce(8, MPI_INT, own, -1, 0);
  reduce(8, MPI_INT, own, size - 1, 0);
  MPI_Op_free(&own);
  reduce(0, MPI_INT, MPI_SUM, -1, 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  reduce(1, MPI_DOUBLE, MPI_BAND, -1, 0);
  reduce(1, MPI_INT, MPI_OP_NULL, -1, 0);
  reduce(1, MPI_INT, MPI_SUM, size, 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (refusals < 2)
    wrong("the number of refusals", refusals);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (int moved = 0; moved < 2; moved++) {
    mine = allocate(MOST_BYTES, moved);
    ours = allocate(MOST_BYTES, moved);
    mpis = allocate(MOST_BYTES, moved);
    if (!moved)
      integers();
    numbers();
    if (!moved)
      by_mpi();
    release(mine, moved);
    release(ours, moved);
    release(mpis, moved);
  }
  return finish(800);
}

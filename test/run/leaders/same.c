// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives on communicators with members on several nodes, by leaders and by MPI: of every size, from every root,
// with datatypes, in place, with parts that leaders bring and such that they do not, with values on which the bits
// depend, with arguments that MPI refuses; on communicators whose members are mixed among the nodes, of all and of
// some, made and freed in numbers.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives -Wno-stringop-overflow %s -o %t/static -lm
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives -Wno-stringop-overflow %s -o %t/shared -lm
//
// RUN: env MPISHM_LEADERS=1 %mpiexec --nodes 2 -n 4 %t/static | FileCheck %s
// RUN: env MPISHM_LEADERS=2 %mpiexec --nodes 2 -n 4 %t/shared many | FileCheck %s
// RUN: env MPISHM_LEADERS=2 %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// RUN: env MPISHM_LEADERS=2 %mpiexec --nodes 3 -n 5 %t/static | FileCheck %s
// RUN: %mpiexec --nodes 3 -n 6 %t/static | FileCheck %s
// CHECK: all right
#define _GNU_SOURCE
#include "collectives.h"
#include "refusing_kernel.h"
#include <math.h>
#include <unistd.h>

enum { MOST = 8, MANY = 66 };

static MPI_Comm comm;
static int me, members;

static void use(MPI_Comm communicator) {
  comm = communicator;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
}

/* Every second block of two bytes. */
static MPI_Datatype every_second(size_t bytes) {
  MPI_Datatype type;
  MPI_Type_vector((int)(bytes / 2), 2, 4, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* (Open MPI 5 cannot broadcast long data whose datatypes are not alike.) */
static void broadcasts(int moved) {
  const int sizes[] = {2, 4000, 5000, 70000};
  for (int i = 0; i < 4; i++)
    for (int root = 0; root < members; root++) {
      int bytes = sizes[i], scattered = bytes > 5000 ? root % 2 : (root + i) % 3 == me % 3;
      MPI_Datatype type = scattered ? every_second((size_t)bytes) : MPI_BYTE;
      char *ours = allocate(2 * (size_t)bytes, moved), *mpis = allocate(2 * (size_t)bytes, moved);
      fill_bytes(ours, 2 * (size_t)bytes, 10 * i + me);
      memcpy(mpis, ours, 2 * (size_t)bytes);
      MPISHM_Bcast(ours, scattered ? 1 : bytes, type, root, comm);
      MPI_Bcast(mpis, scattered ? 1 : bytes, type, root, comm);
      same("a broadcast", ours, mpis, 2 * (size_t)bytes, bytes);
      release(ours, moved);
      release(mpis, moved);
      if (scattered)
        MPI_Type_free(&type);
    }
}

/* The root is ahead of the others, each of which is late in turns. */
static void broadcasts_in_a_row(void) {
  for (int i = 0; i < 30; i++) {
    int root = i / 10 % members, value[2] = {me == root ? i : -1, 7}, expected[2] = {i, 7};
    if (i % 10 == 5 && me == i / 10 % members)
      usleep(1000);
    MPISHM_Bcast(value, 2, MPI_INT, root, comm);
    same("a broadcast in a row", value, expected, sizeof value, i);
    if (i % 7 == 0)
      MPISHM_Barrier(comm);
  }
}

/* MPICH 4.0.2 cannot reduce in place to another root than the first on two nodes, and reduces more than 2 KiB wrongly
 * where these have different numbers of members. */
static void reduce(const void *mine, int count, MPI_Datatype type, MPI_Op op, long number) {
  char ours[8192], mpis[8192];
  int bytes;
  MPI_Type_size(type, &bytes);
  size_t all = (size_t)(bytes * count) + 16;
  const int roots[] = {-2, -1, 0, members - 1};
  for (int i = 0; i < (bytes * count > 2000 ? 2 : 4); i++) {
    int root = roots[i];
    int in_place = root == -2 || (root == 0 && me == 0);
    fill_bytes(ours, all, (int)number);
    if (in_place)
      memcpy(ours, mine, (size_t)(bytes * count));
    memcpy(mpis, ours, all);
    const void *from = in_place ? MPI_IN_PLACE : mine;
    if (root < 0) {
      MPISHM_Allreduce(from, ours, count, type, op, comm);
      MPI_Allreduce(from, mpis, count, type, op, comm);
    } else {
      MPISHM_Reduce(from, ours, count, type, op, root, comm);
      MPI_Reduce(from, mpis, count, type, op, root, comm);
    }
    same("a reduction", ours, mpis, root < 0 || root == me ? all : 0, number + root); /* Intel MPI writes to others' */
  }
}

static double special(int i) {
  const double values[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY, 1.0, -1.0, 1e308, 5e-324, 0.1, 1e16};
  return values[i % 12];
}

static void reductions(void) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  const int counts[] = {1, 13, 500, 1020, 1200};
  static int mine[1200];
  static double d[600];
  for (int c = 0; c < 5; c++)
    for (int o = c % 2; o < 9; o += c > 1 ? 3 : 1) {
      fill_bytes(mine, sizeof mine, me + o);
      reduce(mine, counts[c], o % 2 ? MPI_INT : MPI_UNSIGNED, ops[o], 100 * c + 10 * o);
      if (o >= 4)
        continue;
      for (int i = 0; i < 600; i++)
        d[i] = c % 2 ? special(me % 2 ? i / 12 : i) : sin(i + me);
      reduce(d, counts[c] / 2, MPI_DOUBLE, ops[o], 1000 * c + 10 * o);
    }
}

static void exchange(int count, MPI_Datatype type, int moved) {
  MPI_Aint lb, extent;
  MPI_Type_get_extent(type, &lb, &extent);
  size_t bytes = (size_t)count * (size_t)extent * (size_t)members + 64;
  char *from = allocate(bytes, moved), *ours = allocate(bytes, moved), *mpis = allocate(bytes, moved);
  for (int turn = 0; turn < 2; turn++) { /* what is sent is written anew as soon as the call is over */
    fill_bytes(from, bytes, me + count + turn);
    fill_bytes(ours, bytes, 9);
    memcpy(mpis, ours, bytes);
    MPISHM_Alltoall(from, count, type, ours, count, type, comm);
    MPI_Alltoall(from, count, type, mpis, count, type, comm);
    same("an alltoall", ours, mpis, bytes, count);
    MPISHM_Alltoall(MPI_IN_PLACE, 0, type, ours, count, type, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, type, mpis, count, type, comm);
    same("an alltoall in place", ours, mpis, bytes, count);
    MPISHM_Allgather(from, count, type, ours, count, type, comm);
    MPI_Allgather(from, count, type, mpis, count, type, comm);
    same("an allgather", ours, mpis, bytes, count);
    fill_bytes(ours, bytes, 10 + me);
    memcpy(mpis, ours, bytes);
    MPISHM_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ours, count, type, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mpis, count, type, comm);
    same("an allgather in place", ours, mpis, bytes, count);
    memset(from, turn, bytes);
  }
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
}

/* How many ints the first sends to the second: none from some, ones that leaders bring and ones that they do not. */
static int amount(int from, int to, int scale) { return (from * 3 + to * 5) % 4 * (to % 3 ? scale : 3); }

static void ragged(int scale, int moved) {
  int sends[MOST], receives[MOST], out[MOST], in[MOST], all[MOST], places[MOST];
  int sent = 3, received = 5, gathered = 1;
  for (int i = 0; i < members; i++) {
    sends[i] = amount(me, i, scale);
    receives[i] = amount(i, me, scale);
    out[i] = sent;
    in[i] = received;
    sent += sends[i] + 1;
    received += receives[i] + 2;
  }
  for (int i = members - 1; i >= 0; i--) { /* in another order than the ranks */
    all[i] = amount(i, 1, scale);
    places[i] = gathered;
    gathered += all[i] + 1;
  }
  size_t room = (size_t)(sent > received ? sent : received) + (size_t)gathered, bytes = room * sizeof(int);
  int *from = allocate(bytes, moved), *ours = allocate(bytes, moved), *mpis = allocate(bytes, moved);
  fill_bytes(from, bytes, me + scale);
  fill_bytes(ours, bytes, 2);
  memcpy(mpis, ours, bytes);
  MPISHM_Alltoallv(from, sends, out, MPI_INT, ours, receives, in, MPI_INT, comm);
  MPI_Alltoallv(from, sends, out, MPI_INT, mpis, receives, in, MPI_INT, comm);
  same("an alltoallv", ours, mpis, bytes, scale);
  MPISHM_Allgatherv(from, all[me], MPI_INT, ours, all, places, MPI_INT, comm);
  MPI_Allgatherv(from, all[me], MPI_INT, mpis, all, places, MPI_INT, comm);
  same("an allgatherv", ours, mpis, bytes, scale);
  memcpy(&ours[places[me]], from, sizeof(int) * (size_t)all[me]);
  memcpy(&mpis[places[me]], from, sizeof(int) * (size_t)all[me]);
  MPISHM_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, ours, all, places, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, mpis, all, places, MPI_INT, comm);
  same("an allgatherv in place", ours, mpis, bytes, scale);
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
}

/* A block of a matrix for each, transposed into columns of another; nothing at all from and to some. */
static void matrices(int n, int moved) {
  int wide = n * members, counts[MOST], from_places[MOST], to_places[MOST];
  MPI_Datatype from_types[MOST], to_types[MOST], column;
  size_t bytes = sizeof(double) * (size_t)n * (size_t)wide;
  double *from = allocate(bytes, moved), *ours = allocate(bytes, moved), *mpis = allocate(bytes, moved);
  for (int i = 0; i < members; i++) {
    int whole[2] = {n, wide}, part[2] = {n, n}, first[2] = {0, n * i};
    MPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_C, MPI_DOUBLE, &from_types[i]);
    MPI_Type_vector(n, 1, wide, MPI_DOUBLE, &column);
    MPI_Type_create_hvector(n, 1, sizeof(double), column, &to_types[i]);
    MPI_Type_free(&column);
    MPI_Type_commit(&from_types[i]);
    MPI_Type_commit(&to_types[i]);
    counts[i] = (me + i) % 3 != 1;
    from_places[i] = 0;
    to_places[i] = (int)sizeof(double) * n * i;
  }
  fill_bytes(from, bytes, me);
  fill_bytes(ours, bytes, 2);
  memcpy(mpis, ours, bytes);
  MPISHM_Alltoallw(from, counts, from_places, from_types, ours, counts, to_places, to_types, comm);
  MPI_Alltoallw(from, counts, from_places, from_types, mpis, counts, to_places, to_types, comm);
  same("an alltoallw", ours, mpis, bytes, n);
  for (int i = 0; i < members; i++) {
    MPI_Type_free(&from_types[i]);
    MPI_Type_free(&to_types[i]);
  }
  release(from, moved);
  release(ours, moved);
  release(mpis, moved);
}

/* Of all members, and of one. */
static void refused_by_mpi(void) {
  int value[MOST] = {0}, result[MOST] = {0}, negative[MOST] = {0}, none[MOST] = {0}, *from = value;
  MPI_Comm copy;
  MPISHM_Comm_dup(comm, &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  negative[0] = -1;
  alike(MPISHM_Bcast(value, 1, MPI_INT, members, copy), MPI_Bcast(value, 1, MPI_INT, members, copy), 1);
  alike(MPISHM_Alltoall(value, -1, MPI_INT, result, 1, MPI_INT, copy),
        MPI_Alltoall(value, -1, MPI_INT, result, 1, MPI_INT, copy), 1);
  alike(MPISHM_Alltoallv(value, negative, none, MPI_INT, result, none, none, MPI_INT, copy),
        MPI_Alltoallv(value, negative, none, MPI_INT, result, none, none, MPI_INT, copy), 1);
  alike(MPISHM_Reduce(value, result, 1, MPI_INT, MPI_SUM, -1, copy),
        MPI_Reduce(value, result, 1, MPI_INT, MPI_SUM, -1, copy), 1);
#ifndef I_MPI_VERSION /* Intel MPI refuses this member and has the others wait for it */
  if (me == members - 1)
    from = result;
#endif
  alike(MPISHM_Alltoallv(from, none, none, MPI_INT, result, none, none, MPI_INT, copy),
        MPI_Alltoallv(from, none, none, MPI_INT, result, none, none, MPI_INT, copy), -1);
  MPISHM_Barrier(copy);
  MPI_Comm_free(&copy);
}

/* More at a time than have leaders, and then one after the other, some without any collective. */
static void many(void) {
  MPI_Comm comms[MANY];
  for (int i = 0; i < MANY; i++)
    MPISHM_Comm_dup(comm, &comms[i]);
  for (int i = 0; i < MANY + 5; i++) {
    int value = me, all;
    MPISHM_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, comms[i % MANY]);
    if (all != members * (members - 1) / 2)
      wrong("a sum on one of many communicators", all);
  }
  for (int i = 0; i < MANY; i++)
    MPI_Comm_free(&comms[i]);
  for (int i = 0; i < 12; i++) {
    int value[MOST] = {me}, all[MOST];
    MPISHM_Comm_dup(comm, &comms[0]);
    if (i % 3)
      MPISHM_Alltoall(value, 1, MPI_INT, all, 1, MPI_INT, comms[0]);
    if (i % 3 && me == 0 && all[members - 1] != members - 1)
      wrong("an exchange on a new communicator", all[0]);
    MPI_Comm_free(&comms[0]);
  }
}

static void all_on(MPI_Comm communicator, int moved) {
  MPI_Datatype gaps;
  use(communicator);
  MPI_Type_vector(3, 2, 5, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  broadcasts(moved);
  broadcasts_in_a_row();
  reductions();
  const int counts[] = {0, 1, 40, 2000, 4100, 30000};
  for (int i = 0; i < 6; i++) {
    exchange(counts[i], MPI_BYTE, moved);
    if (counts[i] < 5000)
      exchange(counts[i] / 6, gaps, moved);
    ragged(counts[i] / 5, moved);
  }
  for (int n = 1; n < 60; n = 3 * n + 2)
    matrices(n, moved);
  MPI_Type_free(&gaps);
}

int main(int argc, char **argv) {
  MPI_Comm mixed, backwards, but_first, halves;
  start(&argc, &argv);
  if (size > MOST)
    wrong("the number of ranks", size);
  refuses = argc > 1 && rank == 1 && strcmp(argv[1], "refused") == 0;
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, rank % 2 * size + rank, &mixed);
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPISHM_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &but_first);
  MPISHM_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
  all_on(MPI_COMM_WORLD, 0);
  all_on(mixed, 1);
  all_on(backwards, 0);
  all_on(but_first, 1);
  all_on(halves, 0);
  use(MPI_COMM_WORLD);
  refused_by_mpi();
  if (argc > 1 && strcmp(argv[1], "many") == 0)
    many();
  MPI_Comm_free(&mixed);
  MPI_Comm_free(&backwards);
  MPI_Comm_free(&but_first);
  MPI_Comm_free(&halves);
  if (argc > 1 && strcmp(argv[1], "refused") == 0) {
    MPI_Bcast(&refused, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 0)
      printf("refused %d\n", refused);
  }
  return finish(500);
}

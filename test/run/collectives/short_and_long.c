// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives with one root in a row, of sizes around the one from which they go another way: short ones are messages,
// of which a member may be far ahead, longer ones meet in slots, and both take turns here, on two communicators, with
// those of different sizes, nonblocking ones and sums between them, to roots that change and with members that are
// late. A member that is ahead of 300 of them need not be waited for by the one that sends.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static
//
// RUN: mpiexec -n 2 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/static | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: env MPISHM_TRIALS=2 mpiexec -n 2 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// CHECK: all right
#include "collectives.h"
#include <math.h>
#include <unistd.h>

enum { MOST = 4, LONGEST = 20000, IN_A_ROW = 300 };

static _Alignas(16) char all[MOST * LONGEST], mine[LONGEST], own[LONGEST];

/* What a member has in the i-th call. */
static char value(int member, int i) { return (char)(37 * member + i); }

static void expect(const char *what, const char *from, int bytes, int member, int i) {
  for (int k = 0; k < bytes; k++)
    if (from[k] != value(member, i))
      wrong(what, i);
  checks++;
}

static void fill_all(int bytes, int i) {
  for (int member = 0; member < size; member++)
    memset(all + (size_t)member * (size_t)bytes, value(member, i), (size_t)bytes);
}

static void gather(MPI_Comm comm, int bytes, int root, int i) {
  memset(mine, value(rank, i), (size_t)bytes);
  memset(all, 0x55, sizeof all);
  MPISHM_Gather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, root, comm);
  for (int member = 0; rank == root && member < size; member++)
    expect("what was gathered", all + (size_t)member * (size_t)bytes, bytes, member, i);
}

static void scatter(MPI_Comm comm, int bytes, int root, int i) {
  fill_all(bytes, i);
  MPISHM_Scatter(all, bytes, MPI_BYTE, own, bytes, MPI_BYTE, root, comm);
  expect("what was scattered", own, bytes, rank, i);
}

static void bcast(MPI_Comm comm, int bytes, int root, int i) {
  memset(own, value(rank, i), (size_t)bytes);
  MPISHM_Bcast(own, bytes, MPI_BYTE, root, comm);
  expect("what was broadcast", own, bytes, root, i);
}

static void gather_varied(MPI_Comm comm, int bytes, int root, int i) {
  int counts[MOST], places[MOST];
  for (int member = 0; member < size; member++) {
    counts[member] = member % 2 ? 0 : bytes;
    places[member] = member * bytes;
  }
  memset(mine, value(rank, i), (size_t)bytes);
  MPISHM_Gatherv(mine, counts[rank], MPI_BYTE, all, counts, places, MPI_BYTE, root, comm);
  for (int member = 0; rank == root && member < size; member++)
    expect("what was gathered, of different sizes", all + places[member], counts[member], member, i);
}

/* Of doubles, where there are so many bytes: whole numbers, or such that are none at one of the members. */
static void sum_of(const double *result, int count, double expected, int is_none, int i) {
  for (int k = 0; k < count; k++)
    if (is_none ? result[k] == result[k] : result[k] != expected)
      wrong("a sum", i);
}

static void reduce(MPI_Comm comm, int bytes, int root, int i) {
  const int count = bytes / 8, none = i % 4 == 3 ? i / 4 % size : -1;
  double *given = (double *)mine, *result = (double *)all;
  for (int k = 0; k < count; k++)
    given[k] = rank == none ? NAN : rank + i;
  MPISHM_Reduce(mine, all, count, MPI_DOUBLE, MPI_SUM, root, comm);
  if (rank == root)
    sum_of(result, count, size * (size - 1) / 2 + size * i, none >= 0, i);
}

static void scan(MPI_Comm comm, int bytes, int root, int i) {
  const int count = bytes / 8, none = i % 4 == 3 ? i / 4 % size : -1;
  double *result = (double *)all;
  (void)root;
  for (int k = 0; k < count; k++)
    result[k] = rank == none ? NAN : rank + i;
  MPISHM_Scan(MPI_IN_PLACE, all, count, MPI_DOUBLE, MPI_SUM, comm);
  sum_of(result, count, rank * (rank + 1) / 2 + (rank + 1) * i, none >= 0 && none <= rank, i);
}

static void bcast_started(MPI_Comm comm, int bytes, int root, int i) {
  MPI_Request request;
  memset(mine, value(rank, i), (size_t)bytes);
  MPISHM_Ibcast(mine, bytes, MPI_BYTE, root, comm, &request);
  bcast(comm, bytes, root, i);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  expect("what was broadcast meanwhile", mine, bytes, root, i);
}

static void (*const collectives[])(MPI_Comm, int, int, int) = {gather,        scatter, bcast, gather_varied,
                                                               bcast_started, reduce,  scan};

static void in_turns(MPI_Comm one, MPI_Comm other) {
  static const int sizes[] = {0, 8, 48, 49, 1024, 4088, 4095, 4096, 4097, 16384, 16385, LONGEST};
  enum { SIZES = sizeof sizes / sizeof *sizes, KINDS = sizeof collectives / sizeof *collectives };
  for (int i = 0; i < 20 * SIZES; i++) {
    if (i % 23 == 0 && i / 23 % size == rank)
      usleep(500);
    collectives[i * 5 % KINDS](i % 3 ? one : other, sizes[i % SIZES], i / 5 % size, i);
  }
}

/* The last member is late, and everybody else through with all before it has begun: sends of messages may be. */
static void ahead(MPI_Comm comm) {
  const int last = size - 1;
  if (rank == last)
    usleep(100000);
  for (int i = 0; i < IN_A_ROW; i++)
    scatter(comm, 1000, 0, i);
  for (int i = 0; i < IN_A_ROW; i++)
    gather(comm, 1000, last, i);
}

int main(int argc, char **argv) {
  MPI_Comm other;
  start(&argc, &argv);
  MPISHM_Comm_dup(MPI_COMM_WORLD, &other);
  in_turns(MPI_COMM_WORLD, other);
  ahead(other);
  MPI_Comm_free(&other);
  return finish(IN_A_ROW);
}

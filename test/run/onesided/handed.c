// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short puts into private memory, between fences and between start and complete, which their targets bring to their
// places when they end the epoch, too: to several targets in turns, of many lengths, forms and displacements, also of
// nothing and to the rank itself, more than there is room for, with gets and accumulates of the same targets between
// them, which see what was put there before, in windows over the same memory, in epochs of many kinds one after the
// other. What was put is there when the target's call returns, and for all after a fence.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: mpiexec -n 5 %t/program | FileCheck %s
// RUN: env MPISHM_WINDOW=1M mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"

enum { MOST = 8, AREA = 4096, EPOCHS = 60 }; /* ranks; bytes that each origin has in each target's memory */

static unsigned char memory[MOST * AREA], mirror[MOST * AREA], mine[MOST][AREA];
/* Between nodes MPICH 4.0.2 may end a fence before more than 32 puts are there, and takes a post for another rank's
 * that comes later. */
static int several_nodes, most_pieces = AREA;

static int unit_of(int of) { /* of a rank's displacements */ return 1 << of % 4; }
static unsigned char byte_of(int from, int to, int epoch, int at) {
  return (unsigned char)(from * 31 + to * 17 + epoch * 7 + at * 3 + 1);
}

/* What this epoch puts: so many pieces, each so long, so far apart. */
struct shape {
  int pieces, bytes, stride;
};
static struct shape shape_of(int epoch, int from, int to) {
  const struct shape shapes[] = {{1, 8, 8},     {8, 8, 8},    {8, 8, 64},      {1, 1000, 1000}, {3, 200, 208},
                                 {40, 8, 16},   {64, 16, 64}, {2, 1024, 1024}, {5, 24, 800},    {1, 4096, 4096},
                                 {30, 64, 128}, {0, 0, 8},    {9, 256, 256},   {1, 2048, 2048}, {16, 8, 8}};
  struct shape shape = shapes[(unsigned)(epoch + from + 3 * to) % (sizeof shapes / sizeof *shapes)];
  shape.pieces = shape.pieces > most_pieces ? most_pieces : shape.pieces;
  return shape;
}

/* Puts what belongs there; every third time as strided elements on both sides, or on one. */
static void put(MPI_Win win, int to, int epoch) {
  struct shape shape = shape_of(epoch, rank, to);
  MPI_Aint start = (MPI_Aint)rank * AREA;
  for (int k = 0; k < AREA; k++)
    mine[to][k] = byte_of(rank, to, epoch, k);
  if (epoch % 3 == 2 && shape.pieces > 0) {
    MPI_Datatype rows;
    MPI_Type_vector(shape.pieces, shape.bytes, shape.stride, MPI_BYTE, &rows);
    MPI_Type_commit(&rows);
    MPISHM_Put(mine[to], 1, rows, to, start / unit_of(to), 1, rows, win);
    MPI_Type_free(&rows);
    return;
  }
  for (int i = 0; i < shape.pieces; i++) {
    int at = epoch % 2 ? i * shape.stride : (shape.pieces - 1 - i) * shape.stride;
    MPISHM_Put(mine[to] + at, shape.bytes, MPI_BYTE, to, (start + at) / unit_of(to), shape.bytes, MPI_BYTE, win);
    MPISHM_Put(mine[to] + at, 0, MPI_BYTE, to, 0, 0, MPI_BYTE, win);
    MPISHM_Put(mine[to] + at, 8, MPI_BYTE, MPI_PROC_NULL, 0, 8, MPI_BYTE, win);
  }
}

static void expect_put(int from, int epoch) {
  struct shape shape = shape_of(epoch, from, rank);
  for (int i = 0; i < shape.pieces; i++)
    for (int k = i * shape.stride; k < i * shape.stride + shape.bytes; k++)
      mirror[from * AREA + k] = byte_of(from, rank, epoch, k);
}

static void check(const char *what) {
  for (int k = 0; k < size * AREA; k++)
    expect(what, memory[k], mirror[k]);
}

/* Gets what this rank has put into another's memory, and it comes as it is there. */
static void get_back(MPI_Win win, int to, int epoch, void (*complete)(MPI_Win)) {
  static unsigned char got[AREA];
  struct shape shape = shape_of(epoch, rank, to);
  shape.bytes = shape.pieces > 0 ? shape.bytes : 0;
  MPISHM_Get(got, shape.bytes, MPI_BYTE, to, (MPI_Aint)rank * AREA / unit_of(to), shape.bytes, MPI_BYTE, win);
  complete(win);
  for (int k = 0; k < shape.bytes; k++)
    expect("what was got back", got[k], byte_of(rank, to, epoch, k));
}

static void fence(MPI_Win win) { MPISHM_Win_fence(0, win); }
static void flush(MPI_Win win) { MPISHM_Win_flush((rank + 1) % size, win); }

/* Between fences: to all, also to the rank itself; then all of them look at once. */
static void by_fences(MPI_Win win, int epoch) {
  fence(win);
  for (int to = 0; to < size; to++)
    put(win, (rank + to) % size, epoch);
  fence(win);
  for (int from = 0; from < size; from++)
    expect_put(from, epoch);
  check("what was put between fences");
  get_back(win, (rank + 1) % size, epoch, fence);
}

/* A fence in which only one of them has put anything. */
static void by_one(MPI_Win win, int epoch) {
  int one = epoch % size;
  fence(win);
  for (int to = 0; rank == one && to < size; to++)
    put(win, to, epoch);
  fence(win);
  expect_put(one, epoch);
  check("what one has put");
}

/* Where MPI does it, for other nodes or since nobody reaches another's memory, nobody may be ahead: MPICH 4.0.2 waits
 * for ever in a start while the post for the next one has come. */
static void together(void) {
  if (several_nodes || getenv("MPISHM_CMA"))
    MPISHM_Barrier(MPI_COMM_WORLD);
}

/* Groups of another size and order each time; who tests instead of waiting finds the same. */
static void by_posts(MPI_Win win, int epoch) {
  int targets[MOST], origins[MOST], reach = 1 + epoch % size, flag = 0;
  MPI_Group all, started, posted;
  for (int i = 0; i < reach; i++) {
    targets[i] = (rank + i + epoch) % size;
    origins[i] = (rank + 2 * size - i - epoch % size) % size;
  }
  together();
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, reach, targets, &started);
  MPI_Group_incl(all, reach, origins, &posted);
  MPISHM_Win_post(posted, 0, win);
  MPISHM_Win_start(started, 0, win);
  for (int i = 0; i < reach; i++)
    put(win, targets[i], epoch);
  MPISHM_Win_complete(win);
  while (epoch % 2 && !flag)
    MPISHM_Win_test(win, &flag);
  if (!flag)
    MPISHM_Win_wait(win);
  for (int i = 0; i < reach; i++)
    expect_put(origins[i], epoch);
  check("what was put after a post");
  MPI_Group_free(&all);
  MPI_Group_free(&started);
  MPI_Group_free(&posted);
}

/* The first goes from one to the next, and hands to the second before the first of them has looked at what it has. */
static void one_after_the_other(MPI_Win win, int epoch) {
  MPI_Group all, one;
  together();
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int to = 1; rank == 0 && to < size; to++) {
    MPI_Group_incl(all, 1, &to, &one);
    MPISHM_Win_start(one, 0, win);
    put(win, to, epoch);
    MPISHM_Win_complete(win);
    MPI_Group_free(&one);
  }
  if (rank > 0) {
    MPI_Group_incl(all, 1, (int[]){0}, &one);
    MPISHM_Win_post(one, 0, win);
    MPI_Group_free(&one);
  }
  MPISHM_Barrier(MPI_COMM_WORLD); /* all is completed there */
  if (rank > 0) {
    MPISHM_Win_wait(win);
    expect_put(0, epoch);
  }
  check("what was put in turns");
  MPI_Group_free(&all);
}

/* What comes after a put of the same epoch, on other memory of the same target, or the same: an origin's own
 * accumulates and locks. */
static void among_others(MPI_Win win, int epoch) {
  long one = 1, before = -1;
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Aint counter = ((MPI_Aint)rank * AREA + AREA - 8) / unit_of(to);
  struct shape shape = shape_of(epoch, from, rank);
  fence(win);
  put(win, to, epoch);
  if (shape_of(epoch, rank, to).stride * shape_of(epoch, rank, to).pieces < AREA - 8) {
    MPISHM_Accumulate(&one, 1, MPI_LONG, to, counter, 1, MPI_LONG, MPI_SUM, win);
    MPISHM_Fetch_and_op(&one, &before, MPI_LONG, to, counter, MPI_SUM, win);
  }
  MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
  expect_put(from, epoch);
  if (shape.stride * shape.pieces < AREA - 8) {
    long now;
    memcpy(&now, mirror + from * AREA + AREA - 8, sizeof now);
    now += 2;
    memcpy(mirror + from * AREA + AREA - 8, &now, sizeof now);
  }
  check("what was put and added");
  MPISHM_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);
  put(win, to, epoch + 1);
  MPISHM_Win_flush(to, win);
  get_back(win, to, epoch + 1, flush);
  MPISHM_Win_unlock(to, win);
  MPISHM_Barrier(MPI_COMM_WORLD);
  expect_put(from, epoch + 1);
  check("what was put in a lock");
}

int main(int argc, char **argv) {
  MPI_Win wins[2];
  int near;
  start(&argc, &argv);
  MPI_Comm_size(node, &near);
  several_nodes = near < size;
  if (several_nodes)
    most_pieces = 5;
  for (int i = 0; i < 2; i++)
    MPISHM_Win_create(memory, (MPI_Aint)size * AREA, unit_of(rank), MPI_INFO_NULL, MPI_COMM_WORLD, &wins[i]);
  for (int epoch = 0; epoch < EPOCHS; epoch++) {
    MPI_Win win = wins[epoch % 5 == 4];
    by_fences(win, epoch);
    by_one(win, epoch + 1);
    MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
    by_posts(win, epoch + 2);
    by_posts(wins[0], epoch + 3);
    if (!several_nodes)
      one_after_the_other(win, epoch + 4);
    among_others(win, epoch + 5);
  }
  for (int i = 0; i < 2; i++)
    MPISHM_Win_free(&wins[i]);
  return finish(EPOCHS * AREA);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many puts of many lengths in one epoch, to several targets in turns, with gets and accumulates of the same targets
// between them: all of them are there when the epoch, or a flush, is over, and the origin's buffer may be used again at
// once where MPI says so. The memory's owner looks at every byte. (Windows are multiples of 16 bytes: of others MPICH
// 4.0.2 misplaces the memory of MPI_Win_allocate.)
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"

enum { PUTS = 72, BETWEEN_NODES = 30, ROOM = 3200, EPOCHS = 6 };

/* Between two fences: those to another node are MPI's own, and MPICH 4.0.2 may come back from the second before more
 * than 32 of them are there. */
static int puts_of_fence(void) {
  int near;
  MPI_Comm_size(node, &near);
  return near == size ? PUTS : BETWEEN_NODES;
}

static int length_of(int i) { return 1 + (i * 37 + i * i) % (i % 5 == 0 ? ROOM : 200); }

/* Of origin `from`, in every target, PUTS pieces. */
static MPI_Aint place_of(int from, int i) { return ((MPI_Aint)from * PUTS + i) * ROOM; }

static unsigned char byte_of(int from, int to, int i, int epoch) {
  return (unsigned char)(from * 91 + to * 57 + i * 13 + epoch * 7 + 1);
}

static char buffers[PUTS][ROOM]; /* as long as the epoch */

static void put_all(MPI_Win win, int to, int epoch, int puts, int flushes) {
  static char got[ROOM];
  for (int i = 0; i < puts; i++) {
    int n = length_of(i);
    memset(buffers[i], byte_of(rank, to, i, epoch), (size_t)n);
    MPISHM_Put(buffers[i], n, MPI_BYTE, to, place_of(rank, i), n, MPI_BYTE, win);
    if (!flushes)
      continue;
    if (i % 3 == 0) {
      MPISHM_Win_flush_local(to, win);
      memset(buffers[i], 0, (size_t)n); /* it is this rank's again */
    }
    if (i % 7 == 0) {
      MPISHM_Win_flush(to, win);
      MPISHM_Get(got, n, MPI_BYTE, to, place_of(rank, i), n, MPI_BYTE, win);
      MPISHM_Win_flush(to, win);
      for (int k = 0; k < n; k++)
        expect("what was put and got", (unsigned char)got[k], byte_of(rank, to, i, epoch));
    }
  }
}

static void check_all(const char *base, int epoch, int puts, int only) {
  for (int from = 0; from < size; from++)
    for (int i = 0; (only < 0 || only == from) && i < puts; i++)
      for (int k = 0; k < length_of(i); k++)
        expect("what was put", (unsigned char)base[place_of(from, i) + k], byte_of(from, rank, i, epoch));
}

static void in_windows(enum way way) {
  int next = (rank + 1) % size, before = (rank + size - 1) % size, fenced = puts_of_fence();
  struct made made = make(way, (MPI_Aint)size * PUTS * ROOM, 1, MPI_COMM_WORLD);
  MPI_Group all, origins, targets;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &before, &origins);
  MPI_Group_incl(all, 1, &next, &targets);
  for (int epoch = 0; epoch < EPOCHS; epoch++) {
    memset(made.base, 0, (size_t)size * PUTS * ROOM);
    MPI_Barrier(MPI_COMM_WORLD);
    if (epoch % 3 == 0) {
      MPISHM_Win_fence(0, made.win);
      put_all(made.win, next, epoch, fenced, 0);
      MPISHM_Win_fence(MPI_MODE_NOSUCCEED, made.win);
      check_all(made.base, epoch, fenced, before);
    } else if (epoch % 3 == 1) {
      MPISHM_Win_post(origins, 0, made.win);
      MPISHM_Win_start(targets, 0, made.win);
      put_all(made.win, next, epoch, PUTS, 0);
      MPISHM_Win_complete(made.win);
      MPISHM_Win_wait(made.win);
      check_all(made.base, epoch, PUTS, before);
    } else {
      for (int to = 0; to < size; to++) {
        MPISHM_Win_lock(epoch == 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, to, 0, made.win);
        put_all(made.win, to, epoch, PUTS, 1);
        MPISHM_Win_unlock(to, made.win);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      MPISHM_Win_lock(MPI_LOCK_SHARED, rank, 0, made.win);
      check_all(made.base, epoch, PUTS, -1);
      MPISHM_Win_unlock(rank, made.win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
  unmake(&made);
}

/* To several targets in turns. */
static void in_turns(enum way way) {
  struct made made = make(way, (MPI_Aint)sizeof(int) * PUTS * size, sizeof(int), MPI_COMM_WORLD);
  static int numbers[PUTS][8];
  MPISHM_Win_lock_all(0, made.win);
  for (int i = 0; i < PUTS; i++)
    for (int to = 0; to < size; to++) {
      numbers[i][to] = 1000 * rank + 10 * i + to;
      MPISHM_Put(&numbers[i][to], 1, MPI_INT, to, rank * PUTS + i, 1, MPI_INT, made.win);
    }
  MPISHM_Win_flush_all(made.win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_sync(made.win);
  for (int from = 0; from < size; from++)
    for (int i = 0; i < PUTS; i++)
      expect("what was put in turns", ((int *)made.base)[from * PUTS + i], 1000 * from + 10 * i + rank);
  MPISHM_Win_unlock_all(made.win);
  unmake(&made);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (enum way way = CREATE_PRIVATE; way <= ALLOCATE; way++) {
    in_windows(way);
    in_turns(way);
  }
  return finish(1000);
}

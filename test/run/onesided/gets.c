// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short gets of private memory are kept and then read together: side by side on both sides, on one, with holes, of more
// than are kept, of one place again, between puts of the same target and of others, into scattered memory, longer ones
// between; done by whatever ends or flushes their epoch, with what the memory holds then; those that a request stands
// for, when it is complete. Some when the kernel refuses. They are few calls of the kernel.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: mpiexec -n 2 %t/program refused | FileCheck %s
// (Gets of MPI's own are another matter: MPICH 4.0.2 leaves some open after MPI_Win_flush_local_all.)
// CHECK: all right
#define _GNU_SOURCE
#include "onesided.h"
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WORDS = 4096, GETS = 64, TURNS = 24, SCATTERED = WORDS - 8 };
enum way_out { FLUSH, FLUSH_LOCAL, FLUSH_ALL, UNLOCK, FENCE, COMPLETE, REQUEST, WAYS_OUT };

static int refuses;
static long calls;
extern char __executable_start, etext;

/* In the place of the C library's. */
ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long count, const struct iovec *there,
                         unsigned long there_count, unsigned long flags) {
  const char *caller = __builtin_return_address(0);
  if (caller > &__executable_start && caller < &etext) {
    calls++;
    if (refuses && calls % 3 == 0) {
      errno = EPERM;
      return -1;
    }
  }
  return syscall(SYS_process_vm_readv, pid, here, count, there, there_count, flags);
}

static long memory[WORDS], got[WORDS], put[4];
static MPI_Win win;
static int next;

static long value(int of, int i) { return of * 100000L + i; }

static void begin(enum way_out out) {
  MPI_Group all, two;
  int before = (rank + size - 1) % size;
  if (out == FENCE) {
    MPISHM_Win_fence(0, win);
  } else if (out == COMPLETE) {
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &before, &two);
    MPISHM_Win_post(two, 0, win);
    MPI_Group_free(&two);
    MPI_Group_incl(all, 1, &next, &two);
    MPISHM_Win_start(two, 0, win);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
  } else {
    MPISHM_Win_lock(MPI_LOCK_SHARED, next, 0, win);
  }
}

static void done(enum way_out out) {
  switch (out) {
  case FLUSH:
    MPISHM_Win_flush(next, win);
    break;
  case FLUSH_LOCAL:
    MPISHM_Win_flush_local(next, win);
    break;
  case FLUSH_ALL:
    MPISHM_Win_flush_local_all(win);
    break;
  case UNLOCK:
    MPISHM_Win_unlock(next, win);
    break;
  case FENCE:
    MPISHM_Win_fence(0, win);
    break;
  case COMPLETE:
    MPISHM_Win_complete(win);
    break;
  default:
    break;
  }
}

static void end(enum way_out out) {
  if (out == COMPLETE)
    MPISHM_Win_wait(win);
  else if (out != UNLOCK && out != FENCE)
    MPISHM_Win_unlock(next, win);
}

static void get(int to, int from, int count, enum way_out out) {
  MPI_Request r;
  if (out == REQUEST) {
    MPISHM_Rget(got + to, count, MPI_LONG, next, from, count, MPI_LONG, win, &r);
    MPISHM_Wait(&r, MPI_STATUS_IGNORE);
    expect("what a request stands for", got[to], value(next, from));
  } else {
    MPISHM_Get(got + to, count, MPI_LONG, next, from, count, MPI_LONG, win);
  }
}

static void get_all(enum way_out out, int turn) {
  static int from[GETS], counts[GETS], to[GETS];
  MPI_Datatype scattered;
  int i, k, at = 0, there = 0;
  MPI_Type_vector(4, 1, 2, MPI_LONG, &scattered);
  MPI_Type_commit(&scattered);
  memset(got, -1, sizeof got);
  begin(out);
  for (i = 0; i < GETS; i++) {
    int hole = turn % 4 == 0 ? 0 : turn % 4 == 1 ? 1 : turn % 4 == 2 ? (i % 3 == 0) : 2;
    counts[i] = turn % 5 == 0 ? 1 : 1 + (i * 7 + turn) % 9;
    if (turn % 6 == 5 && i % 16 == 15)
      counts[i] = 300; /* is not kept */
    if (i == GETS / 2)
      MPISHM_Get(got + SCATTERED, 1, scattered, next, 7, 4, MPI_LONG, win);
    to[i] = at;
    from[i] = turn % 8 == 7 ? (GETS - i) * 10 : there;
    get(at, from[i], counts[i], out);
    if (turn % 7 == 6 && i % 10 == 9 && out != FENCE && out != COMPLETE) { /* what no one gets, here and of this rank */
      put[0] = turn;
      MPISHM_Put(put, 1, MPI_LONG, next, WORDS - 1 - i, 1, MPI_LONG, win);
    }
    at += counts[i] + (turn % 3 == 2);
    there += counts[i] + hole;
  }
  done(out);
  if (out != REQUEST)
    for (k = 0; k < 4; k++)
      expect("what was scattered", got[SCATTERED + 2 * k], value(next, 7 + k));
  for (i = 0; i < GETS; i++)
    for (k = 0; k < counts[i]; k++)
      expect("what was got", got[to[i] + k], value(next, from[i] + k));
  end(out);
  MPI_Type_free(&scattered);
}

/* One after the other they go as one: the kernel is called for 16 pieces at most, or 16 Ki. */
static void are_few_calls(void) {
  long before = calls;
  if (refuses)
    return;
  get_all(FLUSH, 0);
  expect("calls of the kernel", calls - before, 3); /* before what is scattered, that, and behind it */
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  next = (rank + 1) % size;
  for (int i = 0; i < WORDS; i++)
    memory[i] = value(rank, i);
  MPISHM_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPISHM_Barrier(MPI_COMM_WORLD);
  are_few_calls();
  refuses = argc > 1;
  for (int turn = 0; turn < TURNS; turn++)
    for (int out = 0; out < WAYS_OUT; out++)
      get_all((enum way_out)out, turn);
  MPISHM_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_free(&win);
  return finish(TURNS * WAYS_OUT * GETS);
}

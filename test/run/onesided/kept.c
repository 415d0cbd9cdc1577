// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulates of single words are kept for a while and then done together: in the order of the calls, with the values
// of the calls, whatever the program does to its buffer then; and by whatever ends their epoch, flushes it, or is the
// next other operation on their target. While one rank alone does so, and when all have taken turns. In memory that
// loads reach, and in private memory, also where words overlap, and where the kernel now and then refuses to read them,
// or to write all of them.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %if !mpi-openmpi %{ mpiexec -n 2 %t/program refused | FileCheck %s --check-prefixes=REFUSED,CHECK %}
// REFUSED: refused {{[1-9][0-9]+}}
// CHECK: all right
#define _GNU_SOURCE
#include "onesided.h"
#include "refusing_kernel.h"

enum { WORDS = 8, MOST = 50, OF_ALL = WORDS * 8 };

/* Of each rank, here and as it has to be. */
static uint64_t *base, wanted[16][WORDS];
static MPI_Win win;
static int refusing;

static void compare(int target, const uint64_t *found, int number) {
  for (int i = 0; i < WORDS; i++) {
    checks++;
    if (found[i] != wanted[target][i])
      wrong("a word", 100L * number + i);
  }
}

static void combine(MPI_Op op, uint64_t *word, uint64_t operand) {
  *word = op == MPI_REPLACE ? operand
          : op == MPI_SUM   ? *word + operand
          : op == MPI_BXOR  ? *word ^ operand
                            : (*word > operand ? *word : operand);
}

/* Operations of which the order shows. */
static void accumulate(int target, int count, int number) {
  const MPI_Op ops[] = {MPI_SUM, MPI_BXOR, MPI_SUM, MPI_REPLACE, MPI_MAX, MPI_SUM, MPI_BXOR};
  uint64_t operand;
  refuses = refusing && number % 3 == 1;
  refuses_to_write = refusing && number % 3 == 2;
  for (int i = 0; i < count; i++) {
    int at = (i * i + number) % WORDS, to = target < 0 ? (i / 3 + number) % size : target;
    MPI_Op op = ops[(i + number) % 7];
    operand = (uint64_t)(number + 1) * 2654435761U % 1000003 + (uint64_t)i * i * 977;
    if ((i + number) % 5 == 2) { /* the first half of the word alone */
      uint32_t half, of_half = (uint32_t)operand;
      memcpy(&half, &wanted[to][at], sizeof half);
      half = op == MPI_REPLACE ? of_half : op == MPI_BXOR ? half ^ of_half : half + of_half;
      memcpy(&wanted[to][at], &half, sizeof half);
      MPISHM_Accumulate(&of_half, 1, MPI_UINT32_T, to, at, 1, MPI_UINT32_T, op == MPI_MAX ? MPI_SUM : op, win);
      of_half = 0;
      continue;
    }
    combine(op, &wanted[to][at], operand);
    MPISHM_Accumulate(&operand, 1, MPI_UINT64_T, to, at, 1, MPI_UINT64_T, op, win);
    operand = 0; /* which libmpishm permits */
  }
}

static void get_and_compare(int target, int number) {
  uint64_t found[WORDS];
  MPISHM_Get(found, OF_ALL, MPI_BYTE, target, 0, OF_ALL, MPI_BYTE, win);
  MPISHM_Win_flush(target, win);
  compare(target, found, number);
}

/* The next operation on that target. */
static void go_on(int target, int kind, int number) {
  uint64_t found[WORDS] = {0}, mine[2] = {5, 6}, compared = wanted[target][0];
  MPI_Request request;
  switch (kind) {
  case 0:
    MPISHM_Get(found, WORDS, MPI_UINT64_T, target, 0, WORDS, MPI_UINT64_T, win);
    MPISHM_Win_flush(target, win);
    compare(target, found, number);
    break;
  case 1:
    MPISHM_Put(mine, 1, MPI_UINT64_T, target, 1, 1, MPI_UINT64_T, win);
    wanted[target][1] = 5;
    break;
  case 2:
    MPISHM_Fetch_and_op(mine, found, MPI_UINT64_T, target, 2, MPI_SUM, win);
    expect("what was fetched", found[0] == wanted[target][2], 1);
    wanted[target][2] += 5;
    break;
  case 3:
    MPISHM_Compare_and_swap(mine, &compared, found, MPI_UINT64_T, target, 0, win);
    expect("what was compared", found[0] == compared, 1);
    wanted[target][0] = 5;
    break;
  case 4:
    MPISHM_Accumulate(mine, 2, MPI_UINT64_T, target, 3, 2, MPI_UINT64_T, MPI_REPLACE, win);
    memcpy(&wanted[target][3], mine, sizeof mine);
    break;
  case 5:
    MPISHM_Get_accumulate(mine, 2, MPI_UINT64_T, found, 2, MPI_UINT64_T, target, 4, 2, MPI_UINT64_T, MPI_REPLACE, win);
    expect("what two were", memcmp(found, &wanted[target][4], sizeof mine), 0);
    memcpy(&wanted[target][4], mine, sizeof mine);
    break;
  case 6:
    MPISHM_Raccumulate(mine, 1, MPI_UINT64_T, target, 6, 1, MPI_UINT64_T, MPI_REPLACE, win, &request);
    MPISHM_Wait(&request, MPI_STATUS_IGNORE);
    wanted[target][6] = 5;
    break;
  case 7: /* several elements, among words of the same datatype that are kept, by the same operation */
    for (int i = 0; i < 4; i++) {
      MPI_Op op = i % 2 ? MPI_MAX : MPI_BXOR;
      for (int times = 0; times < 2; times++) {
        MPISHM_Accumulate(mine, 1, MPI_UINT64_T, target, 2, 1, MPI_UINT64_T, MPI_REPLACE, win);
        MPISHM_Accumulate(mine, 1, MPI_UINT64_T, target, 1 + times, 1, MPI_UINT64_T, op, win);
        MPISHM_Accumulate(mine, 2, MPI_UINT64_T, target, 1, 2, MPI_UINT64_T, op, win);
        wanted[target][2] = mine[0];
        combine(op, &wanted[target][1 + times], mine[0]);
        combine(op, &wanted[target][1], mine[0]);
        combine(op, &wanted[target][2], mine[1]);
        MPISHM_Accumulate(mine, 1, MPI_UINT64_T, target, 3, 1, MPI_UINT64_T, op, win);
        MPISHM_Get_accumulate(mine, 2, MPI_UINT64_T, found, 2, MPI_UINT64_T, target, 3, 2, MPI_UINT64_T, op, win);
        combine(op, &wanted[target][3], mine[0]);
        expect("what two were", memcmp(found, &wanted[target][3], sizeof mine), 0);
        combine(op, &wanted[target][3], mine[0]);
        combine(op, &wanted[target][4], mine[1]);
      }
    }
    break;
  default:
    MPISHM_Accumulate(mine, 8, MPI_BYTE, target, 7, 1, MPI_UINT64_T, MPI_REPLACE, win);
    wanted[target][7] = 5;
  }
}
enum { KINDS = 9 };

/* By this rank alone, inside lock_all. */
static void alone(void) {
  for (int number = 0; number < MOST; number++)
    for (int target = 0; target < size; target++) {
      accumulate(target, number, number);
      go_on(target, number % (refusing ? KINDS - 1 : KINDS), number); /* MPI wants the same datatype in the last */
      MPISHM_Win_flush(target, win);
      get_and_compare(target, number);
      accumulate(-1, number, number);
      number % 2 ? MPISHM_Win_flush_all(win) : MPISHM_Win_flush(target, win);
      get_and_compare(target, number);
    }
  for (int target = 0; target < size; target++)
    get_and_compare(target, -1);
}

/* Targets look into their own memory, after a barrier. */
static void ends(int ender) {
  for (int number = 0; number < MOST; number++) {
    if (rank == ender) {
      if (number % 2) {
        MPISHM_Win_lock_all(0, win);
        accumulate(-1, number, number);
        MPISHM_Win_unlock_all(win);
      } else {
        MPISHM_Win_lock(number % 4 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, size - 1, 0, win);
        accumulate(size - 1, number, number);
        MPISHM_Win_unlock(size - 1, win);
      }
    }
    MPI_Bcast(wanted, (int)sizeof wanted, MPI_BYTE, ender, MPI_COMM_WORLD);
    MPISHM_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    compare(rank, base, number);
    MPISHM_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void by_fences(int ender) {
  MPISHM_Win_fence(0, win);
  for (int number = 0; number < MOST; number++) {
    if (rank == ender)
      accumulate(-1, number, number);
    MPISHM_Win_fence(0, win);
    MPI_Bcast(wanted, (int)sizeof wanted, MPI_BYTE, ender, MPI_COMM_WORLD);
    compare(rank, base, number);
    MPISHM_Win_fence(number == MOST - 1 ? MPI_MODE_NOSUCCEED : 0, win);
  }
}

static void by_posts(int ender) {
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int number = 0; number < MOST; number++) {
    MPISHM_Win_post(all, 0, win);
    MPISHM_Win_start(all, 0, win);
    if (rank == ender)
      accumulate(-1, number, number);
    MPISHM_Win_complete(win);
    MPISHM_Win_wait(win);
    MPI_Bcast(wanted, (int)sizeof wanted, MPI_BYTE, ender, MPI_COMM_WORLD);
    compare(rank, base, number);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Group_free(&all);
}

/* The latches of all open. */
static void take_turns(void) {
  uint64_t one = 1, got;
  MPISHM_Win_lock_all(0, win);
  for (int i = 0; i < 8 * size; i++)
    for (int target = 0; target < size; target++) {
      if (i % size == rank) {
        MPISHM_Fetch_and_op(&one, &got, MPI_UINT64_T, target, i % WORDS, MPI_SUM, win);
        MPISHM_Win_flush(target, win);
      }
      wanted[target][i % WORDS]++;
      MPI_Barrier(MPI_COMM_WORLD);
    }
  MPISHM_Win_unlock_all(win);
}

static void all_ways(int ender) {
  if (rank == ender) {
    MPISHM_Win_lock_all(0, win);
    alone();
    MPISHM_Win_unlock_all(win);
  }
  MPI_Bcast(wanted, (int)sizeof wanted, MPI_BYTE, ender, MPI_COMM_WORLD);
  ends(ender);
  by_fences(ender);
  by_posts(ender);
}

static void in_window(void) {
  memset(base, 0, WORDS * sizeof *base);
  memset(wanted, 0, sizeof wanted);
  MPI_Barrier(MPI_COMM_WORLD);
  all_ways(size - 1);
  take_turns();
  all_ways(0);
  MPISHM_Win_free(&win);
}

int main(int argc, char **argv) {
  static uint64_t memory[WORDS];
  start(&argc, &argv);
  refusing = argc > 1;
  MPISHM_Win_allocate(WORDS * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  in_window();
  base = memory;
  MPISHM_Win_create(base, sizeof memory, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  in_window();
  if (refusing && rank == 0)
    printf("refused %d\n", refused);
  return finish(1);
}

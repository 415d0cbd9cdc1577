// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single words that ranks change in turns, so that libmpishm does it by atomic instructions: each operation on each
// datatype of C gives the bits that MPI_Reduce_local gives, fetches what was there, and leaves what lies beside it;
// words that many change at once, some of them by accumulates of all of them, are counted exactly.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 mpiexec -n 2 %t/program | FileCheck %s
// CHECK: all right
#include "onesided.h"
#include <math.h>

enum { WORDS = 8, TURNS = 8, TIMES = 400 };

/* Of the window's owner, rank 0. */
static struct shared {
  long turn, counted[WORDS];
  char before[8], word[8], after[8];
} *base;
static MPI_Win win;
#define AT(member) ((MPI_Aint)offsetof(struct shared, member))

static void take_turns(void) {
  long one = 1, got = 0;
  for (int i = 0; i < TURNS * size; i++) {
    if (i % size == rank) {
      MPISHM_Fetch_and_op(&one, &got, MPI_LONG, 0, AT(turn), MPI_SUM, win);
      MPISHM_Win_flush(0, win);
      expect("whose turn it is", got % (TURNS * size), i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* Operands, as bytes: small and large, of both signs, no numbers. */
enum { INTEGERS, FLOATS, DOUBLES, BYTES, BOOLEANS };
static void draw(int kind, int number, char *into) {
  const double values[] = {0, -0.0, 1.5, -2.25, INFINITY, -INFINITY, NAN, 1e30};
  double value = values[number % 8];
  float narrow = (float)value;
  memset(into, 0, 8);
  if (kind == DOUBLES)
    memcpy(into, &value, sizeof value);
  else if (kind == FLOATS)
    memcpy(into, &narrow, sizeof narrow);
  else if (kind == BOOLEANS)
    into[0] = (char)(number % 2);
  else if (number % 3)
    fill_bytes(into, 8, number);
  else
    into[0] = (char)number;
}

static const struct {
  MPI_Op op;
  int kinds; /* a bit each */
} operations[] = {
    {MPI_SUM, 1 << INTEGERS | 1 << FLOATS | 1 << DOUBLES},
    {MPI_PROD, 1 << INTEGERS | 1 << FLOATS | 1 << DOUBLES},
    {MPI_MAX, 1 << INTEGERS | 1 << FLOATS | 1 << DOUBLES},
    {MPI_MIN, 1 << INTEGERS | 1 << FLOATS | 1 << DOUBLES},
    {MPI_LAND, 1 << INTEGERS | 1 << BOOLEANS},
    {MPI_LOR, 1 << INTEGERS | 1 << BOOLEANS},
    {MPI_LXOR, 1 << INTEGERS | 1 << BOOLEANS},
    {MPI_BAND, 1 << INTEGERS | 1 << BYTES},
    {MPI_BOR, 1 << INTEGERS | 1 << BYTES},
    {MPI_BXOR, 1 << INTEGERS | 1 << BYTES},
    {MPI_REPLACE, ~0},
    {MPI_NO_OP, ~0},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void compute(MPI_Op op, MPI_Datatype datatype, int bytes, char *word, const char *mine) {
  if (op == MPI_REPLACE)
    memcpy(word, mine, (size_t)bytes);
  else if (op != MPI_NO_OP)
    MPI_Reduce_local(mine, word, 1, datatype, op);
}

static void compare(const char *what, const char *found, const char *wanted, int bytes, int which) {
  checks++;
  if (memcmp(found, wanted, (size_t)bytes) != 0)
    wrong(what, which);
}

static void operate(MPI_Datatype datatype, int kind, int bytes, int which, int number) {
  char mine[8], kept[8], computed[8], got[8] = {0}, found[24];
  MPI_Op op = operations[which].op;
  draw(kind, number, kept);
  draw(kind, number / 8 + 5 * number, mine);
  memcpy(computed, kept, 8);
  MPISHM_Put(kept, 8, MPI_BYTE, 0, AT(word), 8, MPI_BYTE, win);
  MPISHM_Win_flush(0, win);
  if (number % 2 && op != MPI_NO_OP)
    MPISHM_Accumulate(mine, 1, datatype, 0, AT(word), 1, datatype, op, win);
  else
    MPISHM_Fetch_and_op(mine, got, datatype, 0, AT(word), op, win);
  MPISHM_Win_flush(0, win);
  compute(op, datatype, bytes, computed, mine);
  MPISHM_Get(found, 24, MPI_BYTE, 0, AT(before), 24, MPI_BYTE, win);
  MPISHM_Win_flush(0, win);
  compare("a word", found + 8, computed, 8, 100 * which + 10 * kind + bytes);
  compare("what was before a word", found, "beside_<", 8, which);
  compare("what was behind a word", found + 16, ">_beside", 8, which);
  if (!(number % 2) || op == MPI_NO_OP)
    compare("what was fetched", got, kept, bytes, 100 * which + 10 * kind + bytes);
}

static void swap(MPI_Datatype datatype, int bytes, int number) {
  char mine[8], kept[8], other[8], got[8] = {0}, found[8];
  draw(INTEGERS, number, kept);
  draw(INTEGERS, number + 1, mine);
  memcpy(other, kept, 8);
  other[bytes - 1] = (char)(other[bytes - 1] + number % 2); /* every other one is not what is there */
  MPISHM_Put(kept, 8, MPI_BYTE, 0, AT(word), 8, MPI_BYTE, win);
  MPISHM_Win_flush(0, win);
  MPISHM_Compare_and_swap(mine, other, got, datatype, 0, AT(word), win);
  MPISHM_Win_flush(0, win);
  MPISHM_Get(found, 8, MPI_BYTE, 0, AT(word), 8, MPI_BYTE, win);
  MPISHM_Win_flush(0, win);
  compare("what was compared", got, kept, bytes, number);
  compare("what was swapped", found, number % 2 ? kept : mine, bytes, number);
  compare("what is behind it", found + bytes, kept + bytes, 8 - bytes, number);
}

static void operate_on_all(void) {
  const struct {
    MPI_Datatype datatype;
    int kind, bytes;
  } types[] = {{MPI_INT8_T, INTEGERS, 1},   {MPI_UINT8_T, INTEGERS, 1},  {MPI_INT16_T, INTEGERS, 2},
               {MPI_UINT16_T, INTEGERS, 2}, {MPI_INT32_T, INTEGERS, 4},  {MPI_UINT32_T, INTEGERS, 4},
               {MPI_INT64_T, INTEGERS, 8},  {MPI_UINT64_T, INTEGERS, 8}, {MPI_FLOAT, FLOATS, 4},
               {MPI_DOUBLE, DOUBLES, 8},    {MPI_BYTE, BYTES, 1},        {MPI_C_BOOL, BOOLEANS, 1}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (int number = 0; number < 16; number++) {
      for (int which = 0; which < OPERATIONS; which++)
        if (operations[which].kinds >> types[i].kind & 1)
          operate(types[i].datatype, types[i].kind, types[i].bytes, which, number);
      if (types[i].kind == INTEGERS)
        swap(types[i].datatype, types[i].bytes, number);
    }
}

static void count(void) {
  const long ones[WORDS] = {1, 1, 1, 1, 1, 1, 1, 1};
  for (int i = 0; i < TIMES; i++) {
    if (i % 32 == 31)
      MPISHM_Accumulate(ones, WORDS, MPI_LONG, 0, AT(counted), WORDS, MPI_LONG, MPI_SUM, win);
    else
      MPISHM_Accumulate(ones, 1, MPI_LONG, 0, AT(counted[i % WORDS]), 1, MPI_LONG, MPI_SUM, win);
    if (i % 4 == 0)
      MPISHM_Win_flush(0, win);
  }
  MPISHM_Win_flush(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  long sum = 0, wanted = 0;
  start(&argc, &argv);
  MPISHM_Win_allocate(sizeof *base, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  memset(base, 0, sizeof *base);
  memcpy(base->before, "beside_<", 8);
  memcpy(base->after, ">_beside", 8);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_lock_all(0, win);
  take_turns();
  if (rank == 1)
    operate_on_all();
  MPI_Barrier(MPI_COMM_WORLD);
  take_turns();
  count();
  MPISHM_Win_unlock_all(win);
  for (int i = 0; i < TIMES; i++)
    wanted += i % 32 == 31 ? WORDS : 1;
  for (int i = 0; i < WORDS; i++)
    sum += base->counted[i];
  expect("what was counted", sum, rank == 0 ? wanted * size : 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Win_free(&win);
  return finish(1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that are placed in the window stay what they are: with what was in them before MPI_Init, what lies beside them
// in their pages, in a child of the process, and after MPI_Finalize. Where a thread might write into them meanwhile,
// where there is no room and where there is no window they are not placed, which nobody sees but the kernel; nor where
// MPI is at work already, so that others may write to their pages.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -pthread -Wno-stringop-overflow %s -o %t/program
// RUN: %mpiexec -n 4 %t/program placed | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/program placed | FileCheck %s
// RUN: env MPISHM_CMA=0 %mpiexec -n 2 %t/program placed | FileCheck %s
// RUN: %mpiexec -n 2 %t/program private threads | FileCheck %s
// RUN: env MPISHM_BUFFERS=256K %mpiexec -n 2 %t/program some | FileCheck %s
// RUN: env MPISHM_DISABLE=1 %mpiexec -n 2 %t/program private | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 %mpiexec -n 2 %t/program private | FileCheck %s
//
// CHECK: wrong: 0
#include "report.h"
#include <mpishm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 100003, STEPS = 12 };
static int before = 17;
static unsigned char from[LENGTH], into[LENGTH], first[LENGTH] = {1, 2, 3}; MPISHM_ARRAY(from); MPISHM_ARRAY(into);
static int between = 18;
MPISHM_ARRAY(first);
double table[300][50]; MPISHM_ARRAY(table);
static int rank, size, right, left, wrong, placed, some;
static atomic_int stop, running;

#define EXPECT(condition) expect(condition, #condition, __LINE__)
static void expect(int condition, const char *what, int line) {
  if (!condition) {
    wrong++;
    fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, line, what);
  }
}

// True where [start, start + bytes) is memory that others may have, too.
static int is_shared(const void *start, size_t bytes) {
  char line[4096], flags[8];
  unsigned long begin, end, at = (unsigned long)start;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (at < (unsigned long)start + bytes && fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, flags) == 3 && begin <= at && at < end) {
      if (flags[3] != 's')
        break;
      at = end;
    }
  fclose(maps);
  return at >= (unsigned long)start + bytes;
}

static void expect_where(const void *array, size_t bytes, int line) {
  expect(some || is_shared(array, bytes) == placed, "placed as it should be", line);
}

static void *count(void *number) {
  while (!stop) {
    ++*(volatile long *)number;
    running = 1;
  }
  return NULL;
}

static int same(const unsigned char *data, int bytes, int seed) {
  unsigned char *expected = malloc(bytes);
  fill_bytes(expected, bytes, seed);
  int equal = memcmp(data, expected, bytes) == 0;
  free(expected);
  return equal;
}

static void exchange(const void *out, void *in, int bytes) {
  MPI_Request r[2];
  MPISHM_Irecv(in, bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPISHM_Isend(out, bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
}

// The whole of an array, its ends, and more than is in one.
static void exchanges(unsigned char *late) {
  for (int step = 0; step < STEPS; step++) {
    int bytes = step % 3 == 0 ? LENGTH : 100 << step % 8, at = step & 1 ? LENGTH - bytes : 0;
    unsigned char *in = step % 4 == 0 ? late : into;
    fill_bytes(from + at, bytes, 100 * rank + step);
    exchange(from + at, in + at, bytes);
    EXPECT(same(in + at, bytes, 100 * left + step));
    exchange(in + at, from + at, bytes);
    memset(in + at, 0, bytes);
  }
}

// It must not reach its parent's arrays, nor the neighbour who receives from there.
static void in_a_child(void) {
  int status;
  fill_bytes(from, LENGTH, rank);
  pid_t child = fork();
  if (child == 0) {
    int right_there = same(from, LENGTH, rank) && !is_shared(from, LENGTH);
    memset(from, 0xcc, LENGTH);
    _exit(right_there && from[7] == 0xcc ? 0 : 1);
  }
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  expect_where(from, LENGTH, __LINE__);
  exchange(from, into, LENGTH);
  EXPECT(same(into, LENGTH, left));
}

int main(int argc, char **argv) {
  int all;
  pthread_t thread;
  long *number = (long *)table;
  placed = strcmp(argv[1], "placed") == 0;
  some = strcmp(argv[1], "some") == 0;
  fill_bytes(from, LENGTH, 5);
  before = 27;
  if (argc > 2) {
    pthread_create(&thread, NULL, count, number);
    while (!running) {
    }
  }
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  MPISHM_STATIC unsigned char late[LENGTH] = {4}; MPISHM_ARRAY(late);
  MPISHM_STATIC unsigned char told_late[LENGTH] = {5};
  const struct MPISHM_Array telling = {told_late, LENGTH};
  MPISHM_Place_arrays(&telling, &telling + 1);
  if (argc > 2) {
    stop = 1;
    pthread_join(thread, NULL);
  }
  EXPECT(same(from, LENGTH, 5) && first[2] == 3 && first[3] == 0 && late[0] == 4 && before == 27 && between == 18);
  void *window = MPISHM_Window_allocate(1, 1); // an MPI may have no shared memory for a rank that is alone on its node
  placed = placed && window;
  expect_where(from, LENGTH, __LINE__);
  expect_where(into, LENGTH, __LINE__);
  expect_where(first, LENGTH, __LINE__);
  expect_where(table, sizeof table, __LINE__);
  expect_where(late, LENGTH, __LINE__);
  EXPECT(!is_shared(told_late + 4096, 4096) && told_late[0] == 5);
  between = 28;
  exchanges(late);
  in_a_child();
  EXPECT(between == 28 && before == 27);
  PMPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all);
  fill_bytes(into, LENGTH, 8);
  MPI_Finalize();
  return !same(into, LENGTH, 8);
}

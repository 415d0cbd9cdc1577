// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of more than 2 GiB, which an int count of a larger datatype can say: read by the receiver, and written by a
// sender whose receiver sits in a barrier; contiguous, and scattered at the receiver; and through MPI, the window
// being full. Lengths come out right.
//
// REQUIRES: memory-6g
// RUN: mkdir -p %t && mpishmcc -O1 -I%S/../Inputs %s -o %t/program
// RUN: timeout 200 mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_WINDOW=140K MPISHM_CMA=0 timeout 200 mpiexec -n 2 %t/program 2> %t/err | FileCheck %s
// RUN: FileCheck %s --check-prefix=FULL < %t/err
//
// CHECK: read: all right
// CHECK: written: all right
// CHECK: scattered: all right
// FULL: window is full
#define _GNU_SOURCE
#include "report.h"
#include <mpishm.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ELEMENTS = (1 << 28) + 1002, PERIOD = 12345 * 512 }; /* of eight bytes; 512 are a page */

static uint64_t *buffer;
static int rank;

static uint64_t word(size_t i) { return i % PERIOD * 0x9e3779b97f4a7c15u ^ i % PERIOD >> 7; }

/* What is sent is the same memory again and again: new gigabytes take some machines longer than all the copying. */
static uint64_t *make_sent(void) {
  const size_t period = (size_t)PERIOD * 8, times = ELEMENTS / PERIOD + 1;
  int file = memfd_create("sent", 0);
  char *start = mmap(NULL, times * period, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  size_t i;
  if (start == MAP_FAILED || file < 0 || ftruncate(file, (off_t)period))
    return NULL;
  for (i = 0; i < times; i++)
    if (mmap(start + i * period, period, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
      return NULL;
  for (i = 0; i < PERIOD; i++)
    ((uint64_t *)start)[i] = word(i);
  close(file);
  return (uint64_t *)start;
}

/* `swapped`: each two words arrive in the other order. */
static void check(const char *what, const MPI_Status *status, size_t swapped) {
  int count;
  size_t i, wrong = 0;
  MPI_Count bytes;
  MPI_Get_count(status, MPI_DOUBLE, &count);
  MPI_Get_elements_x(status, MPI_BYTE, &bytes);
  for (i = 0; i < ELEMENTS; i++)
    wrong += buffer[i ^ swapped] != word(i);
  if (wrong || count != ELEMENTS || bytes != (MPI_Count)ELEMENTS * 8)
    printf("%s: wrong: %zu words, count %d, %lld bytes\n", what, wrong, count, (long long)bytes);
  else
    printf("%s: all right\n", what);
  fflush(stdout);
}

int main(int argc, char **argv) {
  MPI_Request r;
  MPI_Status s;
  MPI_Datatype swapped;
  int places[] = {1, 0};
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  buffer = rank == 0 ? make_sent() : (uint64_t *)malloc((size_t)ELEMENTS * 8);
  if (!buffer)
    MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) {
    MPISHM_Send(buffer, ELEMENTS, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Ssend(buffer, ELEMENTS, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Send(buffer, ELEMENTS, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  } else {
    MPISHM_Recv(buffer, ELEMENTS, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &s);
    check("read", &s, 0);
    memset(buffer, 0, (size_t)ELEMENTS * 8);
    MPISHM_Irecv(buffer, ELEMENTS, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &r);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPISHM_Wait(&r, &s);
    check("written", &s, 0);
    MPI_Type_create_indexed_block(2, 1, places, MPI_DOUBLE, &swapped);
    MPI_Type_commit(&swapped);
    MPISHM_Recv(buffer, ELEMENTS / 2, swapped, 0, 3, MPI_COMM_WORLD, &s);
    check("scattered", &s, 1);
    MPI_Type_free(&swapped);
  }
  if (rank != 0)
    free(buffer);
  MPI_Finalize();
  return 0;
}

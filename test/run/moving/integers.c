// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message buffers whose addresses are computed as integers, to be aligned, or kept as such, in a union or as bytes: they
// move, and what gives them back there, by whatever it has of the address, is replaced.
//
// RUN: %run-both %s --work %t --ranks 4 --ragged --moves 7
#include "report.h"
#include <stdint.h>
#include <string.h>

enum { LENGTH = 3000, LINE = 64 };
#define ALIGNED(p) (double *)(((uintptr_t)(p) + LINE - 1) & ~(uintptr_t)(LINE - 1))

struct block {
  void *whole;
  double *part;
};
union either {
  double *address;
  uintptr_t bits;
};
static uintptr_t kept;

static struct block make_block(void) {
  struct block b;
  b.whole = malloc(LENGTH * sizeof(double) + LINE);
  b.part = ALIGNED(b.whole);
  return b;
}

// The address that free wants stands before the first element.
static double *make_aligned(void) {
  char *whole = malloc(LENGTH * sizeof(double) + LINE + sizeof whole);
  double *part = ALIGNED(whole + sizeof whole);
  ((void **)part)[-1] = whole;
  return part;
}

static void free_aligned(double *part) { free(((void **)part)[-1]); }

static void exchange(double *out, double *in, int rank, int size) {
  MPI_Sendrecv(out, LENGTH, MPI_DOUBLE, (rank + 1) % size, 1, in, LENGTH, MPI_DOUBLE, (rank + size - 1) % size, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, size;
  char bytes[sizeof(struct block)];
  hash_t hash = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct block first = make_block(), copied;
  double *second = make_aligned(), *third = malloc(LENGTH * sizeof *third), *fourth = malloc(LENGTH * sizeof *fourth);
  union either fifth;
  fifth.address = malloc(LENGTH * sizeof *fifth.address);
  double *sixth = malloc(sizeof *sixth);
  uintptr_t number = (uintptr_t)sixth;
  sixth = realloc((void *)number, LENGTH * sizeof *sixth);
  for (int i = 0; i < LENGTH; i++)
    first.part[i] = third[i] = fifth.address[i] = rank + 0.5 * i;
  exchange(first.part, second, rank, size);
  exchange(third, fourth, rank, size);
  exchange(fifth.address, sixth, rank, size);
  hash = hash_bytes(hash, second, LENGTH * sizeof *second);
  hash = hash_bytes(hash, fourth, LENGTH * sizeof *fourth);
  hash = hash_bytes(hash, sixth, LENGTH * sizeof *sixth);
  report("integers", hash + (uintptr_t)first.part % LINE);
  memcpy(bytes, &first, sizeof first);
  memcpy(&copied, bytes, sizeof copied);
  free(copied.whole);
  free_aligned(second);
  kept = (uintptr_t)third;
  free((void *)kept);
  free(fourth);
  fifth.bits += 0;
  free(fifth.address);
  free(sixth);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers whose address goes as bytes through something that the sources do not follow, and comes back to be freed.
// Where it stays in the program (bytes, halves, a union, a number, an address of MPI's), what is freed there is in the
// window; where it gets out (a pipe, a file, text, the environment, a message of bytes), it stays private.
//
// RUN: %run-both %s --work %t --ranks 2 --one-node --moves 6
#include "report.h"
#include <stdint.h>
#include <unistd.h>

enum { LENGTH = 500 };
static int rank;
static hash_t h = HASH_START;

#define NEW malloc(LENGTH * sizeof(int))

static void exchange(int *buffer) {
  memset(buffer, rank + 1, LENGTH * sizeof(int));
  if (rank == 0)
    MPI_Send(buffer, LENGTH, MPI_INT, 1, 1, MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Recv(buffer, LENGTH, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  h = hash_bytes(h, buffer, LENGTH * sizeof(int));
}

static void through_pipe(void) {
  int *p = NEW, *q = NULL, ends[2];
  exchange(p);
  if (pipe(ends) || write(ends[1], &p, sizeof p) < 0 || read(ends[0], &q, sizeof q) < 0)
    abort();
  free(q);
}

static void through_file(void) {
  int *p = NEW, *q = NULL;
  FILE *file = tmpfile();
  exchange(p);
  fwrite(&p, sizeof p, 1, file);
  rewind(file);
  if (fread(&q, sizeof q, 1, file) != 1)
    abort();
  fclose(file);
  free(q);
}

static void through_text(void) {
  int *p = NEW;
  void *q;
  char text[40];
  exchange(p);
  snprintf(text, sizeof text, "%p", (void *)p);
  sscanf(text, "%p", &q);
  free(q);
}

static void through_mpi_address(void) {
  int *p = NEW;
  MPI_Aint a;
  exchange(p);
  MPI_Get_address(p, &a);
  free((void *)a);
}

static void through_message(void) {
  int *p = NEW, *q = NULL;
  exchange(p);
  MPI_Sendrecv(&p, sizeof p, MPI_BYTE, 0, 9, &q, sizeof q, MPI_BYTE, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  free(q);
}

static void through_packing(void) {
  int *p = NEW, *q = NULL, at = 0;
  char pack[64];
  exchange(p);
  MPI_Pack(&p, sizeof p, MPI_BYTE, pack, 64, &at, MPI_COMM_SELF);
  at = 0;
  MPI_Unpack(pack, 64, &at, &q, sizeof q, MPI_BYTE, MPI_COMM_SELF);
  free(q);
}

static void through_bytes(void) {
  int *p = NEW, *q = NULL;
  exchange(p);
  for (size_t i = 0; i < sizeof p; i++)
    ((char *)&q)[i] = ((char *)&p)[i];
  free(q);
}

static void through_halves(void) {
  int *p = NEW;
  uint32_t low, high;
  exchange(p);
  low = (uint32_t)(uintptr_t)p, high = (uint32_t)((uintptr_t)p >> 32);
  free((void *)((uintptr_t)high << 32 | low));
}

static void through_environment(void) {
  int *p = NEW;
  char text[40];
  exchange(p);
  snprintf(text, sizeof text, "%lu", (unsigned long)p);
  setenv("WHERE", text, 1);
  free((void *)strtoul(getenv("WHERE"), NULL, 10));
}

static void through_union(void) {
  union {
    int *p;
    unsigned char bytes[sizeof(int *)];
  } u, v;
  u.p = NEW;
  exchange(u.p);
  memcpy(v.bytes, u.bytes, sizeof u);
  free(v.p);
}

static void through_realloc(void) {
  int *p = NEW;
  uintptr_t n;
  exchange(p);
  n = (uintptr_t)p ^ 0x55;
  p = realloc((void *)(n ^ 0x55), 2 * LENGTH * sizeof *p);
  free(p);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  through_pipe();
  through_file();
  through_text();
  through_mpi_address();
  through_message();
  through_packing();
  through_bytes();
  through_halves();
  through_environment();
  through_union();
  through_realloc();
  report("moved", h);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is made longer than it has to be, so that what is handed out can begin at a cache line: a record with a
// communicator, requests and a number that a library's function gets, and messages. What was made is kept before it.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

enum { LENGTH = 300, LINE = 64 };

typedef struct {
  MPI_Comm comm;
  int size;
  MPI_Request requests[2];
  long part;
  int *sent, *received;
} grid;

static void *take(size_t bytes) {
  const ptrdiff_t header = 2 * sizeof(char *);
  char *made = malloc(header + bytes + LINE);
  if (!made)
    abort();
  ptrdiff_t over = ((ptrdiff_t)made + header) % LINE;
  char *given = made + (header + (LINE - over) % LINE);
  ((char **)given)[-1] = made;
  ((size_t *)given)[-2] = bytes;
  return given;
}

static void *take_rounded(size_t bytes, size_t line) {
  char *made = malloc(sizeof(void *) + bytes + line);
  if (!made)
    abort();
  void **given = (void **)(((uintptr_t)made + sizeof(void *) + line - 1) & ~(line - 1));
  given[-1] = made;
  return given;
}

static void give_back(void *given) { free(((void **)given)[-1]); }

int main(int argc, char **argv) {
  hash_t hash = HASH_START;
  int rank;
  MPI_Init(&argc, &argv);
  long (*absolute)(long) = (long (*)(long))dlsym(RTLD_DEFAULT, "labs");
  grid *g = take(sizeof *g + argc);
  MPI_Comm_dup(MPI_COMM_WORLD, &g->comm);
  MPI_Comm_rank(g->comm, &rank);
  MPI_Comm_size(g->comm, &g->size);
  g->part = -rank;
  g->sent = take_rounded(LENGTH * sizeof(int) * g->size, LINE);
  g->received = take(LENGTH * sizeof(int) * g->size);
  for (int i = 0; i < LENGTH; i++)
    g->sent[i] = 1000 * rank + i;
  MPI_Irecv(g->received, LENGTH, MPI_INT, 1 - rank, 3, g->comm, &g->requests[0]);
  MPI_Isend(g->sent, LENGTH, MPI_INT, 1 - rank, 3, g->comm, &g->requests[1]);
  MPI_Waitall(2, g->requests, MPI_STATUSES_IGNORE);
  hash = hash_bytes(hash, g->received, LENGTH * sizeof(int));
  long part = absolute ? absolute(g->part) : -g->part;
  hash = hash_bytes(hash, &part, sizeof part);
  MPI_Comm_free(&g->comm);
  give_back(g->sent);
  give_back(g->received);
  give_back(g);
  report("aligned", hash);
  MPI_Finalize();
  return 0;
}

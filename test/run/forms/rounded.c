// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages in which one thing lies behind the other, each where its alignment, a number that is set when the program runs,
// lets it begin: keys, and what leads to requests. The page could be at an address that was made of a number. All is
// rewritten.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <stdint.h>

enum { LENGTH = 300 };
#define ROUND_UP(address, less) ((char *)(((uint64_t)(address) + (less)) & ~(less)))

typedef struct {
  int key_less, message_less; // alignments, less one
  uint64_t whole;
  char *page, *end;
} pages;

typedef struct {
  int *data;
  MPI_Request *request;
} message;

static int rank;
static hash_t hash = HASH_START;

static void *key(pages *p, size_t bytes) {
  char *at = ROUND_UP(p->end, p->key_less);
  p->end = at + bytes;
  return at;
}

static message *next(pages *p) {
  char *at = ROUND_UP(p->end, p->message_less);
  p->end = at + sizeof(message);
  return (message *)at;
}

static void *whole(pages *p, size_t bytes) {
  char *at = (char *)(((uintptr_t)p->end + p->whole - 1) & -p->whole);
  p->end = at + bytes;
  return at;
}

static void set(pages *p, int alignment, int64_t place) {
  p->key_less = alignment - 1;
  p->message_less = (int)sizeof(void *) - 1;
  p->whole = 8 * (uint64_t)alignment;
  p->page = malloc(8 * LENGTH * sizeof(int));
  if (place)
    memcpy(&p->page, &place, sizeof place);
  p->end = p->page;
}

int main(int argc, char **argv) {
  pages p;
  message *all[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  set(&p, argc > 7 ? 8 : 4, argc > 7 ? 1 << 20 : 0);
  for (int i = 0; i < 2; i++) {
    *(char *)key(&p, 1) = 'k';
    all[i] = next(&p);
    *(char *)key(&p, 1) = 'l';
    all[i]->request = whole(&p, sizeof(MPI_Request));
    all[i]->data = key(&p, LENGTH * sizeof(int));
    for (int k = 0; k < LENGTH; k++)
      all[i]->data[k] = 1000 * rank + k;
  }
  MPI_Irecv(all[0]->data, LENGTH, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, all[0]->request);
  MPI_Isend(all[1]->data, LENGTH, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, all[1]->request);
  for (int i = 0; i < 2; i++) {
    MPI_Wait(all[i]->request, MPI_STATUS_IGNORE);
    hash = hash_bytes(hash, all[i]->data, LENGTH * sizeof(int));
  }
  free(p.page);
  report("rounded", hash);
  MPI_Finalize();
  return 0;
}

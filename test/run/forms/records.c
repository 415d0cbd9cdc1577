// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests behind pointers without a type, in records that are taken for others, and in parts of memory that is copied.
// Each is an exchange with a tag of its own.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <stddef.h>

static int other, in, out;
static hash_t hash = HASH_START;

#define IN &in, 1, MPI_INT, other
#define OUT &out, 1, MPI_INT, other

static void done(void *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in), out++;
}

struct base {
  int kind;
  MPI_Request request;
};

struct longer {
  int kind;
  MPI_Request request;
  double more[3];
};

struct nested {
  struct base first;
  long last;
};

static void without_type(void) {
  MPI_Request request;
  void *all[3] = {&out, NULL, NULL};
  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &request);
  all[other + 1] = &request;
  MPI_Send(OUT, 1, MPI_COMM_WORLD);
  done(all[1] ? all[1] : all[2]);
}

static void first_member(void) {
  struct nested n;
  MPI_Irecv(IN, 2, MPI_COMM_WORLD, &n.first.request);
  MPI_Send(OUT, 2, MPI_COMM_WORLD);
  done(&((struct base *)&n)->request);
}

static void prefix(void) {
  struct longer l = {1};
  struct base *b = (struct base *)&l;
  MPI_Irecv(IN, 3, MPI_COMM_WORLD, &b->request);
  MPI_Send(OUT, 3, MPI_COMM_WORLD);
  done(&l.request);
}

static void by_offset(void) {
  struct longer l;
  long *last;
  struct nested n;
  MPI_Irecv(IN, 4, MPI_COMM_WORLD, (MPI_Request *)((char *)&l + offsetof(struct longer, request)));
  MPI_Send(OUT, 4, MPI_COMM_WORLD);
  done(&l.request);
  last = &n.last;
  MPI_Irecv(IN, 5, MPI_COMM_WORLD, &n.first.request);
  MPI_Send(OUT, 5, MPI_COMM_WORLD);
  done(&((struct nested *)((char *)last - offsetof(struct nested, last)))->first.request);
}

static void copied(void) {
  struct longer from = {2}, to;
  MPI_Request one;
  MPI_Irecv(IN, 6, MPI_COMM_WORLD, &from.request);
  memcpy(&to, &from, sizeof to);
  memcpy(&one, (char *)&to + offsetof(struct longer, request), sizeof one);
  MPI_Send(OUT, 6, MPI_COMM_WORLD);
  done(&one);
}

struct entry {
  struct entry *next;
  int key;
  void *data;
};

static struct entry *table[4];

static void put(int key, void *data) {
  struct entry *e = malloc(sizeof *e);
  e->next = table[key % 4], e->key = key, e->data = data;
  table[key % 4] = e;
}

static void *take(int key) {
  struct entry **at = &table[key % 4], *e;
  void *data;
  while ((*at)->key != key)
    at = &(*at)->next;
  e = *at, data = e->data;
  *at = e->next;
  free(e);
  return data;
}

static void in_table(void) {
  MPI_Request requests[2];
  MPI_Irecv(IN, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(OUT, 7, MPI_COMM_WORLD, &requests[1]);
  put(3, &requests[0]);
  put(7, &requests[1]);
  MPI_Wait(take(7), MPI_STATUS_IGNORE);
  done(take(3));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  out = 10 * other;
  other = 1 - other;
  without_type();
  first_member();
  prefix();
  by_offset();
  copied();
  in_table();
  report("records", hash);
  MPI_Finalize();
  return 0;
}

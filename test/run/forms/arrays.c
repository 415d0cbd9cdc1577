// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests in arrays of records, and in arrays in those, beside numbers that are written out, sent, and computed with
// as floating-point numbers. Each is an exchange with a tag of its own.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"

#define COUNT 3

static int other, in, out;
static hash_t hash = HASH_START;

#define IN &in, 1, MPI_INT, other
#define OUT &out, 1, MPI_INT, other

static void *allocate(size_t size) {
  void *memory = malloc(size);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

struct tree {
  int kind, targets[2];
  MPI_Request sends[2];
  MPI_Request receives[COUNT];
  int root;
};

static void finish(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in), out++;
}

// The numbers of any record do not stand where requests do, and these are not the ones of the array beside them.
static void in_each_record(void) {
  struct tree *trees = allocate(COUNT * sizeof *trees);
  double sum = 0;
  for (int i = 0; i < COUNT; i++) {
    trees[i].kind = i, trees[i].root = 2 * i;
    for (int k = 0; k < 2; k++)
      trees[i].targets[k] = i + k;
    MPI_Isend(OUT, 1, MPI_COMM_WORLD, &trees[i].sends[i % 2]);
    MPI_Irecv(IN, 1, MPI_COMM_WORLD, &trees[i].receives[i]);
    MPI_Wait(&trees[i].sends[i % 2], MPI_STATUS_IGNORE);
    finish(&trees[i].receives[i]);
  }
  for (int i = 0; i < COUNT; i++) {
    sum += trees[i].kind + trees[i].targets[i % 2] / (double)(1 + trees[i].root);
    if (other) // rank 0
      fprintf(stdout, "%d %d\n", trees[i].targets[(i + 1) % 2], trees[i].root);
  }
  hash = hash_bytes(hash, &sum, sizeof sum);
  free(trees);
}

// A number that all get is not the request behind it.
static void beside_what_is_sent(void) {
  struct tree *tree = allocate(sizeof *tree);
  int all[2], got;
  tree->root = 7;
  tree->targets[1] = 5 + other;
  MPI_Irecv(IN, 2, MPI_COMM_WORLD, &tree->sends[0]);
  MPI_Bcast(&tree->targets[1], 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allreduce(&tree->root, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(&tree->targets[1], 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Send(OUT, 2, MPI_COMM_WORLD);
  finish(&tree->sends[0]);
  if (other)
    fprintf(stdout, "%d %d %d %d\n", tree->targets[1], got, all[0], all[1]);
  free(tree);
}

// From behind the last request, and along the array by pointers.
static void along(int count) {
  struct tree *tree = allocate(sizeof *tree);
  MPI_Request *end = &tree->receives[count], *first = tree->receives + (count - COUNT);
  for (int i = 0; i < COUNT; i++)
    MPI_Irecv(IN, 3 + i, MPI_COMM_WORLD, &first[i]);
  for (int i = 0; i < COUNT; i++)
    MPI_Send(OUT, 3 + i, MPI_COMM_WORLD);
  finish(end - 1);
  finish(&end[-2]);
  finish(end - count);
  free(tree);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  out = 10 * other;
  other = 1 - other;
  in_each_record();
  beside_what_is_sent();
  along(argc + COUNT - 1);
  report("arrays", hash);
  MPI_Finalize();
  return 0;
}

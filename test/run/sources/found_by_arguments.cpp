// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates that call a function by the name of one of MPI's, or of the C library's: in some instances it is one of the
// program's, found by the types of its arguments, and so the name stays.
//
// RUN: %run-both %s --work %t --leaves Send,Recv --moves 0 --flags="-std=c++11"
// RUN: FileCheck %s --input-file=%t/rewritten/found_by_arguments.cpp --check-prefix=TEXT
// RUN: mkdir -p %t.report && cd %t.report && cp %s %S/../Inputs/report.h . && %database .
// RUN: mpishm-rewrite -p . 2>&1 | FileCheck %s --check-prefix=SAID
#include "report.h"
#include <stdlib.h>

// TEXT: {{^}}  return MPI_Send(t, n, MPI_INT, to, 1, MPI_COMM_WORLD);
// TEXT: {{^}}template <typename T> void drop(T *t) { free(t); }
// TEXT: {{^}}template <typename N> void *take(N n) { return malloc(n); }
// SAID-DAG: two instances of a template, see different calls here: MPI_Send and another grid::MPI_Send [mpishm-conflicting-views]
// SAID-DAG: another function is called by its name as well [mpishm-buffer-private]
namespace grid {
struct Block {
  int sent, dropped;
};
struct Words {
  size_t n;
};
int MPI_Send(Block *block, int n, MPI_Datatype, int, int, MPI_Comm) { return block->sent += n; }
void free(Block *block) { block->dropped++; }
void *malloc(Words words) { return calloc(words.n, 8); }
} // namespace grid

template <typename T> int push(T *t, int n, int to) {
  return MPI_Send(t, n, MPI_INT, to, 1, MPI_COMM_WORLD);
}
template <typename T> void drop(T *t) { free(t); }
template <typename N> void *take(N n) { return malloc(n); }

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  int rank, size, in = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  grid::Block block = {3, 4};
  h = hash_number(h, push(&block, 2, 0));
  if (rank == 0) {
    h = hash_number(h, push(&rank, 1, to));
  } else if (rank == 1) {
    MPI_Recv(&in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  grid::Words words = {1000};
  char *out = (char *)take((size_t)8000), *other = (char *)take(words);
  memset(out, rank, 8000);
  MPI_Sendrecv(out, 8000, MPI_CHAR, to, 3, other, 8000, MPI_CHAR, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  h = hash_bytes(h, other, 8000);
  drop(out);
  drop(other);
  drop(&block);
  h = hash_number(hash_number(h, in), block.sent * 100 + block.dropped);
  report("found", h);
  return MPI_Finalize();
}

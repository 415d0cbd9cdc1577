// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++: a template and a namespace's function allocate for the whole program. Calls that make message buffers are put
// into calls of MPISHM_To_window; what is computed on, and objects, stay where they were. An exception leaves one.
//
// RUN: %run-both %s --work %t --moves 5
// RUN: FileCheck %s --input-file=%t/rewritten/at_calls.cpp --check-prefix=TEXT
#include "report.h"
#include <cstdlib>
#include <new>

// TEXT: {{^}}  double *grid = memory::take<double>(n);
// TEXT: {{^}}  double *in = MPISHM_To_window{{\(}}memory::take<double>(n))
// TEXT: {{^}}  int *counts = static_cast<int *>(MPISHM_To_window{{\(}}memory::raw(n * sizeof(int))))
namespace memory {
inline void *raw(std::size_t bytes) {
  void *p = std::malloc(bytes);
  if (!p)
    throw std::bad_alloc();
  return p;
}
template <typename T> T *take(int n) {
  if (n < 0)
    throw std::bad_alloc();
  return (T *)std::malloc(n * sizeof(T));
}
template <typename T> void give(T *p) { std::free(p); }
} // namespace memory

namespace {

struct Node {
  Node *next;
  double *values;
};

struct Ring {
  int rank, size, left, right;
  Ring() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
  }
};

hash_t exchange(hash_t h, const Ring &ring, void *in, const void *out, int bytes) {
  MPI_Request r[2];
  MPI_Irecv(in, bytes, MPI_BYTE, ring.left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, bytes, MPI_BYTE, ring.right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, bytes);
}

hash_t stencil(hash_t h, const Ring &ring, int n) {
  double *grid = memory::take<double>(n);
  double *in = memory::take<double>(n), *out = memory::take<double>(n);
  int *counts = static_cast<int *>(memory::raw(n * sizeof(int)));
  float *sums = static_cast<float *>(memory::raw(n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    grid[i] = i + ring.rank;
    counts[i] = i - ring.rank;
    sums[i] = 0;
  }
  for (int step = 0; step < 3; ++step) {
    for (int i = 1; i + 1 < n; ++i) {
      grid[i] = 0.5 * (grid[i - 1] + grid[i + 1]);
      sums[i] += sums[i - 1];
    }
    for (int i = 0; i < n; ++i)
      out[i] = grid[i];
    h = exchange(h, ring, in, out, n * sizeof(double));
    for (int i = 0; i < n; ++i)
      grid[i] = in[i];
    h = exchange(h, ring, in, counts, n * sizeof(int));
  }
  h = hash_bytes(h, sums, sizeof(float));
  memory::give(sums);
  memory::give(counts);
  memory::give(in);
  memory::give(out);
  memory::give(grid);
  return h;
}

// Objects with buffers, from the same function; the list is given back through another variable.
hash_t list(hash_t h, const Ring &ring, int n) {
  Node *first = NULL;
  for (int i = 0; i < 3; ++i) {
    Node *node = memory::take<Node>(1);
    node->next = first;
    node->values = memory::take<double>(n);
    fill_bytes(node->values, n * sizeof(double), i + ring.rank);
    first = node;
  }
  h = exchange(h, ring, first->values, first->next->values, n * sizeof(double));
  while (first) {
    Node *next = first->next;
    std::free(first->values);
    memory::give(first);
    first = next;
  }
  return h;
}

} // namespace

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  {
    Ring ring;
    h = stencil(h, ring, 3000);
    h = list(h, ring, 500);
    try {
      double *never = memory::take<double>(-1);
      exchange(h, ring, never, never, 8);
    } catch (const std::bad_alloc &) {
      h = hash_bytes(h, "caught", 6);
    }
  }
  report("moved", h);
  return MPI_Finalize();
}

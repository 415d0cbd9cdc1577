// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns that a program reads, of lines in which a call of MPI stands, or memory of a message is made: none moves.
// (Compilers number columns differently, so that nothing of such a program is proved.)
//
// REQUIRES: one-compiler
// RUN: %run-both %s --guarded --flags "-O1 -std=c++20" --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/columns.cpp --check-prefix=TEXT
// TEXT: {{^}}#define MPI_Isend MPISHM_Isend
// TEXT: {{^}}int main
// TEXT-NOT: {{MPISHM|mpishm}}
// TEXT: MPISHM_Waitall(6, requests,
// TEXT-NOT: {{MPISHM|mpishm}}
// TEXT: MPISHM_Allreduce(
#include <cstdlib>
#include <source_location>
#include <vector>

#include "report.h"

static hash_t seen = 1;

static int mark(std::source_location at = std::source_location::current()) {
  seen = hash_number(hash_number(seen, at.line()), at.column());
  return 0;
}
template <typename T> static int marked(T, std::source_location at = std::source_location::current()) {
  return mark(at);
}
// clang-format off
template <typename T> static int markedWithin(T value) { int from; MPI_Comm_rank(MPI_COMM_WORLD, &from); return marked(value); }

namespace {
struct Message {
  std::source_location at = std::source_location::current();
  int tag = 8;
};
struct Made {
  explicit Made(int, std::source_location at = std::source_location::current()) { mark(at); }
};
} // namespace

#define NOTED(call) ((call), mark())
#define HERE mark(std::source_location::current())

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv); mark();
  int rank, size, got[3] = {0, 0, 0}, sum = 0;
  MPI_Request requests[6];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size); HERE;
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  int *out = static_cast<int *>(malloc(sizeof(int))); mark();
  std::vector<int> row(1); mark(std::source_location::current());
  std::vector<int> other(1);
  int *more = static_cast<int *>(malloc(sizeof(int)));
  *out = row[0] = other[0] = *more = rank;
  for (int i = 0; i < 3; i++) { MPI_Irecv(&got[i], 1, MPI_INT, left, 7 + i, MPI_COMM_WORLD, &requests[i]); mark(); }
  MPI_Isend(out, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[3]); Message m{}; mark(m.at);
  NOTED(MPI_Isend(row.data(), 1, MPI_INT, right, 8, MPI_COMM_WORLD, &requests[4]));
  MPI_Isend(more, 1, MPI_INT, right, 9 + mark(), MPI_COMM_WORLD, &requests[5]);
  MPI_Waitall(6, requests,
              MPI_STATUSES_IGNORE); marked(MPI_Barrier(MPI_COMM_WORLD)); markedWithin(1);
  Made made(MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD)); (MPI_Send)(other.data(), 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD); mark();
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("columns", hash_number(hash_bytes(seen, got, sizeof got), sum));
  free(more);
  free(out);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of lines that a function learns of its caller, without `__LINE__`: they are compared with numbers that stand
// in the program, so that they must stay what they are.
// RUN: %run-both %s --flags "-O1 -std=c++20" --work %t

#include <source_location>

#include "report.h"

static int tag(std::source_location at = std::source_location::current()) { return static_cast<int>(at.line()); }

namespace {
struct Message {
  int line;
  explicit Message(int where = __builtin_LINE()) : line(where) {}
};
struct Plain {
  int line = __builtin_LINE();
};
} // namespace

int main(int argc, char **argv) {
  int rank, size, got[4] = {0, 0, 0, 0};
  MPI_Request requests[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int i = 0; i < 4; i++)
    MPI_Irecv(&got[i], 1, MPI_INT, left, 33 + i, MPI_COMM_WORLD, &requests[i]);

  MPI_Send(&rank, 1, MPI_INT, right, tag(), MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, right, Message().line, MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, right, Plain{}.line, MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, right, __builtin_LINE(), MPI_COMM_WORLD);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  report("lines", hash_bytes(1, got, sizeof got));
  MPI_Finalize();
}

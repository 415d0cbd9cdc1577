// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that are completed by what a pointer to a member function leads to.
//
// That may be a virtual function: then it is in a table to which the record's first bytes lead. In Open MPI a request
// is an address, and that of the null request is taken for a table's: both messages are left alone there.
//
// UNSUPPORTED: mpi-openmpi
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -std=c++20"
#include "report.h"
#include <functional>
#include <mpi.h>

namespace {

struct Pending {
  int order;
  MPI_Request request;
  void finish() { MPI_Wait(&request, MPI_STATUS_IGNORE); }
};

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, in = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int out = 10 * rank, other = 1 - rank;
  Pending pending{1, MPI_REQUEST_NULL}, last = pending;
  MPI_Irecv(&in, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &pending.request);
  MPI_Isend(&out, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &last.request);
  std::mem_fn (&Pending::finish)(pending);
  std::invoke(&Pending::finish, last);
  report("member_functions", hash_number(HASH_START, in));
  MPI_Finalize();
}

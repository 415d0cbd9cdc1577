// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that a macro prints when they fail, in templates and beside members of the same names: the functions are
// replaced, and what is printed stays.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <cstdio>
#include <mpi.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if ((call) != MPI_SUCCESS) {                                                                                       \
      if (rank == 0)                                                                                                   \
        std::printf("failed: %s\n", #call);                                                                            \
      ++failed;                                                                                                        \
    }                                                                                                                  \
  } while (0)

static int rank, failed;

struct Calls {
  int MPI_Isend, MPI_Irecv, MPI_Sendrecv;
};

template <typename T> static void exchange(T *out, T *in, int n, int to, int from, int tag) {
  MPI_Request requests[2];
  CHECK( MPI_Irecv(in, n * static_cast<int>(sizeof(T)), MPI_BYTE,
                   from, tag, MPI_COMM_WORLD, &requests[0]) );
  CHECK( MPI_Isend(out, n * static_cast<int>(sizeof(T)), MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests[1]) );
  CHECK( MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) );
}

int main(int argc, char **argv) {
  int size, out[8], in[8] = {0};
  double more[3], got[3] = {0};
  Calls calls = {1, 2, 3};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int i = 0; i < 8; i++)
    out[i] = 10 * rank + i;
  for (int i = 0; i < 3; i++)
    more[i] = rank + i / 4.0;
  exchange(out, in, 8, to, from, 1);
  exchange(more, got, 3, to, from, 2);
  CHECK(MPI_Sendrecv(out, 8, MPI_INT, to, 3, in, 8, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK(MPI_Send(out, 8, MPI_INT, size, 4, MPI_COMM_WORLD)); // no such rank
  CHECK(MPI_Send(out, -1, MPI_INT, to, 4, MPI_COMM_WORLD));
  hash_t h = hash_bytes(HASH_START, in, sizeof in);
  h = hash_bytes(h, got, sizeof got);
  report("printed calls", hash_number(h, failed + calls.MPI_Isend + calls.MPI_Irecv));
  return MPI_Finalize();
}

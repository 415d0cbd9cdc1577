// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are called with what changes nothing around them, or in other alphabets.
// RUN: %run-both %s --work %t
// RUN: %run-both %s --flags "-std=c99 -trigraphs -DWITH_TRIGRAPHS" --work %t
// clang-format off
/* a comment */ #/* before */ include "report.h"

#define PLAIN(name) (name)

int main(int argc, char **argv) <%
  int rank, size, in<:6:>, i;
  MPI_Request request<:2:>;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (i = 0; i < 6; i++)
    in<:i:> = -1;

  (*MPI_Irecv)(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[0]);
  (&MPI_Isend)(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[1]);
  ((**MPI_Waitall))(2, request, MPI_STATUSES_IGNORE);
  (MPI_Sendrecv)(&rank, 1, MPI_INT, right, 2, &in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  (* /* star */ MPI_Sendrecv)(&rank, 1, MPI_INT, right, 3, &in[2], 1, MPI_INT, left, 3, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE);
  PLAIN(&MPI_Sendrecv)(&rank, 1, MPI_INT, right, 4, &in[3], 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef WITH_TRIGRAPHS
  (*MPI_Sendrecv) ??/
  (&rank, 1, MPI_INT, right, 5, &in??(4??), 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  *&in[5] = (*MPI_Barrier)(MPI_COMM_WORLD);
  report("names", hash_bytes(1, in, sizeof in));
  MPI_Finalize();
  return 0;
%>

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error classes with MPI_ERRORS_RETURN: messages longer than their receive buffer, at every kind of completion, and
// arguments that MPI refuses. What comes after an error works.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <string.h>

static int rank;

static void show(const char *what, int error) {
  int class = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    MPI_Error_class(error, &class);
  if (rank == 1)
    printf("%s: %s\n", what,
           class == MPI_SUCCESS         ? "success"
           : class == MPI_ERR_TRUNCATE  ? "truncate"
           : class == MPI_ERR_IN_STATUS ? "in status"
           : class == MPI_ERR_RANK      ? "rank"
           : class == MPI_ERR_TAG       ? "tag"
           : class == MPI_ERR_COUNT     ? "count"
           : class == MPI_ERR_TYPE      ? "type"
           : class == MPI_ERR_COMM      ? "comm"
           : class == MPI_ERR_BUFFER    ? "buffer"
                                        : "another class");
}

/* Rank 0 sends n integers; the receiver has room for fewer, and the byte after its buffer stays. */
static void truncation(int n) {
  static int out[50000], in[50000];
  MPI_Request r[3];
  MPI_Status s[3];
  int small = n / 2, i, index, flag = 0;

  for (i = 0; i < 5 && rank == 0; i++) {
    MPI_Isend(out, n, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[0]);
    show("the sender", MPI_Wait(&r[0], MPI_STATUS_IGNORE));
  }
  if (rank == 1) {
    memset(in, 0x42, sizeof in);
    MPI_Irecv(in, small, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
    show("Wait", MPI_Wait(&r[0], &s[0]));
    show("Recv", MPI_Recv(in, small, MPI_INT, 0, 1, MPI_COMM_WORLD, &s[0]));
    MPI_Irecv(in, small, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
    show("Waitany", MPI_Waitany(1, r, &index, &s[0]));
    MPI_Irecv(in, small, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
    do {
      i = MPI_Test(&r[0], &flag, &s[0]);
    } while (i == MPI_SUCCESS && !flag);
    show("Test", i);
    MPI_Irecv(in, small, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in + 1000 + small, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]);
    i = MPI_Waitall(2, r, s);
    show("Waitall", i);
    if (i != MPI_SUCCESS) /* the other may be success or pending */
      show("  first status", s[0].MPI_ERROR);
#ifndef OPEN_MPI /* which itself does write there */
    for (i = small, flag = 0; i < 50000; i++)
      flag += in[i] != 0x42424242;
    printf("integers written beyond the buffer: %d\n", flag);
#endif
  }
}

static void refused(void) {
  /* Computed, since a negative constant could be what some MPI library calls a wildcard. */
  int one = 1, other = 1 - rank, negative = -70 - other;
  MPI_Request r = MPI_REQUEST_NULL;
  show("rank too large", MPI_Isend(&one, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &r));
  show("rank negative", MPI_Irecv(&one, 1, MPI_INT, negative, 1, MPI_COMM_WORLD, &r));
  show("tag negative", MPI_Isend(&one, 1, MPI_INT, other, negative, MPI_COMM_WORLD, &r));
  show("count negative", MPI_Irecv(&one, -1, MPI_INT, other, 1, MPI_COMM_WORLD, &r));
  show("null type", MPI_Isend(&one, 1, MPI_DATATYPE_NULL, other, 1, MPI_COMM_WORLD, &r));
  show("null communicator", MPI_Irecv(&one, 1, MPI_INT, other, 1, MPI_COMM_NULL, &r));
  show("null buffer", MPI_Isend(NULL, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r));
  show("Send, rank too large", MPI_Send(&one, 1, MPI_INT, 2, 1, MPI_COMM_WORLD));
  show("Recv, tag negative", MPI_Recv(&one, 1, MPI_INT, other, negative, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void still_working(void) {
  int mine = rank + 40, theirs = -1;
  MPI_Request r[2];
  MPI_Irecv(&theirs, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&mine, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &r[1]);
  show("afterwards", MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
  if (rank == 1)
    printf("got %d\n", theirs);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  truncation(10);
  truncation(40000);
  MPI_Barrier(MPI_COMM_WORLD);
  refused();
  still_working();
  MPI_Finalize();
  return 0;
}

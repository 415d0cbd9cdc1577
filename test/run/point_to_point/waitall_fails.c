// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Waitall with a message that is too long for its receive, of this node, between others of this node and another
// one: what is said to be pending then is what the library says, and can be completed. Open MPI returns without waiting
// for messages that come later.
//
// RUN: %run-both %s --work %t --timeout 60
#include "report.h"

#ifdef OPEN_MPI
#define RETURNS_EARLY 1
#else
#define RETURNS_EARLY 0
#endif

/* Of a message that was too long. */
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 50000000
#define COUNT_IS_CHANCE 1
#else
#define COUNT_IS_CHANCE 0
#endif

enum { N = 10, REQUESTS = 5 };

static int rank, size, in[REQUESTS][N], out[N], token;

static const char *name_of(int error) {
  int class = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    MPI_Error_class(error, &class);
  return class == MPI_SUCCESS         ? "success"
         : class == MPI_ERR_TRUNCATE  ? "truncate"
         : class == MPI_ERR_PENDING   ? "pending"
         : class == MPI_ERR_IN_STATUS ? "in status"
                                      : "another class";
}

static void show(const char *what, int error, const MPI_Request *r, const MPI_Status *s) {
  int i, count;
  printf("%s: %s\n", what, name_of(error));
  for (i = 0; error != MPI_SUCCESS && i < REQUESTS; i++) {
    printf("  %d: %s%s", i, name_of(s[i].MPI_ERROR), r[i] == MPI_REQUEST_NULL ? "" : ", goes on");
    if (s[i].MPI_ERROR == MPI_SUCCESS || (!COUNT_IS_CHANCE && !strcmp(name_of(s[i].MPI_ERROR), "truncate"))) {
      MPI_Get_count(&s[i], MPI_INT, &count);
      printf(", source %d, tag %d, count %d", s[i].MPI_SOURCE, s[i].MPI_TAG, count);
    }
    printf("\n");
  }
  fflush(stdout);
}

/* Rank 1 receives from 0, its neighbour, and from the last rank. The first two messages have come before it waits. */
static void receives(int persistent, int failing) {
  int near = 0, far = size - 1, i, error, all = 1;
  MPI_Request r[REQUESTS];
  MPI_Status s[REQUESTS], after[REQUESTS];
  for (i = 0; i < REQUESTS; i++) {
    int n = i == failing ? N / 2 : N, from = i == 1 || i == 4 ? far : near;
    if (persistent) {
      MPI_Recv_init(in[i], n, MPI_INT, from, i, MPI_COMM_WORLD, &r[i]);
      MPI_Start(&r[i]);
    } else {
      MPI_Irecv(in[i], n, MPI_INT, from, i, MPI_COMM_WORLD, &r[i]);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Recv(&token, 1, MPI_INT, near, 90, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&token, 1, MPI_INT, far, 90, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  error = MPI_Waitall(REQUESTS, r, s);
  show(persistent ? "persistent" : "not persistent", error, r, s);
  MPI_Send(&token, 1, MPI_INT, near, 91, MPI_COMM_WORLD);
  MPI_Send(&token, 1, MPI_INT, far, 91, MPI_COMM_WORLD);
  show("  then", MPI_Waitall(REQUESTS, r, after), r, after);
  for (i = 0; i < REQUESTS; i++) {
    if (i != failing)
      all = all && !memcmp(in[i], out, sizeof out);
    if (persistent)
      MPI_Request_free(&r[i]);
  }
  printf("  all came: %d\n", all);
}

/* 0, 1 and 2 have come before rank 1 waits; 3 and 4 go when it has waited, if that may end without them. */
static void sends(int first, int second, int late) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (first >= 0)
    MPI_Send(out, N, MPI_INT, 1, first, MPI_COMM_WORLD);
  if (second >= 0)
    MPI_Send(out, N, MPI_INT, 1, second, MPI_COMM_WORLD);
  MPI_Send(&token, 1, MPI_INT, 1, 90, MPI_COMM_WORLD);
  if (RETURNS_EARLY)
    MPI_Recv(&token, 1, MPI_INT, 1, 91, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(out, N, MPI_INT, 1, late, MPI_COMM_WORLD);
  if (!RETURNS_EARLY)
    MPI_Recv(&token, 1, MPI_INT, 1, 91, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int persistent, failing;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  fill_bytes(out, sizeof out, 7);
  for (persistent = 0; persistent < 2; persistent++)
    for (failing = 0; failing <= 2; failing += 2) {
      if (rank == 0)
        sends(0, 2, 3);
      else if (rank == size - 1)
        sends(1, -1, 4);
      else if (rank == 1)
        receives(persistent, failing);
      else
        MPI_Barrier(MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  MPI_Finalize();
  return 0;
}

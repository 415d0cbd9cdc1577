// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's own variables are asked about a communicator, whose messages are rewritten all the same.
//
// RUN: %run-both %s --work %t
#include "report.h"

static int rank, left, right;

static int variables(MPI_Comm comm) {
  int provided, many = 0, in = -1;
  MPI_T_pvar_session session;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_get_num(&many);
  MPI_T_pvar_session_create(&session);
  for (int i = 0; i < many; ++i) {
    char name[64], text[64];
    int name_length = 64, text_length = 64, verbosity, class, bound, read_only, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_enum values;
    MPI_T_pvar_handle handle;
    MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &type, &values, text, &text_length, &bound,
                        &read_only, &continuous, &atomic);
    if (bound != MPI_T_BIND_MPI_COMM || MPI_T_pvar_handle_alloc(session, i, &comm, &handle, &count) != MPI_SUCCESS)
      continue;
    if (!continuous)
      MPI_T_pvar_start(session, handle);
    MPI_T_pvar_handle_free(session, &handle);
  }
  MPI_T_pvar_session_free(&session);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
  MPI_Request request;
  int also = -1;
  MPI_Irecv(&also, 1, MPI_INT, left, 2, comm, &request);
  MPI_Send(&in, 1, MPI_INT, right, 2, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_T_finalize();
  return in + 10 * also;
}

int main(int argc, char **argv) {
  int size;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  report("handles in variables", hash_number(HASH_START, variables(comm)));
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leaders/between.h"
#include "next/next.h"

int between_send(const struct leaders *leaders, struct message message, int to, enum between_kind kind,
                 MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
#if MPI_VERSION >= 4
  if (message.count > INT_MAX)
    return mpi_own.Isend_c(message.buffer, message.count, message.datatype, to, (int)kind, leaders->comm, request);
#endif
  return mpi_own.Isend(message.buffer, (int)message.count, message.datatype, to, (int)kind, leaders->comm, request);
}

int between_receive(const struct leaders *leaders, struct message message, int from, enum between_kind kind,
                    MPI_Request *request) {
  *request = MPI_REQUEST_NULL;
#if MPI_VERSION >= 4
  if (message.count > INT_MAX)
    return mpi_own.Irecv_c(message.buffer, message.count, message.datatype, from, (int)kind, leaders->comm, request);
#endif
  return mpi_own.Irecv(message.buffer, (int)message.count, message.datatype, from, (int)kind, leaders->comm, request);
}

int between_wait(const struct leaders *leaders, int count, MPI_Request requests[], int peer) {
  struct waiter waiter = {0};
  int error = MPI_SUCCESS;
  for (int i = 0; i < count; i++) {
    int done = 0, one;
    while ((one = PMPI_Test(&requests[i], &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done) {
      if (UNLIKELY(mpishm.watching))
        watch_member(leaders->communicator->handle, peer);
      waiter_pause(&waiter);
    }
    error = worse(error, one);
  }
  return error;
}

int between_exchange(const struct leaders *leaders, struct message send, int to, struct message receive, int from,
                     enum between_kind kind) {
  MPI_Request requests[2];
  int error = between_receive(leaders, receive, from, kind, &requests[0]);
  error = worse(error, between_send(leaders, send, to, kind, &requests[1]));
  return worse(error, between_wait(leaders, 2, requests, from));
}

int between_raise(const struct leaders *leaders, int error) {
  if (UNLIKELY(error != MPI_SUCCESS))
    communicator_raise(leaders->communicator, ERROR_IN_CALL, error);
  return error;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "requests/pairs.h"
#include "requests/requests.h"

#include <stdlib.h>

void pair_free(struct operation *op) {
  free(op->pair->copy);
  free(op->pair);
  op->pair = NULL;
}

static bool poll(struct operation *op) {
  struct pair *pair = op->pair;
  int done = 1;
  if (pair->mpi != MPI_REQUEST_NULL)
    pair->error = PMPI_Test(&pair->mpi, &done, &pair->status);
  if (pair->error != MPI_SUCCESS)
    done = 1;
  if (pair->send)
    done = operation_poll(pair->send) && done;
  if (pair->receive)
    done = operation_poll(pair->receive) && done;
  if (!done)
    return false;
  /* From here on the request is what its receive was. */
  const struct operation *receive = pair->receive;
  op->mpi_status = receive ? receive->mpi_status : pair->status;
  op->by_mpi = false;
  op->elsewhere = !receive || receive->elsewhere;
  op->error = receive && receive->error != MPI_SUCCESS         ? receive->error
              : pair->send && pair->send->error != MPI_SUCCESS ? pair->send->error
                                                               : pair->error;
  if (receive) {
    op->peer = receive->peer;
    op->tag = receive->tag;
    op->bytes = receive->bytes;
    request_recycle(pair->receive);
  }
  if (pair->send)
    request_recycle(pair->send);
  pair_free(op);
  op->work = NULL;
  return op->done = true;
}

static const struct work pair_work = {.advance = poll};

void pair_begin(struct operation *op) {
  op->by_mpi = true; /* and its work says how */
  op->work = &pair_work;
}

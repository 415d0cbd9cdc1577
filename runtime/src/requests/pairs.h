/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The two messages of an Isendrecv, which one request stands for.
 */
#ifndef MPISHM_PAIRS_H
#define MPISHM_PAIRS_H

#include "messages/operations.h"

struct pair {
  struct operation *send, *receive; /* NULL: MPI's, or complete when it was started */
  MPI_Request mpi;                  /* of the half that is MPI's */
  MPI_Status status;                /* of a receive that is MPI's */
  int error;                        /* of MPI's half */
  void *copy;                       /* what is sent in the place of the buffer, or NULL */
};

/* From now on `op`, which has a pair, is done when both messages of that are. */
void pair_begin(struct operation *op);
void pair_free(struct operation *op);

#endif

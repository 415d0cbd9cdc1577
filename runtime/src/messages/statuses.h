/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What MPI_Status says of a message.
 */
#ifndef MPISHM_STATUSES_H
#define MPISHM_STATUSES_H

#include "messages/operations.h"

/* The status of a finished operation, and an empty one (MPI 3.1, 3.7.3): all but MPI_ERROR, unless it is ignored. */
NOINLINE void status_fill(const struct operation *op, MPI_Status *status);
NOINLINE void status_fill_message(MPI_Status *status, int source, int tag, uint64_t bytes);
NOINLINE void status_fill_empty(MPI_Status *status);
static inline void operation_status(const struct operation *op, MPI_Status *status) {
  if (status != MPI_STATUS_IGNORE)
    status_fill(op, status);
}
static inline void status_empty(MPI_Status *status) {
  if (status != MPI_STATUS_IGNORE)
    status_fill_empty(status);
}

#endif

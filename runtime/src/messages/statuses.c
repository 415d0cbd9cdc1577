/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "messages/statuses.h"

/* What MPI makes of a number of bytes, remembered: to ask it would cost more than the message. */
static void set_bytes(MPI_Status *status, uint64_t bytes) {
  enum { REMEMBERED = 16 };
  static struct {
    bool known;
    uint64_t bytes;
    MPI_Status status;
  } memo[REMEMBERED], *entry;
  entry = &memo[(bytes ^ bytes >> 4 ^ bytes >> 8) % REMEMBERED];
  if (!entry->known || entry->bytes != bytes) {
    PMPI_Status_set_cancelled(&entry->status, 0);
    PMPI_Status_set_elements_x(&entry->status, MPI_BYTE, (MPI_Count)bytes);
    entry->bytes = bytes;
    entry->known = true;
  }
  int before = status->MPI_ERROR;
  *status = entry->status;
  status->MPI_ERROR = before;
}

void status_fill_message(MPI_Status *status, int source, int tag, uint64_t bytes) {
  set_bytes(status, bytes);
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
}

void status_fill_empty(MPI_Status *status) { status_fill_message(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0); }

void status_fill(const struct operation *op, MPI_Status *status) {
  if (op->is_send) {
    status_empty(status);
  } else if (op->elsewhere) {
    int before = status->MPI_ERROR;
    *status = op->mpi_status;
    status->MPI_ERROR = before;
  } else {
    status_fill_message(status, op->peer, op->tag, op->bytes);
    if (op->cancelled)
      PMPI_Status_set_cancelled(status, 1);
  }
}

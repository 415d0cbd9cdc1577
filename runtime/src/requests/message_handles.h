/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that a matched probe has found (MPI 3.1, 3.8.2) and that no receive has taken yet.
 */
#ifndef MPISHM_MESSAGE_HANDLES_H
#define MPISHM_MESSAGE_HANDLES_H

#include "messages/operations.h"

/* Belongs to its handle. A handle is one of MPI's own: that of an empty message which this rank has sent to itself. It
 * is used again, so that the steady state makes no call of MPI. */
struct held_message {
  MPI_Message handle;
  MPI_Request empty; /* the send of that message */
  struct communicator *communicator;
  int source;
  bool unrewritten;           /* found by a call that was not rewritten */
  struct unexpected *message; /* NULL: the handle is free */
  struct held_message *next;  /* free */
};

/* Takes a message out of those that no receive was posted for. NULL when there is no memory; then it stays there. */
COLD struct held_message *message_hold(struct communicator *communicator, int source, const struct unexpected *message);
/* What a handle stands for; NULL when it is MPI's own. */
struct held_message *message_find(MPI_Message handle);
/* The message goes to its receive, which frees it; the handle is free. */
struct unexpected *message_release(struct held_message *held);
/* Gives the handles back to MPI. */
void message_handles_destroy(void);

#endif

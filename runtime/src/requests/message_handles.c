/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "requests/message_handles.h"
#include "base/handles.h"
#include "next/next.h"

#include <stdlib.h>

static struct handle_table held_messages; /* handles in use and free ones */
static struct held_message *free_handles;
static MPI_Comm own_comm = MPI_COMM_NULL; /* this rank alone */

/* An empty message to oneself, found by MPI's own_comm matched probe. */
static bool make_handle(struct held_message *held) {
  int found = 0;
  if (own_comm == MPI_COMM_NULL && PMPI_Comm_dup(MPI_COMM_SELF, &own_comm) != MPI_SUCCESS)
    return false;
  if (mpi_own.Isend(NULL, 0, MPI_BYTE, 0, 0, own_comm, &held->empty) != MPI_SUCCESS)
    return false;
  while (!found)
    if (PMPI_Improbe(0, 0, own_comm, &found, &held->handle, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return false;
  return true;
}

static void destroy_handle(struct held_message *held) {
  PMPI_Mrecv(NULL, 0, MPI_BYTE, &held->handle, MPI_STATUS_IGNORE);
  PMPI_Wait(&held->empty, MPI_STATUS_IGNORE);
  free(held);
}

static struct held_message *new_handle(void) {
  struct held_message *held = free_handles;
  if (held) {
    free_handles = held->next;
    return held;
  }
  held = calloc(1, sizeof *held);
  if (!held || !make_handle(held)) {
    free(held);
    return NULL;
  }
  if (handle_set(&held_messages, HANDLE_KEY(held->handle), held))
    return held;
  destroy_handle(held);
  return NULL;
}

struct held_message *message_hold(struct communicator *communicator, int source, const struct unexpected *message) {
  struct held_message *held = new_handle();
  if (!held)
    return NULL;
  struct endpoint *endpoint = &mpishm.endpoints[communicator->node_rank[source]];
  held->message = receiver_take(&endpoint->receiver, message);
  held->communicator = communicator;
  held->communicator->references++;
  held->source = source;
  held->unrewritten = unrewritten.site != NULL;
  return held;
}

struct held_message *message_find(MPI_Message handle) {
  struct held_message *held = handle_find(&held_messages, HANDLE_KEY(handle));
  return held && held->message ? held : NULL;
}

struct unexpected *message_release(struct held_message *held) {
  struct unexpected *message = held->message;
  held->message = NULL;
  held->next = free_handles;
  free_handles = held;
  communicator_release(held->communicator);
  return message;
}

void message_handles_destroy(void) {
  while (free_handles) {
    struct held_message *held = free_handles;
    free_handles = held->next;
    destroy_handle(held);
  }
  handle_table_destroy(&held_messages);
  if (own_comm != MPI_COMM_NULL)
    PMPI_Comm_free(&own_comm);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages of ours that go through MPI after all, of any size. Between two ranks of a node they go on the node's own
 * communicator, which nothing else sends on, and never on the program's: there, a wildcard of MPI's could take one out
 * of its order. What matches them is what matches all others, a cell that announces them; where the window is
 * exhausted, a message that says what the cell would.
 */
#include "messages/through_mpi.h"
#include "messages/left_sends.h"
#include "messages/receiving.h"
#include "next/next.h"

#include <limits.h>
#include <stdlib.h>

enum { CHUNK_ELEMENTS = 1 << 30 };

/* Tags on the node's communicator: announcements, in order; and from 1 on the messages themselves, each with its own,
 * which counts the cells and announcements of its sender. It comes again after as many as MPI has tags, 32767 at the
 * least: so many are never on their way between two ranks at a time. */
enum { TAG_ANNOUNCEMENT = 0 };
static int payload_tag(uint64_t position) { return 1 + (int)(position % (uint64_t)mpishm.tag_ub); }

struct announcement {
  struct envelope envelope;
  uint64_t bytes;
};

/* One element of *large is `count` elements of `element`. */
static int make_large(size_t count, MPI_Datatype element, MPI_Datatype *large) {
  MPI_Aint lb, extent;
  MPI_Datatype chunk;
  PMPI_Type_get_extent(element, &lb, &extent);
  int error = PMPI_Type_contiguous(CHUNK_ELEMENTS, element, &chunk);
  if (error != MPI_SUCCESS)
    return error;
  size_t chunks = count / CHUNK_ELEMENTS;
  int lengths[] = {(int)chunks, (int)(count % CHUNK_ELEMENTS)};
  MPI_Aint places[] = {0, (MPI_Aint)(chunks * CHUNK_ELEMENTS) * extent};
  MPI_Datatype parts[] = {chunk, element};
  error = PMPI_Type_create_struct(2, lengths, places, parts, large);
  PMPI_Type_free(&chunk);
  return error == MPI_SUCCESS ? PMPI_Type_commit(large) : error;
}

static int isend(const void *buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 bool synchronous, MPI_Request *request) {
  return synchronous ? mpi_own.Issend(buffer, count, datatype, dest, tag, comm, request)
                     : mpi_own.Isend(buffer, count, datatype, dest, tag, comm, request);
}

int isend_through_mpi(const void *buffer, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      bool synchronous, MPI_Request *request) {
  MPI_Datatype large;
  if (count <= INT_MAX)
    return isend(buffer, (int)count, datatype, dest, tag, comm, synchronous, request);
  int error = make_large((size_t)count, datatype, &large);
  if (error != MPI_SUCCESS)
    return error;
  error = isend(buffer, 1, large, dest, tag, comm, synchronous, request);
  PMPI_Type_free(&large);
  return error;
}

int irecv_through_mpi(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Request *request) {
  MPI_Datatype large;
  if (count <= INT_MAX)
    return mpi_own.Irecv(buffer, (int)count, datatype, source, tag, comm, request);
  int error = make_large((size_t)count, datatype, &large);
  if (error != MPI_SUCCESS)
    return error;
  error = mpi_own.Irecv(buffer, 1, large, source, tag, comm, request);
  PMPI_Type_free(&large);
  return error;
}

int recv_init_through_mpi(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                          MPI_Request *request) {
  MPI_Datatype large;
  if (count <= INT_MAX)
    return PMPI_Recv_init(buffer, (int)count, datatype, source, tag, comm, request);
  int error = make_large((size_t)count, datatype, &large);
  if (error != MPI_SUCCESS)
    return error;
  error = PMPI_Recv_init(buffer, 1, large, source, tag, comm, request);
  PMPI_Type_free(&large);
  return error;
}

/* ---- Between ranks of a node. ---- */

static int node_rank_of(const struct endpoint *endpoint) { return (int)(endpoint - mpishm.endpoints); }

/* Not with the datatype that the program gave, which it may have freed. */
void payload_send(struct operation *op) {
  void *buffer = op->copy ? op->copy : op->piece ? op->piece : op->buffer;
  bool packed = op->copy || op->piece;
  MPI_Datatype datatype = MPI_BYTE;
  if (!packed)
    op->error = layout_make_datatype(op->layout, &datatype);
  if (op->error != MPI_SUCCESS)
    return;
  op->error =
      isend_through_mpi(buffer, packed ? (MPI_Count)op->bytes : (MPI_Count)op->count, datatype,
                        node_rank_of(op->endpoint), payload_tag(op->position), mpishm.node, op->synchronous, &op->mpi);
  if (!packed)
    PMPI_Type_free(&datatype);
}

/* Where it belongs if it fits there in one piece; else into a copy, since the datatype may be freed before it comes. */
void payload_receive(struct operation *op) {
  void *place = op->piece;
  op->mpi = MPI_REQUEST_NULL;
  op->copy = NULL;
  if (!op->piece || op->bytes > op->receive->capacity)
    place = op->copy = malloc(op->bytes + 1);
  op->error = place || op->bytes == 0
                  ? irecv_through_mpi(place, (MPI_Count)op->bytes, MPI_BYTE, node_rank_of(op->endpoint),
                                      payload_tag(op->position), mpishm.node, &op->mpi)
                  : MPI_ERR_NO_MEM;
  op->done = op->error != MPI_SUCCESS;
}

void announcement_send(struct endpoint *endpoint, struct envelope envelope, uint64_t bytes) {
  struct announcement here = {envelope, bytes}, *announcement = malloc(sizeof *announcement);
  MPI_Request request;
  if (announcement) {
    *announcement = here;
    mpi_own.Isend(announcement, sizeof here, MPI_BYTE, node_rank_of(endpoint), TAG_ANNOUNCEMENT, mpishm.node, &request);
    if (left_sends_add(announcement, request))
      return;
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    free(announcement);
  } else { /* small enough for any MPI to take it at once */
    mpi_own.Send(&here, sizeof here, MPI_BYTE, node_rank_of(endpoint), TAG_ANNOUNCEMENT, mpishm.node);
  }
}

void announcements_receive(struct endpoint *endpoint) {
  int rank = node_rank_of(endpoint), found = 0;
  struct announcement announcement;
  while (PMPI_Iprobe(rank, TAG_ANNOUNCEMENT, mpishm.node, &found, MPI_STATUS_IGNORE) == MPI_SUCCESS && found) {
    mpi_own.Recv(&announcement, sizeof announcement, MPI_BYTE, rank, TAG_ANNOUNCEMENT, mpishm.node, MPI_STATUS_IGNORE);
    receiver_announced(&endpoint->receiver, announcement.envelope, announcement.bytes, receive_arrive);
  }
}

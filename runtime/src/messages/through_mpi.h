/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages between ranks of a node that go through MPI after all, and MPI's own functions for any count.
 */
#ifndef MPISHM_THROUGH_MPI_H
#define MPISHM_THROUGH_MPI_H

#include "messages/operations.h"

/* The message of a send goes through MPI, to a rank of this node: from op->copy, or from its buffer. Sets op->mpi and
 * op->error. */
void payload_send(struct operation *op);
/* A receive has met the announcement of such a message: op->position and op->bytes say which. */
void payload_receive(struct operation *op);
/* Tells a rank of this node what a cell would, where the window is exhausted. */
void announcement_send(struct endpoint *endpoint, struct envelope envelope, uint64_t bytes);

/* Matches what another rank has announced through MPI (through_mpi.c). */
COLD void announcements_receive(struct endpoint *endpoint);

/* MPI_Isend or MPI_Issend, MPI_Irecv, and MPI_Recv_init, of any count. */
int isend_through_mpi(const void *buffer, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      bool synchronous, MPI_Request *request);
int irecv_through_mpi(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Request *request);
int recv_init_through_mpi(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                          MPI_Request *request);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages of ours that go through MPI after all, of any size.
 */
#include "runtime.h"

#include <limits.h>

enum { CHUNK_ELEMENTS = 1 << 30 };

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

static int start_call(struct operation *op, void *buffer, int count, MPI_Datatype datatype) {
  MPI_Comm comm = op->communicator->handle;
  if (!op->is_send)
    return PMPI_Irecv(buffer, count, datatype, op->peer, op->tag, comm, &op->mpi);
  if (op->synchronous)
    return PMPI_Issend(buffer, count, datatype, op->peer, op->tag, comm, &op->mpi);
  return PMPI_Isend(buffer, count, datatype, op->peer, op->tag, comm, &op->mpi);
}

int start_through_mpi(struct operation *op, void *buffer, size_t count, MPI_Datatype datatype) {
  MPI_Datatype large;
  if (count <= INT_MAX)
    return start_call(op, buffer, (int)count, datatype);
  int error = make_large(count, datatype, &large);
  if (error != MPI_SUCCESS)
    return error;
  error = start_call(op, buffer, 1, large);
  PMPI_Type_free(&large);
  return error;
}

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

static int isend(const void *buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 bool synchronous, MPI_Request *request) {
  return synchronous ? PMPI_Issend(buffer, count, datatype, dest, tag, comm, request)
                     : PMPI_Isend(buffer, count, datatype, dest, tag, comm, request);
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
    return PMPI_Irecv(buffer, (int)count, datatype, source, tag, comm, request);
  int error = make_large((size_t)count, datatype, &large);
  if (error != MPI_SUCCESS)
    return error;
  error = PMPI_Irecv(buffer, 1, large, source, tag, comm, request);
  PMPI_Type_free(&large);
  return error;
}

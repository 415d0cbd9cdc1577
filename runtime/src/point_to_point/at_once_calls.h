/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of at_once.h that have a count, for counted.h.
 */
int FORM(serve_Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     const void *site);
int FORM(serve_Isend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request, const void *site);
int FORM(serve_Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Status *status, const void *site);
int FORM(serve_Irecv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Request *request, const void *site);

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of bcast.c, for counted.h.
 */
HOT int FORM(MPISHM_Bcast)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL(BCAST));
  struct communicator *communicator = collective_find(comm, CALL_BCAST);
  struct layout *layout = communicator ? layout_find(datatype) : NULL;
  bool by_mpi = !part_is_valid(buffer, count, layout) || (unsigned)root >= (unsigned)communicator->size;
  if (!by_mpi && (size_t)count * layout->size > 0) {
    struct part part = part_of(buffer, (size_t)count, layout);
    /* Counts may differ between members, bytes do not. */
    by_mpi = is_left_to_library(communicator, counted_broadcast(part.bytes)) ||
             trial_leaves(communicator, TRIED_BCAST, part.bytes) || bcast(communicator, &part, (unsigned)root, &error);
    part_release(&part);
  }
  if (UNLIKELY(by_mpi)) {
    runtime_unlock();
    return runtime_return(trial_return(mpi_beyond->FORM(Bcast)(buffer, count, datatype, root, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}

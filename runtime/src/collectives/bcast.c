/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry point: the broadcast.
 */
#include "collectives/parts.h"
#include "mpishm.h"
#include "watch/enter.h"

/* Entered already. True: it is MPI's after all. */
static inline bool bcast(struct communicator *communicator, const struct part *part, unsigned root, int *error) {
  struct collective collective = collective_begin(communicator);
  const struct slot *slot;
  if (communicator->seat.place == root) {
    publish_part(&collective, part, PUBLISH_TO_ALL);
    slot = slot_at(&communicator->seat, root);
  } else {
    slot = hear(&collective, root);
    take_part(&collective, slot, root, part);
  }
  bool by_mpi = collective_end_of_root(&collective, root, slot->kind);
  *error = by_mpi ? MPI_SUCCESS : collective_raise(&collective);
  return by_mpi;
}

HOT int MPISHM_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL_BCAST);
  struct communicator *communicator = collective_find(comm);
  struct layout *layout = communicator ? layout_find(datatype) : NULL;
  bool by_mpi = !part_is_valid(buffer, count, layout) || (unsigned)root >= (unsigned)communicator->size;
  if (!by_mpi && (size_t)count * layout->size > 0) {
    struct part part = part_of(buffer, (size_t)count, layout);
    by_mpi = bcast(communicator, &part, (unsigned)root, &error);
    part_release(&part);
  }
  if (UNLIKELY(by_mpi)) {
    runtime_unlock();
    return runtime_return(MPI_Bcast(buffer, count, datatype, root, comm));
  }
  runtime_leave();
  return error;
}

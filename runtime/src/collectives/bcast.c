/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: the broadcast.
 */
#include "members/parts.h"
#include "members/trials.h"
#include "mpishm.h"
#include "next/next.h"
#include "portions/rooted.h"
#include "watch/enter.h"

/* Entered already. True: it is MPI's after all. What is short is a message where there is one member for it. */
static inline bool bcast(struct communicator *communicator, const struct part *part, unsigned root, int *error) {
  const unsigned place = communicator->seat.place;
  if (communicator->seat.members == 2 && part->bytes < TRIED_BYTES) {
    *error = exchange_with(communicator, 1 - place, part, place == root);
    return false;
  }
  struct collective collective = collective_begin(communicator);
  const struct slot *slot;
  collective.is_rooted = true;
  if (place == root) {
    if (UNLIKELY(part->bytes > slot_room(&communicator->seat)) && goes_as_parcel(communicator, part))
      publish_slot(&collective, own_slot(&collective), SLOT_PARCEL, 0);
    else
      publish_part(&collective, part, PUBLISH_TO_ALL);
    slot = slot_at(&communicator->seat, root);
  } else {
    slot = hear(&collective, root);
  }
  if (UNLIKELY(slot->kind == SLOT_PARCEL)) {
    epoch_end(&communicator->seat);
    *error = exchange_with(communicator, 1 - place, part, place == root);
    return false;
  }
  if (place != root)
    take_part(&collective, slot, root, part);
  bool by_mpi = collective_end_of_root(&collective, root, slot->kind);
  *error = by_mpi ? MPI_SUCCESS : collective_raise(&collective);
  return by_mpi;
}

#define COUNTED "collectives/bcast_calls.h"
#include "point_to_point/counted.h"

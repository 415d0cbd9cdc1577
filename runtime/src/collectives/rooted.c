/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what all have for one, and one has for all. It is a parcel for each member that has, or gets, any: all
 * that takes place between two members is in the order of their own calls. So a member that has nothing need not call,
 * which MPI demands, but no library that we know needs inside a node where each member says how much it has; programs
 * are about that leave it out.
 */
#include "portions/rooted.h"
#include "members/aliases.h"
#include "members/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* True: the call is MPI's, as the arguments of this member want, or since the communicator is NULL; the others learn as
 * much of that as from MPI. `one` is what a member has, or gets, and `all`, which counts at the root alone, what that
 * gets, or has. `gives`: members other than the root do. */
static bool exchange_rooted(struct communicator *communicator, unsigned root, const struct side *one,
                            const struct side *all, bool gives, int *error) {
  if (!communicator || root >= (unsigned)communicator->size)
    return true;
  const unsigned members = (unsigned)communicator->size;
  const bool is_root = (unsigned)communicator->rank == root, in_place = is_root && one->buffer == MPI_IN_PLACE;
  struct part own, parts[is_root ? members : 1];
  if (!in_place && (one->buffer == MPI_IN_PLACE || !find_part(one, 0, &own)))
    return true;
  if (!is_root) {
    *error = exchange_with(communicator, root, &own, gives);
    part_release(&own);
    return false;
  }
  bool is_valid = find_parts(all, parts, members);
  if (is_valid) {
    *error = exchange_with_all(communicator, parts, in_place ? NULL : &own, !gives);
    release_parts(parts, members);
  }
  if (!in_place)
    part_release(&own);
  return !is_valid;
}

static bool gather_parts(enum call call, MPI_Comm comm, unsigned root, const struct side *send,
                         const struct side *receive, int *error) {
  return is_refused_gather(comm, (int)root, send, receive) ||
         exchange_rooted(collective_find_pairs(comm, call), root, send, receive, true, error);
}

static bool scatter_parts(enum call call, MPI_Comm comm, unsigned root, const struct side *send,
                          const struct side *receive, int *error) {
  return is_refused_scatter(comm, (int)root, send, receive) ||
         exchange_rooted(collective_find_pairs(comm, call), root, receive, send, false, error);
}

#define COUNTED "collectives/rooted_calls.h"
#include "point_to_point/counted.h"

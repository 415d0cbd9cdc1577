/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what all have for one, and one has for all. It is a parcel for each member that has, or gets, any: all
 * that takes place between two members is in the order of their own calls. So a member that has nothing need not call,
 * which MPI demands, but no library that we know needs inside a node where each member says how much it has; programs
 * are about that leave it out.
 */
#include "collectives/rooted.h"
#include "collectives/aliases.h"
#include "collectives/portions.h"
#include "collectives/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* A call, and what it has to do with others. */
struct rooted {
  struct collective collective;
  struct envelope envelope;
  bool gives; /* what it does with all of them, or else takes */
};

static struct rooted rooted_begin(struct communicator *communicator, bool gives) {
  return (struct rooted){
      {.communicator = communicator, .is_rooted = true}, parcel_envelope_of_call(communicator), gives};
}

/* False: it was done at once. */
static bool rooted_start(const struct rooted *rooted, struct operation *op, unsigned member, const struct part *part) {
  const struct communicator *communicator = rooted->collective.communicator;
  operation_init(op);
  if (rooted->gives)
    return parcel_send_with(op, communicator, member, part, rooted->envelope, mpishm.eager_limit);
  parcel_receive_with(op, communicator, member, part, rooted->envelope);
  return true;
}

static void rooted_finish(struct rooted *rooted, struct operation *op, unsigned member) {
  if (UNLIKELY(op->crosses))
    hear_other_call(&rooted->collective, member, rooted->collective.communicator->call ^ CONTEXT_UNREWRITTEN);
  op->crosses = false;
  int error = parcel_finish(op);
  if (error != MPI_SUCCESS)
    rooted->collective.error = error;
}

/* Of the root; `own` is NULL where its part stays where it is. */
static int exchange_with_all(struct communicator *communicator, const struct part parts[], const struct part *own,
                             bool gives) {
  const unsigned members = (unsigned)communicator->size, root = (unsigned)communicator->rank;
  struct rooted rooted = rooted_begin(communicator, gives);
  bool is_under_way[members];
  struct operation ops[members];
  struct portions portions = {members, NULL, parts, is_under_way, ops};
  for (unsigned i = 0; i < members; i++)
    is_under_way[i] = i != root && parts[i].bytes > 0 && rooted_start(&rooted, &ops[i], i, &parts[i]);
  if (own)
    copy_own_part(&rooted.collective, gives ? own : &parts[root], gives ? &parts[root] : own);
  portions_await(&rooted.collective, &portions, NULL);
  for (unsigned i = 0; i < members; i++)
    if (is_under_way[i])
      rooted_finish(&rooted, &ops[i], i);
  return collective_raise(&rooted.collective);
}

int exchange_with(struct communicator *communicator, unsigned member, const struct part *part, bool gives) {
  struct rooted rooted = rooted_begin(communicator, gives);
  struct operation op;
  if (part->bytes > 0 && rooted_start(&rooted, &op, member, part)) {
    parcel_await(&op, communicator, member);
    rooted_finish(&rooted, &op, member);
  }
  return collective_raise(&rooted.collective);
}

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

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what all have for one, and one has for all, where each says how much that is. It is a parcel for each
 * member that has, or gets, any: all that takes place between two members is in the order of their own calls. So a
 * member that has nothing need not call, which MPI demands, but no library that we know needs inside a node in these
 * two; programs are about that leave it out.
 */
#include "collectives/varied.h"
#include "collectives/aliases.h"
#include "collectives/portions.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* A call, and what it has to do with others. */
struct varied {
  struct collective collective;
  struct envelope envelope;
  bool gives; /* what it does with all of them, or else takes */
};

static struct varied varied_begin(struct communicator *communicator, bool gives) {
  return (struct varied){{.communicator = communicator, .unrewritten = unrewritten.site, .is_rooted = true},
                         parcel_envelope(communicator->context, PARCELS_OF_PAIRS),
                         gives};
}

/* False: it was done at once. */
static bool varied_start(const struct varied *varied, struct operation *op, unsigned member, const struct part *part) {
  const struct communicator *communicator = varied->collective.communicator;
  operation_init(op);
  if (varied->gives)
    return parcel_send_with(op, communicator, member, part, varied->envelope, mpishm.eager_limit);
  parcel_receive_with(op, communicator, member, part, varied->envelope);
  return true;
}

static void varied_finish(struct varied *varied, struct operation *op, unsigned member) {
  if (UNLIKELY(op->crosses))
    hear_other_code(&varied->collective, member);
  op->crosses = false;
  int error = parcel_finish(op);
  if (error != MPI_SUCCESS)
    varied->collective.error = error;
}

/* Of the root; `own` is NULL where its part stays where it is. */
static int exchange_with_all(struct communicator *communicator, const struct part parts[], const struct part *own,
                             bool gives) {
  const unsigned members = (unsigned)communicator->size, root = (unsigned)communicator->rank;
  struct varied varied = varied_begin(communicator, gives);
  bool is_under_way[members];
  struct operation ops[members];
  struct portions portions = {members, NULL, parts, is_under_way, ops};
  for (unsigned i = 0; i < members; i++)
    is_under_way[i] = i != root && parts[i].bytes > 0 && varied_start(&varied, &ops[i], i, &parts[i]);
  if (own)
    copy_own_part(&varied.collective, gives ? own : &parts[root], gives ? &parts[root] : own);
  portions_await(&varied.collective, &portions, NULL);
  for (unsigned i = 0; i < members; i++)
    if (is_under_way[i])
      varied_finish(&varied, &ops[i], i);
  return collective_raise(&varied.collective);
}

int exchange_with(struct communicator *communicator, unsigned member, const struct part *part, bool gives) {
  struct varied varied = varied_begin(communicator, gives);
  struct operation op;
  if (part->bytes > 0 && varied_start(&varied, &op, member, part)) {
    if (UNLIKELY(mpishm.watching))
      watch_member(communicator->handle, rank_of_member(communicator, member));
    operation_wait(&op);
    varied_finish(&varied, &op, member);
  }
  return collective_raise(&varied.collective);
}

bool exchange_varied(struct communicator *communicator, unsigned root, const struct side *one, const struct side *all,
                     bool gives, int *error) {
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

static bool gather_varied(MPI_Comm comm, unsigned root, const struct side *send, const struct side *receive,
                          int *error) {
  return is_refused_gather(comm, (int)root, send, receive) ||
         exchange_varied(collective_find_pairs(comm), root, send, receive, true, error);
}

static bool scatter_varied(MPI_Comm comm, unsigned root, const struct side *send, const struct side *receive,
                           int *error) {
  return is_refused_scatter(comm, (int)root, send, receive) ||
         exchange_varied(collective_find_pairs(comm), root, receive, send, false, error);
}

#define COUNTED "collectives/varied_calls.h"
#include "point_to_point/counted.h"

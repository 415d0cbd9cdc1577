/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what each member has for each other one.
 */
#include "members/aliases.h"
#include "members/sides.h"
#include "members/trials.h"
#include "mpishm.h"
#include "next/next.h"
#include "watch/enter.h"

/* What a member gives: a part to all others, or parts, one to each. */
enum gift { TO_ALL, TO_EACH };

static uint8_t longest_class(const struct seat *seat, enum gift gift, const struct part *send) {
  size_t longest = gift == TO_ALL ? send->bytes : 0;
  for (unsigned i = 0; gift == TO_EACH && i < seat->members; i++)
    longest = i != seat->place && send[i].bytes > longest ? send[i].bytes : longest;
  return size_class_of(longest);
}

/* Whether the library is to do it, which all know from what all have published: then nobody reads that. */
static bool is_left_by_classes(struct collective *collective, enum tried tried, uint64_t began) {
  const struct seat *seat = &collective->communicator->seat;
  uint8_t longest = collective->size_class;
  for (unsigned i = 1; i < seat->members; i++) {
    const struct slot *slot = hear(collective, (seat->place + i) % seat->members);
    longest = slot->size_class > longest ? slot->size_class : longest;
  }
  if (collective->by_mpi || !trial_leaves_class(collective->communicator, tried, longest, began))
    return false;
  epoch_end_of_all(&collective->communicator->seat);
  collective_release(collective);
  return true;
}

/* Each takes what is for it from all others, in an order of its own, so that not all read from one. Parts that are
 * NULL: MPI is to look at this member's arguments, and so at all. */
static inline bool exchange_parts(struct communicator *communicator, enum tried tried, enum gift gift,
                                  const struct part *send, const struct part receive[], int *error) {
  const struct seat *seat = &communicator->seat;
  const bool says_class = trial_needs_classes(communicator, tried);
  const uint64_t began = says_class ? trial_clock(communicator, tried) : 0;
  struct collective collective = collective_begin(communicator);
  if (says_class && send)
    collective.size_class = longest_class(seat, gift, send);
  const struct part *own = send && gift == TO_EACH ? &send[seat->place] : send;
  if (UNLIKELY(!send))
    publish_refusal(&collective);
  else if (gift == TO_EACH)
    publish_parts(&collective, send);
  else
    publish_part(&collective, send, PUBLISH_TO_ALL);
  if (says_class && is_left_by_classes(&collective, tried, began))
    return true;
  if (own && own != &receive[seat->place] && !part_copy(&receive[seat->place], own))
    collective.error = MPI_ERR_TRUNCATE;
  for (unsigned i = 1; i < seat->members; i++) {
    unsigned from = (seat->place + i) % seat->members;
    const struct slot *slot = hear(&collective, from);
    if (own && gift == TO_EACH)
      take_own_part(&collective, slot, from, &receive[from]);
    else if (own)
      take_part(&collective, slot, from, &receive[from]);
  }
  bool by_mpi = collective_end_of_all(&collective, false, false);
  *error = by_mpi ? MPI_SUCCESS : collective_raise(&collective);
  return by_mpi;
}

/* Entered already. True: the call is MPI's. So it is, of all members, where both buffers are one of one. */
static inline bool exchange(enum call call, enum tried tried, MPI_Comm comm, const struct side *send,
                            const struct side *receive, int *error) {
  if (is_refused_exchange(comm, send, receive))
    return true;
  struct communicator *communicator = collective_find(comm, call);
  if (!communicator || (size_t)communicator->size > most_parts(communicator))
    return true;
  unsigned members = communicator->seat.members;
  struct part sent[members], received[members];
  bool may_send = send->buffer != receive->buffer && find_parts(send, sent, members);
  bool may_receive = may_send && find_parts(receive, received, members);
  bool by_mpi = !may_receive && are_wrong(send, members, receive, members);
  if (!by_mpi && tried < TRIED_BY_SLOTS)
    by_mpi =
        may_receive ? trial_leaves(communicator, tried, received[0].bytes) : side_is_left(communicator, tried, receive);
  if (!by_mpi)
    by_mpi = may_receive ? exchange_parts(communicator, tried, TO_EACH, sent, received, error)
                         : exchange_parts(communicator, tried, TO_EACH, NULL, NULL, error);
  if (may_send)
    release_parts(sent, members);
  if (may_receive)
    release_parts(received, members);
  return by_mpi;
}

/* ---- What each has for all. ---- */

/* Entered already. True: the call is MPI's. For MPI_IN_PLACE the own part is where it belongs already. */
static inline bool gather_from_all(enum call call, enum tried tried, MPI_Comm comm, const void *sendbuf,
                                   MPI_Count sendcount, MPI_Datatype sendtype, const struct side *receive, int *error) {
  struct side send = side_same(sendbuf, sendcount, sendtype);
  if (is_refused_gather(comm, ANY_ROOT, &send, receive))
    return true;
  struct communicator *communicator = collective_find(comm, call);
  if (!communicator)
    return true;
  unsigned members = communicator->seat.members;
  struct part received[members], sent;
  bool in_place = sendbuf == MPI_IN_PLACE;
  struct layout *layout = in_place ? NULL : layout_find(sendtype);
  bool may_send = in_place || (part_is_valid(sendbuf, sendcount, layout) && sendbuf != receive->buffer);
  bool by_mpi;
  if (!may_send || !find_parts(receive, received, members))
    return are_wrong(&send, 1, receive, members) ||
           (tried < TRIED_BY_SLOTS && side_is_left(communicator, tried, receive)) ||
           exchange_parts(communicator, tried, TO_ALL, NULL, NULL, error);
  if (tried < TRIED_BY_SLOTS && trial_leaves(communicator, tried, received[0].bytes)) {
    by_mpi = true;
  } else if (in_place) {
    by_mpi = exchange_parts(communicator, tried, TO_ALL, &received[communicator->seat.place], received, error);
  } else {
    sent = part_of(sendbuf, (size_t)sendcount, layout);
    by_mpi = exchange_parts(communicator, tried, TO_ALL, &sent, received, error);
    part_release(&sent);
  }
  release_parts(received, members);
  return by_mpi;
}

#define COUNTED "collectives/exchange_calls.h"
#include "point_to_point/counted.h"

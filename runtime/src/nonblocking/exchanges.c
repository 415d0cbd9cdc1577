/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: nonblocking collectives that move data, and the barrier.
 */
#include "members/aliases.h"
#include "members/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "nonblocking/starts.h"
#include "watch/enter.h"

/* All below: entered already. Where the call is STARTED, what was asked for is there. */

enum start start_barrier(MPI_Comm comm, struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  if (!communicator)
    return START_BY_MPI;
  const unsigned members = (unsigned)communicator->size, me = (unsigned)communicator->rank;
  struct bundle *bundle = bundle_make(communicator, asked, 2 * (members - 1), 0);
  if (!bundle)
    return START_NO_MEMORY;
  for (unsigned i = 1; i < members; i++)
    bundle_receive_signal(bundle, (me + members - i) % members);
  for (unsigned i = 1; i < members; i++)
    bundle_send_signal(bundle, (me + i) % members);
  bundle_end(bundle, asked);
  return STARTED;
}

/* ---- One root. ---- */

/* The root has a part for each other member, or with `to_all` one for all of them. `own`: where its own goes; NULL:
 * nowhere. */
static enum start start_from_root(struct communicator *communicator, bool to_all, const struct part sent[],
                                  const struct part *own, struct asked asked) {
  const unsigned members = (unsigned)communicator->size, me = (unsigned)communicator->rank;
  struct bundle *bundle = bundle_make(communicator, asked, members - 1, 0);
  if (!bundle)
    return START_NO_MEMORY;
  bundle->is_rooted = true;
  for (unsigned i = 1; i < members; i++) {
    unsigned to = (me + i) % members;
    bundle_send(bundle, to, &sent[to_all ? 0 : to]);
  }
  if (own)
    bundle_copy(bundle, own, &sent[me]);
  bundle_end(bundle, asked);
  return STARTED;
}

/* The root gets a part of each other member. `own`: its own; NULL: that is where it belongs. */
static enum start start_at_root(struct communicator *communicator, const struct part received[], const struct part *own,
                                struct asked asked) {
  const unsigned members = (unsigned)communicator->size, me = (unsigned)communicator->rank;
  struct bundle *bundle = bundle_make(communicator, asked, members - 1, 0);
  if (!bundle)
    return START_NO_MEMORY;
  for (unsigned i = 1; i < members; i++) {
    unsigned from = (me + i) % members;
    bundle_receive(bundle, from, &received[from]);
  }
  if (own)
    bundle_copy(bundle, &received[me], own);
  bundle_end(bundle, asked);
  return STARTED;
}

/* Of a member that is not the root. */
static enum start start_with_root(struct communicator *communicator, unsigned root, bool sends, const struct part *part,
                                  struct asked asked) {
  struct bundle *bundle = bundle_make(communicator, asked, 1, 0);
  if (!bundle)
    return START_NO_MEMORY;
  bundle->is_rooted = true;
  if (sends)
    bundle_send(bundle, root, part);
  else
    bundle_receive(bundle, root, part);
  bundle_end(bundle, asked);
  return STARTED;
}

/* The communicator of a call with this root, or NULL. */
static struct communicator *rooted_communicator(MPI_Comm comm, int root, struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  return communicator && (unsigned)root < (unsigned)communicator->size ? communicator : NULL;
}

enum start start_bcast(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                       struct asked asked) {
  struct communicator *communicator = rooted_communicator(comm, root, asked);
  struct layout *layout = communicator ? layout_find(datatype) : NULL;
  if (!part_is_valid(buffer, count, layout))
    return START_BY_MPI;
  struct part part = part_of(buffer, (size_t)count, layout);
  enum start start = root == communicator->rank ? start_from_root(communicator, true, &part, NULL, asked)
                                                : start_with_root(communicator, (unsigned)root, false, &part, asked);
  part_release(&part);
  return start;
}

/* The own part of a call with a root, which one side says; NULL in place of `place`: it stays where it is. */
static bool find_own_part(const struct side *side, bool is_root, struct part *part, const struct part **place) {
  *place = part;
  if (is_root && side->buffer == MPI_IN_PLACE)
    *place = NULL;
  return !*place || (side->buffer != MPI_IN_PLACE && find_part(side, 0, part));
}

/* `receive` counts at the root alone. */
enum start start_gather(int root, const struct side *send, const struct side *receive, MPI_Comm comm,
                        struct asked asked) {
  struct communicator *communicator = rooted_communicator(comm, root, asked);
  struct part own, received[MOST_IN_BUNDLE];
  const struct part *sent;
  enum start start = START_BY_MPI;
  if (!communicator || is_refused_gather(comm, root, send, receive) ||
      !find_own_part(send, root == communicator->rank, &own, &sent))
    return START_BY_MPI;
  if (root != communicator->rank) {
    start = start_with_root(communicator, (unsigned)root, true, sent, asked);
  } else if (find_parts(receive, received, (unsigned)communicator->size)) {
    start = start_at_root(communicator, received, sent, asked);
    release_parts(received, (unsigned)communicator->size);
  }
  if (sent)
    part_release(sent);
  return start;
}

/* `send` counts at the root alone. */
enum start start_scatter(int root, const struct side *send, const struct side *receive, MPI_Comm comm,
                         struct asked asked) {
  struct communicator *communicator = rooted_communicator(comm, root, asked);
  struct part own, sent[MOST_IN_BUNDLE];
  const struct part *received;
  enum start start = START_BY_MPI;
  if (!communicator || is_refused_scatter(comm, root, send, receive) ||
      !find_own_part(receive, root == communicator->rank, &own, &received))
    return START_BY_MPI;
  if (root != communicator->rank) {
    start = start_with_root(communicator, (unsigned)root, false, received, asked);
  } else if (find_parts(send, sent, (unsigned)communicator->size)) {
    start = start_from_root(communicator, false, sent, received, asked);
    release_parts(sent, (unsigned)communicator->size);
  }
  if (received)
    part_release(received);
  return start;
}

/* ---- Everybody. ---- */

/* What each has for each, or with `to_all` for all. `own`: what it has for itself; NULL: that is where it belongs. */
static enum start start_exchange_of(struct communicator *communicator, bool to_all, const struct part sent[],
                                    const struct part received[], const struct part *own, struct asked asked) {
  const unsigned members = (unsigned)communicator->size, me = (unsigned)communicator->rank;
  struct bundle *bundle = bundle_make(communicator, asked, 2 * (members - 1), 0);
  if (!bundle)
    return START_NO_MEMORY;
  for (unsigned i = 1; i < members; i++) {
    unsigned from = (me + members - i) % members;
    bundle_receive(bundle, from, &received[from]);
  }
  for (unsigned i = 1; i < members; i++) {
    unsigned to = (me + i) % members;
    bundle_send(bundle, to, &sent[to_all ? 0 : to]);
  }
  if (own)
    bundle_copy(bundle, &received[me], own);
  bundle_end(bundle, asked);
  return STARTED;
}

/* MPI's where it is in place, which it then is for all members. */
enum start start_exchange(const struct side *send, const struct side *receive, MPI_Comm comm, struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  struct part sent[MOST_IN_BUNDLE], received[MOST_IN_BUNDLE];
  enum start start = START_BY_MPI;
  if (!communicator || is_refused_exchange(comm, send, receive) ||
      !find_parts(send, sent, (unsigned)communicator->size))
    return START_BY_MPI;
  if (find_parts(receive, received, (unsigned)communicator->size)) {
    start = start_exchange_of(communicator, false, sent, received, &sent[communicator->rank], asked);
    release_parts(received, (unsigned)communicator->size);
  }
  release_parts(sent, (unsigned)communicator->size);
  return start;
}

enum start start_gather_from_all(const struct side *send, const struct side *receive, MPI_Comm comm,
                                 struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  struct part own, received[MOST_IN_BUNDLE];
  const struct part *sent;
  enum start start = START_BY_MPI;
  if (!communicator || is_refused_gather(comm, ANY_ROOT, send, receive) || !find_own_part(send, true, &own, &sent))
    return START_BY_MPI;
  if (find_parts(receive, received, (unsigned)communicator->size)) {
    start = start_exchange_of(communicator, true, sent ? sent : &received[communicator->rank], received, sent, asked);
    release_parts(received, (unsigned)communicator->size);
  }
  if (sent)
    part_release(sent);
  return start;
}

int MPISHM_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  START_OR_MPI(CALL_IBARRIER, start_barrier(comm, once(request)), mpi_first.Ibarrier(comm, request));
}

#define COUNTED "nonblocking/exchanges_calls.h"
#include "point_to_point/counted.h"

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: nonblocking reductions, of those whose bits are the same in any order. Where the values may show that
 * they are not, only the library could do it anew; and members come to that at different times, in which they have
 * started other collectives of the library's, so that it would not know which is which.
 */
#include "members/aliases.h"
#include "members/sides.h"
#include "mpishm.h"
#include "next/next.h"
#include "nonblocking/starts.h"
#include "reductions/reduce.h"
#include "watch/enter.h"

/* Each member gets the operands of all others: what is longer libraries combine in parts. */
enum { COMBINED_BYTES = 4 << 10, COMBINED_BYTES_OF_TWO = 64 << 10 };

/* All below: entered already. Where the call is STARTED, what was asked for is there. */

/* The reduction of a call, or NULL where it is MPI's. Of what all members pass alike. */
static const struct reduction *find_exact(const struct communicator *communicator, MPI_Count count,
                                          MPI_Datatype datatype, MPI_Op op) {
  const struct reduction *reduction = find_reduction(communicator, count, datatype, op);
  if (!reduction || reduction->doubtful || reduction->only_of_two)
    return NULL;
  size_t most = communicator->size == 2 ? COMBINED_BYTES_OF_TWO : COMBINED_BYTES;
  return (size_t)count <= most / reduction->bytes ? reduction : NULL;
}

/* An operand. */
static struct part bytes_at(const void *buffer, size_t bytes) { return part_of(buffer, bytes, layout_find(MPI_BYTE)); }

/* Who gives whom a whole operand, and what this member combines. */
struct operands {
  const struct reduction *reduction;
  const void *own;               /* this member's, for all that get it */
  size_t count;                  /* of its elements */
  unsigned from_begin, from_end; /* the members that give this one theirs; it may be among them */
  unsigned to_begin, to_end;     /* those that get its own */
  bool adds_own;
};

/* Receives what the members of a range give, one after the other. */
static void receive_operands(struct bundle *bundle, unsigned begin, unsigned end, size_t bytes, unsigned char *place) {
  const unsigned me = (unsigned)bundle->communicator->rank;
  for (unsigned from = begin; from < end; from++)
    if (from != me) {
      struct part part = bytes_at(place, bytes);
      bundle_receive(bundle, from, &part);
      place += bytes;
    }
}

static unsigned others_in(const struct communicator *communicator, unsigned begin, unsigned end) {
  const unsigned me = (unsigned)communicator->rank;
  return end > begin ? end - begin - (begin <= me && me < end) : 0;
}

static bool memory_overlaps(const void *one, const void *other, size_t bytes) {
  uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;
  return a < b + bytes && b < a + bytes;
}

static enum start combine_operands(struct communicator *communicator, const struct operands *operands, void *result,
                                   struct asked asked) {
  const unsigned me = (unsigned)communicator->rank;
  const unsigned given = others_in(communicator, operands->from_begin, operands->from_end);
  const unsigned taken = others_in(communicator, operands->to_begin, operands->to_end);
  const size_t bytes = operands->count * operands->reduction->bytes;
  /* Others may read the own one till the end. */
  const bool is_first = given == 1 && !memory_overlaps(result, operands->own, bytes);
  struct bundle *bundle = bundle_make(communicator, asked, given + taken, is_first ? 0 : given * bytes);
  if (!bundle)
    return START_NO_MEMORY;
  bundle->is_rooted = given == 0 || taken == 0;
  if (given > 0 || operands->adds_own)
    bundle->combining =
        (struct combining){operands->reduction, result, is_first,       operands->adds_own ? operands->own : NULL,
                           bundle->memory,      given,  operands->count};
  receive_operands(bundle, operands->from_begin, operands->from_end, bytes, is_first ? result : bundle->memory);
  struct part part = bytes_at(operands->own, bytes);
  for (unsigned to = operands->to_begin; to < operands->to_end; to++)
    if (to != me)
      bundle_send(bundle, to, &part);
  bundle_end(bundle, asked);
  return STARTED;
}

enum start start_allreduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm, struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  const struct reduction *reduction = find_exact(communicator, count, datatype, op);
  if (!communicator || !reduction || !are_buffers(sendbuf, recvbuf))
    return START_BY_MPI;
  const unsigned members = (unsigned)communicator->size;
  struct operands operands = {
      reduction, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, (size_t)count, 0, members, 0, members, true};
  return combine_operands(communicator, &operands, recvbuf, asked);
}

enum start start_reduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                        MPI_Comm comm, struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  const struct reduction *reduction = find_exact(communicator, count, datatype, op);
  if (!communicator || !reduction || (unsigned)root >= (unsigned)communicator->size)
    return START_BY_MPI;
  const bool is_root = root == communicator->rank;
  if (is_root ? !are_buffers(sendbuf, recvbuf) : !sendbuf || sendbuf == MPI_IN_PLACE)
    return START_BY_MPI;
  const unsigned to = (unsigned)root, members = (unsigned)communicator->size;
  struct operands operands = {
      reduction, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, (size_t)count, 0, is_root ? members : 0, to, to + 1,
      is_root};
  return combine_operands(communicator, &operands, recvbuf, asked);
}

/* Of the members before this one, and of it, unless it is excluded. */
enum start start_scan(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      bool excludes, MPI_Comm comm, struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  const struct reduction *reduction = find_exact(communicator, count, datatype, op);
  bool in_place = sendbuf == MPI_IN_PLACE;
  if (!communicator || !reduction)
    return START_BY_MPI;
  const unsigned me = (unsigned)communicator->rank, members = (unsigned)communicator->size;
  bool has_result = me > 0 || !excludes; /* else it may have no room for one */
  if (has_result || in_place ? !are_buffers(sendbuf, recvbuf) : !sendbuf)
    return START_BY_MPI;
  if (is_refused_reduction(sendbuf, recvbuf, count))
    return START_BY_MPI;
  struct operands operands = {reduction, in_place ? recvbuf : sendbuf, (size_t)count, 0, me, me + 1, members,
                              !excludes};
  return combine_operands(communicator, &operands, recvbuf, asked);
}

/* Of the elements that are this member's by `receive`, whose counts all pass alike. */
enum start start_reduce_scatter(const void *sendbuf, const struct side *receive, MPI_Op op, MPI_Comm comm,
                                struct asked asked) {
  struct communicator *communicator = asked.request ? bundle_communicator(comm) : NULL;
  MPI_Count all = 0, before[MOST_IN_BUNDLE];
  if (!communicator || (receive->form == COUNTS && !receive->counts))
    return START_BY_MPI;
  const unsigned me = (unsigned)communicator->rank, members = (unsigned)communicator->size;
  for (unsigned i = 0; i < members; i++) {
    if (count_of(receive, i) < 0)
      return START_BY_MPI;
    before[i] = all;
    all += count_of(receive, i);
  }
  const struct reduction *reduction = find_exact(communicator, all, receive->datatype, op);
  const size_t count = (size_t)count_of(receive, me);
  bool in_place = sendbuf == MPI_IN_PLACE, needs_room = count > 0 || in_place;
  if (!reduction || (needs_room ? !are_buffers(sendbuf, receive->buffer) : !sendbuf))
    return START_BY_MPI;
  const unsigned char *given = in_place ? receive->buffer : sendbuf;
  struct bundle *bundle = bundle_make(communicator, asked, 2 * (members - 1), (members - 1) * count * reduction->bytes);
  if (!bundle)
    return START_NO_MEMORY;
  if (count > 0)
    bundle->combining = (struct combining){reduction,      (void *)receive->buffer,
                                           false,          given + (size_t)before[me] * reduction->bytes,
                                           bundle->memory, members - 1,
                                           count};
  receive_operands(bundle, 0, members, count * reduction->bytes, bundle->memory);
  for (unsigned i = 1; i < members; i++) {
    unsigned to = (me + i) % members;
    struct part part =
        bytes_at(given + (size_t)before[to] * reduction->bytes, (size_t)count_of(receive, to) * reduction->bytes);
    bundle_send(bundle, to, &part);
  }
  bundle_end(bundle, asked);
  return STARTED;
}

#define COUNTED "nonblocking/combinations_calls.h"
#include "point_to_point/counted.h"

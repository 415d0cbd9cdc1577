/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "portions/rooted.h"
#include "portions/portions.h"

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

int exchange_with_all(struct communicator *communicator, const struct part parts[], const struct part *own,
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

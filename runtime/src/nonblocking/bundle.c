/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nonblocking/bundle.h"
#include "messages/requests.h"
#include "messages/sending.h"
#include "watch/slips.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making one. ---- */

/* Gives back what no parcel needed. */
static void give_back_operations(struct bundle *bundle) {
  while (bundle->ready > bundle->under_way)
    request_discard(bundle->parcels[--bundle->ready]);
}

static bool take_operations(struct bundle *bundle, unsigned count) {
  while (bundle->ready < count) {
    struct operation *op = request_new();
    if (!op)
      return false;
    bundle->parcels[bundle->ready++] = op;
  }
  return true;
}

static const struct work bundle_work;

/* A request's operation that is nothing so far. */
static void begin_request(struct operation *op, struct communicator *communicator) {
  op->is_send = op->done = op->cancelled = op->synchronous = op->matched = op->waiting = op->elsewhere = op->crosses =
      false;
  op->unrewritten = unrewritten.site != NULL;
  op->by_mpi = true; /* and work says how */
  op->work = &bundle_work;
  op->error = MPI_SUCCESS;
  op->mpi = MPI_REQUEST_NULL;
  op->layout = NULL;
  op->fetch = NULL;
  op->path = PATH_NONE; /* no message of the program's */
  op->peer = op->tag = 0;
  op->communicator = communicator;
  communicator->references++;
  if (UNLIKELY(mpishm.watching)) {
    op->call = watch_call()->call;
    op->site = watch_call()->site;
  }
}

struct bundle *bundle_make(struct communicator *communicator, unsigned parcels, size_t memory) {
  struct bundle *bundle = malloc(sizeof *bundle + parcels * sizeof *bundle->parcels + memory);
  if (!bundle)
    return NULL;
  *bundle = (struct bundle){.request = request_new(), .memory = (unsigned char *)(bundle->parcels + parcels)};
  if (!bundle->request || !take_operations(bundle, parcels)) {
    give_back_operations(bundle);
    if (bundle->request)
      request_discard(bundle->request);
    free(bundle);
    return NULL;
  }
  begin_request(bundle->request, communicator);
  bundle->request->buffer = bundle;
  return bundle;
}

/* ---- Its parcels. ---- */

static struct operation *next_operation(const struct bundle *bundle) {
  ASSUME(bundle->under_way < bundle->ready);
  return bundle->parcels[bundle->under_way];
}

static void start_receiving(struct bundle *bundle, unsigned from, const struct part *part) {
  parcel_receive_with(next_operation(bundle), bundle->request->communicator, from, part, PARCELS_OF_REQUESTS);
  bundle->under_way++;
}

static void start_sending(struct bundle *bundle, unsigned to, const struct part *part) {
  bundle->under_way += parcel_send_with(next_operation(bundle), bundle->request->communicator, to, part,
                                        PARCELS_OF_REQUESTS, nonblocking_limit(part->buffer, part->bytes));
}

void bundle_receive(struct bundle *bundle, unsigned from, const struct part *part) {
  if (part->bytes > 0)
    start_receiving(bundle, from, part);
}

void bundle_send(struct bundle *bundle, unsigned to, const struct part *part) {
  if (part->bytes > 0)
    start_sending(bundle, to, part);
}

static struct part no_bytes(void) { return part_of("", 0, layout_find(MPI_BYTE)); }

void bundle_receive_signal(struct bundle *bundle, unsigned from) {
  struct part part = no_bytes();
  start_receiving(bundle, from, &part);
}

void bundle_send_signal(struct bundle *bundle, unsigned to) {
  struct part part = no_bytes();
  start_sending(bundle, to, &part);
}

void bundle_copy(struct bundle *bundle, const struct part *to, const struct part *from) {
  bool is_there = from->piece && from->piece == to->piece;
  if (is_there ? from->bytes > to->bytes : !part_copy(to, from))
    bundle->error = MPI_ERR_TRUNCATE;
}

/* ---- Getting on. ---- */

/* The other member's call is of rewritten code, and this one's is not, or the other way round: the one that was not
 * says where it is, if it gets to know of it. */
COLD static void parcel_crossed(const struct bundle *bundle, const struct operation *parcel) {
  const struct communicator *communicator = bundle->request->communicator;
  if (parcel->unrewritten)
    slip_collective(parcel->call, parcel->site);
  else if (bundle->is_rooted)
    slip_member(communicator->handle, communicator_member_on_node(communicator, parcel->peer));
}

static void end_parcel(struct bundle *bundle, unsigned i) {
  struct operation *parcel = bundle->parcels[i];
  if (UNLIKELY(parcel->crosses)) {
    parcel_crossed(bundle, parcel);
    parcel->crosses = false;
  }
  if (UNLIKELY(parcel->error != MPI_SUCCESS))
    bundle->error = parcel->error;
  bundle->parcels[i] = bundle->parcels[--bundle->under_way];
  request_recycle(parcel);
}

/* All has come, and is sent: nobody reads the own operand any more, in whose place the result may be. */
static void combine_given(const struct combining *combining) {
  const struct reduction *reduction = combining->reduction;
  const size_t bytes = combining->count * reduction->bytes;
  const unsigned char *given = combining->given;
  memmove(combining->result, combining->own ? combining->own : given, bytes);
  for (unsigned i = combining->own ? 0 : 1; i < combining->given_count; i++)
    reduction->combine(combining->result, given + i * bytes, combining->count);
}

/* True: it is done. */
static bool bundle_advance(struct bundle *bundle) {
  for (unsigned i = bundle->under_way; i-- > 0;)
    if (operation_poll(bundle->parcels[i]))
      end_parcel(bundle, i);
  if (bundle->under_way > 0)
    return false;
  if (bundle->combining.reduction && bundle->error == MPI_SUCCESS)
    combine_given(&bundle->combining);
  return true;
}

static bool advance_request(struct operation *op) {
  struct bundle *bundle = op->buffer;
  if (!bundle_advance(bundle))
    return false;
  op->error = bundle->error;
  op->work = NULL;
  op->by_mpi = false;
  op->is_send = true; /* whose status is empty */
  free(bundle);
  return op->done = true;
}

static int awaits(const struct operation *op) {
  const struct bundle *bundle = op->buffer;
  const struct operation *parcel = bundle->under_way ? bundle->parcels[0] : NULL;
  return parcel ? communicator_member_on_node(op->communicator, parcel->peer) : op->communicator->rank;
}

static const struct work bundle_work = {advance_request, awaits};

MPI_Request bundle_request(struct bundle *bundle) {
  struct operation *op = bundle->request;
  give_back_operations(bundle);
  if (bundle->under_way > 0 || bundle->error != MPI_SUCCESS)
    return op->handle;
  bool is_unrewritten = op->unrewritten;
  MPI_Request unused;
  advance_request(op);
  request_retire(op, &unused);
  return sent_requests[is_unrewritten];
}

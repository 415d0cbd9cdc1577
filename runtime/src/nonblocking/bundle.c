/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nonblocking/bundle.h"
#include "messages/sending.h"
#include "nonblocking/steps.h"
#include "requests/requests.h"
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
static void begin_request(struct bundle *bundle) {
  struct operation *op = bundle->request;
  operation_reset(op, bundle->communicator, unrewritten.site != NULL, false);
  op->by_mpi = true; /* and work says how */
  op->work = &bundle_work;
  op->mpi = MPI_REQUEST_NULL;
  op->layout = NULL;
  op->fetch = NULL;
  op->path = PATH_NONE; /* no message of the program's */
  op->peer = op->tag = 0;
  op->buffer = bundle;
  op->communicator = bundle->communicator;
  if (UNLIKELY(mpishm.watching)) {
    op->call = watch_call()->call;
    op->site = watch_call()->site;
  }
}

struct bundle *bundle_make(struct communicator *communicator, struct asked asked, unsigned parcels, size_t memory) {
  uint32_t context = asked.again ? steps_agree_on_context(communicator) : communicator->context;
  struct bundle *bundle = malloc(sizeof *bundle + parcels * sizeof *bundle->parcels + memory);
  if (!bundle)
    return NULL;
  *bundle = (struct bundle){.request = request_new(),
                            .communicator = communicator,
                            .context = context,
                            .steps = asked.again ? steps_make(parcels + 1) : NULL, /* and a copy of its own */
                            .memory = (unsigned char *)(bundle->parcels + parcels)};
  if (!bundle->request || (asked.again && !bundle->steps) || !take_operations(bundle, parcels)) {
    give_back_operations(bundle);
    if (bundle->request)
      request_discard(bundle->request);
    steps_free(bundle->steps);
    free(bundle);
    return NULL;
  }
  if (!asked.again)
    begin_request(bundle);
  return bundle;
}

/* ---- Its parcels. ---- */

static struct operation *next_operation(const struct bundle *bundle) {
  ASSUME(bundle->under_way < bundle->ready);
  return bundle->parcels[bundle->under_way];
}

static struct envelope envelope_of_parcels(const struct bundle *bundle) {
  return parcel_envelope(bundle->context, PARCELS_OF_REQUESTS);
}

static void start_receiving(struct bundle *bundle, unsigned from, const struct part *part) {
  parcel_receive_with(next_operation(bundle), bundle->communicator, from, part, envelope_of_parcels(bundle));
  bundle->under_way++;
}

/* A long parcel in the window stays there: several may read it. */
static size_t limit_of_parcel(const struct part *part) {
  return part->bytes > mpishm.direct_limit && buffer_offset(part->buffer, part->bytes) ? 0 : mpishm.eager_limit;
}

static void start_sending(struct bundle *bundle, unsigned to, const struct part *part) {
  bundle->under_way += parcel_send_with(next_operation(bundle), bundle->communicator, to, part,
                                        envelope_of_parcels(bundle), limit_of_parcel(part));
}

static void copy_own(struct bundle *bundle, const struct part *to, const struct part *from) {
  bool is_there = from->piece && from->piece == to->piece;
  if (is_there ? from->bytes > to->bytes : !part_copy(to, from))
    bundle->error = MPI_ERR_TRUNCATE;
}

static struct part no_bytes(void) { return part_of("", 0, layout_find(MPI_BYTE)); }

void bundle_receive_signal(struct bundle *bundle, unsigned from) {
  struct part part = no_bytes();
  if (bundle->steps)
    steps_add(bundle->steps, (struct step){STEP_RECEIVE, from, part, part});
  else
    start_receiving(bundle, from, &part);
}

void bundle_send_signal(struct bundle *bundle, unsigned to) {
  struct part part = no_bytes();
  if (bundle->steps)
    steps_add(bundle->steps, (struct step){STEP_SEND, to, part, part});
  else
    start_sending(bundle, to, &part);
}

void bundle_receive(struct bundle *bundle, unsigned from, const struct part *part) {
  if (part->bytes > 0 && bundle->steps)
    steps_add(bundle->steps, (struct step){STEP_RECEIVE, from, *part, *part});
  else if (part->bytes > 0)
    start_receiving(bundle, from, part);
}

void bundle_send(struct bundle *bundle, unsigned to, const struct part *part) {
  if (part->bytes > 0 && bundle->steps)
    steps_add(bundle->steps, (struct step){STEP_SEND, to, *part, *part});
  else if (part->bytes > 0)
    start_sending(bundle, to, part);
}

void bundle_copy(struct bundle *bundle, const struct part *to, const struct part *from) {
  if (bundle->steps)
    steps_add(bundle->steps, (struct step){STEP_COPY, 0, *to, *from});
  else
    copy_own(bundle, to, from);
}

/* ---- Getting on. ---- */

/* The other member's call is of rewritten code, and this one's is not, or the other way round: the one that was not
 * says where it is, if it gets to know of it. */
COLD static void parcel_crossed(const struct bundle *bundle, const struct operation *parcel) {
  const struct communicator *communicator = bundle->communicator;
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
  if (bundle->steps) { /* it serves again */
    operation_clear(parcel);
    bundle->parcels[bundle->under_way] = parcel;
  } else {
    request_recycle(parcel);
  }
}

/* All has come, and is sent: nobody reads the own operand any more, in whose place the result may be. */
static void combine_given(const struct combining *combining) {
  const struct reduction *reduction = combining->reduction;
  const size_t bytes = combining->count * reduction->bytes;
  const unsigned char *given = combining->given;
  if (combining->is_first) {
    if (combining->own)
      reduction->combine(combining->result, combining->own, combining->count);
    return;
  }
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
  if (!bundle->steps)
    free(bundle);
  return op->done = true;
}

static int awaits(const struct operation *op) {
  const struct bundle *bundle = op->buffer;
  const struct operation *parcel = bundle->under_way ? bundle->parcels[0] : NULL;
  return parcel ? communicator_member_on_node(op->communicator, parcel->peer) : op->communicator->rank;
}

static const struct work bundle_work = {advance_request, awaits};

static MPI_Request request_of_one(struct bundle *bundle) {
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

/* ---- Persistent ones. ---- */

static void do_step(struct bundle *bundle, const struct step *step) {
  if (step->kind == STEP_RECEIVE)
    start_receiving(bundle, step->member, &step->part);
  else if (step->kind == STEP_SEND)
    start_sending(bundle, step->member, &step->part);
  else
    copy_own(bundle, &step->part, &step->from);
}

/* Whoever starts it, it is of the code that made it. */
static void start_again(struct operation *op) {
  struct bundle *bundle = op->persistent->buffer;
  const struct origin before = unrewritten;
  const bool is_unrewritten = op->persistent->context & CONTEXT_UNREWRITTEN;
  unrewritten = is_unrewritten ? op->persistent->by : (struct origin){0};
  begin_request(bundle);
  bundle->error = MPI_SUCCESS;
  for (unsigned i = 0; i < bundle->steps->count; i++)
    do_step(bundle, &bundle->steps->step[i]);
  unrewritten = before;
  if (bundle->under_way == 0)
    advance_request(op);
}

static void end_persistent(struct operation *op) {
  struct bundle *bundle = op->persistent->buffer;
  give_back_operations(bundle);
  steps_free(bundle->steps);
  free(bundle);
}

static const struct repeated repeated_bundle = {start_again, end_persistent};

static MPI_Request persistent_request(struct bundle *bundle) {
  struct persistent *persistent = &bundle->steps->persistent;
  *persistent = (struct persistent){.route.communicator = bundle->communicator,
                                    .buffer = bundle,
                                    .context = unrewritten.site ? CONTEXT_UNREWRITTEN : 0,
                                    .elsewhere = MPI_REQUEST_NULL,
                                    .repeated = &repeated_bundle,
                                    .by = unrewritten};
  bundle->communicator->references++;
  bundle->request->persistent = persistent;
  bundle->request->done = true;
  bundle->request->unrewritten = unrewritten.site != NULL;
  return bundle->request->handle;
}

void bundle_end(struct bundle *bundle, struct asked asked) {
  *asked.request = bundle->steps ? persistent_request(bundle) : request_of_one(bundle);
}

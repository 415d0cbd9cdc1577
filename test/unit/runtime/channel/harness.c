/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "harness.h"

#include "channel/board.h"
#include "channel/channel.h"

#include <stdlib.h>
#include <string.h>

enum { SENDERS = 4, PAGE = 4096 };

/* What the channels to one rank share. */
struct receiving_rank {
  struct segment *segment;
  struct heap heap;
  struct slab receive_slab;
  uint64_t kept;
  unsigned senders;
};

struct channel {
  unsigned rank; /* of the sender */
  struct segment *segment;
  struct heap heap;
  struct slab rendezvous_slab;
  struct sender sender;
  struct receiver receiver;
  struct receiving_rank *to;
};

struct message {
  struct channel *channel;
  struct rendezvous *rendezvous;
  uint64_t position;
  const void *data;
  void *staged;
  bool matched, pushed;
};

struct posted {
  struct channel *channel;
  struct receive *receive;
  struct rendezvous *fetch;
  void *buffer;
  size_t bytes, capacity, fetched;
  uint64_t position;
  bool done, is_mpi, is_private, crosses;
};

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Empty messages may have no buffer. */
static void copy(void *to, const void *from, size_t bytes) {
  if (bytes > 0)
    memcpy(to, from, bytes);
}

static void receive_arrive(struct receive *receive, const struct arrival *arrival, bool crosses) {
  struct posted *posted = receive->owner;
  posted->bytes = arrival->bytes;
  posted->crosses = crosses;
  if (arrival->kind == CELL_RENDEZVOUS) {
    posted->fetch = arrival->rendezvous;
    return;
  }
  posted->position = arrival->position;
  if (arrival->kind == CELL_MPI)
    posted->is_mpi = true;
  else
    copy(posted->buffer, arrival->data, smaller(arrival->bytes, posted->capacity));
  posted->done = true;
}

/* What was there before its receive, if anything was. */
static void deliver(struct receive *receive, struct unexpected *message) {
  if (message)
    receive_arrive(receive, &message->arrival, envelopes_cross(receive->envelope, message->envelope));
  free(message);
}

static struct segment *segment_create(size_t bytes, struct heap *heap) {
  struct segment *segment = aligned_alloc(PAGE, bytes);
  size_t head = (sizeof(struct segment) + SENDERS * sizeof(struct inbox) + PAGE - 1) / PAGE * PAGE;
  memset(segment, 0, head);
  *segment = (struct segment){.magic = SEGMENT_MAGIC, .bytes = bytes, .heap = head};
  heap_init(heap, (char *)segment + head, bytes - head);
  return segment;
}

static struct channel *channel_create_to(struct receiving_rank *to, size_t bytes) {
  struct channel *channel = calloc(1, sizeof *channel);
  channel->to = to;
  channel->rank = to->senders++;
  channel->segment = segment_create(bytes, &channel->heap);
  channel->rendezvous_slab = (struct slab){.heap = &channel->heap, .record_bytes = sizeof(struct rendezvous)};
  sender_init(&channel->sender, channel->segment, to->segment, &channel->heap, channel->rank);
  receiver_init(&channel->receiver, to->segment, channel->segment, channel->rank, &to->kept);
  return channel;
}

struct channel *channel_create(size_t bytes) {
  struct receiving_rank *to = calloc(1, sizeof *to);
  to->segment = segment_create(bytes, &to->heap);
  to->receive_slab = (struct slab){.heap = &to->heap, .record_bytes = sizeof(struct receive)};
  return channel_create_to(to, bytes);
}

struct channel *channel_create_beside(struct channel *other) {
  return channel_create_to(other->to, other->segment->bytes);
}

void channel_destroy(struct channel *channel) {
  struct receiving_rank *to = channel->to;
  sender_destroy(&channel->sender);
  receiver_destroy(&channel->receiver);
  heap_destroy(&channel->heap);
  free(channel->segment);
  free(channel);
  if (--to->senders == 0) {
    heap_destroy(&to->heap);
    free(to->segment);
    free(to);
  }
}

size_t channel_largest_piece(struct channel *channel) {
  for (size_t bytes = channel->segment->bytes; bytes >= PAGE; bytes /= 2) {
    void *piece = heap_allocate(&channel->heap, bytes);
    if (piece) {
      heap_free(&channel->heap, piece);
      return bytes;
    }
  }
  return 0;
}

size_t channel_committed(const struct channel *channel) { return channel->heap.committed_pages << HEAP_PAGE_SHIFT; }

/* ---- Sender. ---- */

/* Every other message that fits a cell goes the short way, as long as there are cells. */
bool channel_send(struct channel *channel, uint32_t context, int tag, const void *data, size_t bytes) {
  if (bytes <= INLINE_BYTES && channel->sender.position % 2 &&
      sender_put(&channel->sender, (struct envelope){context, tag}, data, bytes))
    return true;
  void *place = sender_reserve(&channel->sender, bytes);
  if (!place)
    return false;
  copy(place, data, bytes);
  sender_publish(&channel->sender, (struct envelope){context, tag}, place, bytes);
  return true;
}

size_t channel_eager_end(const struct channel *channel) {
  size_t end = channel->sender.eager_head & (channel->sender.eager_bytes - 1);
  return end ? end : channel->sender.eager_bytes;
}

struct message *channel_offer(struct channel *channel, uint32_t context, int tag, const void *data, size_t bytes) {
  struct message *message = calloc(1, sizeof *message);
  *message = (struct message){.channel = channel, .data = data, .rendezvous = slab_allocate(&channel->rendezvous_slab)};
  if (message->rendezvous) {
    message->rendezvous->bytes = bytes;
    message->rendezvous->address = (uint64_t)(uintptr_t)data;
    message->rendezvous->offset = 0;
    atomic_store_explicit(&message->rendezvous->staged, bytes, memory_order_relaxed);
    atomic_store_explicit(&message->rendezvous->state, RENDEZVOUS_POSTED, memory_order_relaxed);
    if (sender_offer(&channel->sender, (struct envelope){context, tag}, message->rendezvous, &message->position))
      return message;
    slab_free(&channel->rendezvous_slab, message->rendezvous);
  }
  free(message);
  return NULL;
}

static void put_in_parts(struct message *message, unsigned parts) {
  size_t bytes = message->rendezvous->bytes;
  for (size_t at = 0, part = bytes / parts + 1; at < bytes;) {
    size_t n = smaller(part, bytes - at);
    copy((char *)message->staged + at, (const char *)message->data + at, n);
    at += n;
    rendezvous_put(message->rendezvous, at);
  }
}

struct message *channel_offer_staged(struct channel *channel, uint32_t context, int tag, const void *data, size_t bytes,
                                     unsigned parts) {
  struct message *message = calloc(1, sizeof *message);
  *message = (struct message){.channel = channel, .data = data, .rendezvous = slab_allocate(&channel->rendezvous_slab)};
  message->staged = heap_allocate(&channel->heap, bytes);
  message->rendezvous->bytes = bytes;
  message->rendezvous->address = 0;
  message->rendezvous->offset = offset_of(channel->segment, message->staged);
  atomic_store_explicit(&message->rendezvous->staged, 0, memory_order_relaxed);
  atomic_store_explicit(&message->rendezvous->state, RENDEZVOUS_STAGED, memory_order_relaxed);
  if (!sender_offer(&channel->sender, (struct envelope){context, tag}, message->rendezvous, &message->position)) {
    message_free(message);
    return NULL;
  }
  put_in_parts(message, parts);
  return message;
}

bool message_done(struct message *message) {
  return message->pushed || rendezvous_look(message->rendezvous) == RENDEZVOUS_DONE;
}

bool message_match(struct message *message, bool fill) {
  struct channel *channel = message->channel;
  if (message->matched || message->pushed)
    return false;
  struct receive *receive = sender_match(&channel->sender, channel->to->segment, message->position);
  if (!receive)
    return false;
  receive->bytes = message->rendezvous->bytes;
  if (fill) {
    const void *from = message->staged ? message->staged : message->data;
    copy((void *)(uintptr_t)receive->address, from, smaller(receive->bytes, receive->capacity));
    message->pushed = true;
    receive_hand_over(receive, RECEIVE_DONE);
  } else {
    message->matched = true;
    receive->rendezvous = offset_of(channel->segment, message->rendezvous);
    receive_hand_over(receive, RECEIVE_MATCHED);
  }
  return true;
}

bool message_stage(struct message *message) {
  struct channel *channel = message->channel;
  if (message->pushed || message->staged)
    return false;
  void *memory = heap_allocate(&channel->heap, message->rendezvous->bytes);
  if (!memory)
    return false;
  if (!rendezvous_take_back(message->rendezvous)) {
    heap_free(&channel->heap, memory);
    return false;
  }
  message->staged = memory;
  rendezvous_staging(message->rendezvous, offset_of(channel->segment, memory));
  put_in_parts(message, 2);
  return true;
}

bool message_leave(struct message *message, uint64_t position) {
  if (message->pushed || message->staged || !rendezvous_take_back(message->rendezvous))
    return false;
  rendezvous_leave(message->rendezvous, position);
  return true;
}

void message_free(struct message *message) {
  if (message->staged)
    heap_free(&message->channel->heap, message->staged);
  slab_free(&message->channel->rendezvous_slab, message->rendezvous);
  free(message);
}

void channel_leave(struct channel *channel) { sender_leave(&channel->sender); }

bool channel_announce_mpi(struct channel *channel, uint32_t context, int tag, size_t bytes, uint64_t *position) {
  return sender_announce_mpi(&channel->sender, (struct envelope){context, tag}, bytes, position);
}

uint64_t channel_note_left(struct channel *channel, uint32_t context, int tag) {
  return sender_note_left(&channel->sender, (struct envelope){context, tag});
}

bool channel_is_met(struct channel *channel, uint32_t context, int tag, uint64_t position) {
  return sender_is_met(&channel->sender, channel->to->segment, (struct envelope){context, tag}, position);
}

uint64_t channel_last(const struct channel *channel) { return channel->sender.position - 1; }

bool channel_claim(struct channel *channel, uint64_t position) {
  return sender_claim(&channel->sender, channel->to->segment, channel->rank, position);
}

/* ---- Receiver. ---- */

static struct posted *prepare(struct channel *channel, struct envelope envelope, void *buffer, size_t capacity,
                              bool is_private) {
  struct posted *posted = calloc(1, sizeof *posted);
  *posted = (struct posted){.channel = channel, .buffer = buffer, .capacity = capacity, .is_private = is_private};
  posted->receive =
      is_private ? aligned_alloc(LINE, sizeof(struct receive)) : slab_allocate(&channel->to->receive_slab);
  posted->receive->envelope = envelope;
  posted->receive->capacity = capacity;
  posted->receive->address = (uint64_t)(uintptr_t)buffer;
  posted->receive->offset = 0;
  posted->receive->owner = posted;
  return posted;
}

static struct posted *post(struct channel *channel, struct envelope envelope, void *buffer, size_t capacity,
                           bool is_private) {
  struct posted *posted = prepare(channel, envelope, buffer, capacity, is_private);
  deliver(posted->receive, receiver_post(&channel->receiver, posted->receive));
  return posted;
}

struct posted *channel_post(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity) {
  return post(channel, (struct envelope){context, tag}, buffer, capacity, false);
}

struct posted *channel_post_private(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity) {
  return post(channel, (struct envelope){context, tag}, buffer, capacity, true);
}

bool channel_take_next(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity,
                       size_t *bytes) {
  uint64_t came = 0;
  bool taken = receiver_take_next(&channel->receiver, (struct envelope){context, tag}, buffer, capacity, &came);
  *bytes = (size_t)came;
  return taken;
}

struct posted *channel_take(struct channel *channel, uint32_t context, int tag, void *buffer, size_t capacity) {
  const struct unexpected *message = receiver_peek(&channel->receiver, (struct envelope){context, tag}, 0);
  if (!message)
    return NULL;
  struct posted *posted = prepare(channel, message->envelope, buffer, capacity, true);
  deliver(posted->receive, receiver_take(&channel->receiver, message));
  return posted;
}

bool channel_peek(struct channel *channel, uint32_t context, int tag, int *found, uint64_t *order) {
  const struct unexpected *message = receiver_peek(&channel->receiver, (struct envelope){context, tag}, 0);
  if (message) {
    *found = message->envelope.tag;
    *order = message->order;
  }
  return message != NULL;
}

void channel_announced(struct channel *channel, uint32_t context, int tag, size_t bytes) {
  receiver_announced(&channel->receiver, (struct envelope){context, tag}, bytes, receive_arrive);
}

static bool fetch(struct posted *posted) {
  struct rendezvous *rendezvous = posted->fetch;
  size_t wanted = smaller(rendezvous->bytes, posted->capacity), ready = wanted;
  const char *from;
  switch (rendezvous_claim(rendezvous)) {
  case CLAIM_WINDOW:
    from = at_offset(posted->channel->segment, rendezvous->offset);
    ready = smaller(rendezvous_ready(rendezvous), wanted);
    break;
  case CLAIM_PROCESS:
    from = (const char *)(uintptr_t)rendezvous->address;
    break;
  case CLAIM_MPI:
    posted->is_mpi = true;
    posted->position = rendezvous->position;
    ready = wanted = 0;
    from = posted->buffer;
    break;
  default:
    return false;
  }
  copy((char *)posted->buffer + posted->fetched, from + posted->fetched, ready - posted->fetched);
  posted->fetched = ready;
  if (ready < wanted)
    return false;
  posted->bytes = rendezvous->bytes;
  rendezvous_finish(rendezvous);
  posted->fetch = NULL;
  return posted->done = true;
}

bool channel_poll(struct channel *channel, struct posted *posted) {
  receiver_drain(&channel->receiver, posted ? posted->receive : NULL, receive_arrive);
  if (!posted)
    return false;
  if (posted->done || posted->fetch)
    return posted->done || fetch(posted);
  switch (receive_look(posted->receive)) {
  case RECEIVE_DONE:
    receiver_forget(&channel->receiver, posted->receive);
    posted->bytes = posted->receive->bytes;
    posted->crosses = posted->receive->crosses;
    return posted->done = true;
  case RECEIVE_MATCHED:
    receiver_forget(&channel->receiver, posted->receive);
    posted->fetch = at_offset(channel->segment, posted->receive->rendezvous);
    return fetch(posted);
  default:
    return false;
  }
}

size_t posted_bytes(const struct posted *posted) { return posted->bytes; }
bool posted_crosses(const struct posted *posted) { return posted->crosses; }
uint64_t posted_position(const struct posted *posted) { return posted->position; }
bool posted_is_mpi(const struct posted *posted) { return posted->is_mpi; }
bool posted_withdraw(struct channel *channel, struct posted *posted) {
  return receiver_withdraw(&channel->receiver, posted->receive, receive_arrive);
}

void posted_free(struct channel *channel, struct posted *posted) {
  if (posted->is_private)
    free(posted->receive);
  else
    slab_free(&channel->to->receive_slab, posted->receive);
  free(posted);
}

size_t channel_unexpected(const struct channel *channel) { return channel->receiver.unexpected_count; }

/* ---- Its board. ---- */

void channel_lock_board(struct channel *channel) { board_lock(&channel->to->segment->board); }
void channel_unlock_board(struct channel *channel) { board_unlock(&channel->to->segment->board); }
void channel_hide(struct channel *channel) { channel->to->segment->board.hidden = true; }
void channel_void(struct channel *channel) { board_void(channel->to->segment); }

/* The i-th; NULL: there are fewer. */
static struct receive *on_board(const struct channel *channel, unsigned i) {
  struct segment *segment = channel->to->segment;
  struct receive *at = board_oldest(segment);
  while (at && i-- > 0)
    at = board_newer(segment, at);
  return at;
}

size_t channel_on_board(struct channel *channel) {
  unsigned count = 0;
  while (on_board(channel, count))
    count++;
  return count;
}

void channel_remove(struct channel *channel, unsigned i) {
  struct receive *receive = on_board(channel, i);
  board_remove(channel->to->segment, receive);
  slab_free(&channel->to->receive_slab, receive);
}

void channel_promise(struct channel *channel, unsigned i, uint64_t position) {
  board_promise(on_board(channel, i), (int)channel->rank, position);
}
int channel_claimer(struct channel *channel, unsigned i) { return on_board(channel, i)->claimer; }

bool channel_await(struct channel *channel, uint32_t context, int tag, int source) {
  struct receive *receive = slab_allocate(&channel->to->receive_slab);
  if (!receive)
    return false;
  receive->envelope = (struct envelope){context, tag};
  board_add(channel->to->segment, receive, source);
  return true;
}

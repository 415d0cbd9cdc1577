/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The places that were asked for and whose messages have not been sent. Those of one envelope and receiver are taken
 * and sent in the order in which they were asked for; if one has no receive, those after it have none either, so that
 * no message can overtake another.
 *
 * A program that keeps to the rules (mpishm.h) never has one given back, but for a receive that was cancelled. Where it
 * does not, what it has packed so far goes to its own buffer, and the message is an ordinary one.
 */
#include "packing/packing.h"
#include "base/copy.h"
#include "messages/sending.h"
#include "mpishm.h"
#include "node/warnings.h"
#include "watch/enter.h"
#include "watch/waiting.h"

#include <stdlib.h>
#include <string.h>

/* A program may count on so much of its buffer's alignment. */
enum { MOST_ALIGNED = 64 };

struct packing {
  struct packing *next; /* asked for later, or free */
  const void *buffer;   /* the program's own, and where its message begins */
  char *start;
  struct endpoint *endpoint;
  struct envelope envelope;
  uint64_t bytes;
  struct receive *receive; /* NULL: the program packs in its buffer */
  char *at;                /* where it packs the message otherwise */
  const void *thread;      /* that asked */
};
static struct packing *first_place, **next_place = &first_place, *free_places;

/* Tells threads apart by its address. */
static _Thread_local char asking_thread;

static bool packing_meets(const struct packing *place, const struct endpoint *endpoint, struct envelope envelope) {
  return place->endpoint == endpoint && same_envelope(place->envelope, envelope);
}

/* ---- Giving back. ---- */

static void packing_give_back(struct packing *place) {
  copy_bytes(place->start, place->at, place->bytes);
  sender_give_back(&place->endpoint->sender, place->receive);
  place->receive = NULL;
}

/* All that this thread holds for such messages. True: there was something. */
static bool places_give_back(const struct endpoint *endpoint, struct envelope envelope) {
  bool any = false;
  for (struct packing *at = first_place; at; at = at->next)
    if (at->receive && at->thread == &asking_thread && packing_meets(at, endpoint, envelope)) {
      packing_give_back(at);
      any = true;
    }
  return any;
}

static void warn_of_place(struct envelope envelope, const char *why) {
  warn_once(WARN_PLACE, "a place of MPISHM_Packing_buffer is given back, of a message with tag %d: %s", envelope.tag,
            why);
}

/* An ordinary message is sent, which must not be overtaken. (What another thread sends meanwhile has no order.) */
static void places_let_pass(struct endpoint *endpoint, struct envelope envelope) {
  if (places_give_back(endpoint, envelope))
    warn_of_place(envelope, "another one that its receive could match is sent before");
}

/* A receive was cancelled, whose rank need not wait for this one while this one waits. */
static void places_give_recalled(void) {
  for (struct packing *at = first_place; at; at = at->next)
    if (at->receive && at->thread == &asking_thread &&
        atomic_load_explicit(&at->receive->recalled, memory_order_relaxed))
      places_give_back(at->endpoint, at->envelope);
}

/* ---- The list. ---- */

static void places_set_hooks(void) {
  send_comes = first_place ? places_let_pass : NULL;
  let_go = first_place ? places_give_recalled : NULL;
}

static struct packing *packing_add(void) {
  struct packing *place = free_places;
  if (place)
    free_places = place->next;
  else
    place = malloc(sizeof *place);
  if (!place)
    return NULL;
  place->next = NULL;
  *next_place = place;
  next_place = &place->next;
  places_set_hooks();
  return place;
}

static void packing_remove(struct packing **link) {
  struct packing *place = *link;
  ASSUME(place);
  *link = place->next;
  if (!*link)
    next_place = link;
  place->next = free_places;
  free_places = place;
  places_set_hooks();
}

/* The place of a message; NULL: it has none. */
static struct packing **packing_find(const struct endpoint *endpoint, struct envelope envelope, const void *buffer) {
  struct packing **link = &first_place;
  while (*link && ((*link)->buffer != buffer || !packing_meets(*link, endpoint, envelope)))
    link = &(*link)->next;
  return *link ? link : NULL;
}

/* ---- Asking. ---- */

/* Whether a message of this thread that is to be sent before has no receive. */
static bool must_not_overtake(const struct endpoint *endpoint, struct envelope envelope) {
  for (const struct packing *at = first_place; at; at = at->next)
    if (!at->receive && at->thread == &asking_thread && packing_meets(at, endpoint, envelope))
      return true;
  return false;
}

static bool packing_is_aligned(const void *place, const void *buffer) {
  uintptr_t b = (uintptr_t)buffer, alignment = b & -b;
  return (uintptr_t)place % (alignment && alignment < MOST_ALIGNED ? alignment : MOST_ALIGNED) == 0;
}

/* Where to pack a message that begins at `start`. */
static char *packing_take(struct route route, struct envelope envelope, const void *buffer, char *start) {
  ASSUME(route.endpoint); /* a message through the window has one */
  struct sender *sender = &route.endpoint->sender;
  bool behind = must_not_overtake(route.endpoint, envelope);
  struct packing *place = packing_add();
  if (!place)
    return start;
  *place = (struct packing){.buffer = buffer,
                            .start = start,
                            .endpoint = route.endpoint,
                            .envelope = envelope,
                            .bytes = route.bytes,
                            .thread = &asking_thread};
  struct receive *receive =
      behind || !start || !route.bytes ? NULL : sender_take(sender, route.endpoint->segment, envelope, route.bytes);
  if (!receive)
    return start;
  place->at = at_offset(route.endpoint->segment, receive->offset);
  if (!packing_is_aligned(place->at, start)) {
    sender_give_back(sender, receive);
    return start;
  }
  place->receive = receive;
  return place->at;
}

/* The place of the message of a route that begins at `start`, or NULL: `start` itself where there is none. */
static char *packing_ask(struct route route, const void *buf, char *start, int tag) {
  struct envelope envelope = envelope_of(route.communicator, tag);
  struct packing **link = packing_find(route.endpoint, envelope, buf);
  if (link) { /* what was asked for before is not sent */
    if (places_give_back(route.endpoint, envelope))
      warn_of_place(envelope, "it is asked for again, and was not sent");
    packing_remove(link);
  }
  return packing_take(route, envelope, buf, start);
}

void *MPISHM_Packing_buffer(void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  struct route route;
  char *start = NULL, *at = NULL;
  runtime_enter(CALL_PACKING_BUFFER);
  if (route_find(&route, buf, count, datatype, dest, tag, comm, false) == ROUTE_NODE) {
    bool is_piece = layout_piece(route.layout, (size_t)count, buf, &start);
    at = packing_ask(route, buf, is_piece ? start : NULL, tag);
  }
  runtime_leave();
  return at ? (char *)buf + (at - start) : buf;
}

/* ---- Asking in two steps: what is sent next is said in one function, and packed in another. ---- */

/* Of this thread. A NULL buffer: nothing was announced, or what was has been packed or sent. */
static _Thread_local struct {
  const void *buffer;
  int count, dest, tag;
  MPI_Datatype datatype;
  MPI_Comm comm;
} announced;

void MPISHM_Packing_begin(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  announced.buffer = buf;
  announced.count = count;
  announced.datatype = datatype;
  announced.dest = dest;
  announced.tag = tag;
  announced.comm = comm;
}

void packing_forget(void) { announced.buffer = NULL; }

/* How many bytes are `rows` times `row` elements of so many; 0: none, or too many. */
static size_t packed_bytes(MPI_Aint rows, MPI_Aint row, size_t element) {
  size_t all = 0;
  bool any = rows > 0 && row > 0 && !__builtin_mul_overflow((size_t)rows, (size_t)row, &all) &&
             !__builtin_mul_overflow(all, element, &all);
  return any ? all : 0;
}

/* Of the tool's --trust-counts. */
COLD static void warn_of_negative(MPI_Aint rows, MPI_Aint row) {
  warn_once(WARN_NEGATIVE,
            "loops count to %ld and %ld, so that nothing is packed of %d elements that are sent: the "
            "program was rewritten with --trust-counts, which is not true of it",
            (long)rows, (long)row, announced.count);
}

/* Short messages are packed in their buffer: lines that the receiver's core has read last cost more than to copy them
 * once more, and to take a place costs the inbox's lock (docs/runtime.md). */
void *MPISHM_Packing_place(void *to, MPI_Aint rows, MPI_Aint row, size_t element) {
  struct route route;
  char *start = NULL, *at = to;
  if (!to || announced.buffer != to)
    return to;
  packing_forget();
  size_t bytes = packed_bytes(rows, row, element);
  if (rows < 0 && row < 0 && announced.count > 0)
    warn_of_negative(rows, row);
  if (bytes <= mpishm.place_limit)
    return to;
  runtime_enter(CALL_PACKING_PLACE);
  if (route_find(&route, to, announced.count, announced.datatype, announced.dest, announced.tag, announced.comm,
                 false) == ROUTE_NODE &&
      route.bytes == bytes && layout_piece(route.layout, (size_t)announced.count, to, &start) && start == to)
    at = packing_ask(route, to, start, announced.tag);
  runtime_leave();
  return at;
}

/* ---- Sending. ---- */

/* Whether one of this thread's that was asked for earlier has not been sent. */
static bool comes_early(const struct packing *place) {
  for (const struct packing *at = first_place; at != place; at = at->next)
    if (at->receive && at->thread == place->thread && packing_meets(at, place->endpoint, place->envelope))
      return true;
  return false;
}

bool packed_send(struct route route, struct envelope envelope, const void *buffer) {
  struct packing **link = first_place ? packing_find(route.endpoint, envelope, buffer) : NULL;
  if (!link)
    return false;
  struct packing *place = *link;
  struct receive *receive = place->receive;
  if (receive && (route.bytes > place->bytes || comes_early(place))) {
    warn_of_place(envelope, route.bytes > place->bytes ? "the message is longer" : "its message is not sent in turn");
    if (route.bytes > place->bytes)
      place->bytes = route.bytes < receive->capacity ? route.bytes : receive->capacity;
    packing_give_back(place);
    places_give_back(route.endpoint, envelope);
    receive = NULL;
  }
  packing_remove(link);
  if (!receive)
    return false;
  receive->bytes = route.bytes;
  receive->path = PATH_WINDOW;
  receive_hand_over(receive, RECEIVE_DONE);
  if (UNLIKELY(mpishm.watching))
    watch_at_once(PATH_WINDOW, route.bytes);
  return true;
}

void packing_close(void) {
  while (first_place) {
    if (first_place->receive) {
      warn_of_place(first_place->envelope, "it was never sent");
      packing_give_back(first_place);
    }
    packing_remove(&first_place);
  }
  while (free_places) {
    struct packing *place = free_places;
    free_places = place->next;
    free(place);
  }
}

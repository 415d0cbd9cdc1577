/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * limit_eager - two copies, through a ring of a few slots per direction at the receiver, so that the sender need not
 * wait; both buffers are private. The smallest messages share the cache line of their flag.
 */
#include "limit.h"

enum { SLOTS = 4, MOST_BYTES = 16384, IN_LINE = CACHE_LINE - 8 };

struct slot {
  _Alignas(CACHE_LINE) unsigned char large[MOST_BYTES];
  unsigned char small[IN_LINE];
  _Atomic uint64_t full; /* w: sender, release; r: receiver, acquire: number of the exchange whose message is here */
};

/* One per direction. The ring is the receiver's; `read` tells the sender on the other side what that side has read. */
struct ring {
  struct slot slots[SLOTS];
  _Alignas(CACHE_LINE) _Atomic uint64_t read; /* w: receiver of the other side, release; r: this sender, acquire */
};

static struct {
  const struct halo *h;
  struct shared shared;
  uint64_t exchange;
  int bytes;
} s;

static struct ring *ring_of(unsigned char *part, int j) { return (struct ring *)(void *)part + j; }

static unsigned char *payload(struct slot *slot) { return s.bytes <= IN_LINE ? slot->small : slot->large; }

static int set_up(struct halo *h) {
  s.h = h;
  return shared_set_up(&s.shared, h, (long)h->npartner * (long)sizeof(struct ring));
}

static void begin(int bytes) { s.bytes = bytes; }

static void start(void) {
  s.exchange++;
  for (int j = 0; j < s.h->npartner; j++) {
    struct slot *slot = &ring_of(s.shared.of[j], j ^ 1)->slots[s.exchange % SLOTS];
    if (s.exchange > SLOTS)
      await(&ring_of(s.shared.mine, j)->read, s.exchange - SLOTS, s.h);
    memcpy(payload(slot), s.h->send[j], (size_t)s.bytes);
    atomic_store_explicit(&slot->full, s.exchange, memory_order_release);
  }
}

static void finish(void) {
  for (int j = 0; j < s.h->npartner; j++) {
    struct slot *slot = &ring_of(s.shared.mine, j)->slots[s.exchange % SLOTS];
    await(&slot->full, s.exchange, s.h);
    memcpy(s.h->receive[j], payload(slot), (size_t)s.bytes);
    if (s.exchange % 2 == 0) /* seldom: the line goes from core to core */
      atomic_store_explicit(&ring_of(s.shared.of[j], j ^ 1)->read, s.exchange, memory_order_release);
  }
}

static void tear_down(void) { shared_tear_down(&s.shared); }

const struct pattern limit_eager = {.name = "limit_eager",
                                    .most_bytes = MOST_BYTES,
                                    .set_up = set_up,
                                    .begin = begin,
                                    .start = start,
                                    .finish = finish,
                                    .tear_down = tear_down};

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * limit_push - one copy, by the sender, into the receive buffer, which lies in the window; one flag each way.
 */
#include "limit.h"

/* One per direction, in the receiver's part. Both count exchanges. */
struct flags {
  _Alignas(
      CACHE_LINE) _Atomic uint64_t posted; /* w: receiver, release; r: sender, acquire: the buffer may be written */
  _Alignas(CACHE_LINE) _Atomic uint64_t filled; /* w: sender, release; r: receiver, acquire: the message is there */
};

static struct {
  const struct halo *h;
  struct shared shared;
  uint64_t exchange;
  int bytes;
} s;

static struct flags *flags_of(unsigned char *part, int j) { return (struct flags *)(void *)part + j; }

static unsigned char *buffer_of(unsigned char *part, int j) {
  return part + MAX_PARTNERS * sizeof(struct flags) + (long)j * s.h->max_bytes;
}

static int set_up(struct halo *h) {
  s.h = h;
  if (!shared_set_up(&s.shared, h, (long)(MAX_PARTNERS * sizeof(struct flags)) + (long)h->npartner * h->max_bytes))
    return 0;
  point_buffers(h, h->send[0], buffer_of(s.shared.mine, 0));
  return 1;
}

static void begin(int bytes) { s.bytes = bytes; }

static void start(void) {
  s.exchange++;
  for (int j = 0; j < s.h->npartner; j++)
    atomic_store_explicit(&flags_of(s.shared.mine, j)->posted, s.exchange, memory_order_release);
}

static void finish(void) {
  for (int j = 0; j < s.h->npartner; j++) {
    unsigned char *part = s.shared.of[j];
    await(&flags_of(part, j ^ 1)->posted, s.exchange, s.h);
    memcpy(buffer_of(part, j ^ 1), s.h->send[j], (size_t)s.bytes);
    atomic_store_explicit(&flags_of(part, j ^ 1)->filled, s.exchange, memory_order_release);
  }
  for (int j = 0; j < s.h->npartner; j++)
    await(&flags_of(s.shared.mine, j)->filled, s.exchange, s.h);
}

static void tear_down(void) { shared_tear_down(&s.shared); }

const struct pattern limit_push = {
    .name = "limit_push", .set_up = set_up, .begin = begin, .start = start, .finish = finish, .tear_down = tear_down};

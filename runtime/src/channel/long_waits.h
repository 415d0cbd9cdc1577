/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a rank waits for in a collective, once it has waited for long, told to all of its node. Who waits for it may so
 * see that it waits in turn, for what does not come.
 *
 * A wait is over when its rank looks no more: so what is told counts only together with when that was. Two words that
 * are not written at once: what a reader has of both may be of two waits. Where it finds the same once more, with a
 * time later than that at which it had found it first, that was all of one wait.
 */
#ifndef MPISHM_LONG_WAITS_H
#define MPISHM_LONG_WAITS_H

#include "channel/segment.h"

struct long_wait_told {
  uint32_t context;           /* of the communicator */
  uint16_t call;              /* its users know what that is */
  uint16_t awaited;           /* the rank of the node that it waits for */
  uint32_t number;            /* of this rank's waits; 24 bits */
  uint64_t last_milliseconds; /* when it has last looked, on the monotonic clock; 40 bits; 0: nothing was told */
};

static inline void long_wait_tell(struct segment *own, struct long_wait_told told) {
  atomic_store_explicit(&own->long_wait.what,
                        (uint64_t)told.context << 32 | (uint32_t)told.call << 16 | (uint32_t)told.awaited,
                        memory_order_release);
  atomic_store_explicit(&own->long_wait.when,
                        (uint64_t)told.number << 40 | (told.last_milliseconds & ((UINT64_C(1) << 40) - 1)),
                        memory_order_release);
}

static inline struct long_wait_told long_wait_look(struct segment *segment) {
  uint64_t when = atomic_load_explicit(&segment->long_wait.when, memory_order_acquire);
  uint64_t what = atomic_load_explicit(&segment->long_wait.what, memory_order_acquire);
  return (struct long_wait_told){(uint32_t)(what >> 32), (uint16_t)(what >> 16), (uint16_t)what, (uint32_t)(when >> 40),
                                 when & ((UINT64_C(1) << 40) - 1)};
}

#endif

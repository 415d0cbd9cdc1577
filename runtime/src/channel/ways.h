/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which way a message takes whose buffer only the kernel can read for another rank: copied twice, through the window,
 * put there by plain stores, or by stores that pass the caches by; or copied once, by the kernel. And which of the
 * first two one takes that is copied first though its receiver could read its buffer (cycles.h). Which of them costs
 * least depends on the processor, on what a line from core to core costs, on what a page costs the kernel and on how
 * the two sides meet, by factors in all directions; so it is measured, for each rank that is sent to and each class of
 * sizes, on the program's own messages.
 *
 * Messages of a class come in periods: most of them go the way that was the cheapest one, the last of these are timed,
 * and after them some try each other way, and are timed once the caches know it. Periods get longer and longer as long
 * as the way stays. The first messages of a class are left to the kernel: what that costs depends least on the machine,
 * and on what the program does with its buffers. A way that has lost by far is tried again less and less often.
 *
 * The cost of a message is the time for which its copying holds up anybody. Of two copies, that of the sender and that
 * of the receiver; but of the latter, where the receiver has nothing on its way to the sender, only what it copied
 * after the sender was through. Of one copy, that one, with the time that its sender had to wait for it in vain.
 *
 * Under the runtime's mutex.
 */
#ifndef MPISHM_WAYS_H
#define MPISHM_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* WAY_KERNEL is the last one: where the kernel copies nothing there are those before it. */
enum way { WAY_STAGED, WAY_STREAMED, WAY_KERNEL };
enum { WAYS = 3, WAYS_CLASSES = 10 };

/* What timed messages of one period have cost, in picoseconds per byte: those that have cost least. The others may have
 * been held up, since a rank had lost its core. */
enum { WAY_NEEDED = 4 };
struct way_costs {
  uint32_t least[WAY_NEEDED], count;
};

struct ways_of_class {
  struct way_costs costs[WAYS];
  unsigned started; /* messages of this period */
  unsigned in_vain; /* more, for each whose sender waited in vain; less, for each message */
  unsigned period;  /* of that many untimed ones; 0: none has started, ever */
  enum way way;     /* the one that was the cheapest */
  /* Of each way: trials in a row that it has lost by far, up to a few, and how many of the next ones do without it. */
  unsigned char lost[WAYS], rests[WAYS];
  uint32_t cost; /* of the cheapest, when it was found to be */
};

/* Of all messages to one rank. All zeroes at first. */
struct ways {
  struct ways_of_class classes[WAYS_CLASSES];
};

struct choice {
  enum way way;
  bool timed; /* its cost is to be told by ways_learn */
};

/* The way of the next message of `bytes`, out of the first `count`, which is always the same of one struct ways: all,
 * or all but the kernel's. */
struct choice ways_choose(struct ways *ways, unsigned count, size_t bytes);
/* A timed message of `bytes` went that way, and cost so much. Some may never be told of. */
void ways_learn(struct ways *ways, size_t bytes, enum way way, uint64_t nanoseconds);
/* A message of `bytes` was left to the kernel, and its sender waited in vain for it to be copied: where many do, the
 * ways are tried anew before the period is over. */
void ways_waited_in_vain(struct ways *ways, size_t bytes);

#endif

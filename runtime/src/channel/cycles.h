/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether a message that lies in the window is read there by its receiver, or copied first, into memory that is used in
 * turn (memory/turns.h), in one of two ways (ways.h). Read in place it is copied once, but leaves its lines in the
 * receiver's cache, from which the program's next stores into that buffer have to take each of them back. Copied first
 * it costs a copy more, and those stores meet lines that nobody else has read. Which costs less depends on the
 * processor, on what a line from core to core costs, and on whether and how the program writes its buffer anew. Of that
 * nothing is seen here but the time from one message to the next, all that the program does between them included; so
 * it is that which is compared, in runs of messages of one rank and class of sizes that go either way in turns.
 *
 * Short ones are copied first, and long ones read in place, unless the other way takes clearly less time. Where the
 * program computes for long, nothing can be told, and nothing be gained. Trials become rarer as long as nothing
 * changes.
 *
 * Under the runtime's mutex.
 */
#ifndef MPISHM_CYCLES_H
#define MPISHM_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes from one power of two to the next, of more than CYCLES_LEAST bytes up to CYCLES_MOST: to copy shorter
 * messages twice costs less than to wait for their receiver, and longer ones have left the caches by the time that they
 * are written anew. Up to CYCLES_SHORT they are copied first as long as nothing else is known. */
enum { CYCLES_LEAST = 2 << 10, CYCLES_SHORT = 8 << 10, CYCLES_MOST = 1 << 20, CYCLES_CLASSES = 9 };
/* Runs of each way in a trial of which the time is kept: the shortest. In the others a rank may have lost its core. */
enum { CYCLES_KEPT = 2 };

struct cycles_of_class {
  uint64_t since;                 /* when the timed messages of this run began */
  uint64_t least[2][CYCLES_KEPT]; /* nanoseconds of such a run, read in place and copied first */
  unsigned started;               /* messages of this period */
  unsigned period;                /* so many before the next trial; 0: none has begun */
  bool copied;                    /* not read in place */
};

/* Of all messages to one rank. All zeroes at first. */
struct cycles {
  struct cycles_of_class classes[CYCLES_CLASSES];
};

/* Whether the next message of `bytes` is to be copied first. `clock` tells nanoseconds, and is seldom asked. */
bool cycles_copied(struct cycles *cycles, size_t bytes, uint64_t (*clock)(void));

#endif

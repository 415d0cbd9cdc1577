/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * verify.h - contents of messages. Every byte depends on the sender, the direction, its place and a stamp that changes
 * from one exchange to the next, so that what is old, misplaced or somebody else's is wrong.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "halo.h"

void fill(const struct halo *h, int bytes, int stamp);

/* Ends all ranks with a message that names the pattern when anything that arrived is wrong. */
void verify(const struct halo *h, int bytes, int stamp, const char *pattern);

/* What a program does around an exchange, one word per cache line: write all that is sent, read all that arrived. */
void write_messages(const struct halo *h, int bytes, int stamp);
void read_messages(const struct halo *h, int bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives that are messages between two members: nobody waits for more than what it gets, and a member may run as
 * far ahead of others as with messages.
 */
#ifndef MPISHM_ROOTED_H
#define MPISHM_ROOTED_H

#include "members/parts.h"

/* The message of this member with another one, if there is anything in it: this one sends it, if it `gives`, or
 * receives it. Returns the error, raised. */
int exchange_with(struct communicator *communicator, unsigned member, const struct part *part, bool gives);
/* The messages of the root with all others, of a part for each; `own`, in which its part lies or is to lie, is NULL
 * where that stays where it is. Returns the error, raised. */
int exchange_with_all(struct communicator *communicator, const struct part parts[], const struct part *own, bool gives);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives that are messages between a root and each other member, if there is anything in them: nobody waits for
 * more than what it gets, and a member may run as far ahead of others as with messages.
 */
#ifndef MPISHM_VARIED_H
#define MPISHM_VARIED_H

#include "collectives/sides.h"

/* True: the call is MPI's, as the arguments of this member want, or since the communicator is NULL; the others learn as
 * much of that as from MPI. `one` is what a member has, or gets, and `all`, which counts at the root alone, what that
 * gets, or has. `gives`: members other than the root do. */
bool exchange_varied(struct communicator *communicator, unsigned root, const struct side *one, const struct side *all,
                     bool gives, int *error);
/* The message of this member with another one, if there is anything in it: this one sends it, if it `gives`, or
 * receives it. Returns the error, raised. */
int exchange_with(struct communicator *communicator, unsigned member, const struct part *part, bool gives);

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sends of MPI's from memory of ours, which the program has finished.
 */
#ifndef MPISHM_LEFT_SENDS_H
#define MPISHM_LEFT_SENDS_H

#include "messages/operations.h"

/* A send of MPI's from memory of ours goes on by itself; the memory is freed when it is done. False: no memory. */
bool left_sends_add(void *copy, MPI_Request request);
/* Asks MPI about all of them. True when some go on. */
bool left_sends_poll(void);
/* To be called whenever a message starts that does not fit into a cell: asks now and then. */
void left_sends_reclaim(void);
/* Forgets them. */
void left_sends_discard(void);

#endif

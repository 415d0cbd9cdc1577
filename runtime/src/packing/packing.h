/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that are packed where they are received: before it packs, a sender asks for the place
 * (MPISHM_Packing_buffer), and takes the receive that its message is going to get, if that is posted and lies in the
 * window. The send then has nothing to copy. Under the runtime's mutex.
 */
#ifndef MPISHM_PACKING_H
#define MPISHM_PACKING_H

#include "communicators/routes.h"

/* Sends a message from `buffer` if it was packed in its receive: done. False: it is to be sent from `buffer`. */
bool packed_send(struct route route, struct envelope envelope, const void *buffer);
/* What this thread has announced (MPISHM_Packing_begin) and not packed is an ordinary message. */
void packing_forget(void);
/* Gives back what was taken for messages that were never sent, and says so. */
void packing_close(void);

#endif

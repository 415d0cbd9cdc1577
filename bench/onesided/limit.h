/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * limit.h - bare loads and stores in a shared window, under the names of MPI's functions.
 */
#ifndef LIMIT_H
#define LIMIT_H

#include "onesided.h"

/* Collective. Sets the side's memory and functions; there is one such side in a process. */
void limit_make(struct side *side);
void limit_free(void);

#endif

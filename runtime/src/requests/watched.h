/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages as the watch sees them (watch/watch.h). Out of the way of programs that are not watched.
 */
#ifndef MPISHM_WATCHED_H
#define MPISHM_WATCHED_H

#include "watch/watch.h"

/* For watch_start: what this call waits for. */
void operations_describe(const struct watched_call *call, FILE *to);

#endif

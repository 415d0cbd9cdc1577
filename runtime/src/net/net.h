/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The net: MPI functions that libmpishm defines itself, in front of MPI's own, so that calls which were not rewritten
 * are served where they meet what is of rewritten code. Requests and message handles of ours are served wherever our
 * definitions are reached; messages only if those are first in line for all code of all ranks, since sender and
 * receiver must go the same way. docs/net.md tells what that means for users.
 */
#ifndef MPISHM_NET_H
#define MPISHM_NET_H

#include "watch/slips.h"

#include <mpi.h>
#include <stdbool.h>

/* Why messages cannot be served in this process; NULL: they can. Lives as long as the process. Goes through the symbols
 * of all libraries. */
const char *net_obstacle(void);
/* From now on requests of ours are served, and messages, unless `any_obstacle`: some rank has one. The same on all
 * ranks, but for `obstacle`, which is this rank's, or NULL. */
void net_start(enum net_mode mode, bool any_obstacle, const char *obstacle);
void net_end(void);
/* Before set-up: nothing of the program was rewritten, the net serves all of it (libmpishm_try.so). Where it is not in
 * force, everything goes through MPI. */
void net_serve_all(void);
bool net_serves_all(void);
/* All calls of such a program are counted, where the runtime is disabled, too. */
void net_start_counting(void);

#endif

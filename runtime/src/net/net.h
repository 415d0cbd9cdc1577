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

/* Why messages, and collectives, cannot be served in this process; NULL: they can. Live as long as the process. What is
 * in the way of messages is in that of collectives. Goes through the symbols of all libraries. */
void net_obstacles(const char *obstacles[NET_PARTS]);
/* What the net is asked to be, the same on all ranks but for `obstacle`. */
struct net_settings {
  enum net_mode mode;
  bool needed;                     /* net_is_needed of some rank */
  bool any_obstacle[NET_PARTS];    /* some rank has one */
  const char *obstacle[NET_PARTS]; /* this rank's, or NULL */
};
/* From now on requests of ours are served; messages and collectives, too, unless there is an obstacle. */
void net_start(struct net_settings settings);
void net_end(void);
/* Before set-up: this program was rewritten unproved, and needs the net. Where that is not in force, everything goes
 * through MPI. */
void net_need(void);
/* Before set-up: nothing of the program was rewritten, the net serves all of it (libmpishm_try.so), and is needed. */
void net_serve_all(void);
bool net_is_needed(void);
/* Whether our definitions are first in line, for this process. Others, which may be those of another libmpishm, get
 * what we hand to MPI, and may hand it back. */
bool net_is_first(void);
/* All calls of such a program are counted, where the runtime is disabled, too; but none where we are not first. */
void net_start_counting(void);

#endif

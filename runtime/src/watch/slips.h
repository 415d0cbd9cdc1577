/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the net (net/) had to do: a call that was not rewritten met what is of rewritten code. That is a mistake of the
 * analysis, or a program that was rewritten unproved, where it is expected; the call was served all the same.
 */
#ifndef MPISHM_SLIPS_H
#define MPISHM_SLIPS_H

#include "watch/watch.h"

/* What the net serves beside requests, where nothing is in the way. */
enum net_part { NET_MESSAGES, NET_COLLECTIVES, NET_PARTS };

/* What became of such calls: the same on all ranks. */
enum net_mode {
  NET_OFF,  /* MPISHM_NET=0: none is served */
  NET_ON,   /* served, with one warning per call */
  NET_ABORT /* MPISHM_NET=abort: the job ends with that message */
};
/* What this rank's environment asks for; the least, and else the most, that any rank asks for counts. */
enum net_mode slips_wanted(void);
/* `expected`: the program was rewritten unproved, such calls are no mistakes, and warned of only with NET_ABORT.
 * `obstacles`: why messages and collectives are not served, NULL: they are; live as long as the process. */
void slips_start(enum net_mode mode, bool expected, const char *const obstacles[NET_PARTS]);
/* For statistics: "in force", or what is served, and why no more. */
void net_text(char *text, size_t bytes);

/* A call that was not rewritten, from `site`, was given `what` of rewritten code. */
COLD void slip_handle(enum call call, const void *site, const char *what);
/* Such a call receives, or finds, a message of rewritten code. */
COLD void slip_receive(enum call call, const void *site, int source, int tag);
/* Rewritten code receives a message of a call that was not rewritten: where that is, only its sender knows. */
COLD void slip_send(MPI_Comm comm, int source, int tag);
/* Such a call, from `site`, takes part in a collective with calls of rewritten code. */
COLD void slip_collective(enum call call, const void *site);
/* Rewritten code takes part in a collective with such a call: where that is, only that rank knows. */
COLD void slip_member(MPI_Comm comm, int rank);

#endif

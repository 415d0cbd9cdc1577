/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a persistent collective does at each start: the parcels of its bundle, noted when it is made. No handle of the
 * program's is kept, which may free its datatypes and the communicator before a start.
 *
 * Members may start those of one communicator in different orders, so that the order of parcels does not tell whose
 * they are. So each has a context of its own, which the first member takes, and tells the others when it is made: that
 * all members do in one order among their collectives, and MPI lets them wait for one another there.
 */
#ifndef MPISHM_STEPS_H
#define MPISHM_STEPS_H

#include "members/parcels.h"

enum step_kind { STEP_RECEIVE, STEP_SEND, STEP_COPY };

struct step {
  enum step_kind kind;
  unsigned member;        /* whom it is received from or sent to */
  struct part part, from; /* from: what is copied into the part */
};

struct steps {
  struct persistent persistent; /* the request's */
  unsigned count;
  struct step step[];
};

/* Entered already; waits for the first member. */
uint32_t steps_agree_on_context(const struct communicator *communicator);
/* For so many; NULL: there is no memory. */
struct steps *steps_make(unsigned most);
/* Holds the layouts of its parts. */
void steps_add(struct steps *steps, struct step step);
/* NULL too. */
void steps_free(struct steps *steps);

#endif

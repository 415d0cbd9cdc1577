/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Members of a communicator that call different collectives, which MPI forbids. MPI libraries match calls of one
 * function: such a program goes on as long as nobody needs what another is to give later, and else hangs. So it is
 * here, but that it is said, and that calls which share slots end the job: what stands there is not theirs.
 */
#ifndef MPISHM_MISMATCHES_H
#define MPISHM_MISMATCHES_H

#include "communicators/communicators.h"

/* After how many rounds of a wait, and again after so many, members look whether it can end. */
enum { ROUNDS_OF_LONG_WAIT = 1024 };
/* This rank waits for a member in a collective of that communicator; `begins`: it had not looked in this wait so far.
 * Warns when the wait cannot end since that member waits for this one, at last, in a call of another function. */
COLD void mismatch_look(const struct communicator *communicator, unsigned place, bool begins);
/* This rank's call has met one of another function in a slot. */
COLD _Noreturn void mismatch_end(const struct communicator *communicator, unsigned place, uint16_t call);

#endif

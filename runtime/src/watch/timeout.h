/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPISHM_TIMEOUT: a wait that lasts too long says what it waits for, once, and goes on or ends the job.
 * Under the runtime's mutex, but for what set-up calls.
 */
#ifndef MPISHM_TIMEOUT_H
#define MPISHM_TIMEOUT_H

#include "watch/watch.h"

/* Nanoseconds that this rank's environment asks for, 0: none. */
int64_t timeout_wanted(void);
/* Whether it asks for MPI_Abort after that. */
bool timeout_aborts(void);
void timeout_start(uint64_t nanoseconds, bool aborts, describe_wait *describer);
bool timeout_is_on(void);
/* A call that was reported is going to end the job. */
bool timeout_aborts_soon(void);
/* Called now and then by a call that waits: reports, and ends the job, when it is time. */
void timeout_check(struct watched_call *call);
/* A call that was reported has ended after all. */
void timeout_over(const struct watched_call *call, uint64_t nanoseconds);

#endif

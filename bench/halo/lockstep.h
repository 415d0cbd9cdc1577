/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * lockstep.h - exchanges in lock-step, for counting instructions.
 *
 * How long a rank polls for messages that are not there yet depends on the scheduler, and under a simulator means
 * nothing. So all ranks post, meet, and only then complete what they have posted. Where they meet no call of MPI is
 * made, which might complete it already.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "halo.h"

/* Makes one exchange in lock-step. Collective. What is to be counted happens inside the functions counted_start and
 * counted_finish. */
void exchange_in_lockstep(const struct pattern *p);

/* Tells a tool that counts by function names that all exchanges of one pattern and size have been made. */
void counted_all(void);

/* Collective. lockstep_set_up fails where the ranks are on several nodes. */
void lockstep_set_up(const struct halo *h);
void lockstep_tear_down(void);

#endif

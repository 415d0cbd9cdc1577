/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a call waits. With the runtime's mutex, which other threads may have meanwhile.
 */
#ifndef MPISHM_WAITING_H
#define MPISHM_WAITING_H

struct waiter {
  unsigned rounds;
};
/* What else of this rank others may wait for, while it waits itself; NULL: nothing. Never waits. */
extern void (*help_others)(void);
/* What this thread should not keep while it waits; NULL: nothing. Never waits. */
extern void (*let_go)(void);
/* Between two polls: relaxes the core, yields where ranks outnumber cores, and now and then drives MPI, and helps
 * others. */
void waiter_pause(struct waiter *waiter);
/* After a test that found nothing: the same for programs that wait by testing. */
void tested_in_vain(void);

#endif

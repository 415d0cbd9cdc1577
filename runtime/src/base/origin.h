/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whose call this thread is in: that of rewritten code, or of code that was not rewritten, which the net serves (net/).
 */
#ifndef MPISHM_ORIGIN_H
#define MPISHM_ORIGIN_H

/* The call of MPI that is being served: its return address, and the entry point that serves it (enum call,
 * watch/watch.h). `site` is NULL in a call of rewritten code. This thread's own. */
struct origin {
  const void *site;
  int call;
};
extern _Thread_local struct origin unrewritten;

#endif

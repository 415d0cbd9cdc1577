/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How an entry point begins and ends.
 */
#ifndef MPISHM_ENTER_H
#define MPISHM_ENTER_H

#include "node/runtime.h"
#include "watch/watch.h"

/* Entry points run between runtime_enter and runtime_leave, with the mutex. That costs a branch each where there are
 * neither threads nor anybody watching. Only in functions of mpishm.h themselves, whose return address is the program's
 * call. Completion calls and starts name their requests. */
#define runtime_enter_with(call, count, requests)                                                                      \
  do {                                                                                                                 \
    if (UNLIKELY(mpishm.attended))                                                                                     \
      attended_enter(call, __builtin_return_address(0), count, requests);                                              \
  } while (0)
#define runtime_enter(call) runtime_enter_with(call, 0, NULL)
/* The same in two functions, for entry points that hand on what is not plain (requests/plain.h) to a function of their
 * own: the first says where the call comes from, by no call, so that it has nothing to put aside. */
#define runtime_come()                                                                                                 \
  do {                                                                                                                 \
    if (UNLIKELY(mpishm.attended))                                                                                     \
      came_from = __builtin_return_address(0);                                                                         \
  } while (0)
#define runtime_enter_come(call, count, requests)                                                                      \
  do {                                                                                                                 \
    if (UNLIKELY(mpishm.attended))                                                                                     \
      attended_enter(call, came_from, count, requests);                                                                \
  } while (0)
static inline void runtime_leave(void) {
  if (UNLIKELY(mpishm.attended))
    attended_leave();
}

/* Around MPI's own function where that does the rest of a call, instead of runtime_leave:
 *   runtime_unlock(); return runtime_return(MPI_Wait(...)); */
static inline int runtime_return(int error) {
  if (UNLIKELY(mpishm.attended)) {
    runtime_lock();
    attended_leave();
  }
  return error;
}
/* In place of runtime_unlock before a function of MPI's that waits for all or any of these requests. */
static inline void runtime_unlock_to_wait(int count, const MPI_Request requests[], bool all) {
  runtime_unlock();
  if (UNLIKELY(mpishm.watching))
    watch_mpi_wait(count, requests, all);
}
/* As runtime_return, for a call that makes a request of MPI's. */
static inline int runtime_return_request(int error, const MPI_Request *request) {
  if (UNLIKELY(mpishm.watching) && error == MPI_SUCCESS && request)
    watch_mpi_request(*request);
  return runtime_return(error);
}

#endif

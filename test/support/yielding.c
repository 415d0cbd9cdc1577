/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * To be preloaded: MPICH 4 with UCX waits without ever giving its core away, so that ranks that share one wait for the
 * scheduler, some milliseconds a time. Here a rank that looks in vain gives way, as other libraries do when asked to.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sched.h>

enum { LOOKS_IN_VAIN = 64 };

typedef unsigned (*progress_function)(void *worker);

unsigned ucp_worker_progress(void *worker) {
  static _Thread_local unsigned in_vain;
  static progress_function next; /* each thread would write the same */
  progress_function progress = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!progress) {
    progress = (progress_function)dlsym(RTLD_NEXT, "ucp_worker_progress");
    __atomic_store_n(&next, progress, __ATOMIC_RELAXED);
  }
  unsigned done = progress(worker);
  in_vain = done ? 0 : in_vain + 1;
  if (in_vain >= LOOKS_IN_VAIN) {
    in_vain = 0;
    sched_yield();
  }
  return done;
}

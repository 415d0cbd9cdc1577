/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * To be preloaded: MPICH 4 with UCX waits without ever giving its core away, so that ranks that share one wait for the
 * scheduler, some milliseconds a time. Here a rank that looks in vain gives way, as other libraries do when asked to.
 * And if that did not help, as all others look in vain, too, it sleeps for a moment: who has something to do need not
 * share the cores with those who wait, which makes tests of messages a quarter cheaper.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { LOOKS_BEFORE_YIELD = 64, LOOKS_BEFORE_SLEEP = 128 };

/* What to do after so many looks in vain, one after the other; returns how many count from then on. */
static unsigned give_way(unsigned in_vain) {
  if (in_vain == LOOKS_BEFORE_YIELD)
    sched_yield();
  if (in_vain < LOOKS_BEFORE_SLEEP)
    return in_vain;
  nanosleep(&(struct timespec){.tv_nsec = 1}, NULL); /* by default 50 us */
  return 0;
}

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
  in_vain = done ? 0 : give_way(in_vain + 1);
  return done;
}

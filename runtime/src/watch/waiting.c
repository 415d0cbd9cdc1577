/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "watch/waiting.h"
#include "node/runtime.h"
#include "watch/watch.h"

#include <sched.h>

enum {
  EAGER_ROUNDS = 16,
  SPIN_ROUNDS = 1000,             /* some tens of microseconds: then somebody else may need the core */
  SPIN_ROUNDS_OVERSUBSCRIBED = 8, /* somebody else does need the core */
  PROGRESS_ROUNDS = 128,          /* MPI is driven once in so many rounds while spinning */
  PROGRESS_YIELDS = 8             /* and once in so many while yielding, which takes longer */
};

void (*help_others)(void);
void (*let_go)(void);

/* Any call that may make progress on all of MPI will do. */
static void drive_others(void) {
  int flag = 0;
  if (help_others)
    help_others();
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mpishm.node, &flag, MPI_STATUS_IGNORE);
  if (flag) /* found at once, and nothing driven: ask for what nobody sends */
    PMPI_Iprobe(mpishm.node_rank, mpishm.tag_ub, mpishm.node, &flag, MPI_STATUS_IGNORE);
}

void waiter_pause(struct waiter *waiter) {
  unsigned spin = mpishm.oversubscribed ? SPIN_ROUNDS_OVERSUBSCRIBED : SPIN_ROUNDS;
  unsigned round = ++waiter->rounds;
  if (round < spin) {
    if (round > EAGER_ROUNDS) /* a pause can take 40 ns, as much as the whole message */
      cpu_relax();
    if (round % PROGRESS_ROUNDS == 0)
      drive_others();
    return;
  }
  /* A rank of another node may need this one's progress, as often as it gets its core. */
  if (mpishm.several_nodes || round % PROGRESS_YIELDS == 0)
    drive_others();
  if (UNLIKELY(let_go != NULL))
    let_go();
  if (UNLIKELY(mpishm.watching))
    watch_wait();
  runtime_unlock(); /* other threads of this rank may have to act before this wait can end */
  sched_yield();
  runtime_lock();
}

void tested_in_vain(void) {
  static unsigned count; /* under the runtime's mutex */
  if (mpishm.several_nodes || ++count % PROGRESS_YIELDS == 0)
    drive_others();
  if (mpishm.oversubscribed)
    sched_yield();
}

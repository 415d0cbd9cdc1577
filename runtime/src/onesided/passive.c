/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: lock and unlock, of one and of all, flush and sync. In a window that is shared with MPI all of that is
 * MPI's, and what is put in a lock as well; the record keeps that there is one.
 */
#include "mpishm.h"
#include "next/next.h"
#include "onesided/deferred.h"
#include "watch/enter.h"

#include <limits.h>

/* Ends a call whose assertion, or whose epoch, is not such as it has to be. */
static int passive_refuse(MPI_Win win, int assert) {
  runtime_unlock();
  return runtime_return(window_raise(win, assert & ~MPI_MODE_NOCHECK ? ERROR_ASSERTION : MPI_ERR_RMA_SYNC));
}

/* What this rank has stored before is seen by whoever it tells afterwards, and what it loads afterwards is not from
 * before: in whatever way others are told. Two that both put and then get what the other has put do not both miss it.
 */
static void complete_accesses(void) { atomic_thread_fence(memory_order_seq_cst); }

/* ---- Locks. Taken with an acquire, of what those before have released. ---- */

static void take_lock(struct window *window, const struct target *target, bool exclusive) {
  struct epochs_lock *lock = &window->epochs.members[target->place].lock;
  struct waiter waiter = {0};
  uint32_t ticket = lock_ticket(lock);
  while (exclusive ? !lock_writes(lock, ticket) : !lock_reads(lock, ticket))
    window_pause(&waiter, window, target->place);
}

static void release_lock(struct window *window, const struct target *target, bool exclusive) {
  struct epochs_lock *lock = &window->epochs.members[target->place].lock;
  if (exclusive)
    lock_written(lock);
  else
    lock_read(lock);
}

enum { ACCESS_LOCKED = ACCESS_SHARED | ACCESS_EXCLUSIVE };

static unsigned char access_of(int lock_type, int assert) {
  return (unsigned char)((lock_type == MPI_LOCK_EXCLUSIVE ? ACCESS_EXCLUSIVE : ACCESS_SHARED) |
                         (assert &MPI_MODE_NOCHECK ? ACCESS_UNCHECKED : 0));
}

int MPISHM_Win_lock(int lock_type, int rank, int assert, MPI_Win win) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL_WIN_LOCK);
  struct window *window = window_find(win);
  bool valid = window && is_member(window, rank) && (lock_type == MPI_LOCK_SHARED || lock_type == MPI_LOCK_EXCLUSIVE);
  if (!valid || !window->is_ours) {
    if (window && window->is_ours && rank == MPI_PROC_NULL) {
      runtime_leave();
      return MPI_SUCCESS;
    }
    runtime_unlock();
    error = mpi_first.Win_lock(lock_type, rank, assert, win);
    if (!valid || error != MPI_SUCCESS || assert & ~MPI_MODE_NOCHECK)
      return runtime_return(error);
    runtime_lock();
  } else if (UNLIKELY(assert & ~MPI_MODE_NOCHECK || window->all_locked || window->is_started ||
                      window->targets[rank].access & ACCESS_LOCKED)) {
    return passive_refuse(win, assert);
  }
  /* Before it waits, so that another thread's lock is refused meanwhile. Where the error handler has returned, MPICH 5
   * says success of a second lock that it has refused. */
  window->locked += !(window->targets[rank].access & ACCESS_LOCKED);
  window->targets[rank].access |= access_of(lock_type, assert);
  if (window->is_ours && !(assert &MPI_MODE_NOCHECK))
    take_lock(window, &window->targets[rank], lock_type == MPI_LOCK_EXCLUSIVE);
  runtime_leave();
  return error;
}

int MPISHM_Win_unlock(int rank, MPI_Win win) {
  runtime_enter(CALL_WIN_UNLOCK);
  struct window *window = window_find(win);
  struct target *target = window && is_member(window, rank) ? &window->targets[rank] : NULL;
  unsigned char access = target ? target->access & (ACCESS_LOCKED | ACCESS_UNCHECKED) : 0;
  if (UNLIKELY(window && window->is_ours && rank == MPI_PROC_NULL)) {
    runtime_leave();
    return MPI_SUCCESS;
  }
  if (access & ACCESS_LOCKED) {
    target->access &= (unsigned char)~(ACCESS_LOCKED | ACCESS_UNCHECKED);
    window->locked--;
  }
  if (!(access & ACCESS_LOCKED) || !window->is_ours) { /* MPI refuses what is not locked */
    runtime_unlock();
    return runtime_return(mpi_first.Win_unlock(rank, win));
  }
  deferred_finish(window);
  if (!(access & ACCESS_UNCHECKED))
    release_lock(window, target, access & ACCESS_EXCLUSIVE);
  complete_accesses();
  runtime_leave();
  return MPI_SUCCESS;
}

int MPISHM_Win_lock_all(int assert, MPI_Win win) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL_WIN_LOCK_ALL);
  struct window *window = window_find(win);
  if (!window || !window->is_ours) {
    runtime_unlock();
    error = mpi_first.Win_lock_all(assert, win);
    if (!window || error != MPI_SUCCESS || assert & ~MPI_MODE_NOCHECK)
      return runtime_return(error);
    runtime_lock();
  } else if (UNLIKELY(assert & ~MPI_MODE_NOCHECK || window->all_locked || window->locked || window->is_started)) {
    return passive_refuse(win, assert);
  }
  window->all_locked = true; /* before it waits, as a lock */
  for (int rank = 0; window->is_ours && !(assert &MPI_MODE_NOCHECK) && rank < window->size; rank++) {
    take_lock(window, &window->targets[rank], false);
    window->targets[rank].access |= ACCESS_SHARED_OF_ALL;
  }
  runtime_leave();
  return error;
}

int MPISHM_Win_unlock_all(MPI_Win win) {
  runtime_enter(CALL_WIN_UNLOCK_ALL);
  struct window *window = window_find(win);
  bool locked = window && window->all_locked;
  if (locked)
    window->all_locked = false;
  if (!locked || !window->is_ours) { /* MPI refuses what is not locked */
    runtime_unlock();
    return runtime_return(mpi_first.Win_unlock_all(win));
  }
  deferred_finish(window);
  for (int rank = 0; rank < window->size; rank++)
    if (window->targets[rank].access & ACCESS_SHARED_OF_ALL) {
      window->targets[rank].access &= (unsigned char)~ACCESS_SHARED_OF_ALL;
      release_lock(window, &window->targets[rank], false);
    }
  complete_accesses();
  runtime_leave();
  return MPI_SUCCESS;
}

/* ---- Flush and sync. Every operation of ours is done when its call returns, but for what is deferred
 * (onesided/deferred.h). ---- */

enum { ALL_TARGETS = INT_MIN }; /* no rank, and no name for one */

static bool is_flushable(const struct window *window, int rank) {
  if (is_member(window, rank))
    return is_locked(window, &window->targets[rank]);
  return rank == MPI_PROC_NULL || (rank == ALL_TARGETS && (window->all_locked || window->locked));
}

/* Of one target, or of all. False: the call is MPI's, or to be refused by it. */
static bool flush_here(MPI_Win win, int rank) {
  struct window *window = window_find(win);
  if (!window || !window->is_ours)
    return false;
  kept_words_flush(window);
  deferred_finish(window);
  bool locked = is_flushable(window, rank);
  if (locked)
    complete_accesses();
  return locked;
}

/* What an entry point does: `by_mpi` is MPI's own. NOLINTBEGIN(bugprone-macro-parentheses) */
#define FLUSH(call, rank, by_mpi)                                                                                      \
  runtime_enter(call);                                                                                                 \
  FLUSH_ENTERED(rank, by_mpi)
#define FLUSH_ENTERED(rank, by_mpi)                                                                                    \
  if (UNLIKELY(!flush_here(win, rank))) {                                                                              \
    runtime_unlock();                                                                                                  \
    return runtime_return(by_mpi);                                                                                     \
  }                                                                                                                    \
  runtime_leave();                                                                                                     \
  return MPI_SUCCESS
/* NOLINTEND(bugprone-macro-parentheses) */

static NOINLINE int flush_any(int rank, MPI_Win win) {
  runtime_enter_come(CALL_WIN_FLUSH, 0, NULL);
  FLUSH_ENTERED(rank, mpi_first.Win_flush(rank, win));
}

/* In two parts, as puts and gets (transfers.c). */
int MPISHM_Win_flush(int rank, MPI_Win win) {
  struct window *window = window_at_once(win, rank, ACCESS_LOCKED);
  if (window) {
    kept_words_flush(window);
    complete_accesses();
    return MPI_SUCCESS;
  }
  runtime_come();
  return flush_any(rank, win);
}
int MPISHM_Win_flush_local(int rank, MPI_Win win) {
  FLUSH(CALL_WIN_FLUSH_LOCAL, rank, mpi_first.Win_flush_local(rank, win));
}
int MPISHM_Win_flush_all(MPI_Win win) { FLUSH(CALL_WIN_FLUSH_ALL, ALL_TARGETS, mpi_first.Win_flush_all(win)); }
int MPISHM_Win_flush_local_all(MPI_Win win) {
  FLUSH(CALL_WIN_FLUSH_LOCAL_ALL, ALL_TARGETS, mpi_first.Win_flush_local_all(win));
}

/* The public copy and the private one are the same memory. */
int MPISHM_Win_sync(MPI_Win win) {
  runtime_enter(CALL_WIN_SYNC);
  const struct window *window = window_find(win);
  if (!window || !window->is_ours) {
    runtime_unlock();
    return runtime_return(mpi_first.Win_sync(win));
  }
  complete_accesses();
  runtime_leave();
  return MPI_SUCCESS;
}

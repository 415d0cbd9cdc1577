/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of a member's that an operation names: whether this rank may access it now, whether it is in range, and copies
 * from and to it.
 */
#ifndef MPISHM_ACCESSES_H
#define MPISHM_ACCESSES_H

#include "base/copy.h"
#include "members/parts.h"
#include "onesided/windows.h"

/* What becomes of an operation. */
enum outcome {
  OUTCOME_HERE,        /* it is done */
  OUTCOME_BY_MPI,      /* MPI's function does it in the epoch that is open there, or refuses it */
  OUTCOME_IN_LOCK,     /* MPI's function does it, or refuses it, in a lock of MPI's around it: the window is ours */
  OUTCOME_IN_LATCH,    /* the same, and the target's latch is held */
  OUTCOME_OUT_OF_RANGE /* of the target's memory */
};

/* What cannot be done here: in a window of ours MPI has no epoch open. */
static inline enum outcome outcome_elsewhere(const struct window *window) {
  return window->is_ours ? OUTCOME_IN_LOCK : OUTCOME_BY_MPI;
}

static inline bool is_locked(const struct window *window, const struct target *target) {
  return window->all_locked || target->access & (ACCESS_SHARED | ACCESS_EXCLUSIVE);
}
/* Whether this rank may access the target, and do that itself. */
static inline bool is_accessible(const struct window *window, const struct target *target) {
  bool is_active = window->fenced || target->access & ACCESS_STARTED, locked = is_locked(window, target);
  return window->is_ours ? is_active || locked : is_active && !locked && target->reach != REACH_NOT;
}

/* The target's elements, as a part whose addresses are those of the process that they are reached in. To be released
 * when the outcome is OUTCOME_HERE: nothing is done so far. */
static inline enum outcome find_remote(const struct target *target, MPI_Aint disp, MPI_Count count,
                                       struct layout *layout, struct part *remote);

/* Between a part of this process and one of the target's of as many bytes. False: the kernel has refused it, and any of
 * it may have been copied. */
bool remote_copy_by_kernel(const struct target *target, const struct part *remote, const struct part *local,
                           bool writes);
/* What has a power of two bytes, up to 8, is one store, which nobody sees a part of. */
static inline void copy_whole(void *to, const void *from, size_t bytes) {
  switch (bytes) {
  case 8:
    memcpy(to, from, 8);
    return;
  case 4:
    memcpy(to, from, 4);
    return;
  case 2:
    memcpy(to, from, 2);
    return;
  default:
    copy_longer(to, from, bytes);
  }
}
static inline bool remote_write(const struct target *target, const struct part *remote, const struct part *local) {
  if (UNLIKELY(target->reach == REACH_BY_KERNEL))
    return remote_copy_by_kernel(target, remote, local, true);
  if (remote->piece && local->piece)
    copy_whole(remote->piece, local->piece, local->bytes);
  else
    part_copy(remote, local);
  return true;
}
static inline bool remote_read(const struct target *target, const struct part *remote, const struct part *local) {
  if (UNLIKELY(target->reach == REACH_BY_KERNEL))
    return remote_copy_by_kernel(target, remote, local, false);
  if (remote->piece && local->piece)
    copy_whole(local->piece, remote->piece, local->bytes);
  else
    part_copy(local, remote);
  return true;
}

static inline enum outcome find_remote(const struct target *target, MPI_Aint disp, MPI_Count count,
                                       struct layout *layout, struct part *remote) {
  MPI_Aint at, first = 0, past = 0;
  if (__builtin_mul_overflow(disp, target->unit, &at))
    return OUTCOME_OUT_OF_RANGE;
  *remote = part_of(displaced(target->base, at), (size_t)count, layout);
  if (remote->bytes == 0)
    return OUTCOME_HERE;
  if (remote->piece)
    past = (first = layout->blocks[0].offset) + (MPI_Aint)remote->bytes;
  else
    layout_span(layout, (size_t)count, &first, &past);
  if (at + first >= 0 && (size_t)(at + past) <= target->bytes)
    return OUTCOME_HERE;
  part_release(remote);
  return OUTCOME_OUT_OF_RANGE;
}

/* A lock of MPI's on a target of a window of ours. With one window a process may have one of a target at a time: other
 * threads wait for it. With the mutex, which is not held in between. */
COLD void mpi_lock_begin(struct window *window, int rank);
COLD void mpi_lock_end(struct window *window, int rank);
/* The same around an operation, without the mutex; where the outcome says so. */
COLD void elsewhere_begin(enum outcome outcome, MPI_Win win, int rank);
COLD void elsewhere_end(enum outcome outcome, MPI_Win win, int rank);

/* The window that was used last, if it is that and ours, this rank may access the target in such an epoch now, nobody
 * attends entry points, and nothing is kept but words that are accumulated. Else NULL. */
static inline struct window *window_at_once(MPI_Win win, int rank, unsigned char access) {
  if (UNLIKELY(mpishm.attended)) /* before all else: threads write what was used last, with the mutex */
    return NULL;
  struct window *window = last_window.window;
  if (!window || win != last_window.handle || !is_member(window, rank) || !window->is_ours || window->deferred)
    return NULL;
  bool is_open =
      window->all_locked || window->targets[rank].access & access || (access & ACCESS_STARTED && window->fenced);
  return is_open ? window : NULL;
}

/* What an entry point does: `attempt` says what became of the operation, `by_mpi` is MPI's own, each evaluated once at
 * most, with the mutex and without it. `error` is what came out. NOLINTBEGIN(bugprone-macro-parentheses) */
#define OPERATE(call, attempt, by_mpi)                                                                                 \
  runtime_enter(call);                                                                                                 \
  OPERATE_ENTERED(attempt, by_mpi)
#define OPERATE_ENTERED(attempt, by_mpi)                                                                               \
  int error = MPI_SUCCESS;                                                                                             \
  enum outcome outcome = attempt;                                                                                      \
  if (outcome == OUTCOME_HERE) {                                                                                       \
    runtime_leave();                                                                                                   \
  } else {                                                                                                             \
    runtime_unlock();                                                                                                  \
    elsewhere_begin(outcome, win, target_rank);                                                                        \
    error = outcome == OUTCOME_OUT_OF_RANGE ? window_raise(win, MPI_ERR_RMA_RANGE) : by_mpi;                           \
    elsewhere_end(outcome, win, target_rank);                                                                          \
    error = runtime_return(error);                                                                                     \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

/* For an operation of the form that gives a request: one of MPI's that is complete, so that any function of MPI's takes
 * it. Returns MPI's error. */
int request_complete(MPI_Request *request);
/* The end of such an entry point. */
#define RETURN_REQUEST() return outcome == OUTCOME_HERE ? request_complete(request) : error

#endif

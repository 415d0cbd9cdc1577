/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: fence, and post, start, complete, wait, test.
 */
#include "mpishm.h"
#include "next/next.h"
#include "onesided/deferred.h"
#include "watch/enter.h"

/* Ends a call whose assertion, or whose epoch, is not such as it has to be. */
static int active_refuse(MPI_Win win, int error) {
  runtime_unlock();
  return runtime_return(window_raise(win, error));
}

enum {
  FENCE_ASSERTIONS = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED,
  POST_ASSERTIONS = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT,
  START_ASSERTIONS = MPI_MODE_NOCHECK
};

static int epoch_error(bool is_in_another, int unknown_assertions) {
  return unknown_assertions ? ERROR_ASSERTION : is_in_another ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
}
static bool is_in_access(const struct window *window) {
  return window->is_started || window->locked || window->all_locked;
}

/* A barrier of the node, after MPI's where others are elsewhere: also where MPI need not wait for anybody
 * (MPI_MODE_NOPRECEDE), since what is put here afterwards is stored at once. Each member's flags go out with a release
 * after its loads and stores, its own and those of its Puts and Gets, and come in with an acquire before those that
 * follow. Where one of them has handed puts to others, which all see alike, a second barrier is behind what these have
 * brought to its place. */
static void fence_node(struct window *window) {
  deferred_finish_with(window, false);
  bool hands = window->deferred && handed_fence(window);
  if (!window_any_says(window, hands))
    return;
  handed_bring_fenced(window);
  window_barrier(window);
  if (window->deferred)
    handed_is_fenced(window);
}

int MPISHM_Win_fence(int assert, MPI_Win win) {
  runtime_enter(CALL_WIN_FENCE);
  struct window *window = window_find(win);
  int wrong = window ? epoch_error(window->is_posted || is_in_access(window), assert & ~FENCE_ASSERTIONS) : MPI_SUCCESS;
  int error = MPI_SUCCESS;
  if (!window || !window->is_ours) {
    runtime_unlock();
    error = mpi_first.Win_fence(assert, win);
    if (!window || wrong || error) /* nobody waits for who was refused; MPICH 5 may return no error */
      return runtime_return(error);
    runtime_lock();
  } else if (UNLIKELY(wrong)) {
    return active_refuse(win, wrong);
  }
  fence_node(window);
  window->fenced = !(assert &MPI_MODE_NOSUCCEED);
  runtime_leave();
  return error;
}

/* ---- Post, start, complete, wait. ---- */

/* The ranks in the window of a group's members, each once: MPICH makes groups that name some twice, as those of a
 * grid's neighbours where it is two wide, and its windows take them. Returns the error of MPI, which is asked for the
 * window's group the first time: many windows are only fenced or locked. */
static int find_ranks(struct window *window, MPI_Group group, struct ranks *found) {
  int count = 0, error = MPI_SUCCESS;
  if (window->group == MPI_GROUP_NULL)
    error = PMPI_Win_get_group(window->handle, &window->group);
  if (error != MPI_SUCCESS)
    return error;
  PMPI_Group_size(group, &count);
  int of_group[count + 1], of_window[count + 1]; /* none is of no elements */
  for (int i = 0; i < count; i++)
    of_group[i] = i;
  PMPI_Group_translate_ranks(group, count, of_group, window->group, of_window);
  found->count = 0;
  for (int i = 0; i < count; i++)
    if (of_window[i] != MPI_UNDEFINED && !window->targets[of_window[i]].is_listed) {
      window->targets[of_window[i]].is_listed = true;
      found->ranks[found->count++] = of_window[i];
    }
  for (int i = 0; i < found->count; i++)
    window->targets[found->ranks[i]].is_listed = false;
  return MPI_SUCCESS;
}

/* The release of what this member has stored is that of each word; the acquire is the starting origin's. */
int MPISHM_Win_post(MPI_Group group, int assert, MPI_Win win) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL_WIN_POST);
  struct window *window = window_find(win);
  int wrong = window ? epoch_error(window->is_posted, assert & ~POST_ASSERTIONS) : MPI_SUCCESS;
  if (!window || !window->is_ours || group == MPI_GROUP_NULL) { /* which MPI refuses */
    runtime_unlock();
    error = mpi_first.Win_post(group, assert, win);
    if (!window || group == MPI_GROUP_NULL || wrong || error)
      return runtime_return(error);
    runtime_lock();
  } else if (UNLIKELY(wrong)) {
    return active_refuse(win, wrong);
  }
  error = find_ranks(window, group, &window->posted);
  for (int i = 0; error == MPI_SUCCESS && i < window->posted.count; i++) {
    const struct target *origin = &window->targets[window->posted.ranks[i]];
    if (origin->place >= 0)
      exposure_post(&window->epochs, (unsigned)origin->place);
  }
  window->is_posted = error == MPI_SUCCESS;
  runtime_leave();
  return error;
}

/* Waits for the posts, as MPI permits, since what is put afterwards is stored at once. */
static void await_exposures(struct window *window) {
  for (int i = 0; i < window->started.count; i++) {
    struct target *target = &window->targets[window->started.ranks[i]];
    struct waiter waiter = {0};
    if (target->place < 0)
      continue;
    while (!exposure_is_there(&window->epochs, (unsigned)target->place))
      window_pause(&waiter, window, target->place);
    target->access |= ACCESS_STARTED;
  }
}

int MPISHM_Win_start(MPI_Group group, int assert, MPI_Win win) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL_WIN_START);
  struct window *window = window_find(win);
  int wrong = window ? epoch_error(is_in_access(window), assert & ~START_ASSERTIONS) : MPI_SUCCESS;
  if (!window || !window->is_ours || group == MPI_GROUP_NULL) { /* which MPI refuses */
    runtime_unlock();
    error = mpi_first.Win_start(group, assert, win);
    if (!window || group == MPI_GROUP_NULL || wrong || error)
      return runtime_return(error);
    runtime_lock();
  } else if (UNLIKELY(wrong)) {
    return active_refuse(win, wrong);
  }
  if (UNLIKELY(window->deferred && window->deferred->handed.used)) /* for a fence, which does not come */
    deferred_do(window);
  error = find_ranks(window, group, &window->started);
  if (error == MPI_SUCCESS)
    await_exposures(window);
  window->is_started = error == MPI_SUCCESS;
  runtime_leave();
  return error;
}

/* What has been put, or handed, is released with each word, for the targets that wait. */
int MPISHM_Win_complete(MPI_Win win) {
  runtime_enter(CALL_WIN_COMPLETE);
  struct window *window = window_find(win);
  if (UNLIKELY(!window || !window->is_started)) { /* MPI is to refuse it */
    runtime_unlock();
    return runtime_return(mpi_first.Win_complete(win));
  }
  deferred_finish_with(window, false);
  if (window->deferred)
    handed_complete(window);
  for (int i = 0; i < window->started.count; i++) {
    struct target *target = &window->targets[window->started.ranks[i]];
    if (target->place < 0)
      continue;
    target->access &= (unsigned char)~ACCESS_STARTED;
    exposure_complete(&window->epochs, (unsigned)target->place);
  }
  window->started.count = 0;
  window->is_started = false;
  if (!window->is_ours) {
    runtime_unlock();
    return runtime_return(mpi_first.Win_complete(win));
  }
  runtime_leave();
  return MPI_SUCCESS;
}

/* The origin on this node that has not completed; -1: there is none. */
static int find_accessing(const struct window *window) {
  for (int i = 0; i < window->posted.count; i++) {
    int place = window->targets[window->posted.ranks[i]].place;
    if (place >= 0 && !exposure_is_over(&window->epochs, (unsigned)place))
      return place;
  }
  return -1;
}

static void end_exposure(struct window *window) {
  for (int i = 0; i < window->posted.count; i++) {
    int place = window->targets[window->posted.ranks[i]].place;
    if (place >= 0)
      handed_bring_completed(window, place);
  }
  window->posted.count = 0;
  window->is_posted = false;
}

int MPISHM_Win_wait(MPI_Win win) {
  struct waiter waiter = {0};
  int place;
  runtime_enter(CALL_WIN_WAIT);
  struct window *window = window_find(win);
  if (UNLIKELY(!window || !window->is_posted)) { /* MPI is to refuse it */
    runtime_unlock();
    return runtime_return(mpi_first.Win_wait(win));
  }
  while ((place = find_accessing(window)) >= 0)
    window_pause(&waiter, window, place);
  end_exposure(window);
  if (!window->is_ours) {
    runtime_unlock();
    return runtime_return(mpi_first.Win_wait(win));
  }
  runtime_leave();
  return MPI_SUCCESS;
}

/* MPI's window says that the exposure is over once, and is asked when that of the node is. */
int MPISHM_Win_test(MPI_Win win, int *flag) {
  int error = MPI_SUCCESS;
  runtime_enter(CALL_WIN_TEST);
  struct window *window = window_find(win);
  if (UNLIKELY(!window || !window->is_posted || !flag)) {
    runtime_unlock();
    return runtime_return(mpi_first.Win_test(win, flag));
  }
  *flag = find_accessing(window) < 0;
  if (!*flag) {
    tested_in_vain();
  } else if (!window->is_ours) {
    runtime_unlock();
    error = mpi_first.Win_test(win, flag);
    runtime_lock();
  }
  if (*flag && error == MPI_SUCCESS)
    end_exposure(window);
  runtime_leave();
  return error;
}

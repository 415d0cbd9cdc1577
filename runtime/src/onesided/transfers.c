/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: put and get. They wait for no target, whatever that does.
 */
#include "mpishm.h"
#include "next/next.h"
#include "onesided/deferred.h"
#include "watch/enter.h"

static inline bool copy_now(struct window *window, int rank, const struct part *remote, const struct part *local,
                            bool writes) {
  const struct target *target = &window->targets[rank];
  deferred_finish_for(window, rank);
  return writes ? remote_write(target, remote, local) : remote_read(target, remote, local);
}

/* The most frequent case in few instructions: one piece of memory of one datatype on both sides, which loads and stores
 * reach, and for which nothing is deferred then. False: nothing is done. */
static inline bool transfer_piece(const void *buffer, MPI_Count count, const struct layout *layout,
                                  const struct target *target, MPI_Aint disp, bool writes) {
  MPI_Aint at;
  if (!layout || !layout->contiguous || layout->block_count == 0 || !buffer || count <= 0 || disp < 0 ||
      target->reach != REACH_BY_LOADS || __builtin_mul_overflow(disp, target->unit, &at))
    return false;
  MPI_Aint first = layout->blocks[0].offset;
  size_t bytes = (size_t)count * layout->size;
  if (at + first < 0 || target->bytes < bytes || (size_t)(at + first) > target->bytes - bytes)
    return false;
  char *there = displaced(target->base, at + first), *here = displaced(buffer, first);
  copy_whole(writes ? there : here, writes ? here : there, bytes);
  return true;
}

/* The same in fewer still, of the window and the datatype that were used last, for entry points in two parts: what is
 * not this goes on in a function of its own, so that this need not make room for it. False: nothing is done. */
static inline bool transfer_at_once(const void *buffer, MPI_Count count, MPI_Datatype datatype, int rank, MPI_Aint disp,
                                    MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, bool writes) {
  const struct window *window = window_at_once(win, rank, ACCESS_STARTED | ACCESS_SHARED | ACCESS_EXCLUSIVE);
  MPI_Aint at;
  size_t bytes;
  if (!window || window->kept.count)
    return false;
  const struct target *target = &window->targets[rank];
  if (target->reach != REACH_BY_LOADS || target_datatype != datatype || target_count != count ||
      datatype != last_layout.datatype || !buffer || count < 0 || disp < 0 ||
      __builtin_mul_overflow((size_t)count, last_layout.piece_bytes, &bytes) || bytes == 0 ||
      __builtin_mul_overflow(disp, target->unit, &at) || target->bytes < bytes || (size_t)at > target->bytes - bytes)
    return false;
  char *there = displaced(target->base, at);
  copy_whole(writes ? there : (char *)(uintptr_t)buffer, writes ? buffer : there, bytes);
  return true;
}

/* What a request stands for is done when that is complete, with no end of an epoch: a get, and the program may use the
 * buffer of a put. */
enum transfer { PUT, PUT_NOW, GET, GET_NOW };

/* Entered already. */
static inline enum outcome transfer(const void *buffer, MPI_Count count, MPI_Datatype datatype, int rank, MPI_Aint disp,
                                    MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                                    enum transfer what) {
  struct window *window = window_find(win);
  struct part remote;
  const bool writes = what == PUT || what == PUT_NOW;
  if (!window)
    return OUTCOME_BY_MPI;
  if (UNLIKELY(!is_member(window, rank)))
    return rank == MPI_PROC_NULL && window->is_ours ? OUTCOME_HERE : OUTCOME_BY_MPI;
  const struct target *target = &window->targets[rank];
  if (!is_accessible(window, target))
    return OUTCOME_BY_MPI;
  kept_words_finish(window);
  struct layout *layout = layout_find(datatype);
  if (target_datatype == datatype && target_count == count &&
      transfer_piece(buffer, count, layout, target, disp, writes))
    return OUTCOME_HERE;
  struct layout *target_layout = target_datatype == datatype ? layout : layout_find(target_datatype);
  if (UNLIKELY(!part_is_valid(buffer, count, layout) || !target_layout || target_count < 0 || disp < 0 ||
               (size_t)count * layout->size != (size_t)target_count * target_layout->size))
    return outcome_elsewhere(window);
  enum outcome outcome = find_remote(target, disp, target_count, target_layout, &remote);
  if (UNLIKELY(outcome != OUTCOME_HERE))
    return outcome;
  struct part local = part_of(buffer, (size_t)count, layout);
  bool is_kept = target->reach == REACH_BY_KERNEL && local.bytes && what != GET_NOW &&
                 ((writes && handed_keep(window, rank, &remote, &local)) ||
                  deferred_keep(window, rank, &remote, &local, writes, what != PUT_NOW));
  bool done = is_kept || local.bytes == 0 || copy_now(window, rank, &remote, &local, writes);
  part_release(&local);
  part_release(&remote);
  return done ? OUTCOME_HERE : outcome_elsewhere(window);
}

#define COUNTED "onesided/transfers_calls.h"
#include "point_to_point/counted.h"

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compare and swap, which is an accumulate (accumulates.c) of one element.
 */
#include "mpishm.h"
#include "next/next.h"
#include "onesided/open_words.h"
#include "watch/enter.h"

/* Whether MPI_Compare_and_swap takes them, of what C has: integers, bytes, logical values. */
static bool can_swap(MPI_Datatype datatype) {
  return elements_can_combine(MPI_BXOR, datatype) || elements_can_combine(MPI_LXOR, datatype);
}

struct swap {
  const void *origin, *compare;
  void *result;
  MPI_Datatype datatype;
  MPI_Aint disp;
};

static inline void swap_in_place(char *there, const struct swap *what, size_t bytes) {
  uint64_t found = 0, compared = 0;
  copy_whole(&found, there, bytes);
  copy_whole(&compared, what->compare, bytes);
  if (found == compared)
    copy_whole(there, what->origin, bytes);
  copy_whole(what->result, &found, bytes);
}

static inline void swap_atomically(char *there, const struct swap *what, size_t bytes) {
  uint64_t found = 0;
  copy_whole(&found, what->compare, bytes);
  word_swap(there, &found, what->origin, bytes);
  copy_whole(what->result, &found, bytes);
}

static inline void swap_word(struct window *window, const struct target *target, char *there, const struct swap *what,
                             size_t bytes) {
  uint32_t before = 0;
  bool is_open = begin_words(window, target, &before);
  is_open ? swap_atomically(there, what, bytes) : swap_in_place(there, what, bytes);
  end_words(window, target, is_open, before);
}

/* False: the kernel has refused. */
static bool swap_by_copies(const struct target *target, const struct part *remote, const struct swap *what) {
  uint64_t found = 0;
  struct part copy = part_of(&found, 1, remote->layout), origin = part_of(what->origin, 1, remote->layout);
  bool done = remote_read(target, remote, &copy);
  if (done && memcmp(&found, what->compare, remote->bytes) == 0)
    done = remote_write(target, remote, &origin);
  if (done)
    copy_whole(what->result, &found, remote->bytes);
  return done;
}

/* What was swapped last; 0 bytes: nothing. */
static struct {
  MPI_Datatype datatype;
  size_t bytes;
} last_swapped;

/* Its layout; NULL: it is MPI's to do, or to refuse. */
static struct layout *swapped_layout(const struct swap *what) {
  struct layout *layout = can_swap(what->datatype) ? layout_find(what->datatype) : NULL;
  bool valid =
      layout && layout->size <= sizeof(uint64_t) && what->disp >= 0 && what->origin && what->compare && what->result;
  if (!valid)
    return NULL;
  last_swapped.datatype = what->datatype;
  last_swapped.bytes = layout->size;
  return layout;
}

/* With the latch, which is still held where the outcome says so; of what is no word. */
static enum outcome swap_held(const struct target *target, struct layout *layout, const struct swap *what) {
  struct part remote;
  if (!layout)
    return OUTCOME_IN_LATCH;
  enum outcome outcome = find_remote(target, what->disp, 1, layout, &remote);
  return outcome == OUTCOME_HERE && !swap_by_copies(target, &remote, what) ? OUTCOME_IN_LATCH : outcome;
}

static enum outcome compare_and_swap(const struct swap *what, int rank, MPI_Win win) {
  struct window *window;
  enum outcome outcome;
  const struct target *target = accumulated_target(win, rank, &window, &outcome);
  if (!target)
    return outcome;
  struct layout *layout = swapped_layout(what);
  char *there = layout && target->reach == REACH_BY_LOADS ? word_at(target, what->disp, layout->size) : NULL;
  if (there) {
    swap_word(window, target, there, what, layout->size);
    return OUTCOME_HERE;
  }
  take_latch(window, target);
  return end_with_latch(window, target, swap_held(target, layout, what));
}

/* As transfer_at_once. False: nothing is done. */
static inline bool swap_at_once(const struct swap *what, int rank, MPI_Win win) {
  struct window *window = target_at_once(win, rank);
  if (!window || window->kept.count || what->datatype != last_swapped.datatype || last_swapped.bytes == 0 ||
      !what->origin || !what->compare || !what->result)
    return false;
  const struct target *target = &window->targets[rank];
  char *there = word_at(target, what->disp, last_swapped.bytes);
  if (!there)
    return false;
  swap_word(window, target, there, what, last_swapped.bytes);
  return true;
}

static NOINLINE int compare_and_swap_any(const void *origin_addr, const void *compare_addr, void *result_addr,
                                         MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) {
  struct swap what = {origin_addr, compare_addr, result_addr, datatype, target_disp};
  runtime_enter_come(CALL_COMPARE_AND_SWAP, 0, NULL);
  OPERATE_ENTERED(
      compare_and_swap(&what, target_rank, win),
      mpi_first.Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win));
  return error;
}

int MPISHM_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                            int target_rank, MPI_Aint target_disp, MPI_Win win) {
  const struct swap what = {origin_addr, compare_addr, result_addr, datatype, target_disp};
  if (swap_at_once(&what, target_rank, win))
    return MPI_SUCCESS;
  runtime_come();
  return compare_and_swap_any(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win);
}

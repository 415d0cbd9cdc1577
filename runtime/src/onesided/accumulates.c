/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: accumulates, in windows that are ours. Each holds its target's latch from the first load to the last
 * store, so that every one of them is atomic to all others, of whatever size and datatype. In other windows all of them
 * are MPI's: those of MPI libraries hold a lock of their own.
 */
#include "collectives/reductions.h"
#include "mpishm.h"
#include "next/next.h"
#include "onesided/deferred.h"
#include "onesided/elements.h"
#include "watch/enter.h"

#include <stdlib.h>

/* Arguments that name elements of the origin's. */
struct operand {
  const void *buffer;
  MPI_Count count;
  MPI_Datatype datatype;
};

struct accumulate {
  struct operand origin;
  struct operand result; /* a null handle for the datatype: there is none */
  int rank;
  MPI_Aint disp;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Op op;
};

/* ---- With the latch. ---- */

/* What an operation works on: parts of as many bytes. */
struct accumulated {
  struct part remote, origin, result; /* the last two: none where they are not asked for */
  bool has_origin, has_result;
  MPI_Datatype elements; /* of what is combined */
};

/* False: this is not for here. */
static bool find_operand(const struct operand *operand, size_t bytes, struct part *part) {
  struct layout *layout = layout_find(operand->datatype);
  if (!part_is_valid(operand->buffer, operand->count, layout) || (size_t)operand->count * layout->size != bytes)
    return false;
  *part = part_of(operand->buffer, (size_t)operand->count, layout);
  return true;
}

static bool combines(MPI_Op op) { return op != MPI_REPLACE && op != MPI_NO_OP; }

/* The predefined datatype of what an operation combines. False: it is MPI's to do, or to refuse. */
static bool find_elements(const struct accumulate *what, MPI_Datatype *elements) {
  *elements = what->datatype;
  if (what->origin.datatype == what->datatype && elements_can_combine(what->op, what->datatype))
    return true;
  *elements = elements_of(what->datatype);
  return *elements != MPI_DATATYPE_NULL && elements_of(what->origin.datatype) == *elements &&
         elements_can_combine(what->op, *elements);
}

static struct part bytes_part(void *memory, size_t bytes) { return part_of(memory, bytes, layout_find(MPI_BYTE)); }

/* Packed elements, made those of an array and back, where elements have holes. */
static bool combine_with_holes(const struct layout *layout, MPI_Op op, MPI_Datatype elements, void *into,
                               const void *from, size_t bytes) {
  size_t count = bytes / layout->size, room = count * (size_t)layout->extent;
  char *arrays = calloc(2, room);
  if (!arrays)
    return false;
  layout_unpack(layout, arrays, 0, into, bytes);
  layout_unpack(layout, arrays + room, 0, from, bytes);
  elements_combine(op, elements, arrays, arrays + room, count);
  layout_pack(layout, arrays, 0, into, bytes);
  free(arrays);
  return true;
}

/* By a copy of what is there, where the target's elements are not in one piece of memory of this process. False: there
 * is no memory, or the kernel has refused. */
static bool combine_copies(const struct target *target, const struct accumulated *operands, MPI_Op op) {
  const struct layout *layout = layout_find(operands->elements);
  size_t bytes = operands->remote.bytes;
  char *there = malloc(2 * bytes);
  if (!there)
    return false;
  char *mine = there + bytes;
  struct part copy = bytes_part(there, bytes);
  bool done = remote_read(target, &operands->remote, &copy);
  if (done) {
    part_pack(&operands->origin, mine);
    if (operands->has_result)
      part_unpack(&operands->result, there, bytes);
    if (layout->contiguous)
      elements_combine(op, operands->elements, there, mine, bytes / layout->size);
    else
      done = combine_with_holes(layout, op, operands->elements, there, mine, bytes);
    done = done && remote_write(target, &operands->remote, &copy);
  }
  free(there);
  return done;
}

static bool apply(const struct target *target, const struct accumulated *operands, MPI_Op op) {
  if (operands->remote.bytes == 0)
    return true;
  const struct part *remote = &operands->remote, *origin = &operands->origin;
  bool in_place = target->reach == REACH_BY_LOADS && remote->piece && origin->piece;
  if (combines(op) && !in_place)
    return combine_copies(target, operands, op);
  if (operands->has_result && !remote_read(target, remote, &operands->result))
    return false;
  if (op == MPI_REPLACE)
    return remote_write(target, remote, origin);
  if (op != MPI_NO_OP)
    elements_combine(op, operands->elements, remote->piece, origin->piece,
                     remote->bytes / layout_find(operands->elements)->size);
  return true;
}

/* Where an element lies that one load reads, of a target that is reached so. NULL: not there. */
static char *element_at(const struct target *target, MPI_Aint disp, size_t bytes) {
  MPI_Aint at;
  if (target->reach != REACH_BY_LOADS || __builtin_mul_overflow(disp, target->unit, &at) || at < 0 ||
      target->bytes < bytes || (size_t)at > target->bytes - bytes)
    return NULL;
  return displaced(target->base, at);
}

static bool is_one_element(const struct operand *operand, MPI_Datatype datatype) {
  return operand->buffer && operand->count == 1 && operand->datatype == datatype;
}

/* One element of a datatype that a reduction of ours knows, which has no holes: counters, random updates. False:
 * nothing is done. */
static bool accumulate_one(const struct target *target, const struct accumulate *what) {
  bool fetches = what->result.datatype != MPI_DATATYPE_NULL;
  const struct reduction *reduction = reduction_find(what->op, what->datatype);
  uint64_t kept;
  if (!reduction || reduction->bytes > sizeof kept || what->count != 1 ||
      !is_one_element(&what->origin, what->datatype) || (fetches && !is_one_element(&what->result, what->datatype)))
    return false;
  char *there = element_at(target, what->disp, reduction->bytes);
  if (!there)
    return false;
  if (fetches)
    copy_whole((void *)what->result.buffer, there, reduction->bytes);
  copy_whole(&kept, there, reduction->bytes);
  if (reduction->combine(there, what->origin.buffer, 1)) { /* doubtful: once more, by whom the library has for it */
    copy_whole(there, &kept, reduction->bytes);
    elements_combine(what->op, what->datatype, there, what->origin.buffer, 1);
  }
  return true;
}

/* With the latch, which is still held where the outcome says so. */
static enum outcome accumulate_held(const struct target *target, const struct accumulate *what) {
  if (accumulate_one(target, what))
    return OUTCOME_HERE;
  struct accumulated operands = {.has_origin = what->op != MPI_NO_OP,
                                 .has_result = what->result.datatype != MPI_DATATYPE_NULL};
  struct layout *layout = layout_find(what->datatype);
  if (!layout || what->count < 0 || what->disp < 0 ||
      (combines(what->op) && !find_elements(what, &operands.elements)) ||
      (what->op == MPI_NO_OP && !operands.has_result))
    return OUTCOME_IN_LATCH;
  size_t bytes = (size_t)what->count * layout->size;
  if (operands.has_origin && !find_operand(&what->origin, bytes, &operands.origin))
    return OUTCOME_IN_LATCH;
  bool valid = !operands.has_result || find_operand(&what->result, bytes, &operands.result);
  enum outcome outcome = OUTCOME_IN_LATCH;
  if (valid) {
    outcome = find_remote(target, what->disp, what->count, layout, &operands.remote);
    if (outcome == OUTCOME_HERE) {
      outcome = apply(target, &operands, what->op) ? OUTCOME_HERE : OUTCOME_IN_LATCH;
      part_release(&operands.remote);
    }
    if (operands.has_result)
      part_release(&operands.result);
  }
  if (operands.has_origin)
    part_release(&operands.origin);
  return outcome;
}

/* ---- Entered. ---- */

/* The target of an accumulate that is done here; else NULL, and what becomes of it. */
static struct target *latched_target(MPI_Win win, int rank, struct window **window, enum outcome *outcome) {
  *outcome = OUTCOME_BY_MPI;
  *window = window_find(win);
  if (!*window || !(*window)->is_ours)
    return NULL;
  if (UNLIKELY(!is_member(*window, rank))) {
    *outcome = rank == MPI_PROC_NULL ? OUTCOME_HERE : OUTCOME_BY_MPI;
    return NULL;
  }
  struct target *target = &(*window)->targets[rank];
  if (!is_accessible(*window, target))
    return NULL;
  deferred_finish_for(*window, rank);
  struct waiter waiter = {0};
  while (!latch_take(&(*window)->epochs.members[target->place]))
    window_pause(&waiter, *window, target->place);
  return target;
}

static enum outcome accumulate(const struct accumulate *what, MPI_Win win) {
  struct window *window;
  enum outcome outcome;
  const struct target *target = latched_target(win, what->rank, &window, &outcome);
  if (!target)
    return outcome;
  outcome = accumulate_held(target, what);
  if (outcome != OUTCOME_IN_LATCH)
    latch_give_back(&window->epochs.members[target->place]);
  return outcome;
}

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

static void swap_in_place(char *there, const struct swap *what, size_t bytes) {
  uint64_t found = 0, compared = 0;
  copy_whole(&found, there, bytes);
  copy_whole(&compared, what->compare, bytes);
  if (found == compared)
    copy_whole(there, what->origin, bytes);
  copy_whole(what->result, &found, bytes);
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

/* With the latch, which is still held where the outcome says so. */
static enum outcome swap_held(const struct target *target, const struct swap *what) {
  struct layout *layout = can_swap(what->datatype) ? layout_find(what->datatype) : NULL;
  struct part remote;
  if (!layout || layout->size > sizeof(uint64_t) || what->disp < 0 || !what->origin || !what->compare || !what->result)
    return OUTCOME_IN_LATCH;
  char *there = element_at(target, what->disp, layout->size);
  if (there) {
    swap_in_place(there, what, layout->size);
    return OUTCOME_HERE;
  }
  enum outcome outcome = find_remote(target, what->disp, 1, layout, &remote);
  return outcome == OUTCOME_HERE && !swap_by_copies(target, &remote, what) ? OUTCOME_IN_LATCH : outcome;
}

static enum outcome compare_and_swap(const struct swap *what, int rank, MPI_Win win) {
  struct window *window;
  enum outcome outcome;
  const struct target *target = latched_target(win, rank, &window, &outcome);
  if (!target)
    return outcome;
  outcome = swap_held(target, what);
  if (outcome != OUTCOME_IN_LATCH)
    latch_give_back(&window->epochs.members[target->place]);
  return outcome;
}

/* ---- Entry points. ---- */

static const struct operand no_operand = {NULL, 0, MPI_DATATYPE_NULL};

#define COUNTED "onesided/accumulates_calls.h"
#include "point_to_point/counted.h"

int MPISHM_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                        MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  struct accumulate what = {
      {origin_addr, 1, datatype}, {result_addr, 1, datatype}, target_rank, target_disp, 1, datatype, op};
  OPERATE(CALL_FETCH_AND_OP, accumulate(&what, win),
          mpi_first.Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win));
  return error;
}

int MPISHM_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                            int target_rank, MPI_Aint target_disp, MPI_Win win) {
  struct swap what = {origin_addr, compare_addr, result_addr, datatype, target_disp};
  OPERATE(CALL_COMPARE_AND_SWAP, compare_and_swap(&what, target_rank, win),
          mpi_first.Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win));
  return error;
}

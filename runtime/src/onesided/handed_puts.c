/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Short puts into private memory, in epochs that their targets have to end as well, by MPISHM_Win_fence or
 * MPISHM_Win_wait: their data lie in the origin's segment, and the target brings them to their places in that call.
 * Nobody waits more for that: the origin is through when it has said so, and where a target of the last epoch may still
 * read what it has handed, the next puts are the kernel's.
 */
#include "channel/segment.h"
#include "onesided/deferred.h"

enum {
  HANDED_PUTS_BYTES = 5 << 9, /* of all: of more, the kernel's one copy is not dearer than two */
  HANDED_PUT_BYTES = 1 << 10, /* of one */
  HANDED_PUTS_REST = 31       /* epochs, after one that had more */
};
#define HANDED_TO_NOBODY UINT32_MAX

/* w: the origin, before epochs_pair.handed, or before it comes to the fence. r: its targets, after that, until they say
 * that they are through, or come to the fence's second barrier. */
struct handed_piece {
  uint32_t rank;  /* of the target, in the window; HANDED_TO_NOBODY: it has been done otherwise */
  uint32_t bytes; /* that follow */
  uint64_t at;    /* in the target's part of the window */
};

/* In the origin's segment. */
struct handed_pieces {
  /* What is handed by a fence, up to where. w: the origin, before its flags of the fence's first barrier, and 0 after
   * the second. r: the others, between these. */
  uint32_t fenced;
  /* Struct handed_piece and its bytes, one after the other. */
  _Alignas(struct handed_piece) unsigned char pieces[HANDED_PUTS_BYTES];
};

static uint32_t end_of_piece(uint32_t start, size_t bytes) {
  const size_t aligned = (bytes + _Alignof(struct handed_piece) - 1) / _Alignof(struct handed_piece);
  return start + (uint32_t)(sizeof(struct handed_piece) + aligned * _Alignof(struct handed_piece));
}
static struct handed_piece *piece_at(const struct handed *handed, uint32_t start) {
  return (struct handed_piece *)(handed->shared->pieces + start);
}

static unsigned place_of_piece(const struct window *window, const struct handed_piece *piece) {
  return (unsigned)window->targets[piece->rank].place;
}

/* Whether the targets of the last epoch are through: `last` is still where that one's last piece begins. */
static bool is_brought(const struct window *window, struct handed *handed) {
  for (uint32_t start = 0; handed->is_out && start <= handed->last;) {
    const struct handed_piece *piece = piece_at(handed, start);
    if (piece->rank != HANDED_TO_NOBODY && !handed_is_read(&window->epochs, place_of_piece(window, piece)))
      return false;
    start = end_of_piece(start, piece->bytes);
  }
  handed->is_out = false;
  return true;
}

static bool has_memory(const struct window *window, struct handed *handed) {
  if (!handed->shared && !handed->has_none) {
    handed->shared = window_memory_take(sizeof *handed->shared);
    handed->has_none = !handed->shared;
    if (handed->shared) {
      handed->shared->fenced = 0;
      window->epochs.members[window->epochs.seat.place].handed = offset_of(mpishm.segment, handed->shared);
    }
  }
  return !handed->has_none;
}

/* The targets of such an epoch end it as well. */
static bool is_in_common_epoch(const struct window *window, const struct target *target) {
  return !is_locked(window, target) && (window->is_started ? target->access & ACCESS_STARTED : window->fenced);
}

/* Where its bytes go; NULL: there is no room. What follows the last piece there is one with it. */
static char *begin_piece(struct handed *handed, uint32_t rank, uint64_t at, size_t bytes) {
  struct handed_piece *last = handed->used ? piece_at(handed, handed->last) : NULL;
  const bool goes_on = last && last->rank == rank && last->at + last->bytes == at;
  const uint32_t start = goes_on ? handed->last : handed->used;
  const size_t before = goes_on ? last->bytes : 0;
  if (end_of_piece(start, before + bytes) > HANDED_PUTS_BYTES)
    return NULL;
  if (!goes_on)
    *piece_at(handed, start) = (struct handed_piece){rank, 0, at};
  piece_at(handed, start)->bytes += (uint32_t)bytes;
  handed->last = start;
  handed->used = end_of_piece(start, before + bytes);
  return (char *)(piece_at(handed, start) + 1) + before;
}

bool handed_keep(struct window *window, int rank, const struct part *remote, const struct part *local) {
  struct deferred *deferred = window->deferred;
  const struct target *target = &window->targets[rank];
  if (!deferred || mpishm.threaded || deferred->handed.rests || !remote->piece || local->bytes > HANDED_PUT_BYTES ||
      !is_in_common_epoch(window, target) || (deferred->batch.count && deferred->rank == rank) ||
      !has_memory(window, &deferred->handed) || !is_brought(window, &deferred->handed))
    return false;
  char *here = begin_piece(&deferred->handed, (uint32_t)rank, (uint64_t)(remote->piece - target->base), local->bytes);
  if (here)
    part_pack(local, here);
  else
    deferred->handed.rests = HANDED_PUTS_REST;
  return here != NULL;
}

void handed_do(struct window *window, int rank) {
  struct handed *handed = &window->deferred->handed;
  bool is_empty = true;
  for (uint32_t start = 0; start < handed->used;) {
    struct handed_piece *piece = piece_at(handed, start);
    const int to = (int)piece->rank;
    start = end_of_piece(start, piece->bytes);
    if (piece->rank != HANDED_TO_NOBODY && (rank == HANDED_TO_ALL || to == rank)) {
      deferred_keep_copy(window, to, piece + 1, displaced(window->targets[to].base, (MPI_Aint)piece->at), piece->bytes);
      piece->rank = HANDED_TO_NOBODY;
    }
    is_empty = is_empty && piece->rank == HANDED_TO_NOBODY;
  }
  if (is_empty)
    handed->used = 0;
}

/* What this epoch has is out. False: it has nothing. */
static bool give_out(struct handed *handed) {
  if (handed->rests)
    handed->rests--;
  if (!handed->used)
    return false;
  handed->used = 0;
  handed->is_out = true;
  return true;
}

void handed_complete(struct window *window) {
  struct handed *handed = &window->deferred->handed;
  for (uint32_t start = 0; start < handed->used;) {
    const struct handed_piece *piece = piece_at(handed, start);
    if (piece->rank != HANDED_TO_NOBODY)
      exposure_hand(&window->epochs, place_of_piece(window, piece), handed->used);
    start = end_of_piece(start, piece->bytes);
  }
  give_out(handed);
}

bool handed_fence(struct window *window) {
  struct handed *handed = &window->deferred->handed;
  if (handed->used)
    handed->shared->fenced = handed->used;
  return give_out(handed);
}

void handed_is_fenced(struct window *window) {
  struct handed *handed = &window->deferred->handed;
  if (handed->shared)
    handed->shared->fenced = 0;
  handed->is_out = false;
}

/* To their places, up to there. */
static void bring(const struct window *window, struct handed_pieces *shared, uint32_t end) {
  const struct handed theirs = {.shared = shared};
  char *base = window->targets[window->rank].base;
  for (uint32_t line = LINE; line < end; line += LINE)
    __builtin_prefetch(shared->pieces + line);
  for (uint32_t start = 0; start < end;) {
    const struct handed_piece *piece = piece_at(&theirs, start);
    if (piece->rank == (uint32_t)window->rank)
      copy_whole(displaced(base, (MPI_Aint)piece->at), piece + 1, piece->bytes);
    start = end_of_piece(start, piece->bytes);
  }
}

static struct handed_pieces *shared_of(const struct window *window, int place) {
  const uint64_t offset = window->epochs.members[place].handed;
  return offset ? at_offset(mpishm.endpoints[window->node_ranks[place]].segment, offset) : NULL;
}

void handed_bring_completed(struct window *window, int place) {
  const uint32_t end = exposure_handed(&window->epochs, (unsigned)place);
  if (!end)
    return;
  bring(window, shared_of(window, place), end);
  exposure_is_brought(&window->epochs, (unsigned)place);
}

void handed_bring_fenced(struct window *window) {
  for (int place = 0; place < window->local_count; place++) {
    struct handed_pieces *shared = place == window->targets[window->rank].place ? NULL : shared_of(window, place);
    if (shared)
      bring(window, shared, shared->fenced);
  }
}

void handed_free(struct window *window) {
  if (window->deferred && window->deferred->handed.shared) {
    window_memory_give_back(window->deferred->handed.shared, sizeof(struct handed_pieces));
    window->deferred->handed = (struct handed){.has_none = true};
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What generated programs with windows share: how long each rank's part is, and where each operation's data lies in it.
 * All of it is computed alike by all ranks.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include "parts.h"

/* A window's parts. What operations use of each comes after `lead_of` bytes. */
struct shape {
  MPI_Aint used; /* bytes, a multiple of 16 */
  int unit;      /* of displacements */
  int uneven;    /* units and lengths differ by rank */
  int some;      /* odd ranks have no memory */
};

/* Of an operation: in every part one piece for each origin, or one for all. Each begins at a multiple of 16 bytes. */
struct region {
  MPI_Aint start, room; /* of a piece */
  MPI_Aint shift;       /* of its first element */
  int is_common;
};

static inline int unit_of(const struct shape *shape, int rank) {
  return shape->uneven ? 1 << (rank + shape->unit) % 5 : shape->unit;
}

static inline MPI_Aint lead_of(const struct shape *shape, int rank) { return shape->uneven ? 16 * (rank % 3) : 0; }

static inline int has_memory(const struct shape *shape, int rank) { return !shape->some || rank % 2 == 0; }

static inline MPI_Aint bytes_of(const struct shape *shape, int rank) {
  return has_memory(shape, rank) ? lead_of(shape, rank) + shape->used + (shape->uneven ? 32 * (rank % 2) : 0) : 0;
}

/* Whom an operation is for, where that rank has no memory. */
static inline int with_memory(const struct shape *shape, int rank) {
  return rank < 0 || has_memory(shape, rank) ? rank : rank - 1;
}

static inline MPI_Aint in_sixteens(MPI_Aint bytes) { return (bytes + 15) / 16 * 16; }

/* Room for so many elements of each origin behind what the window has so far. */
static inline struct region next_region(struct shape *shape, MPI_Datatype type, int count, int is_common, int size) {
  struct region made;
  MPI_Aint lower, extent, low, span;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &low, &span);
  made.start = shape->used;
  made.shift = in_sixteens(low < 0 ? -low : 0);
  made.room = in_sixteens(made.shift + (low > 0 ? low : 0) + span + (count > 0 ? count - 1 : 0) * extent + 8);
  made.is_common = is_common;
  shape->used += made.room * (is_common ? 1 : size);
  return made;
}

static inline MPI_Aint bytes_in(const struct region *region, int size) {
  return region->room * (region->is_common ? 1 : size);
}

/* The displacement of an origin's elements. */
static inline MPI_Aint place_of(const struct shape *shape, const struct region *region, int origin, int target) {
  MPI_Aint before = region->is_common ? 0 : origin * region->room;
  return target < 0 ? 0 : (lead_of(shape, target) + region->start + before + region->shift) / unit_of(shape, target);
}

/* A buffer for each target; the second one is `stride` bytes after the first. */
struct buffers {
  char *base, *at;
  size_t bytes, stride;
};

static inline struct buffers make_buffers(MPI_Datatype type, int count, int copies) {
  struct buffers made;
  struct buffer one = make_buffer(type, count);
  made.stride = (size_t)in_sixteens((MPI_Aint)one.bytes + 16);
  made.bytes = made.stride * copies;
  made.base = (char *)realloc(one.base, made.bytes);
  made.at = made.base + (one.at - one.base);
  return made;
}

/* Numbers that differ by place and seed, from 0 to `most`, of which each is so much. */
#define FILL_NUMBERS(type, where, length, seed, most, each)                                                            \
  do {                                                                                                                 \
    size_t number;                                                                                                     \
    for (number = 0; number < (size_t)(length) / sizeof(type); number++)                                               \
      ((type *)(where))[number] = (type)((number * 7 + (size_t)(seed)) % ((most) + 1) * (each));                       \
  } while (0)

#endif

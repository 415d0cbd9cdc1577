/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arguments that say what a call has for each member, or is to get from each.
 */
#ifndef MPISHM_SIDES_H
#define MPISHM_SIDES_H

#include "members/parts.h"
#include "members/trials.h"

/* The send or the receive arguments of a call. */
struct side {
  enum { SAME, COUNTS, DATATYPES } form;
  bool is_large, has_addresses;
  const void *buffer;
  MPI_Count count;           /* SAME: for each member; else, for the i-th: */
  const void *counts;        /* int, or with is_large MPI_Count */
  const void *displacements; /* int, or with is_large or has_addresses MPI_Aint */
  MPI_Datatype datatype;
  const MPI_Datatype *datatypes; /* DATATYPES: of the i-th, and displacements are bytes */
};

static inline struct side side_same(const void *buffer, MPI_Count count, MPI_Datatype datatype) {
  return (struct side){SAME, .buffer = buffer, .count = count, .datatype = datatype};
}
static inline struct side side_counts(bool is_large, const void *buffer, const void *counts, const void *displacements,
                                      MPI_Datatype datatype) {
  return (struct side){
      COUNTS, is_large, .buffer = buffer, .counts = counts, .displacements = displacements, .datatype = datatype};
}
static inline struct side side_datatypes(bool is_large, bool has_addresses, const void *buffer, const void *counts,
                                         const void *displacements, const MPI_Datatype datatypes[]) {
  return (struct side){DATATYPES,
                       is_large,
                       has_addresses,
                       .buffer = buffer,
                       .counts = counts,
                       .displacements = displacements,
                       .datatypes = datatypes};
}

/* Whether no argument is missing, for parts of so many members. */
static inline bool side_is_whole(const struct side *side, unsigned count) {
  return side->buffer != MPI_IN_PLACE &&
         (count == 0 || side->form == SAME ||
          (side->counts && side->displacements && (side->form != DATATYPES || side->datatypes)));
}

static inline MPI_Count count_of(const struct side *side, unsigned i) {
  if (side->form == SAME)
    return side->count;
  return side->is_large ? ((const MPI_Count *)side->counts)[i] : ((const int *)side->counts)[i];
}
static inline MPI_Aint displacement_of(const struct side *side, unsigned i) {
  if (side->form == SAME)
    return (MPI_Aint)i * (MPI_Aint)side->count;
  return side->is_large || side->has_addresses ? ((const MPI_Aint *)side->displacements)[i]
                                               : ((const int *)side->displacements)[i];
}

/* The part that is the i-th member's. False: MPI would refuse it. */
static inline bool find_part(const struct side *side, unsigned i, struct part *part) {
  struct layout *layout = layout_find(side->form == DATATYPES ? side->datatypes[i] : side->datatype);
  MPI_Count count = count_of(side, i);
  if (!part_is_valid(side->buffer, count, layout))
    return false;
  MPI_Aint unit = side->form == DATATYPES ? 1 : layout->extent;
  *part = part_of(displaced(side->buffer, displacement_of(side, i) * unit), (size_t)count, layout);
  return true;
}

/* Whether every library refuses one of the first `parts` parts, and before the other members hear of the call: a count
 * below zero, or elements of no type. Else they have to hear of what is MPI's to refuse: it might not. */
static inline bool side_is_wrong(const struct side *side, unsigned parts) {
  if (side->buffer == MPI_IN_PLACE || !side_is_whole(side, parts))
    return false;
  for (unsigned i = 0; i < (side->form == SAME && parts ? 1 : parts); i++) {
    MPI_Datatype datatype = side->form == DATATYPES ? side->datatypes[i] : side->datatype;
    if (count_of(side, i) < 0 || (count_of(side, i) > 0 && datatype == MPI_DATATYPE_NULL))
      return true;
  }
  return false;
}
/* The same of either side: such a call is not begun. */
static inline bool are_wrong(const struct side *send, unsigned sent, const struct side *receive, unsigned received) {
  return side_is_wrong(send, sent) || side_is_wrong(receive, received);
}

static inline void release_parts(const struct part parts[], unsigned count) {
  for (unsigned i = 0; i < count; i++)
    part_release(&parts[i]);
}

/* The parts that go with these members, or one for all of them. False: MPI is to refuse the call, and nothing is held.
 */
static inline bool find_parts_with(const struct side *side, bool to_all, const unsigned members[], unsigned count,
                                   struct part parts[]) {
  if (!side_is_whole(side, count))
    return false;
  for (unsigned i = 0; i < count; i++) {
    parts[i] = (struct part){.piece = ""};
    if (members[i] != NOBODY && !find_part(side, to_all ? 0 : i, &parts[i])) {
      release_parts(parts, i);
      return false;
    }
  }
  return true;
}
/* The same of all members. */
static inline bool find_parts(const struct side *side, struct part parts[], unsigned count) {
  if (!side_is_whole(side, count))
    return false;
  for (unsigned i = 0; i < count; i++)
    if (UNLIKELY(!find_part(side, i, &parts[i]))) {
      release_parts(parts, i);
      return false;
    }
  return true;
}

/* How much a call has for each member, or from each. False: MPI would refuse it. */
static inline bool side_bytes(const struct side *side, size_t *bytes) {
  const struct layout *layout = layout_find(side->datatype);
  if (!layout || side->count < 0)
    return false;
  *bytes = (size_t)side->count * layout->size;
  return true;
}

/* trial_leaves, of a call that has so much. */
static inline bool side_is_left(struct communicator *communicator, enum tried tried, const struct side *side) {
  size_t bytes;
  if (tried == NOT_TRIED)
    return false;
  return side_bytes(side, &bytes) ? trial_leaves(communicator, tried, bytes) : trial_may_leave(communicator, tried);
}

#endif

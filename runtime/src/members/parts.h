/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Data of collectives: how a member gives others parts of its memory, and takes parts of theirs.
 *
 * What is small goes through the slot. Of what is not, the slot says where it lies: in the window, which the others
 * read, be it the program's buffer, in one piece or scattered as a layout says, or a copy that was staged there; or in
 * private memory, which the kernel reads for them. Whose memory others read has to wait for them: for one root, until
 * all are done; else in a barrier, which also tells all whether the kernel has refused one of them. Then, and where a
 * member had no room to stage its data in, the collective is MPI's after all, for all members, which all have seen
 * that.
 */
#ifndef MPISHM_PARTS_H
#define MPISHM_PARTS_H

#include "base/copy.h"
#include "layouts/layout.h"
#include "members/members.h"

/* Elements of the program's in memory. */
struct part {
  char *piece; /* where they lie in one piece; NULL: they are scattered */
  void *buffer;
  size_t count, bytes;
  struct layout *layout; /* held, where they are scattered */
};

static inline struct part part_of(const void *buffer, size_t count, struct layout *layout) {
  struct part part = {NULL, (void *)buffer, count, count * layout->size, layout};
  char *start;
  if (layout_piece(layout, count, buffer, &start))
    part.piece = start ? start : ""; /* of nothing the buffer may be a null pointer */
  else
    layout_retain(layout); /* another thread may free the datatype */
  return part;
}
static inline void part_release(const struct part *part) {
  if (!part->piece)
    layout_release(part->layout);
}
/* Copies all of it out, or the first `bytes` bytes in. */
static inline void part_pack(const struct part *part, void *to) {
  if (part->piece)
    copy_bytes(to, part->piece, part->bytes);
  else if (part->bytes)
    layout_pack(part->layout, part->buffer, 0, to, part->bytes);
}
static inline void part_unpack(const struct part *part, const void *from, size_t bytes) {
  if (part->piece)
    copy_bytes(part->piece, from, bytes);
  else if (bytes)
    layout_unpack(part->layout, part->buffer, 0, from, bytes);
}
/* From one part into another of the same process, which do not overlap. False: the first is longer, and was cut. */
bool part_copy(const struct part *to, const struct part *from);

/* Whether arguments are such as MPI would not refuse. */
static inline bool part_is_valid(const void *buffer, MPI_Count count, const struct layout *layout) {
  return layout && count >= 0 && (buffer || count == 0 || layout->size == 0 || layout_takes_null(layout));
}

/* What a slot holds. */
enum slot_kind {
  SLOT_DATA,   /* the parts themselves */
  SLOT_PLACES, /* where they lie; nothing of it private */
  SLOT_PRIVATE_PLACES,
  SLOT_PARCEL, /* nothing: the root's comes as one (parcels.h), of two members */
  SLOT_BY_MPI  /* the collective is MPI's */
};

/* Of a part in a slot: which part is whose both sides know. */
struct part_place {
  uint64_t at;    /* DATA: in the payload; else in the member's segment, or with PLACE_IS_PRIVATE in its process */
  uint64_t bytes; /* of the part */
};
#define PLACE_IS_PRIVATE (UINT64_C(1) << 63)
#define PLACE_IS_PARCEL (UINT64_C(1) << 62) /* nowhere: it comes as one (parcels.h) */
/* It is scattered, in the window: there a struct described_layout says how; or, with PLACE_IS_IN_SLOT, at that place of
 * the payload. Its base is an offset in the member's segment. */
#define PLACE_IS_DESCRIBED (UINT64_C(1) << 61)
#define PLACE_IS_IN_SLOT (UINT64_C(1) << 60)

/* A collective that this member takes part in. */
struct collective {
  struct communicator *communicator;
  void *staged; /* what others read, until they are done; NULL: nothing */
  size_t staged_bytes;
  uint8_t size_class;               /* this member's, where the others are to know it */
  bool has_places, by_mpi, refused; /* any member */
  bool is_rooted;                   /* not all hear this member */
  int error;
};

static inline struct collective collective_begin(struct communicator *communicator) {
  epoch_begin(&communicator->seat);
  return (struct collective){.communicator = communicator};
}

/* How many parts a slot can tell the places of. */
static inline size_t most_parts(const struct communicator *communicator) {
  return slot_room(&communicator->seat) / sizeof(struct part_place);
}

enum publish_flags {
  PUBLISH_TO_ALL = 0,
  PUBLISH_COPY = 1,      /* not the buffer itself, which is going to be written */
  PUBLISH_IN_WINDOW = 2, /* no private memory: the others cannot use it */
};
/* Whether a part that the root has for the only other member goes as a parcel, for which it is measured which way costs
 * less, in place of being left for the kernel. The root alone decides, and says so in its slot. */
COLD bool goes_as_parcel(const struct communicator *communicator, const struct part *part);

/* Gives others a part, the same to all. */
void publish_part(struct collective *collective, const struct part *part, unsigned flags);
/* Gives each of the others another part. */
void publish_parts(struct collective *collective, const struct part parts[]);

/* Gives the others what has been written into the own slot. */
void publish_slot(struct collective *collective, struct slot *slot, enum slot_kind kind, size_t bytes);
/* Gives nothing: the collective is MPI's. */
COLD void publish_refusal(struct collective *collective);

COLD void await_slot(struct collective *collective);
/* The own slot, once it may be written. */
static inline struct slot *own_slot(struct collective *collective) {
  const struct seat *seat = &collective->communicator->seat;
  if (UNLIKELY(!slot_is_known_free(seat)))
    await_slot(collective);
  return slot_at(seat, seat->place);
}

/* Another member's call is not marked as this one's. If only one of them was rewritten, the one that was not says where
 * it is, if it gets to know of it. */
COLD void hear_other_call(const struct collective *collective, unsigned from, uint16_t call);

/* Waits for the slot of another member. */
static inline const struct slot *hear(struct collective *collective, unsigned from) {
  const struct slot *slot;
  struct waiter waiter = {0};
  while (!(slot = slot_look(&collective->communicator->seat, from)))
    collective_pause(&waiter, collective->communicator, from);
  if (UNLIKELY(slot->kind != SLOT_DATA)) {
    collective->has_places |= slot->kind != SLOT_BY_MPI;
    collective->by_mpi |= slot->kind == SLOT_BY_MPI;
  }
  if (UNLIKELY(slot->call != collective->communicator->call))
    hear_other_call(collective, from, slot->call);
  return slot;
}

/* Takes what another member has published to all. */
static inline void take_part(struct collective *collective, const struct slot *slot, unsigned from,
                             const struct part *part);
/* Takes what another member has published for this one. */
void take_own_part(struct collective *collective, const struct slot *slot, unsigned from, const struct part *part);
COLD void take_from_place(struct collective *collective, const struct slot *slot, unsigned from,
                          struct part_place place, const struct part *part);
/* What this rank has of another member's, open. */
struct endpoint *endpoint_of_member(const struct collective *collective, unsigned from);
/* Memory of another member's, which has been heard to have it in the window. */
const void *memory_of(struct collective *collective, const struct slot *slot, unsigned from);

/* All members ask whether one of them wants that it is MPI's, with `bit`; nobody reads what others have given any more.
 * True: it is. */
bool collective_settle(struct collective *collective, bool bit);
/* Gives back what was staged. */
void collective_release(struct collective *collective);
/* The end of one in which all members have heard all others. True: it is MPI's after all. Where all members ask
 * whether one of them wants that, with `bit`, they need not have heard one another. */
bool collective_end_of_all(struct collective *collective, bool asks, bool bit);
/* The same where all have heard one root. */
bool collective_end_of_root(struct collective *collective, unsigned root, enum slot_kind kind);

/* How much of what was published fits; what is more is an error, which is raised at the end. */
static inline size_t fitting(struct collective *collective, uint64_t bytes, const struct part *part) {
  if (UNLIKELY(bytes > part->bytes))
    collective->error = MPI_ERR_TRUNCATE;
  return bytes > part->bytes ? part->bytes : (size_t)bytes;
}

static inline void take_part(struct collective *collective, const struct slot *slot, unsigned from,
                             const struct part *part) {
  if (UNLIKELY(slot->kind != SLOT_DATA))
    take_from_place(collective, slot, from, *(const struct part_place *)slot->payload, part);
  else
    part_unpack(part, slot->payload, fitting(collective, slot->bytes, part));
}

/* Raises what has gone wrong with this member's data, and returns it. */
static inline int collective_raise(const struct collective *collective) {
  if (UNLIKELY(collective->error != MPI_SUCCESS))
    communicator_raise(collective->communicator, ERROR_IN_CALL, collective->error);
  return collective->error;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The memory layout of a datatype: its type map (MPI 3.1, 4.1) as a list of blocks in the order in which MPI packs
 * them. Layouts are made once per datatype, kept as long as the datatype or an operation needs them, and never change.
 */
#ifndef MPISHM_LAYOUT_H
#define MPISHM_LAYOUT_H

#include "base/attributes.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block {
  MPI_Aint offset; /* bytes from the buffer's address */
  size_t bytes;
};

struct layout {
  size_t size;     /* bytes of data in one element */
  MPI_Aint extent; /* bytes from one element to the next */
  size_t block_count;
  struct block *blocks;
  /* All blocks have one size and lie in rows of one length, as in a vector, a subarray, or one nest of these: only
   * blocks[0] is stored. From block to block of a row it is `stride` bytes, from row to row `row_stride`. */
  bool regular;
  size_t row_blocks;
  MPI_Aint stride, row_stride;
  /* The data of any number of elements is one piece, starting at blocks[0].offset. */
  bool contiguous;
  int references;
};

/* The datatype that was asked for last: most programs use one at a time. */
struct layout_memo {
  MPI_Datatype datatype;
  struct layout *layout; /* NULL: none */
  uint32_t piece_bytes;  /* of an element, where any number of them is one piece that begins at the buffer; else 0 */
};
extern struct layout_memo last_layout;
COLD struct layout *layout_look_up(MPI_Datatype datatype);

/* The layout of a datatype; NULL for MPI_DATATYPE_NULL and where there is no memory. The reference is the cache's: an
 * operation that outlives the call takes its own. */
static inline struct layout *layout_find(MPI_Datatype datatype) {
  return last_layout.layout && datatype == last_layout.datatype ? last_layout.layout : layout_look_up(datatype);
}
static inline void layout_retain(struct layout *layout) { layout->references++; }
COLD void layout_release(struct layout *layout);

/* In integers, since MPI_BOTTOM is a null pointer in some MPI libraries, and the offsets are then addresses. */
static inline char *displaced(const void *buffer, MPI_Aint offset) {
  return (char *)((uintptr_t)buffer + (uintptr_t)offset);
}

/* The i-th block. */
static inline struct block layout_block(const struct layout *layout, size_t i) {
  if (!layout->regular)
    return layout->blocks[i];
  size_t row = i / layout->row_blocks, place = i % layout->row_blocks;
  return (struct block){layout->blocks[0].offset + (MPI_Aint)row * layout->row_stride +
                            (MPI_Aint)place * layout->stride,
                        layout->blocks[0].bytes};
}

/* Whether copying from the middle of a message on costs little: a long list of blocks is walked from its start. */
static inline bool layout_divides(const struct layout *layout) {
  enum { FEW_BLOCKS = 64 };
  return layout->regular || layout->block_count <= FEW_BLOCKS;
}

/* A null pointer is no buffer, but MPI_BOTTOM is NULL too: with absolute addresses. */
static inline bool layout_takes_null(const struct layout *layout) {
  return layout->block_count == 0 || layout->blocks[0].offset != 0;
}

/* True when `count` elements are one piece of memory; *start is where it begins. */
static inline bool layout_piece(const struct layout *layout, size_t count, const void *buffer, char **start) {
  *start = displaced(buffer, layout->block_count ? layout->blocks[0].offset : 0);
  return layout->contiguous || (count == 1 && layout->block_count == 1);
}

/* Copies bytes [position, position + bytes) of the packed message out of, or into, `buffer`. */
NOINLINE void layout_pack(const struct layout *layout, const void *buffer, size_t position, void *packed, size_t bytes);
NOINLINE void layout_unpack(const struct layout *layout, void *buffer, size_t position, const void *packed,
                            size_t bytes);

/* ---- layout_between.c. ---- */

/* The first and the last byte of so many elements, of which there must be one, after their beginning; `past` is the
 * last one's successor. */
void layout_span(const struct layout *layout, size_t count, MPI_Aint *first, MPI_Aint *past);
/* The first `bytes` bytes of a message out of one buffer into another, which do not overlap. */
NOINLINE void layout_transfer(const struct layout *to_layout, void *to_buffer, const struct layout *from_layout,
                              const void *from_buffer, size_t bytes);

/* A layout, and where the data is, as other processes can read it: in memory that all see, and without pointers. */
struct described_layout {
  uint64_t base; /* of the buffer; what it means, both sides know */
  uint64_t size;
  int64_t extent;
  uint64_t block_count, row_blocks;
  int64_t stride, row_stride;
  uint64_t regular; /* only blocks[0] is there */
  struct block blocks[];
};
/* How many bytes that takes. */
size_t described_bytes(const struct layout *layout);
void layout_describe(const struct layout *layout, uint64_t base, struct described_layout *to);
/* Whether others read so many elements, which are `bytes` bytes, where they lie scattered: all in the window, not too
 * far apart, and their layout is short beside them. *base is where the buffer begins in the segment. */
bool layout_is_readable(const struct layout *layout, size_t count, const void *buffer, size_t bytes, uint64_t *base);
/* Lives as long as what it is read from. */
struct layout layout_of_described(const struct described_layout *from);

/* ---- The others. ---- */

/* Creates what the cache needs; false when MPI refuses. Destroy: from teardown. */
bool layout_cache_init(void);
void layout_cache_destroy(void);

/* A committed datatype of MPI's with these blocks, of which there must be one, for what must outlive the datatype that
 * the program gave. The caller frees it. Returns MPI's error. In layout_datatype.c. */
int layout_make_datatype(const struct layout *layout, MPI_Datatype *datatype);
/* Decodes a datatype; the caller owns the result. In layout_build.c. */
struct layout *layout_build(MPI_Datatype datatype);
/* Whether it is a predefined datatype of MPI. */
bool layout_is_named(MPI_Datatype datatype);

#endif

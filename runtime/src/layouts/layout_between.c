/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From one layout into another, and layouts that other processes read.
 */
#include "layouts/layout.h"
#include "layouts/strided.h"
#include "node/program_heap.h"

#include <string.h>

/* ---- Ranges. ---- */

static void widen(struct block block, MPI_Aint *first, MPI_Aint *past) {
  MPI_Aint end = block.offset + (MPI_Aint)block.bytes;
  *first = block.offset < *first ? block.offset : *first;
  *past = end > *past ? end : *past;
}

void layout_span(const struct layout *layout, size_t count, MPI_Aint *first, MPI_Aint *past) {
  MPI_Aint last = (MPI_Aint)(count - 1) * layout->extent;
  size_t rows = layout->regular ? layout->block_count / layout->row_blocks : 0;
  *first = layout->blocks[0].offset;
  *past = *first + (MPI_Aint)layout->blocks[0].bytes;
  if (layout->regular) { /* the corners */
    widen(layout_block(layout, layout->row_blocks - 1), first, past);
    widen(layout_block(layout, (rows - 1) * layout->row_blocks), first, past);
    widen(layout_block(layout, layout->block_count - 1), first, past);
  }
  for (size_t i = 0; !layout->regular && i < layout->block_count; i++)
    widen(layout->blocks[i], first, past);
  *first += last < 0 ? last : 0;
  *past += last > 0 ? last : 0;
}

/* ---- Copies. ---- */

/* A place in the data of a message. */
struct walker {
  const struct layout *layout;
  char *element;
  size_t next;  /* block of the element, after this run */
  size_t run;   /* blocks of one size and one distance from here on, the present one included */
  size_t block; /* bytes of each */
  MPI_Aint stride;
  char *memory;
  size_t left; /* bytes of the present one */
};

static void enter_run(struct walker *walker) {
  const struct layout *layout = walker->layout;
  if (walker->next == layout->block_count) {
    walker->element = displaced(walker->element, layout->extent);
    walker->next = 0;
  }
  struct block block = layout_block(layout, walker->next);
  bool of_elements = layout->block_count == 1; /* then they are the blocks of one run; bytes end it */
  walker->run = of_elements ? SIZE_MAX : layout->regular ? layout->row_blocks : 1;
  walker->next += layout->regular ? layout->row_blocks : 1;
  walker->stride = of_elements ? layout->extent : layout->stride;
  walker->memory = displaced(walker->element, block.offset);
  walker->left = walker->block = block.bytes;
}

/* How many pieces of `bytes` bytes, which the present block has left, follow each other at one distance. */
static size_t pieces_of(const struct walker *walker, size_t bytes, MPI_Aint *distance) {
  bool is_whole = walker->left == bytes && bytes == walker->block;
  *distance = is_whole ? walker->stride : (MPI_Aint)bytes;
  return is_whole ? walker->run : walker->left / bytes;
}

static void pass(struct walker *walker, size_t pieces, size_t bytes) {
  if (walker->left != bytes) { /* within a block */
    walker->memory += pieces * bytes;
    walker->left -= pieces * bytes;
    if (walker->left > 0)
      return;
    walker->memory -= walker->block;
    pieces = 1;
  } else {
    walker->memory -= walker->block - bytes;
  }
  walker->run -= pieces;
  if (walker->run == 0) {
    enter_run(walker);
    return;
  }
  walker->memory = displaced(walker->memory, (MPI_Aint)pieces * walker->stride);
  walker->left = walker->block;
}

void layout_transfer(const struct layout *to_layout, void *to_buffer, const struct layout *from_layout,
                     const void *from_buffer, size_t bytes) {
  struct walker to = {.layout = to_layout, .element = to_buffer};
  struct walker from = {.layout = from_layout, .element = (char *)from_buffer};
  if (bytes == 0)
    return;
  enter_run(&to);
  enter_run(&from);
  while (bytes > 0) {
    MPI_Aint to_distance, from_distance;
    size_t piece = to.left < from.left ? to.left : from.left;
    piece = piece < bytes ? piece : bytes;
    size_t pieces = pieces_of(&to, piece, &to_distance), others = pieces_of(&from, piece, &from_distance);
    pieces = pieces < others ? pieces : others;
    pieces = pieces < bytes / piece ? pieces : bytes / piece;
    strided_copy(to.memory, to_distance, from.memory, from_distance, piece, pieces);
    bytes -= pieces * piece;
    if (bytes > 0) {
      pass(&to, pieces, piece);
      pass(&from, pieces, piece);
    }
  }
}

/* ---- For other processes. ---- */

static size_t listed_blocks(const struct layout *layout) { return layout->regular ? 1 : layout->block_count; }

size_t described_bytes(const struct layout *layout) {
  return sizeof(struct described_layout) + listed_blocks(layout) * sizeof(struct block);
}

void layout_describe(const struct layout *layout, uint64_t base, struct described_layout *to) {
  *to = (struct described_layout){
      base,           layout->size,       layout->extent, layout->block_count, layout->row_blocks,
      layout->stride, layout->row_stride, layout->regular};
  memcpy(to->blocks, layout->blocks, listed_blocks(layout) * sizeof(struct block));
}

/* Short blocks that are far apart cost their reader a line each, of which it wants a piece; packed they are a few
 * lines, one after the other. Measured, blocks of two lines take as long either way, longer ones less from where they
 * lie. */
static bool lies_dense(const struct layout *layout, size_t bytes, MPI_Aint span) {
  enum { LONG_BLOCK = 128, SPARSE = 4 };
  return layout->size >= layout->block_count * LONG_BLOCK || bytes >= (size_t)span / SPARSE;
}

bool layout_is_readable(const struct layout *layout, size_t count, const void *buffer, size_t bytes, uint64_t *base) {
  enum { SHORT = 4 }; /* times fewer bytes */
  MPI_Aint first, past;
  if (bytes / SHORT < described_bytes(layout))
    return false;
  layout_span(layout, count, &first, &past);
  if (!lies_dense(layout, bytes, past - first))
    return false;
  uint64_t offset = buffer_offset(displaced(buffer, first), (size_t)(past - first));
  *base = offset - (uint64_t)first;
  return offset;
}

struct layout layout_of_described(const struct described_layout *from) {
  return (struct layout){.size = from->size,
                         .extent = from->extent,
                         .block_count = from->block_count,
                         .blocks = (struct block *)from->blocks, /* which nobody writes */
                         .regular = from->regular,
                         .row_blocks = from->row_blocks,
                         .stride = from->stride,
                         .row_stride = from->row_stride,
                         .references = 1};
}

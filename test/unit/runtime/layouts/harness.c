/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * layout.h is C, and so is what tries it.
 */
#include "layouts/harness.h"
#include "layouts/layout.h"
#include "node/program_heap.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16, MIDDLE = ROOM / 2, MOST_BLOCKS = 40 };

/* Of a process without a window. */
struct buffer_range buffer_range;
struct array_hull array_hull;
uint64_t array_offset(uintptr_t pointer, size_t bytes) {
  (void)pointer;
  (void)bytes;
  return 0;
}

static unsigned state;
static size_t draw(size_t below) {
  state = state * 1103515245U + 12345U;
  return (state >> 16) % below;
}

struct drawn {
  struct layout layout;
  struct block blocks[MOST_BLOCKS];
  size_t count; /* of elements */
};

static size_t draw_bytes(void) {
  static const size_t usual[] = {1, 4, 8, 12, 16, 24, 64, 100};
  return usual[draw(sizeof usual / sizeof *usual)];
}

/* Rows of blocks, a list of blocks of many sizes, or one block in each element; none overlaps another. */
static void draw_layout(struct drawn *drawn) {
  struct layout *layout = &drawn->layout;
  size_t bytes = draw_bytes(), form = draw(3);
  MPI_Aint at = (MPI_Aint)draw(50) - 25;
  *layout = (struct layout){.blocks = drawn->blocks, .references = 1};
  drawn->count = 1 + draw(4);
  if (form == 0) {
    size_t rows = 1 + draw(4);
    layout->regular = true;
    layout->row_blocks = 2 + draw(5);
    layout->block_count = rows * layout->row_blocks;
    layout->stride = (MPI_Aint)(bytes + draw(20));
    layout->row_stride = (MPI_Aint)layout->row_blocks * layout->stride + (MPI_Aint)draw(9);
    drawn->blocks[0] = (struct block){at, bytes};
    layout->size = layout->block_count * bytes;
    layout->extent = (MPI_Aint)rows * layout->row_stride + (MPI_Aint)draw(9);
    return;
  }
  layout->block_count = form == 1 ? 1 : 2 + draw(MOST_BLOCKS - 2);
  for (size_t i = 0; i < layout->block_count; i++) {
    bytes = draw_bytes();
    drawn->blocks[i] = (struct block){at, bytes};
    layout->size += bytes;
    at += (MPI_Aint)(bytes + 1 + draw(9));
  }
  layout->extent = at - drawn->blocks[0].offset + (MPI_Aint)draw(9);
  if (form == 1 && draw(2)) /* elements backwards */
    layout->extent = -layout->extent;
}

/* Where the i-th byte of the data is. */
static char *byte_of(const struct drawn *drawn, char *buffer, size_t i) {
  const struct layout *layout = &drawn->layout;
  size_t within = i % layout->size, block = 0;
  while (within >= layout_block(layout, block).bytes)
    within -= layout_block(layout, block++).bytes;
  return buffer + (MPI_Aint)(i / layout->size) * layout->extent + layout_block(layout, block).offset + within;
}

static bool spans(const struct drawn *drawn) {
  static char memory[ROOM];
  const char *least = byte_of(drawn, memory + MIDDLE, 0), *most = least;
  MPI_Aint first, past;
  layout_span(&drawn->layout, drawn->count, &first, &past);
  for (size_t i = 0; i < drawn->count * drawn->layout.size; i++) {
    const char *at = byte_of(drawn, memory + MIDDLE, i);
    least = at < least ? at : least;
    most = at > most ? at : most;
  }
  return least - (memory + MIDDLE) == first && most + 1 - (memory + MIDDLE) == past;
}

long copy_drawn(unsigned seed) {
  static struct drawn from, to;
  static char source[ROOM], wanted[ROOM], got[ROOM], read[ROOM];
  state = seed;
  draw_layout(&from);
  draw_layout(&to);
  size_t most = from.count * from.layout.size, room = to.count * to.layout.size;
  size_t bytes = room < most ? room : most;
  bytes -= draw(2) ? draw(bytes) : 0; /* the middle of a block */
  for (size_t i = 0; i < ROOM; i++)
    source[i] = (char)draw(256);
  for (size_t i = 0; i < bytes; i++)
    *byte_of(&to, wanted + MIDDLE, i) = *byte_of(&from, source + MIDDLE, i);
  layout_transfer(&to.layout, got + MIDDLE, &from.layout, source + MIDDLE, bytes);
  struct described_layout *described = malloc(described_bytes(&from.layout));
  if (!described)
    return -1;
  layout_describe(&from.layout, MIDDLE, described);
  struct layout read_layout = layout_of_described(described);
  layout_transfer(&to.layout, read + MIDDLE, &read_layout, source + described->base, bytes);
  free(described);
  bool right = memcmp(wanted, got, ROOM) == 0 && memcmp(wanted, read, ROOM) == 0 && spans(&from) && spans(&to);
  memset(wanted, 0, ROOM);
  memset(got, 0, ROOM);
  memset(read, 0, ROOM);
  return right ? (long)bytes : -1;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cache of layouts, and the copies that follow them.
 */
#include "layouts/layout.h"
#include "base/copy.h"
#include "base/handles.h"
#include "layouts/strided.h"
#include "node/runtime.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cache. A derived type drops its entry when MPI frees it, by the attribute's delete callback. ---- */

static struct handle_table cache;
static int layout_keyval = MPI_KEYVAL_INVALID;
struct layout_memo last_layout;

static int forget_layout(MPI_Datatype datatype, int key, void *value, void *extra) {
  (void)key, (void)extra;
  runtime_lock();
  handle_remove(&cache, HANDLE_KEY(datatype));
  last_layout = (struct layout_memo){datatype, NULL, 0}; /* the handle may soon mean another type */
  layout_release(value);
  runtime_unlock();
  return MPI_SUCCESS;
}

bool layout_cache_init(void) {
  return PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget_layout, &layout_keyval, NULL) == MPI_SUCCESS;
}

void layout_cache_destroy(void) {
  /* Derived types that still live keep their layout: their delete callback may come later. */
  if (layout_keyval != MPI_KEYVAL_INVALID)
    PMPI_Type_free_keyval(&layout_keyval);
}

void layout_release(struct layout *layout) {
  if (--layout->references == 0) {
    free(layout->blocks);
    free(layout);
  }
}

/* MPI is to refuse a message of a type that was not committed. It refuses to pack it, too. */
static bool is_committed(MPI_Datatype datatype) {
  int position = 0;
  char nothing = 0; /* Open MPI takes no null pointer here */
  return PMPI_Pack(&nothing, 0, datatype, &nothing, sizeof nothing, &position, mpishm.node) == MPI_SUCCESS;
}

static struct layout *add(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL)
    return NULL;
  bool named = layout_is_named(datatype);
  struct layout *layout = named || is_committed(datatype) ? layout_build(datatype) : NULL;
  if (!layout)
    return NULL;
  layout->references = 1;
  if (!handle_set(&cache, HANDLE_KEY(datatype), layout)) {
    layout_release(layout);
    return NULL;
  }
  if (!named)
    PMPI_Type_set_attr(datatype, layout_keyval, layout);
  return layout;
}

struct layout *layout_look_up(MPI_Datatype datatype) {
  struct layout *layout = handle_find(&cache, HANDLE_KEY(datatype));
  if (!layout)
    layout = add(datatype);
  bool is_piece = layout && layout->contiguous && layout->block_count && layout->blocks[0].offset == 0 &&
                  layout->size <= UINT32_MAX;
  last_layout = (struct layout_memo){datatype, layout, is_piece ? (uint32_t)layout->size : 0};
  return layout;
}

/* ---- Copies. ---- */

/* Walks the pieces of memory that bytes [position, position + bytes) of the packed message live in. */
static void walk(const struct layout *layout, char *buffer, size_t position, char *packed, size_t bytes, bool pack) {
  if (bytes == 0 || layout->size == 0)
    return;
  size_t element = position / layout->size, skip = position % layout->size, i = 0;
  if (layout->regular) {
    i = skip / layout->blocks[0].bytes;
    skip %= layout->blocks[0].bytes;
  } else {
    for (; skip >= layout->blocks[i].bytes; i++)
      skip -= layout->blocks[i].bytes;
  }
  for (char *base = displaced(buffer, (MPI_Aint)element * layout->extent);;
       base = displaced(base, layout->extent), i = 0)
    while (i < layout->block_count) {
      struct block block = layout_block(layout, i);
      size_t whole = layout->regular && skip == 0 ? bytes / block.bytes : 0, n = block.bytes - skip;
      if (whole > 1 && whole > layout->row_blocks - i % layout->row_blocks)
        whole = layout->row_blocks - i % layout->row_blocks;
      if (n > bytes)
        n = bytes;
      char *memory = displaced(base, block.offset) + skip;
      if (whole > 1) {
        n = whole * block.bytes;
        if (pack)
          strided_copy(packed, (MPI_Aint)block.bytes, memory, layout->stride, block.bytes, whole);
        else
          strided_copy(memory, layout->stride, packed, (MPI_Aint)block.bytes, block.bytes, whole);
      } else {
        copy_bytes(pack ? packed : memory, pack ? memory : packed, n);
      }
      i += whole > 1 ? whole : 1;
      packed += n;
      bytes -= n;
      skip = 0;
      if (bytes == 0)
        return;
    }
}

void layout_pack(const struct layout *layout, const void *buffer, size_t position, void *packed, size_t bytes) {
  if (layout->contiguous)
    copy_bytes(packed, displaced(buffer, layout->block_count ? layout->blocks[0].offset : 0) + position, bytes);
  else
    walk(layout, (char *)buffer, position, packed, bytes, true);
}

void layout_unpack(const struct layout *layout, void *buffer, size_t position, const void *packed, size_t bytes) {
  if (layout->contiguous)
    copy_bytes(displaced(buffer, layout->block_count ? layout->blocks[0].offset : 0) + position, packed, bytes);
  else
    walk(layout, buffer, position, (char *)packed, bytes, false);
}

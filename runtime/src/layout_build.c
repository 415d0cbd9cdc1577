/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes datatypes (MPI 3.1, 4.1.13) into layouts.
 */
#include "layout.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists of blocks. `failed` is set when memory runs out, and checked once at the end. ---- */

struct list {
  struct block *blocks;
  size_t count, room;
  bool failed;
};

static void append(struct list *list, MPI_Aint offset, size_t bytes) {
  if (bytes == 0 || list->failed)
    return;
  if (list->count) {
    struct block *last = &list->blocks[list->count - 1];
    if (last->offset + (MPI_Aint)last->bytes == offset) {
      last->bytes += bytes;
      return;
    }
  }
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 8;
    struct block *grown = realloc(list->blocks, room * sizeof *grown);
    if (!grown) {
      list->failed = true;
      return;
    }
    list->blocks = grown;
    list->room = room;
  }
  list->blocks[list->count++] = (struct block){offset, bytes};
}

/* `count` elements of `child`, the first at `offset`. */
static void append_elements(struct list *list, const struct layout *child, MPI_Aint offset, size_t count) {
  if (!child) {
    list->failed = true;
    return;
  }
  if (child->contiguous && child->block_count) {
    append(list, offset + child->blocks[0].offset, count * child->size);
    return;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t b = 0; b < child->block_count; b++) {
      struct block block = layout_block(child, b);
      append(list, offset + (MPI_Aint)i * child->extent + block.offset, block.bytes);
    }
}

/* Blocks from `i` on that have one size and one distance. */
static size_t run_length(const struct list *list, size_t i, MPI_Aint stride) {
  size_t end = i + 1;
  while (end < list->count && list->blocks[end].bytes == list->blocks[i].bytes &&
         list->blocks[end].offset - list->blocks[end - 1].offset == stride)
    end++;
  return end - i;
}

/* Keeps only the first block where the others follow from it. */
static void finish(struct layout *layout, struct list *list) {
  const struct block *blocks = layout->blocks = list->blocks;
  layout->block_count = list->count;
  layout->contiguous = list->count == 0 || (list->count == 1 && (MPI_Aint)blocks[0].bytes == layout->extent);
  if (list->count < 2)
    return;
  size_t row = 0;
  layout->stride = blocks[1].offset - blocks[0].offset;
  layout->row_blocks = run_length(list, 0, layout->stride);
  layout->row_stride = layout->row_blocks < list->count ? blocks[layout->row_blocks].offset - blocks[0].offset : 0;
  for (size_t i = 0; i < list->count; i += layout->row_blocks, row++)
    if (blocks[i].bytes != blocks[0].bytes || run_length(list, i, layout->stride) < layout->row_blocks ||
        blocks[i].offset - blocks[0].offset != (MPI_Aint)row * layout->row_stride)
      return;
  layout->regular = true;
  struct block *one = realloc(list->blocks, sizeof *one);
  if (one)
    layout->blocks = one;
}

/* ---- Combiners. ---- */

/* What a datatype was made from. Counts and places are what the constructor with int arguments was, or would have been,
 * given, in its order: MPI 4 keeps those of large-count constructors elsewhere. */
struct contents {
  MPI_Count integer_count, address_count, large_count, datatype_count;
  MPI_Count *integers;
  MPI_Count *addresses;
  MPI_Datatype *datatypes;
  struct layout **children;
  int combiner;
};

/* Types of two members have a hole between them on some machines (MPI 3.1, 5.9.4). */
static bool append_pair(struct list *list, MPI_Datatype datatype) {
#define PAIR(HANDLE, TYPE)                                                                                             \
  if (datatype == (HANDLE)) {                                                                                          \
    struct pair {                                                                                                      \
      TYPE value;                                                                                                      \
      int index;                                                                                                       \
    };                                                                                                                 \
    append(list, 0, sizeof(TYPE));                                                                                     \
    append(list, (MPI_Aint)offsetof(struct pair, index), sizeof(int));                                                 \
    return true;                                                                                                       \
  }
  PAIR(MPI_FLOAT_INT, float)
  PAIR(MPI_DOUBLE_INT, double)
  PAIR(MPI_LONG_INT, long)
  PAIR(MPI_SHORT_INT, short)
  PAIR(MPI_LONG_DOUBLE_INT, long double)
#undef PAIR
  return false;
}

static void append_vector(struct list *list, const struct layout *child, MPI_Count count, MPI_Count length,
                          MPI_Aint stride) {
  for (MPI_Count i = 0; i < count; i++)
    append_elements(list, child, i * stride, (size_t)length);
}

static void append_subarray(struct list *list, const struct contents *c, const struct layout *child) {
  int dims = (int)c->integers[0];
  const MPI_Count *sizes = c->integers + 1, *subsizes = sizes + dims, *starts = subsizes + dims;
  bool fortran = c->integers[1 + 3 * dims] == MPI_ORDER_FORTRAN;
  /* fast..slow: dimensions from the one that is contiguous in memory to the slowest. */
  MPI_Count index[64] = {0};
  if (dims > 64) {
    list->failed = true;
    return;
  }
  for (int d = 0; d < dims; d++)
    if (subsizes[d] == 0)
      return;
  for (bool more = true; more;) {
    MPI_Aint element = 0, scale = 1;
    for (int k = 0; k < dims; k++) {
      int d = fortran ? k : dims - 1 - k;
      element += (starts[d] + index[k]) * scale;
      scale *= sizes[d];
    }
    append_elements(list, child, element * child->extent, (size_t)subsizes[fortran ? 0 : dims - 1]);
    more = false;
    for (int k = 1; k < dims && !more; k++) {
      int d = fortran ? k : dims - 1 - k;
      more = ++index[k] < subsizes[d];
      if (!more)
        index[k] = 0;
    }
  }
}

static void append_indexed(struct list *list, const struct contents *c, const struct layout *child) {
  MPI_Count n = c->integers[0];
  for (MPI_Count i = 0; i < n; i++)
    switch (c->combiner) {
    case MPI_COMBINER_INDEXED:
      append_elements(list, child, c->integers[1 + n + i] * child->extent, (size_t)c->integers[1 + i]);
      break;
    case MPI_COMBINER_HINDEXED:
      append_elements(list, child, c->addresses[i], (size_t)c->integers[1 + i]);
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      append_elements(list, child, c->integers[2 + i] * child->extent, (size_t)c->integers[1]);
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      append_elements(list, child, c->addresses[i], (size_t)c->integers[1]);
      break;
    default: /* MPI_COMBINER_STRUCT */
      append_elements(list, c->children[i], c->addresses[i], (size_t)c->integers[1 + i]);
    }
}

static bool pack_one(const void *element, MPI_Datatype datatype, void *packed, size_t size) {
#if MPI_VERSION >= 4
  MPI_Count position = 0;
  return PMPI_Pack_c(element, 1, datatype, packed, (MPI_Count)size, &position, MPI_COMM_SELF) == MPI_SUCCESS;
#else
  int position = 0;
  return size <= INT_MAX && PMPI_Pack(element, 1, datatype, packed, (int)size, &position, MPI_COMM_SELF) == MPI_SUCCESS;
#endif
}

/* A type that is not decoded (distributed arrays): packs a buffer in which every byte tells its own offset, one byte of
 * the offset per pass, and reads the type map off the result. */
static void append_probed(struct list *list, MPI_Datatype datatype, size_t size) {
  MPI_Aint lb, extent;
  PMPI_Type_get_true_extent(datatype, &lb, &extent);
  unsigned char *memory = malloc((size_t)extent + 1), *packed = malloc(size + 1);
  uint64_t *offsets = calloc(size + 1, sizeof *offsets);
  list->failed = !memory || !packed || !offsets;
  for (int shift = 0; shift < 64 && !list->failed && (shift == 0 || (uint64_t)extent >> shift); shift += 8) {
    for (MPI_Aint i = 0; i < extent; i++)
      memory[i] = (unsigned char)((uint64_t)i >> shift);
    list->failed = !pack_one(memory - lb, datatype, packed, size);
    for (size_t i = 0; i < size; i++)
      offsets[i] |= (uint64_t)packed[i] << shift;
  }
  for (size_t i = 0; i < size && !list->failed; i++)
    append(list, lb + (MPI_Aint)offsets[i], 1);
  free(memory);
  free(packed);
  free(offsets);
}

static void append_combined(struct list *list, const struct contents *c, MPI_Datatype datatype, size_t size) {
  const MPI_Count *i = c->integers;
  const struct layout *child = c->children[0];
  if (!child) {
    list->failed = true;
    return;
  }
  switch (c->combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
    append_elements(list, child, 0, 1);
    break;
  case MPI_COMBINER_CONTIGUOUS:
    append_elements(list, child, 0, (size_t)i[0]);
    break;
  case MPI_COMBINER_VECTOR:
    append_vector(list, child, i[0], i[1], i[2] * child->extent);
    break;
  case MPI_COMBINER_HVECTOR:
    append_vector(list, child, i[0], i[1], c->addresses[0]);
    break;
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
  case MPI_COMBINER_STRUCT:
    append_indexed(list, c, child);
    break;
  case MPI_COMBINER_SUBARRAY:
    append_subarray(list, c, child);
    break;
  default:
    append_probed(list, datatype, size);
  }
}

/* ---- Contents. ---- */

/* How MPI is asked: the functions of MPI 4 know every type, the others all that MPI 3 can make. */
static bool get_envelope(struct contents *c, MPI_Datatype datatype) {
#if MPI_VERSION >= 4
  return PMPI_Type_get_envelope_c(datatype, &c->integer_count, &c->address_count, &c->large_count, &c->datatype_count,
                                  &c->combiner) == MPI_SUCCESS;
#else
  int integers, addresses, datatypes;
  bool ok = PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &c->combiner) == MPI_SUCCESS;
  c->integer_count = integers;
  c->address_count = addresses;
  c->datatype_count = datatypes;
  return ok;
#endif
}

static bool ask_contents(struct contents *c, MPI_Datatype datatype, int *integers, MPI_Aint *addresses,
                         MPI_Count *large) {
#if MPI_VERSION >= 4
  return PMPI_Type_get_contents_c(datatype, c->integer_count, c->address_count, c->large_count, c->datatype_count,
                                  integers, addresses, large, c->datatypes) == MPI_SUCCESS;
#else
  (void)large;
  return PMPI_Type_get_contents(datatype, (int)c->integer_count, (int)c->address_count, (int)c->datatype_count,
                                integers, addresses, c->datatypes) == MPI_SUCCESS;
#endif
}

/* Puts large counts where those of the small constructor would be (MPI 4.0, 5.1.13). */
static void sort_large(struct contents *c, const int *integers, const MPI_Count *large) {
  MPI_Count n = c->large_count, leading = n;
  switch (c->combiner) {
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_HINDEXED_BLOCK:
    leading = 2;
    break;
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_STRUCT:
    leading = 1 + large[0];
    break;
  case MPI_COMBINER_SUBARRAY: /* dimensions and order are still integers */
    c->integers[0] = integers[0];
    memcpy(c->integers + 1, large, sizeof *large * (size_t)n);
    c->integers[1 + n] = integers[1];
    return;
  }
  memcpy(c->integers, large, sizeof *large * (size_t)leading);
  memcpy(c->addresses, large + leading, sizeof *large * (size_t)(n - leading));
}

static bool get_contents(struct contents *c, MPI_Datatype datatype) {
  size_t integer_count = (size_t)c->integer_count, address_count = (size_t)c->address_count,
         large_count = (size_t)c->large_count;
  int *integers = calloc(integer_count + 1, sizeof(int));
  MPI_Aint *addresses = calloc(address_count + 1, sizeof(MPI_Aint));
  MPI_Count *large = calloc(large_count + 1, sizeof(MPI_Count));
  c->integers = calloc(integer_count + large_count + 1, sizeof(MPI_Count));
  c->addresses = calloc(address_count + large_count + 1, sizeof(MPI_Count));
  c->datatypes = malloc(sizeof(MPI_Datatype) * (size_t)(c->datatype_count + 1));
  c->children = calloc((size_t)c->datatype_count + 1, sizeof *c->children);
  bool ok = integers && addresses && large && c->integers && c->addresses && c->datatypes && c->children &&
            ask_contents(c, datatype, integers, addresses, large);
  if (!ok) {
    c->datatype_count = 0;
  } else if (large_count) {
    sort_large(c, integers, large);
  } else {
    for (size_t i = 0; i < integer_count; i++)
      c->integers[i] = integers[i];
    for (size_t i = 0; i < address_count; i++)
      c->addresses[i] = addresses[i];
  }
  free(integers);
  free(addresses);
  free(large);
  for (MPI_Count i = 0; i < c->datatype_count; i++)
    ok = (c->children[i] = layout_build(c->datatypes[i])) != NULL && ok;
  return ok;
}

static void free_contents(struct contents *c) {
  for (MPI_Count i = 0; i < c->datatype_count; i++) {
    struct contents child = {0};
    if (get_envelope(&child, c->datatypes[i]) && child.combiner != MPI_COMBINER_NAMED)
      PMPI_Type_free(&c->datatypes[i]);
    if (c->children[i]) {
      free(c->children[i]->blocks);
      free(c->children[i]);
    }
  }
  free(c->integers);
  free(c->addresses);
  free(c->datatypes);
  free(c->children);
}

bool layout_is_named(MPI_Datatype datatype) {
  struct contents c = {0};
  return get_envelope(&c, datatype) && c.combiner == MPI_COMBINER_NAMED;
}

struct layout *layout_build(MPI_Datatype datatype) {
  struct layout *layout = calloc(1, sizeof *layout);
  struct list list = {0};
  struct contents c = {0};
  MPI_Count size;
  MPI_Aint lb;
  if (!layout)
    return NULL;
  PMPI_Type_size_x(datatype, &size);
  PMPI_Type_get_extent(datatype, &lb, &layout->extent);
  get_envelope(&c, datatype);
  layout->size = (size_t)size;
  if (c.combiner == MPI_COMBINER_NAMED || c.datatype_count == 0) {
    if (!append_pair(&list, datatype))
      append(&list, 0, layout->size);
  } else {
    list.failed = !get_contents(&c, datatype);
    if (!list.failed)
      append_combined(&list, &c, datatype, layout->size);
    free_contents(&c);
  }
  if (list.failed) {
    free(list.blocks);
    free(layout);
    return NULL;
  }
  finish(layout, &list);
  return layout;
}

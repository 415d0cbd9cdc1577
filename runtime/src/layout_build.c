/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes datatypes (MPI 3.1, 4.1.13) into layouts.
 */
#include "layout.h"

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
      const struct block *first = &child->blocks[0], *block = child->regular ? first : &child->blocks[b];
      append(list,
             offset + (MPI_Aint)i * child->extent + block->offset + (child->regular ? (MPI_Aint)b * child->stride : 0),
             block->bytes);
    }
}

/* Keeps only the first block where the others follow from it. */
static void finish(struct layout *layout, struct list *list) {
  layout->blocks = list->blocks;
  layout->block_count = list->count;
  layout->contiguous = list->count == 0 || (list->count == 1 && (MPI_Aint)list->blocks[0].bytes == layout->extent);
  if (list->count < 2)
    return;
  layout->stride = list->blocks[1].offset - list->blocks[0].offset;
  for (size_t i = 1; i < list->count; i++)
    if (list->blocks[i].bytes != list->blocks[0].bytes ||
        list->blocks[i].offset - list->blocks[i - 1].offset != layout->stride)
      return;
  layout->regular = true;
  struct block *one = realloc(list->blocks, sizeof *one);
  if (one)
    layout->blocks = one;
}

/* ---- Combiners. ---- */

struct contents {
  int combiner, integer_count, address_count, datatype_count;
  int *integers;
  MPI_Aint *addresses;
  MPI_Datatype *datatypes;
  struct layout **children;
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

static void append_vector(struct list *list, const struct layout *child, int count, int length, MPI_Aint stride) {
  for (int i = 0; i < count; i++)
    append_elements(list, child, i * stride, (size_t)length);
}

static void append_subarray(struct list *list, const struct contents *c, const struct layout *child) {
  int dims = c->integers[0];
  const int *sizes = c->integers + 1, *subsizes = sizes + dims, *starts = subsizes + dims;
  bool fortran = c->integers[1 + 3 * dims] == MPI_ORDER_FORTRAN;
  /* fast..slow: dimensions from the one that is contiguous in memory to the slowest. */
  int index[64] = {0};
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
  int n = c->integers[0];
  for (int i = 0; i < n; i++)
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

/* A type that is not decoded (distributed arrays): packs a buffer in which every byte tells its own offset, one byte of
 * the offset per pass, and reads the type map off the result. */
static void append_probed(struct list *list, MPI_Datatype datatype, size_t size) {
  MPI_Aint lb, extent;
  PMPI_Type_get_true_extent(datatype, &lb, &extent);
  unsigned char *memory = malloc((size_t)extent + 1), *packed = malloc(size + 1);
  uint64_t *offsets = calloc(size + 1, sizeof *offsets);
  list->failed = !memory || !packed || !offsets || size > INT32_MAX;
  for (int shift = 0; shift < 64 && !list->failed && (shift == 0 || (uint64_t)extent >> shift); shift += 8) {
    for (MPI_Aint i = 0; i < extent; i++)
      memory[i] = (unsigned char)((uint64_t)i >> shift);
    int position = 0;
    if (PMPI_Pack(memory - lb, 1, datatype, packed, (int)size, &position, MPI_COMM_SELF) != MPI_SUCCESS)
      list->failed = true;
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
  const int *i = c->integers;
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

static bool get_contents(struct contents *c, MPI_Datatype datatype) {
  c->integers = malloc(sizeof(int) * (size_t)(c->integer_count + 1));
  c->addresses = malloc(sizeof(MPI_Aint) * (size_t)(c->address_count + 1));
  c->datatypes = malloc(sizeof(MPI_Datatype) * (size_t)(c->datatype_count + 1));
  c->children = calloc((size_t)c->datatype_count + 1, sizeof *c->children);
  if (!c->integers || !c->addresses || !c->datatypes || !c->children ||
      PMPI_Type_get_contents(datatype, c->integer_count, c->address_count, c->datatype_count, c->integers, c->addresses,
                             c->datatypes) != MPI_SUCCESS) {
    c->datatype_count = 0;
    return false;
  }
  bool ok = true;
  for (int i = 0; i < c->datatype_count; i++)
    ok = (c->children[i] = layout_build(c->datatypes[i])) != NULL && ok;
  return ok;
}

static void free_contents(struct contents *c) {
  for (int i = 0; i < c->datatype_count; i++) {
    int integers, addresses, datatypes, combiner;
    PMPI_Type_get_envelope(c->datatypes[i], &integers, &addresses, &datatypes, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
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
  PMPI_Type_get_envelope(datatype, &c.integer_count, &c.address_count, &c.datatype_count, &c.combiner);
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

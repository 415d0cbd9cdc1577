/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Decodes datatypes (MPI 3.1, 4.1.13) into layouts.
 */
#include "layouts/contents.h"
#include "layouts/layout.h"
#include "node/runtime.h"

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

/* ---- Distributed arrays (MPI 3.1, 4.1.4). ---- */

/* Which indices of one dimension are this process's: `length` of them from `first` on, again every `step`, all below
 * `size`. */
struct dimension {
  MPI_Count size, first, length, step;
  MPI_Count distance; /* elements from one index to the next */
};

static bool distribute(struct dimension *dimension, MPI_Count kind, MPI_Count argument, MPI_Count processes,
                       MPI_Count place) {
  MPI_Count size = dimension->size, length = argument;
  switch (kind) {
  case MPI_DISTRIBUTE_NONE:
    length = size;
    break;
  case MPI_DISTRIBUTE_BLOCK:
    if (argument == MPI_DISTRIBUTE_DFLT_DARG)
      length = (size + processes - 1) / processes;
    break;
  case MPI_DISTRIBUTE_CYCLIC:
    if (argument == MPI_DISTRIBUTE_DFLT_DARG)
      length = 1;
    break;
  default:
    return false;
  }
  dimension->first = kind == MPI_DISTRIBUTE_NONE ? 0 : place * length;
  dimension->length = length;
  dimension->step = kind == MPI_DISTRIBUTE_CYCLIC ? processes * length : size;
  return length > 0 && dimension->step > 0;
}

/* The dimensions from the slowest in memory on. */
static void append_distributed(struct list *list, const struct layout *child, const struct dimension *dimension,
                               int dimensions, MPI_Count element) {
  for (MPI_Count first = dimension->first; first < dimension->size; first += dimension->step) {
    MPI_Count left = dimension->size - first, length = dimension->length < left ? dimension->length : left;
    if (dimensions == 1)
      append_elements(list, child, (element + first) * child->extent, (size_t)length);
    for (MPI_Count i = first; dimensions > 1 && i < first + length; i++)
      append_distributed(list, child, dimension + 1, dimensions - 1, element + i * dimension->distance);
  }
}

/* False: not of a form that is known here. */
static bool append_darray(struct list *list, const struct contents *c, const struct layout *child) {
  enum { MOST_DIMENSIONS = 64 };
  struct dimension dimensions[MOST_DIMENSIONS];
  MPI_Count processes = c->integers[0], rank = c->integers[1], distance = 1;
  int n = (int)c->integers[2];
  const MPI_Count *sizes = c->integers + 3, *kinds = sizes + n, *arguments = kinds + n, *grid = arguments + n;
  bool fortran = grid[n] == MPI_ORDER_FORTRAN;
  if (n < 1 || n > MOST_DIMENSIONS)
    return false;
  for (int d = 0; d < n; d++) { /* the grid of processes is in C order whatever the array is in */
    struct dimension *dimension = &dimensions[fortran ? n - 1 - d : d];
    processes /= grid[d];
    dimension->size = sizes[d];
    if (processes < 1 || !distribute(dimension, kinds[d], arguments[d], grid[d], rank / processes))
      return false;
    rank %= processes;
  }
  for (int d = n - 1; d >= 0; d--) {
    dimensions[d].distance = distance;
    distance *= dimensions[d].size;
  }
  append_distributed(list, child, dimensions, n, 0);
  return true;
}

/* ---- Any other type: MPI is asked what it packs. ---- */

static bool pack_one(const void *element, MPI_Datatype datatype, void *packed, size_t size) {
#if MPI_VERSION >= 4
  MPI_Count position = 0;
  return PMPI_Pack_c(element, 1, datatype, packed, (MPI_Count)size, &position, mpishm.node) == MPI_SUCCESS;
#else
  int position = 0;
  return size <= INT_MAX && PMPI_Pack(element, 1, datatype, packed, (int)size, &position, mpishm.node) == MPI_SUCCESS;
#endif
}

/* Packs a buffer in which every byte tells its own offset, one byte of the offset per pass, and reads the type map off
 * the result. */
static void append_packed(struct list *list, MPI_Datatype datatype, size_t size) {
  MPI_Aint lb, extent;
  PMPI_Type_get_true_extent(datatype, &lb, &extent);
  unsigned char *memory = malloc((size_t)extent + 1), *packed = malloc(size + 1);
  uint64_t *offsets = calloc(size + 1, sizeof *offsets);
  list->failed = !memory || !packed || !offsets;
  for (int shift = 0; shift < 64 && !list->failed && (shift == 0 || (uint64_t)extent >> shift); shift += 8) {
    for (MPI_Aint i = 0; i < extent; i++)
      memory[i] = (unsigned char)((uint64_t)i >> shift);
    list->failed = !pack_one(displaced(memory, -lb), datatype, packed, size);
    for (size_t i = 0; i < size; i++)
      offsets[i] |= (uint64_t)packed[i] << shift;
  }
  for (size_t i = 0; i < size && !list->failed; i++)
    append(list, lb + (MPI_Aint)offsets[i], 1);
  free(memory);
  free(packed);
  free(offsets);
}

/* What another type was made from may not be committed. Not MPI_Type_dup, which would call what the program has put
 * beside the type's attributes. */
static void append_probed(struct list *list, MPI_Datatype datatype, size_t size) {
  MPI_Datatype committed;
  if (PMPI_Type_contiguous(1, datatype, &committed) != MPI_SUCCESS) {
    list->failed = true;
    return;
  }
  if (PMPI_Type_commit(&committed) == MPI_SUCCESS)
    append_packed(list, committed, size);
  else
    list->failed = true;
  PMPI_Type_free(&committed);
}

#ifdef I_MPI_VERSION
enum { PROBES_DARRAYS = true };
#else
enum { PROBES_DARRAYS = false };
#endif

/* Whether MPI's own idea of a distributed array counts: Intel MPI 2021.18 places some elements elsewhere than the
 * standard says. As long as that does not take too much memory. */
static bool darray_is_probed(MPI_Datatype datatype) {
  enum { PROBED_BYTES = 16 << 20 };
  MPI_Aint lb, extent;
  if (!PROBES_DARRAYS)
    return false;
  PMPI_Type_get_true_extent(datatype, &lb, &extent);
  return extent <= PROBED_BYTES;
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
  case MPI_COMBINER_DARRAY:
    if (darray_is_probed(datatype) || !append_darray(list, c, child))
      append_probed(list, datatype, size);
    break;
  default:
    append_probed(list, datatype, size);
  }
}

bool layout_is_named(MPI_Datatype datatype) {
  struct contents c = {0};
  return contents_envelope(&c, datatype) && c.combiner == MPI_COMBINER_NAMED;
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
  contents_envelope(&c, datatype);
  layout->size = (size_t)size;
  if (c.combiner == MPI_COMBINER_NAMED || c.datatype_count == 0) {
    if (!append_pair(&list, datatype))
      append(&list, 0, layout->size);
  } else {
    list.failed = !contents_open(&c, datatype);
    if (!list.failed)
      append_combined(&list, &c, datatype, layout->size);
    contents_close(&c);
  }
  if (list.failed) {
    free(list.blocks);
    free(layout);
    return NULL;
  }
  finish(layout, &list);
  return layout;
}

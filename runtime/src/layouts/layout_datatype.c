/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The way back: a datatype of bytes that has the blocks of a layout.
 */
#include "layouts/layout.h"

#include <limits.h>
#include <stdlib.h>

/* Frees `part`. One element of *whole are `count` of them, `stride` apart. */
static int make_row(MPI_Datatype part, size_t count, MPI_Aint stride, MPI_Datatype *whole) {
  int error = count <= INT_MAX ? PMPI_Type_create_hvector((int)count, 1, stride, part, whole) : MPI_ERR_NO_MEM;
  PMPI_Type_free(&part);
  return error;
}

static int make_rows(const struct layout *layout, MPI_Datatype *blocks) {
  MPI_Datatype block, row;
  if (layout->blocks[0].bytes > INT_MAX)
    return MPI_ERR_NO_MEM;
  int error = PMPI_Type_contiguous((int)layout->blocks[0].bytes, MPI_BYTE, &block);
  if (error == MPI_SUCCESS)
    error = make_row(block, layout->row_blocks, layout->stride, &row);
  if (error == MPI_SUCCESS)
    error = make_row(row, layout->block_count / layout->row_blocks, layout->row_stride, blocks);
  return error;
}

static int make_list(const struct layout *layout, MPI_Datatype *blocks) {
  size_t count = layout->block_count;
  int *lengths = malloc(sizeof *lengths * count), error = MPI_ERR_NO_MEM;
  MPI_Aint *offsets = malloc(sizeof *offsets * count);
  bool fits = lengths && offsets && count <= INT_MAX;
  for (size_t i = 0; fits && i < count; i++) {
    fits = layout->blocks[i].bytes <= INT_MAX;
    lengths[i] = (int)layout->blocks[i].bytes;
    offsets[i] = layout->blocks[i].offset - layout->blocks[0].offset;
  }
  if (fits)
    error = PMPI_Type_create_hindexed((int)count, lengths, offsets, MPI_BYTE, blocks);
  free(lengths);
  free(offsets);
  return error;
}

int layout_make_datatype(const struct layout *layout, MPI_Datatype *alike) {
  MPI_Datatype blocks, placed;
  int error = layout->regular ? make_rows(layout, &blocks) : make_list(layout, &blocks);
  if (error == MPI_SUCCESS) {
    error = PMPI_Type_create_hindexed_block(1, 1, &layout->blocks[0].offset, blocks, &placed);
    PMPI_Type_free(&blocks);
  }
  if (error == MPI_SUCCESS) {
    error = PMPI_Type_create_resized(placed, 0, layout->extent, alike);
    PMPI_Type_free(&placed);
  }
  return error == MPI_SUCCESS ? PMPI_Type_commit(alike) : error;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reductions/handed_operands.h"
#include "portions/rooted.h"

int exchange_operand(struct communicator *communicator, const void *operand, MPI_Count count, MPI_Datatype datatype,
                     bool gives) {
  struct part part = part_of(operand, (size_t)count, layout_find(datatype));
  return exchange_with(communicator, 1 - (unsigned)communicator->rank, &part, gives);
}

/* Whether a reduction with this operand, which is not the own one of the member with the result, is MPI's. */
static bool is_in_doubt(const struct reduction *reduction, const void *operand, MPI_Count count) {
  return reduction->settles && !reduction->settles(operand, (size_t)count);
}

/* Once it has gone nobody waits while this member looks at it. */
bool reduce_hand(struct communicator *communicator, const struct reduction *reduction, const void *mine,
                 MPI_Count count, MPI_Datatype datatype, int *error) {
  *error = exchange_operand(communicator, mine, count, datatype, true);
  return is_in_doubt(reduction, mine, count);
}

/* What comes of it is in doubt only where that operand is, or where the library knows, or chooses. That is looked at
 * anew where it comes to it, in blocks. */
bool reduce_take(struct communicator *communicator, const struct reduction *reduction,
                 const struct extreme_choices *choices, const void *sendbuf, void *result, MPI_Count count,
                 MPI_Datatype datatype, MPI_Op op, int *error) {
  enum { BLOCK = 4096 };
  _Alignas(16) unsigned char room[HANDED_OPERAND_BYTES], theirs[BLOCK];
  const size_t bytes = (size_t)count * reduction->bytes;
  const bool in_place = sendbuf == MPI_IN_PLACE;
  unsigned char *into = in_place ? room : result;
  const unsigned char *mine = in_place ? result : sendbuf;
  *error = exchange_operand(communicator, into, count, datatype, false);
  if (UNLIKELY(*error != MPI_SUCCESS))
    return false;
  for (size_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < BLOCK ? bytes - at : BLOCK;
    if (reduction->doubtful)
      copy_bytes(theirs, into + at, n);
    const size_t elements = n / reduction->bytes;
    const bool doubt = reduction->combine(into + at, mine + at, elements);
    if (UNLIKELY(doubt && reduction->any_order)) {
      copy_bytes(into + at, mine + at, n);
      PMPI_Reduce_local(theirs, into + at, (int)elements, datatype, op);
    } else if (UNLIKELY(doubt && choices)) {
      extreme_choose(choices, in_place, reduction, at / reduction->bytes, into + at, theirs, mine + at, elements);
    } else if (UNLIKELY(doubt) && is_in_doubt(reduction, theirs, (MPI_Count)elements)) {
      return true;
    }
  }
  if (in_place)
    copy_bytes(result, into, bytes);
  return false;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Short reductions of two members, one of which has the result alone: the other hands over its operand, as a message,
 * and goes on. Where the values may put the bits in doubt, that operand alone decides, at which both of them look.
 */
#ifndef MPISHM_HANDED_OPERANDS_H
#define MPISHM_HANDED_OPERANDS_H

#include "reductions/extremes.h"

/* What is longer is not copied at once as a message, and then takes longer than what meets in an area (measured). */
enum { HANDED_OPERAND_BYTES = 16 << 10 };

/* Whether operands of two members are short. All else of a call that matters both pass alike. */
static inline bool are_handed(const struct communicator *communicator, const struct reduction *reduction,
                              MPI_Count count) {
  return communicator->size == 2 && (size_t)count * reduction->bytes <= HANDED_OPERAND_BYTES;
}
/* The same where they are combined, too: no operand of the one with the result may matter to the other, which it does
 * not either where the former can ask the library alone, or knows what that would choose (`choices`, else NULL).
 * Collective over the members. */
static inline bool are_handed_over(struct communicator *communicator, const struct reduction *reduction,
                                   MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                                   const struct extreme_choices **choices) {
  *choices = NULL;
  if (!are_handed(communicator, reduction, count))
    return false;
  if (UNLIKELY(is_of_extremes(reduction)))
    *choices = extreme_choices_of(communicator, reduction, count, datatype, op, root);
  return *choices || !is_of_extremes(reduction);
}

/* This member's operand goes to the other one, or that one's comes from there. Returns the error, raised. */
int exchange_operand(struct communicator *communicator, const void *operand, MPI_Count count, MPI_Datatype datatype,
                     bool gives);
/* The two halves of a reduction. True: it is MPI's after all; then the buffers are as they were before, but for a
 * result that is not in place. */
bool reduce_hand(struct communicator *communicator, const struct reduction *reduction, const void *mine,
                 MPI_Count count, MPI_Datatype datatype, int *error);
bool reduce_take(struct communicator *communicator, const struct reduction *reduction,
                 const struct extreme_choices *choices, const void *sendbuf, void *result, MPI_Count count,
                 MPI_Datatype datatype, MPI_Op op, int *error);

#endif

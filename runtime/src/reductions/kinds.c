/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "reductions/kinds.h"
#include "next/next.h"
#include "node/library.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHORT = 16, MOST_LONG = 8 };
/* Those of a communicator; what is not among them is the library's. Long ones, of which a program may have one after
 * the other of new lengths, leave room for short ones. */
struct kinds {
  unsigned kinds, of_long;
  struct kind kind[MOST_SHORT + MOST_LONG];
};

/* The same for all members: none where one has no memory. */
COLD static void kinds_create(struct communicator *communicator) {
  struct kinds *kinds = calloc(1, sizeof *kinds);
  if (collective_agree(communicator, !kinds)) {
    free(kinds);
    kinds = NULL;
  }
  communicator->knows_kinds = true;
  communicator->kinds = kinds;
}

struct kind *kind_find(struct communicator *communicator, const struct reduction *reduction, MPI_Count count,
                       int root) {
  if (UNLIKELY(!communicator->knows_kinds))
    kinds_create(communicator);
  struct kinds *kinds = communicator->kinds;
  for (unsigned i = 0; kinds && i < kinds->kinds; i++) {
    struct kind *kind = &kinds->kind[i];
    if (kind->count == (size_t)count && kind->root == root && kind->reduction == reduction)
      return kind;
  }
  const bool is_long = exceeds_slot(communicator, (size_t)count * reduction->bytes);
  if (!kinds || (is_long ? kinds->of_long == MOST_LONG : kinds->kinds - kinds->of_long == MOST_SHORT))
    return NULL;
  kinds->of_long += is_long;
  struct kind *kind = &kinds->kind[kinds->kinds++];
  *kind = (struct kind){.reduction = reduction, .count = (size_t)count, .root = root};
  return kind;
}

bool has_result(const struct question *q) {
  return q->kind->root == ALL_ROOTS ||
         (q->kind->root == MEMBERS_BEFORE ? q->communicator->rank > 0 : q->kind->root == q->communicator->rank);
}

bool can_ask_in_place(const struct question *q) {
  return q->kind->root == MEMBERS_BEFORE || (has_result(q) && (q->kind->root <= 0 || library_reduces_in_place()));
}

void ask(struct question *q, bool in_place) {
  const struct kind *kind = q->kind;
  MPI_Comm comm = q->communicator->handle;
  const void *from = q->given;
  int error, count = (int)kind->count;
  if (in_place && can_ask_in_place(q)) {
    memcpy(q->result, q->given, kind->count * kind->reduction->bytes);
    from = MPI_IN_PLACE;
  }
  runtime_unlock();
  if (kind->root == ALL_ROOTS)
    error = mpi_own.Allreduce(from, q->result, count, q->datatype, q->op, comm);
  else if (kind->root == MEMBERS_BEFORE)
    error = mpi_own.Scan(from, q->result, count, q->datatype, q->op, comm);
  else
    error = mpi_own.Reduce(from, q->result, count, q->datatype, q->op, kind->root, comm);
  runtime_lock();
  q->ok &= error == MPI_SUCCESS;
}

/* Not by a reduction: that would be one more than the program has had, communicators/counted.h. */
bool all_found(const struct question *q, bool found, long long name) {
  enum { NO_RESULT = -1, NOT_FOUND = 0 };
  long long mine = !has_result(q) ? NO_RESULT : found ? name : NOT_FOUND, names[ORDER_MEMBERS], of_all = 0;
  runtime_unlock();
  int error = mpi_own.Allgather(&mine, 1, MPI_LONG_LONG, names, 1, MPI_LONG_LONG, q->communicator->handle);
  runtime_lock();
  if (error != MPI_SUCCESS)
    return false;
  for (unsigned member = 0; member < q->communicator->seat.members; member++) {
    if (names[member] == NOT_FOUND || (names[member] > 0 && of_all > 0 && names[member] != of_all))
      return false;
    of_all = names[member] > 0 ? names[member] : of_all;
  }
  return of_all > 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/agreement.h"
#include "next/next.h"
#include "node/runtime.h"

#include <sched.h>

/* Tests before the first yield: some tens of microseconds, but where somebody else needs the core. (Whoever has it then
 * may keep it for milliseconds, though it is no rank.) */
enum { TESTS = 500, TESTS_OVERSUBSCRIBED = 4 };

void wait_yielding(MPI_Request *request) {
  int done = 0, tests = mpishm.oversubscribed ? TESTS_OVERSUBSCRIBED : TESTS;
  while (PMPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    if (--tests <= 0)
      sched_yield();
}

static int member(const struct circle *circle, int place) {
  return circle->members ? circle->members[place % circle->count] : place % circle->count;
}

/* Dissemination (Hensgen, Finkel, Manber 1988). What members send once they are through cannot overtake. */
void agree(const struct circle *circle, void *value, size_t bytes, combine_function *combine) {
  for (int distance = 1; distance < circle->count; distance *= 2) {
    _Alignas(max_align_t) char other[MAXIMUM_AGREEMENT];
    MPI_Request sent, received;
    mpi_own.Irecv(other, (int)bytes, MPI_BYTE, member(circle, circle->place + circle->count - distance), 0,
                  circle->comm, &received);
    mpi_own.Isend(value, (int)bytes, MPI_BYTE, member(circle, circle->place + distance), 0, circle->comm, &sent);
    wait_yielding(&received);
    wait_yielding(&sent);
    combine(value, other);
  }
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * waitall - the neighbour exchange as most programs write it: MPI_Irecv, MPI_Isend, MPI_Waitall.
 */
#include "halo.h"

#include <mpi.h>

static struct {
  struct halo *h;
  MPI_Comm comm;
  MPI_Request requests[2 * MAX_PARTNERS];
  int count, bytes;
} s;

static int set_up(struct halo *h) {
  s.h = h;
  MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
  if (h->alloc_mem)
    VARIANT(take_buffers)(h);
  return 1;
}

static void begin(int bytes) { s.bytes = bytes; }

static void start(void) {
  s.count = 0;
  for (int j = 0; j < s.h->npartner; j++)
    MPI_Irecv(s.h->receive[j], s.bytes, MPI_BYTE, s.h->partner[j], j ^ 1, s.comm, &s.requests[s.count++]);
  for (int j = 0; j < s.h->npartner; j++)
    MPI_Isend(s.h->send[j], s.bytes, MPI_BYTE, s.h->partner[j], j, s.comm, &s.requests[s.count++]);
}

static void finish(void) { MPI_Waitall(s.count, s.requests, MPI_STATUSES_IGNORE); }

static void tear_down(void) {
  if (s.h->alloc_mem)
    VARIANT(release_buffers)();
  MPI_Comm_free(&s.comm);
}

const struct pattern VARIANT(waitall) = {.name = VARIANT_NAME("waitall"),
                                         .set_up = set_up,
                                         .begin = begin,
                                         .start = start,
                                         .finish = finish,
                                         .tear_down = tear_down};

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * persistent - the same messages with persistent requests, made once per measurement.
 */
#include "halo.h"

#include <mpi.h>

static struct {
  struct halo *h;
  MPI_Comm comm;
  MPI_Request requests[2 * MAX_PARTNERS];
} s;

static int set_up(struct halo *h) {
  s.h = h;
  MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
  if (h->alloc_mem)
    VARIANT(take_buffers)(h);
  return 1;
}

static void begin(int bytes) {
  int n = s.h->npartner;
  for (int j = 0; j < n; j++) {
    MPI_Recv_init(s.h->receive[j], bytes, MPI_BYTE, s.h->partner[j], j ^ 1, s.comm, &s.requests[j]);
    MPI_Send_init(s.h->send[j], bytes, MPI_BYTE, s.h->partner[j], j, s.comm, &s.requests[n + j]);
  }
}

static void start(void) { MPI_Startall(2 * s.h->npartner, s.requests); }

static void finish(void) { MPI_Waitall(2 * s.h->npartner, s.requests, MPI_STATUSES_IGNORE); }

static void end(void) {
  for (int i = 0; i < 2 * s.h->npartner; i++)
    MPI_Request_free(&s.requests[i]);
}

static void tear_down(void) {
  if (s.h->alloc_mem)
    VARIANT(release_buffers)();
  MPI_Comm_free(&s.comm);
}

const struct pattern VARIANT(persistent) = {.name = VARIANT_NAME("persistent"),
                                            .set_up = set_up,
                                            .begin = begin,
                                            .start = start,
                                            .finish = finish,
                                            .end = end,
                                            .tear_down = tear_down};

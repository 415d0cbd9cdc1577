/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * neighbor_alltoallv - the exchange as one neighbourhood collective of MPI-3.
 */
#include "halo.h"

#include <mpi.h>

static struct {
  struct halo *h;
  MPI_Comm comm;
  int counts[MAX_PARTNERS], send_at[MAX_PARTNERS], receive_at[MAX_PARTNERS];
} s;

/* Several edges may join the same two ranks: their messages meet in the order in which both list them. So both list
 * them by the direction of the sender, and what was sent in direction j comes from partner[j ^ 1]. */
static int set_up(struct halo *h) {
  int sources[MAX_PARTNERS];
  s.h = h;
  if (h->alloc_mem)
    take_buffers(h);
  for (int j = 0; j < h->npartner; j++) {
    sources[j] = h->partner[j ^ 1];
    s.send_at[j] = j * h->max_bytes;
    s.receive_at[j] = (j ^ 1) * h->max_bytes;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, h->npartner, sources, MPI_UNWEIGHTED, h->npartner, h->partner,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &s.comm);
  return 1;
}

static void begin(int bytes) {
  for (int j = 0; j < s.h->npartner; j++)
    s.counts[j] = bytes;
}

static void finish(void) {
  MPI_Neighbor_alltoallv(s.h->send[0], s.counts, s.send_at, MPI_BYTE, s.h->receive[0], s.counts, s.receive_at, MPI_BYTE,
                         s.comm);
}

static void tear_down(void) {
  if (s.h->alloc_mem)
    release_buffers();
  MPI_Comm_free(&s.comm);
}

const struct pattern neighbor_alltoallv = {
    .name = "neighbor_alltoallv", .set_up = set_up, .begin = begin, .finish = finish, .tear_down = tear_down};

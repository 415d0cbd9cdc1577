/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Exchanges that are rewritten beside what leaves others alone, in MPI 3.1: what MPI libraries spell as numbers,
 * pointers or macros. Compared between them by same_decisions.py, never run.
 */
#include "exchange.h"

static MPI_Comm grid = MPI_COMM_NULL;

static void wildcard(MPI_Comm comm, int peer) {
  int value = 0;
  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Status status;
  MPI_Isend(&value, 1, MPI_INT, peer, TAG_WILD, comm, &r);
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG_WILD, comm, &status);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void probed(MPI_Comm comm, int peer) {
  int value = 0, flag = 0;
  MPI_Request r;
  MPI_Message message;
  MPI_Isend(&value, 1, MPI_INT, peer, TAG_PROBED, comm, &r);
  while (!flag)
    MPI_Improbe(peer, TAG_PROBED, comm, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void cancelled(MPI_Comm comm, int peer) {
  int value = 0;
  MPI_Request r;
  MPI_Isend(&value, 1, MPI_INT, peer, TAG_CANCELLED, comm, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* On a communicator of its own: any tag. */
static void any_tag(int peer) {
  int value = 0;
  MPI_Comm twin;
  MPI_Request r[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Irecv(&value, 1, MPI_INT, peer, MPI_ANY_TAG, twin, &r[0]);
  MPI_Isend(MPI_BOTTOM, 0, MPI_INT, peer, 1, twin, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&twin);
}

static void persistent(int peer) {
  double in = 0, out = 1;
  MPI_Request r[2];
  int index, flag, indices[2], done;
  MPI_Comm twin;
  MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED - 1 < 0 ? 0 : 1, 0, &twin);
  MPI_Recv_init(&in, 1, MPI_DOUBLE, peer, 2, twin, &r[0]);
  MPI_Send_init(&out, 1, MPI_DOUBLE, peer, 2, twin, &r[1]);
  MPI_Startall(2, r);
  MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
  MPI_Testany(2, r, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Waitsome(2, r, &done, indices, MPI_STATUSES_IGNORE);
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
}

/* The communicator goes where nobody sees it: its classes stay. */
extern void elsewhere(MPI_Comm comm);
static void escaping(int peer) {
  MPI_Comm twin;
  MPI_Request r = MPI_REQUEST_NULL;
  int value = 0;
  MPI_Comm_dup(MPI_COMM_SELF, &twin);
  elsewhere(twin);
  MPI_Isend(&value, 1, MPI_INT, peer, 3, twin, &r);
  MPI_Recv(&value, 1, MPI_INT, peer, 3, twin, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* An edge of a grid without a neighbour, a PMPI name. */
static void others(int peer, int last) {
  int value = 0, dims[1] = {0}, periods[1] = {0};
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  MPI_Irecv(&value, 1, MPI_INT, last ? MPI_PROC_NULL : peer, 4, grid, &r[0]);
  MPI_Isend(&value, 1, MPI_INT, last ? MPI_PROC_NULL : peer, 4, grid, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  PMPI_Ssend(&value, 1, MPI_INT, peer, 5, grid);
  MPI_Sendrecv_replace(&value, 1, MPI_INT, peer, 6, peer, 6, grid, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  struct halo h;
  double in[8], out[8] = {0};
  int rank, size, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  h.comm = MPI_COMM_WORLD;
  h.before = (rank + size - 1) % size;
  h.after = (rank + 1) % size;
  MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &h.column);
  MPI_Type_commit(&h.column);
  halo_start(&h, in, out);
  halo_finish(&h);
  wildcard(MPI_COMM_WORLD, h.after);
  probed(MPI_COMM_WORLD, h.after);
  cancelled(MPI_COMM_WORLD, h.after);
  any_tag(h.after);
  persistent(h.after);
  escaping(0);
  others(h.after, rank == size - 1);
  halo_columns(MPI_COMM_WORLD, in);
  MPI_Allreduce(MPI_IN_PLACE, in, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return MPI_Finalize();
}

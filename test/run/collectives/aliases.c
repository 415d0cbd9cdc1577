// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of one member alone whose own part lies at one place of both buffers, without MPI_IN_PLACE, blocking and
// nonblocking: where the library refuses that, so is it here, of the same class, before any other member comes, who
// then meet the call that is right. (Some libraries take such buffers: there the others come, too.)
//
// RUN: %run-both %s --work %t --ragged
#include "report.h"
#include <string.h>

enum { MOST = 8 };

static int rank, size, refuses, data[2 * MOST], result[2 * MOST], ones[MOST], places[MOST];
static hash_t h = HASH_START;

static void fill(void) {
  for (int i = 0; i < 2 * MOST; i++) {
    data[i] = 100 * rank + i;
    result[i] = -1;
  }
}

/* Of the member whose buffers are one: what its call returns. No request is made by one that fails. */
static void wrong(int error) {
  int class;
  MPI_Error_class(error, &class);
  h = hash_number(h, class);
}

static void right(int error, MPI_Request *request) {
  if (request)
    MPI_Wait(request, MPI_STATUS_IGNORE);
  h = hash_bytes(hash_number(h, error), result, sizeof result);
  fill();
}

static void rooted(MPI_Comm comm, int root) {
  MPI_Request r;
  int mine = rank == root && refuses;
  int *part = data + root;
  if (mine)
    wrong(MPI_Gather(part, 1, MPI_INT, data, 1, MPI_INT, root, comm));
  right(MPI_Gather(data, 1, MPI_INT, result, 1, MPI_INT, root, comm), NULL);
  if (mine)
    wrong(MPI_Gatherv(part, 1, MPI_INT, data, ones, places, MPI_INT, root, comm));
  right(MPI_Gatherv(data, 1, MPI_INT, result, ones, places, MPI_INT, root, comm), NULL);
  if (mine)
    wrong(MPI_Scatter(data, 1, MPI_INT, part, 1, MPI_INT, root, comm));
  right(MPI_Scatter(data, 1, MPI_INT, result, 1, MPI_INT, root, comm), NULL);
  if (mine)
    wrong(MPI_Scatterv(data, ones, places, MPI_INT, part, 1, MPI_INT, root, comm));
  right(MPI_Scatterv(data, ones, places, MPI_INT, result, 1, MPI_INT, root, comm), NULL);
  if (mine)
    wrong(MPI_Reduce(data, data, 2, MPI_INT, MPI_SUM, root, comm));
  right(MPI_Reduce(data, result, 2, MPI_INT, MPI_SUM, root, comm), NULL);

  if (mine)
    wrong(MPI_Igather(part, 1, MPI_INT, data, 1, MPI_INT, root, comm, &r));
  right(MPI_Igather(data, 1, MPI_INT, result, 1, MPI_INT, root, comm, &r), &r);
  if (mine)
    wrong(MPI_Igatherv(part, 1, MPI_INT, data, ones, places, MPI_INT, root, comm, &r));
  right(MPI_Igatherv(data, 1, MPI_INT, result, ones, places, MPI_INT, root, comm, &r), &r);
  if (mine)
    wrong(MPI_Iscatter(data, 1, MPI_INT, part, 1, MPI_INT, root, comm, &r));
  right(MPI_Iscatter(data, 1, MPI_INT, result, 1, MPI_INT, root, comm, &r), &r);
  if (mine)
    wrong(MPI_Iscatterv(data, ones, places, MPI_INT, part, 1, MPI_INT, root, comm, &r));
  right(MPI_Iscatterv(data, ones, places, MPI_INT, result, 1, MPI_INT, root, comm, &r), &r);
  if (mine)
    wrong(MPI_Ireduce(data, data, 2, MPI_INT, MPI_SUM, root, comm, &r));
  right(MPI_Ireduce(data, result, 2, MPI_INT, MPI_SUM, root, comm, &r), &r);
}

static void of_all(MPI_Comm comm, int who) {
  MPI_Request r;
  int mine = rank == who && refuses;
  int *part = data + who;
  if (mine)
    wrong(MPI_Allgather(part, 1, MPI_INT, data, 1, MPI_INT, comm));
  right(MPI_Allgather(data, 1, MPI_INT, result, 1, MPI_INT, comm), NULL);
  if (mine)
    wrong(MPI_Allgatherv(part, 1, MPI_INT, data, ones, places, MPI_INT, comm));
  right(MPI_Allgatherv(data, 1, MPI_INT, result, ones, places, MPI_INT, comm), NULL);
  if (mine)
    wrong(MPI_Alltoall(data, 1, MPI_INT, data, 1, MPI_INT, comm));
  right(MPI_Alltoall(data, 1, MPI_INT, result, 1, MPI_INT, comm), NULL);
  if (mine)
    wrong(MPI_Allreduce(data, data, 2, MPI_INT, MPI_SUM, comm));
  right(MPI_Allreduce(data, result, 2, MPI_INT, MPI_SUM, comm), NULL);
  if (mine)
    wrong(MPI_Scan(data, data, 2, MPI_INT, MPI_SUM, comm));
  right(MPI_Scan(data, result, 2, MPI_INT, MPI_SUM, comm), NULL);
  if (mine)
    wrong(MPI_Exscan(data, data, 2, MPI_INT, MPI_SUM, comm));
  right(MPI_Exscan(data, result, 2, MPI_INT, MPI_SUM, comm), NULL);
  if (mine)
    wrong(MPI_Reduce_scatter_block(data, data, 1, MPI_INT, MPI_SUM, comm));
  right(MPI_Reduce_scatter_block(data, result, 1, MPI_INT, MPI_SUM, comm), NULL);
  if (mine)
    wrong(MPI_Reduce_scatter(data, data, ones, MPI_INT, MPI_SUM, comm));
  right(MPI_Reduce_scatter(data, result, ones, MPI_INT, MPI_SUM, comm), NULL);

  if (mine)
    wrong(MPI_Iallgather(part, 1, MPI_INT, data, 1, MPI_INT, comm, &r));
  right(MPI_Iallgather(data, 1, MPI_INT, result, 1, MPI_INT, comm, &r), &r);
  if (mine)
    wrong(MPI_Iallgatherv(part, 1, MPI_INT, data, ones, places, MPI_INT, comm, &r));
  right(MPI_Iallgatherv(data, 1, MPI_INT, result, ones, places, MPI_INT, comm, &r), &r);
  if (mine)
    wrong(MPI_Ialltoall(data, 1, MPI_INT, data, 1, MPI_INT, comm, &r));
  right(MPI_Ialltoall(data, 1, MPI_INT, result, 1, MPI_INT, comm, &r), &r);
  if (mine)
    wrong(MPI_Ialltoallv(data, ones, places, MPI_INT, data, ones, places, MPI_INT, comm, &r));
  right(MPI_Ialltoallv(data, ones, places, MPI_INT, result, ones, places, MPI_INT, comm, &r), &r);
  if (mine)
    wrong(MPI_Iscan(data, data, 2, MPI_INT, MPI_SUM, comm, &r));
  right(MPI_Iscan(data, result, 2, MPI_INT, MPI_SUM, comm, &r), &r);
  if (mine)
    wrong(MPI_Iexscan(data, data, 2, MPI_INT, MPI_SUM, comm, &r));
  right(MPI_Iexscan(data, result, 2, MPI_INT, MPI_SUM, comm, &r), &r);
}

int main(int argc, char **argv) {
  MPI_Comm comm, alone;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < MOST; i++) {
    ones[i] = 1;
    places[i] = i;
  }
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  refuses = MPI_Gather(data, 1, MPI_INT, data, 1, MPI_INT, 0, alone) != MPI_SUCCESS;
  fill();
  for (int who = 0; who < size; who++) {
    rooted(comm, who);
    of_all(comm, who);
  }
  MPI_Comm_free(&comm);
  for (int who = size - 1; who >= 0; who--) { /* the first call of a communicator */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (who % 2)
      rooted(comm, who);
    else
      of_all(comm, who);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free(&alone);
  report("buffers that are one", h);
  MPI_Finalize();
  return 0;
}

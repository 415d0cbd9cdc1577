// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nonblocking collectives under way while members wait in blocking ones, in messages, and for one another's requests,
// in every order that MPI permits: a member that waits in one of them has to get on with all others.
//
// RUN: %run-both %s --work %t
#include "report.h"

enum { LARGE = 300000, STEPS = 24, UNDER_WAY = 5, WORDS = 40 };

static int rank, size;
static MPI_Comm other; /* of all, too */
static char *data;

/* Some members complete it before a barrier, the others in it. */
static void barrier_before_wait(int first) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  if (rank % 2 == first)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank % 2 != first)
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Longer than what is sent before anybody asks for it. */
static hash_t broadcast_before_wait(int root, int waits_first, hash_t h) {
  MPI_Request request;
  int i, sum = 0;
  for (i = 0; i < LARGE; i++)
    data[i] = (char)(rank == root ? i * 7 + root : 0);
  MPI_Ibcast(data, LARGE, MPI_CHAR, root, MPI_COMM_WORLD, &request);
  if ((rank == root) == waits_first) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else {
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return hash_number(hash_bytes(h, data, LARGE), sum);
}

/* One member is in a message that another one starts behind the collective. */
static hash_t message_before_wait(int synchronous, int bytes, hash_t h) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  fill_bytes(data, bytes, rank);
  if (rank == 0 && synchronous)
    MPI_Ssend(data, bytes, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
  else if (rank == 0)
    MPI_Recv(data, bytes, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1 && synchronous)
    MPI_Recv(data, bytes, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (rank == 1)
    MPI_Send(data, bytes, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
  return hash_bytes(h, data, bytes);
}

/* One member comes to the collective only after a send to another, which is in that collective with its receive under
 * way. */
static hash_t wait_before_message(int wildcard, int bytes, hash_t h) {
  MPI_Request requests[2];
  int last = size - 1;
  requests[0] = MPI_REQUEST_NULL;
  fill_bytes(data, bytes, bytes + (rank == 0));
  if (rank == 0 && wildcard)
    MPI_Irecv(data, bytes, MPI_CHAR, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &requests[0]);
  else if (rank == 0)
    MPI_Irecv(data, bytes, MPI_CHAR, last, 4, MPI_COMM_WORLD, &requests[0]);
  if (rank == last && wildcard)
    MPI_Send(data, bytes, MPI_CHAR, 0, 6, MPI_COMM_WORLD);
  else if (rank == last)
    MPI_Ssend(data, bytes, MPI_CHAR, 0, 4, MPI_COMM_WORLD);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  return hash_bytes(h, data, bytes);
}

/* Two of them are completed in another order by every second member. */
static void two_in_both_orders(MPI_Comm one, MPI_Comm two) {
  MPI_Request requests[2];
  MPI_Ibarrier(one, &requests[0]);
  MPI_Ibarrier(two, &requests[1]);
  MPI_Wait(&requests[rank % 2], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1 - rank % 2], MPI_STATUS_IGNORE);
}

/* A ring of messages that each member passes on only when it has received, and a collective in the same call. */
static hash_t all_at_once(int tests, hash_t h) {
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int next = (rank + 1) % size, before = (rank + size - 1) % size, done = 0, sum = 0, one = 1, got = -1;
  MPI_Irecv(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[2]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, other, &requests[3]);
  if (tests)
    while (!done)
      MPI_Testall(4, requests, &done, statuses);
  else
    MPI_Waitall(4, requests, statuses);
  h = hash_status(h, &statuses[2], MPI_INT); /* those of collectives are undefined */
  return hash_number(hash_number(h, got), sum);
}

static unsigned state = 12345;
static int draw(int below) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % (unsigned)below);
}

/* Several under way, which every member completes when and in which order it likes; blocking ones in between. */
static hash_t at_random(hash_t h) {
  static int from[UNDER_WAY][WORDS], to[UNDER_WAY][4 * WORDS];
  MPI_Request requests[UNDER_WAY];
  unsigned mine = 77u * (unsigned)rank;
  int i, k, step, sum;
  for (i = 0; i < UNDER_WAY; i++)
    requests[i] = MPI_REQUEST_NULL;
  for (step = 0; step < STEPS; step++) {
    int which = step % UNDER_WAY, kind = draw(7), root = draw(size), n = 1 + draw(WORDS);
    MPI_Comm comm = draw(3) ? MPI_COMM_WORLD : other;
    MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
    h = hash_bytes(h, to[which], sizeof to[which]);
    memset(to[which], 1, sizeof to[which]);
    for (k = 0; k < WORDS; k++)
      from[which][k] = step + k * rank;
    if (kind == 0)
      MPI_Ibarrier(comm, &requests[which]);
    else if (kind == 1)
      MPI_Ibcast(to[which], n, MPI_INT, root, comm, &requests[which]);
    else if (kind == 2)
      MPI_Iallreduce(from[which], to[which], n, MPI_INT, MPI_SUM, comm, &requests[which]);
    else if (kind == 3)
      MPI_Iallgather(from[which], n, MPI_INT, to[which], n, MPI_INT, comm, &requests[which]);
    else if (kind == 4)
      MPI_Bcast(to[which], n, MPI_INT, root, comm);
    else if (kind == 5)
      MPI_Barrier(comm);
    else
      MPI_Allreduce(from[which], to[which], n, MPI_INT, MPI_MAX, comm);
    mine = mine * 1664525u + 1013904223u;
    if (mine >> 31)
      MPI_Wait(&requests[(mine >> 16) % UNDER_WAY], MPI_STATUS_IGNORE);
    sum = 0;
    if (draw(4) == 0)
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other);
    h = hash_number(h, sum);
  }
  MPI_Waitall(UNDER_WAY, requests, MPI_STATUSES_IGNORE);
  for (i = 0; i < UNDER_WAY; i++)
    h = hash_bytes(h, to[i], sizeof to[i]);
  return h;
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  int i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  data = malloc(LARGE);
  for (i = 0; i < 2; i++) {
    barrier_before_wait(i);
    h = broadcast_before_wait(i, i, h);
    h = broadcast_before_wait(i, 1 - i, h);
    h = message_before_wait(i, 10, h);
    h = message_before_wait(i, LARGE, h);
    h = wait_before_message(i, 10, h);
    h = wait_before_message(i, LARGE, h);
    two_in_both_orders(MPI_COMM_WORLD, other);
    two_in_both_orders(other, other);
    h = all_at_once(i, h);
    h = at_random(h);
  }
  report("orders", h);
  free(data);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}

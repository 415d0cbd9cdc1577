/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The patterns: what most programs do that exchange with blocking calls.
 */
#include "blocking.h"
#include "fail.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static struct {
  MPI_Comm comm;
  int bytes, first, peer, stamp;
  unsigned char *out, *in;
} s;

static void set_up(int bytes) {
  int rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
  MPI_Comm_rank(s.comm, &rank);
  s.bytes = bytes;
  s.first = rank % 2 == 0;
  s.peer = rank ^ 1;
  s.stamp = 0;
  s.out = malloc((size_t)MESSAGES * (size_t)bytes);
  s.in = malloc((size_t)MESSAGES * (size_t)bytes);
  if (s.out == NULL || s.in == NULL)
    fail("no memory for messages");
  memset(s.out, 0, (size_t)MESSAGES * (size_t)bytes);
  memset(s.in, 0, (size_t)MESSAGES * (size_t)bytes);
}

static void tear_down(void) {
  free(s.out);
  free(s.in);
  MPI_Comm_free(&s.comm);
}

static unsigned char *out(int k) { return s.out + (size_t)k * (size_t)s.bytes; }
static unsigned char *in(int k) { return s.in + (size_t)k * (size_t)s.bytes; }
static void write_out(int k) { memset(out(k), s.stamp + k, (size_t)s.bytes); }

static void send(int k) {
  write_out(k);
  MPI_Send(out(k), s.bytes, MPI_BYTE, s.peer, k, s.comm);
}

static void receive(int k) { MPI_Recv(in(k), s.bytes, MPI_BYTE, s.peer, k, s.comm, MPI_STATUS_IGNORE); }

static void to_and_fro(void) {
  s.stamp++;
  if (s.first) {
    send(0);
    receive(0);
  } else {
    receive(0);
    send(0);
  }
}

/* One way, and an empty message back, so that the sender is never further ahead. */
static void in_a_row(void) {
  s.stamp++;
  for (int k = 0; k < MESSAGES; k++)
    if (s.first)
      send(k);
    else
      receive(k);
  if (s.first)
    MPI_Recv(NULL, 0, MPI_BYTE, s.peer, MESSAGES, s.comm, MPI_STATUS_IGNORE);
  else
    MPI_Send(NULL, 0, MPI_BYTE, s.peer, MESSAGES, s.comm);
}

static void sendrecv(void) {
  s.stamp++;
  write_out(0);
  MPI_Sendrecv(out(0), s.bytes, MPI_BYTE, s.peer, 0, in(0), s.bytes, MPI_BYTE, s.peer, 0, s.comm, MPI_STATUS_IGNORE);
}

/* Not blocking: to compare with. */
static void waitall(void) {
  MPI_Request requests[MESSAGES];
  s.stamp++;
  for (int k = 0; k < MESSAGES / 2; k++)
    MPI_Irecv(in(k), s.bytes, MPI_BYTE, s.peer, k, s.comm, &requests[k]);
  for (int k = 0; k < MESSAGES / 2; k++) {
    write_out(k);
    MPI_Isend(out(k), s.bytes, MPI_BYTE, s.peer, k, s.comm, &requests[MESSAGES / 2 + k]);
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
}

static const unsigned char *all_in(void) { return s.in; }
static int stamp(void) { return s.stamp; }

const struct patterns VARIANT(patterns) = {.set_up = set_up,
                                           .tear_down = tear_down,
                                           .in = all_in,
                                           .stamp = stamp,
                                           .pattern = {{"to and fro", 1, 1, to_and_fro},
                                                       {"8 in a row", MESSAGES, 0, in_a_row},
                                                       {"sendrecv", 1, 1, sendrecv},
                                                       {"waitall, 4 each", MESSAGES / 2, 1, waitall}}};

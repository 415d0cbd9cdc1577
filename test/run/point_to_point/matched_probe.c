// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that matched probes take, exact and from any source, are left to MPI with all that may match them; on the
// same communicator, what has another tag goes through the window.
//
// RUN: %run-both %s --work %t --leaves Send,Wait
// RUN: FileCheck --input-file=%t/rewritten/matched_probe.c --check-prefix=LEFT %s
//
// LEFT: {{ }}MPI_Send({{.*}}FOUND
// LEFT: MPISHM_Irecv({{.*}}EXACT
// LEFT: MPISHM_Isend({{.*}}EXACT
// LEFT: {{ }}MPI_Mprobe(
// LEFT: {{ }}MPI_Improbe(
// LEFT: {{ }}MPI_Imrecv(
#include "report.h"

enum { MAX = 20000, ROUNDS = 6, FOUND = 3, EXACT = 4 };

static int rank, size, in[MAX], out[MAX];

static int length(int from, int round) { return round == ROUNDS - 1 ? MAX : (from * 37 + round * 101) % 900; }

static void send_to_first(void) {
  int round;
  for (round = 0; round < ROUNDS; round++) {
    fill_bytes(out, sizeof out, rank * 8 + round);
    MPI_Send(out, length(rank, round), MPI_INT, 0, FOUND, MPI_COMM_WORLD);
  }
}

static hash_t exchange(hash_t h) {
  MPI_Request r[2];
  fill_bytes(out, sizeof out, rank);
  MPI_Irecv(in, MAX, MPI_INT, (rank + size - 1) % size, EXACT, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, MAX, MPI_INT, (rank + 1) % size, EXACT, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, sizeof in);
}

/* Which source is next is open, but not what comes from all of them. */
static hash_t receive_all(hash_t h) {
  hash_t sum = 0, one;
  int k, n, flag;
  for (k = 0; k < ROUNDS * (size - 1); k++) {
    MPI_Message message;
    MPI_Request r;
    MPI_Status probed, status;
    if (k % 3)
      MPI_Mprobe(MPI_ANY_SOURCE, FOUND, MPI_COMM_WORLD, &message, &probed);
    else
      do
        MPI_Improbe(MPI_ANY_SOURCE, FOUND, MPI_COMM_WORLD, &flag, &message, &probed);
      while (!flag);
    MPI_Get_count(&probed, MPI_INT, &n);
    if (k % 2) {
      MPI_Mrecv(in, n, MPI_INT, &message, &status);
    } else {
      MPI_Imrecv(in, n, MPI_INT, &message, &r);
      MPI_Wait(&r, &status);
    }
    one = hash_bytes(hash_status(HASH_START, &status, MPI_INT), in, n * sizeof *in);
    sum += hash_number(one, message == MPI_MESSAGE_NULL);
  }
  return hash_number(h, (long long)sum);
}

int main(int argc, char **argv) {
  hash_t h;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  h = exchange(HASH_START);
  if (rank)
    send_to_first();
  else
    h = receive_all(h);
  h = exchange(h);
  report("matched probes", h);
  return MPI_Finalize();
}

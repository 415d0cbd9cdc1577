// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that matched probes take, exact and from any source, one at a time and several held at once, empty and large
// ones, from nobody too. They are kept in variables, arrays and a record that is handed around. A handle that code out
// of sight might have is left to MPI, with all that may match its probe.
//
// RUN: %run-both %s --work %t --leaves Send,Mprobe,Mrecv
// RUN: mpishm-rewrite %t/original/matched_probe.c -- %mpiflags 2>&1 > /dev/null | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --input-file=%t/rewritten/matched_probe.c --check-prefix=REWRITTEN %s
// RUN: env MPISHM_CMA=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_WINDOW=200K timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: env MPISHM_DISABLE=1 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out3
// RUN: diff %t/out1 %t/out3 && diff %t/out2 %t/out3
//
// SAID: remark: message {{.*}}bytes{{.*}} [mpishm-probe]
// SAID: left 2: 2 mpishm-probe
//
// REWRITTEN: MPISHM_Send({{.*}}FOUND
// REWRITTEN: MPISHM_Send({{.*}}HELD
// REWRITTEN: MPISHM_Mprobe(MPI_ANY_SOURCE, FOUND
// REWRITTEN: MPISHM_Improbe(MPI_ANY_SOURCE, FOUND
// REWRITTEN: MPISHM_Mrecv(
// REWRITTEN: MPISHM_Imrecv(
// REWRITTEN: MPISHM_Wait(
// REWRITTEN: MPISHM_Mprobe({{.*}}HELD
// REWRITTEN: MPISHM_Imrecv(
// REWRITTEN: MPISHM_Waitall(
// REWRITTEN: MPISHM_Mprobe(MPI_PROC_NULL
// REWRITTEN: {{ }}MPI_Send({{.*}}LEFT
// REWRITTEN: {{ }}MPI_Mprobe({{.*}}LEFT
// REWRITTEN: {{ }}MPI_Mrecv(
#include "report.h"

enum { MAX = 20000, ROUNDS = 6, HELD_AT_ONCE = 4, FOUND = 3, HELD = 4, LEFT = 5, NOBODY = 6 };

struct box {
  MPI_Message messages[HELD_AT_ONCE];
  int counts[HELD_AT_ONCE];
};

union bytes_of {
  MPI_Message message;
  char bytes[sizeof(MPI_Message)];
};

static int rank, size, in[HELD_AT_ONCE][MAX], out[MAX]; // mpishm: keep

static int length(int from, int round) {
  return round == ROUNDS - 1 ? MAX : round == 1 ? 0 : (from * 37 + round * 101) % 900;
}

static void send_to_first(void) {
  int round;
  for (round = 0; round < ROUNDS; round++) {
    fill_bytes(out, sizeof out, rank * 8 + round);
    MPI_Send(out, length(rank, round), MPI_INT, 0, FOUND, MPI_COMM_WORLD);
  }
  for (round = 0; round < HELD_AT_ONCE; round++) {
    fill_bytes(out, sizeof out, rank * 8 + round);
    MPI_Send(out, length(rank, round + 2), MPI_INT, 0, HELD, MPI_COMM_WORLD);
  }
}

/* Which source is next is open, but not what comes from all of them. */
static hash_t receive_all(hash_t h) {
  hash_t sum = 0, one;
  int k, n, flag;
  for (k = 0; k < ROUNDS * (size - 1); k++) {
    MPI_Message message = MPI_MESSAGE_NULL;
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
      MPI_Mrecv(in[0], n, MPI_INT, &message, &status);
    } else {
      MPI_Imrecv(in[0], n, MPI_INT, &message, &r);
      MPI_Wait(&r, &status);
    }
    one = hash_bytes(hash_status(HASH_START, &status, MPI_INT), in[0], n * sizeof *in[0]);
    sum += hash_number(one, message == MPI_MESSAGE_NULL);
  }
  return hash_number(h, (long long)sum);
}

static void find(struct box *box, int at, int from) {
  MPI_Status status;
  MPI_Mprobe(from, HELD, MPI_COMM_WORLD, &box->messages[at], &status);
  MPI_Get_count(&status, MPI_INT, &box->counts[at]);
}

static void start(struct box *box, int at, MPI_Request *r) {
  MPI_Message *message = &box->messages[at];
  if (*message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC)
    MPI_Imrecv(in[at], box->counts[at], MPI_INT, message, r);
}

/* All are found before the first is received; the last is received first. */
static hash_t hold(hash_t h) {
  int from, at;
  for (from = 1; from < size; from++) {
    struct box box;
    MPI_Request r[HELD_AT_ONCE];
    for (at = 0; at < HELD_AT_ONCE; at++)
      find(&box, at, from);
    for (at = HELD_AT_ONCE - 1; at >= 0; at--)
      start(&box, at, &r[at]);
    MPI_Waitall(HELD_AT_ONCE, r, MPI_STATUSES_IGNORE);
    for (at = 0; at < HELD_AT_ONCE; at++)
      h = hash_bytes(h, in[at], box.counts[at] * sizeof *in[at]);
  }
  return h;
}

static hash_t from_nobody(hash_t h) {
  MPI_Message message;
  MPI_Status status;
  MPI_Mprobe(MPI_PROC_NULL, NOBODY, MPI_COMM_WORLD, &message, &status);
  h = hash_number(hash_status(h, &status, MPI_INT), message == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(in[0], MAX, MPI_INT, &message, &status);
  return hash_number(hash_status(h, &status, MPI_INT), message == MPI_MESSAGE_NULL);
}

static hash_t left_alone(hash_t h) {
  int other = rank ^ 1;
  union bytes_of bytes;
  if (other >= size)
    return h;
  __asm__ volatile("# %0" : : "r"(&bytes) : "memory");
  MPI_Send(&rank, 1, MPI_INT, other, LEFT, MPI_COMM_WORLD);
  MPI_Mprobe(other, LEFT, MPI_COMM_WORLD, &bytes.message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in[0], 1, MPI_INT, &bytes.message, MPI_STATUS_IGNORE);
  return hash_number(h, in[0][0]);
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank)
    send_to_first();
  else
    h = hold(receive_all(h));
  h = left_alone(from_nobody(h));
  report("matched probes", h);
  return MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that are packed where they are received: the place is the receive's buffer where that is posted, lies in the
// window, has room and is aligned like the own one, and the message arrives in any case and in MPI's order. Several
// places at once, of one envelope too; persistent receives; a wildcard that was posted before; a cancelled receive;
// MPI_PROC_NULL, oneself, another node; places that are asked for in two steps, for long messages only; and programs
// that break the rules: nothing is lost of what was packed by then.
//
// RUN: mkdir -p %t && mpishmcc -Wno-stringop-overflow -I%S/../Inputs %s -o %t/program
// RUN: env MPISHM_PLACE=0 %mpiexec -n 2 %t/program placed 2>%t/warnings | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t/warnings
// RUN: %mpiexec -n 2 %t/program long 2>/dev/null | FileCheck %s
// RUN: env MPISHM_PLACE=0 %mpiexec --nodes 2 -n 4 %t/program some 2>%t/warnings | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 MPISHM_PLACE=0 %mpiexec -n 2 %t/program never | FileCheck %s
// RUN: env MPISHM_DISABLE=1 %mpiexec -n 2 %t/program never | FileCheck %s
// RUN: env MPISHM_WINDOW=256K MPISHM_PLACE=0 %mpiexec -n 2 %t/program some 2>/dev/null | FileCheck %s
// RUN: mpishmcc -Wno-stringop-overflow -DMPISHM_OFF -I%S/../Inputs -I%S/../../../runtime/include %s -o %t/off
// RUN: %mpiexec -n 2 %t/off never | FileCheck %s
//
// CHECK: wrong: 0
// WARNING-COUNT-1: mpishm: warning: a place of MPISHM_Packing_buffer is given back
// WARNING-NOT: warning
#include "report.h"

#include <mpishm.h>
#include <stdbool.h>

enum { COUNT = 500, FACES = 6, TAG = 3, OTHER = 4 };
static int rank, size, peer, wrong, placed;
static double *out[FACES], *in[FACES];
static MPI_Comm comm;

static double content(int from, int seed, int i) { return from + 10.0 * seed + 1000.0 * i; }

static void *ask(double *buffer, int count, int tag) {
  static int asked = 0;
  void *place;
  if (asked++ % 3) {
    MPISHM_Packing_begin(buffer, count, MPI_DOUBLE, peer, tag, comm);
    place = MPISHM_Packing_place(buffer, 1, count, sizeof *buffer);
  } else {
    place = MPISHM_Packing_buffer(buffer, count, MPI_DOUBLE, peer, tag, comm);
  }
  placed += place != buffer;
  return place;
}
static void pack(double *to, int count, int seed) {
  for (int i = 0; i < count; i++)
    to[i] = content(rank, seed, i);
}
static void look(const double *from, int count, int seed) {
  for (int i = 0; i < count; i++)
    wrong += from[i] != content(peer, seed, i);
}
static void counted(MPI_Status *status, int count) {
  int got = -1;
  MPI_Get_count(status, MPI_DOUBLE, &got);
  wrong += got != count || status->MPI_SOURCE != peer;
}

/* All receives are posted before anybody asks. */
static void meet(void) { MPISHM_Barrier(comm); }

static void faces(bool all_first, int seed) {
  MPI_Request requests[2 * FACES];
  MPI_Status statuses[2 * FACES];
  double *place[FACES];
  for (int f = 0; f < FACES; f++)
    MPISHM_Irecv(in[f], COUNT, MPI_DOUBLE, peer, f, comm, &requests[f]);
  meet();
  for (int f = 0; f < FACES && all_first; f++)
    place[f] = ask(out[f], COUNT, f);
  for (int f = 0; f < FACES; f++) {
    pack(all_first ? place[f] : ask(out[f], COUNT, f), COUNT, seed + f);
    MPISHM_Isend_packed(out[f], COUNT, MPI_DOUBLE, peer, f, comm, &requests[FACES + f]);
  }
  MPISHM_Waitall(2 * FACES, requests, statuses);
  for (int f = 0; f < FACES; f++) {
    look(in[f], COUNT, seed + f);
    counted(&statuses[f], COUNT);
  }
}

/* Two of one envelope, asked for together, before the second receive is posted in the one case; then one that comes
 * between. */
static void same_envelope(int posted, int seed) {
  MPI_Request requests[2];
  double *first, *second;
  for (int k = 0; k < posted; k++)
    MPISHM_Irecv(in[k], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[k]);
  meet();
  first = ask(out[0], COUNT, TAG);
  second = ask(out[1], COUNT, TAG);
  meet();
  for (int k = posted; k < 2; k++)
    MPISHM_Irecv(in[k], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[k]);
  pack(second, COUNT, seed + 1);
  pack(first, COUNT, seed);
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Send_packed(out[1], COUNT, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
  look(in[0], COUNT, seed);
  look(in[1], COUNT, seed + 1);
}

/* Messages that have come and those under way keep their receives. */
static void behind_others(int seed) {
  MPI_Request requests[3];
  double small = content(rank, seed, 0), got = 0;
  meet();
  MPISHM_Send(&small, 1, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Irecv(&got, 1, MPI_DOUBLE, peer, TAG, comm, &requests[0]);
  MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[1]);
  pack(ask(out[0], COUNT, TAG), COUNT, seed + 1);
  MPISHM_Isend_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[2]);
  MPISHM_Waitall(3, requests, MPI_STATUSES_IGNORE);
  look(&got, 1, seed);
  look(in[0], COUNT, seed + 1);
}

/* A wildcard that waits takes the message, whatever is posted behind it; before it, not. */
static void wildcards(bool before, int seed) {
  MPI_Request requests[2];
  if (before)
    MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, MPI_ANY_SOURCE, TAG, comm, &requests[0]);
  MPISHM_Irecv(in[1], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[1]);
  if (!before)
    MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, peer, MPI_ANY_TAG, comm, &requests[0]);
  meet();
  for (int k = 0; k < 2; k++) {
    pack(ask(out[k], COUNT, TAG), COUNT, seed + k);
    MPISHM_Send_packed(out[k], COUNT, MPI_DOUBLE, peer, TAG, comm);
  }
  MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
  look(in[before ? 0 : 1], COUNT, seed);
  look(in[before ? 1 : 0], COUNT, seed + 1);
}

static void persistent(int seed) {
  MPI_Request receive;
  MPISHM_Recv_init(in[0], COUNT, MPI_DOUBLE, peer, TAG, comm, &receive);
  for (int k = 0; k < 5; k++) {
    MPISHM_Start(&receive);
    meet();
    pack(ask(out[0], COUNT, TAG), COUNT, seed + k);
    MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm);
    MPISHM_Wait(&receive, MPI_STATUS_IGNORE);
    look(in[0], COUNT, seed + k);
  }
  MPISHM_Request_free(&receive);
}

/* Fewer elements than asked for; more than the receive has room for; a buffer that is aligned otherwise; none. */
static void sizes(int seed) {
  MPI_Request request;
  MPI_Status status;
  int before = placed;
  MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, peer, TAG, comm, &request);
  meet();
  pack(ask(out[0], COUNT, TAG), COUNT, seed);
  MPISHM_Send_packed(out[0], COUNT / 2, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Wait(&request, &status);
  counted(&status, COUNT / 2);
  look(in[0], COUNT / 2, seed);

  before = placed;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH's own completions know no communicator */
  MPISHM_Irecv(in[0], COUNT / 2, MPI_DOUBLE, peer, TAG, comm, &request);
  meet();
  pack(ask(out[0], COUNT, TAG), COUNT, seed);
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm);
  wrong += MPISHM_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);

  MPISHM_Irecv(in[0] + 1, COUNT - 1, MPI_DOUBLE, peer, TAG, comm, &request);
  meet();
  pack(ask(out[0], COUNT - 1, TAG), COUNT - 1, seed);
  MPISHM_Send_packed(out[0], COUNT - 1, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  look(in[0] + 1, COUNT - 1, seed);
  wrong += placed != before;

  MPISHM_Irecv(in[0], 0, MPI_DOUBLE, peer, TAG, comm, &request);
  meet();
  wrong += ask(out[0], 0, TAG) != out[0];
  MPISHM_Send_packed(out[0], 0, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  meet();
}

/* Announced, and then packed elsewhere, or in part, or not at all: ordinary messages. */
static void two_steps(int seed) {
  MPI_Request requests[5];
  double *at = out[1];
  for (int k = 0; k < 5; k++)
    MPISHM_Irecv(in[k], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[k]);
  meet();
  for (int k = 0; k < 5; k++) {
    MPISHM_Packing_begin(out[k], COUNT, MPI_DOUBLE, peer, TAG, comm);
    wrong += MPISHM_Packing_place(out[(k + 1) % 5], 1, COUNT, sizeof(double)) != out[(k + 1) % 5];
    if (k == 0)
      wrong += MPISHM_Packing_place(out[k], 1, COUNT - 1, sizeof(double)) != out[k];
    else if (k == 1)
      wrong += MPISHM_Packing_place(out[k], -1, -COUNT, sizeof(double)) != out[k];
    else if (k == 2)
      wrong += MPISHM_Packing_place(out[k], 2, COUNT, 2) != out[k];
    pack(out[k], COUNT, seed + k);
    MPISHM_Send_packed(out[k], COUNT, MPI_DOUBLE, peer, TAG, comm);
    wrong += MPISHM_Packing_place(out[k], 1, COUNT, sizeof(double)) != out[k];
  }
  MPISHM_PACK_THERE(at, 1, COUNT);
  wrong += at != out[1];
  MPISHM_Waitall(5, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < 5; k++)
    look(in[k], COUNT, seed + k);
}

/* In two steps, of up to 8 KiB, and more. */
static void lengths(int seed, bool long_only) {
  enum { LIMIT = 1024 };
  double *to, *from = MPISHM_Malloc((LIMIT + 1) * sizeof(double)), *there = MPISHM_Malloc((LIMIT + 1) * sizeof(double));
  for (int count = LIMIT; count <= LIMIT + 1; count++) {
    MPI_Request request;
    MPISHM_Irecv(there, count, MPI_DOUBLE, peer, TAG, comm, &request);
    meet();
    MPISHM_Packing_begin(from, count, MPI_DOUBLE, peer, TAG, comm);
    to = MPISHM_Packing_place(from, 1, count, sizeof *to);
    wrong += long_only && (to != from) != (count > LIMIT);
    pack(to, count, seed);
    MPISHM_Send_packed(from, count, MPI_DOUBLE, peer, TAG, comm);
    MPISHM_Wait(&request, MPI_STATUS_IGNORE);
    look(there, count, seed);
    meet();
  }
  MPISHM_Free(from);
  MPISHM_Free(there);
}

/* While its sender packs there it cannot be cancelled: the message is received. If that waits, it gives the place back,
 * and what it has packed is sent later. */
static void cancelled(bool waits, int seed) {
  MPI_Request request;
  MPI_Status status;
  int was_cancelled = 0, token = 0;
  if (rank % 2 == 1) {
    MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, peer, TAG, comm, &request);
    MPISHM_Send(&token, 1, MPI_INT, peer, OTHER, comm);
    MPISHM_Recv(&token, 1, MPI_INT, peer, OTHER, comm, MPI_STATUS_IGNORE);
    MPISHM_Cancel(&request);
    if (!waits)
      MPISHM_Send(&token, 1, MPI_INT, peer, OTHER, comm);
    MPISHM_Wait(&request, &status);
    if (waits)
      MPISHM_Send(&token, 1, MPI_INT, peer, OTHER, comm);
    MPI_Test_cancelled(&status, &was_cancelled);
    wrong += waits && !was_cancelled;
    if (was_cancelled)
      MPISHM_Recv(in[0], COUNT, MPI_DOUBLE, peer, TAG, comm, MPI_STATUS_IGNORE);
    look(in[0], COUNT, seed);
  } else {
    MPISHM_Recv(&token, 1, MPI_INT, peer, OTHER, comm, MPI_STATUS_IGNORE);
    pack(ask(out[0], COUNT, TAG), COUNT, seed);
    MPISHM_Send(&token, 1, MPI_INT, peer, OTHER, comm);
    MPISHM_Recv(&token, 1, MPI_INT, peer, OTHER, comm, MPI_STATUS_IGNORE);
    MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm);
  }
  meet();
}

/* Against the rules. The first of them warns. */
static void misused(int seed) {
  MPI_Request requests[3];
  for (int k = 0; k < 3; k++)
    MPISHM_Irecv(in[k], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[k]);
  meet();
  pack(ask(out[0], COUNT, TAG), COUNT, seed + 1);
  pack(ask(out[1], COUNT, TAG), COUNT, seed + 2);
  pack(out[2], COUNT, seed);
  MPISHM_Send(out[2], COUNT, MPI_DOUBLE, peer, TAG, comm); /* comes between */
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Send_packed(out[1], COUNT, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < 3; k++)
    look(in[k], COUNT, seed + k);

  for (int k = 0; k < 2; k++)
    MPISHM_Irecv(in[k], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[k]);
  meet();
  pack(ask(out[0], COUNT, TAG), COUNT, seed + 1);
  pack(ask(out[1], COUNT, TAG), COUNT, seed);
  MPISHM_Send_packed(out[1], COUNT, MPI_DOUBLE, peer, TAG, comm); /* not in turn */
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm);
  MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
  look(in[0], COUNT, seed);
  look(in[1], COUNT, seed + 1);

  MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, peer, TAG, comm, &requests[0]);
  meet();
  pack(ask(out[0], COUNT / 2, TAG), COUNT, seed);
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, peer, TAG, comm); /* longer */
  MPISHM_Wait(&requests[0], MPI_STATUS_IGNORE);
  look(in[0], COUNT, seed);
}

/* Of which there is one, no receive, or one in this rank. */
static void elsewhere(int seed) {
  MPI_Request request;
  double *place = MPISHM_Packing_buffer(out[0], COUNT, MPI_DOUBLE, MPI_PROC_NULL, TAG, comm);
  wrong += place != out[0];
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, MPI_PROC_NULL, TAG, comm);
  MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, rank, TAG, comm, &request);
  place = MPISHM_Packing_buffer(out[0], COUNT, MPI_DOUBLE, rank, TAG, comm);
  pack(place, COUNT, seed);
  MPISHM_Send_packed(out[0], COUNT, MPI_DOUBLE, rank, TAG, comm);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; i++)
    wrong += in[0][i] != content(rank, seed, i);
  MPISHM_Send_packed(out[0], 0, MPI_DOUBLE, rank, OTHER, comm); /* nothing was asked */
  MPISHM_Recv(in[0], 0, MPI_DOUBLE, rank, OTHER, comm, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Request never;
  int all_wrong = 0, all_placed = 0;
  MPISHM_Init(&argc, &argv);
  comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  peer = rank ^ 1;
  for (int f = 0; f < FACES; f++) {
    out[f] = MPISHM_Malloc(COUNT * sizeof(double));
    in[f] = MPISHM_Malloc(COUNT * sizeof(double));
  }
  for (int seed = 0; seed < 40; seed++) {
    faces(seed % 2, seed);
    same_envelope(seed % 3, seed);
    behind_others(seed);
    wildcards(seed % 2, seed);
    persistent(seed);
    sizes(seed);
    two_steps(seed);
    lengths(seed, argc > 1 && strcmp(argv[1], "long") == 0);
    cancelled(false, seed);
    cancelled(true, seed);
    elsewhere(seed);
    MPISHM_Barrier(comm);
  }
  misused(7);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&placed, &all_placed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "some") != 0)
    all_wrong += (all_placed > 0) == (strcmp(argv[1], "never") == 0);
  if (rank == 0)
    printf("placed: %d\nwrong: %d\n", all_placed, all_wrong);
  /* One that is never sent: MPI_Finalize gives it back, for which the other rank waits. */
  if (rank % 2 == 1)
    MPISHM_Irecv(in[0], COUNT, MPI_DOUBLE, peer, OTHER, comm, &never);
  meet();
  if (rank % 2 == 0)
    ask(out[0], COUNT, OTHER);
  meet();
  if (rank % 2 == 1) {
    MPISHM_Cancel(&never);
    MPISHM_Wait(&never, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}

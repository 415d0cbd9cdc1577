// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that the window has no room for and that the kernel may not copy, from buffers in the window and others,
// into receives that the sender cannot fill: each send is through although its receiver, which has posted, sits in a
// collective of MPI's or waits for somebody else's message; two ranks exchange, one exchanges with itself, and each
// message arrives. In a window that is nearly always full, in one that large messages alone do not fit into, with
// copies by the kernel and without.
//
// RUN: %run-both %s --work %t --ranks 3 --timeout 100
// RUN: env MPISHM_CMA=0 timeout 100 mpiexec -n 3 %t/rewritten/program | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=256K timeout 100 mpiexec -n 3 %t/rewritten/program 2>&1 | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=256K MPISHM_BUFFERS=3M timeout 100 mpiexec -n 3 %t/rewritten/program 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=FULL,CHECK
// RUN: env MPISHM_WINDOW=256K timeout 100 mpiexec -n 3 %t/rewritten/program 2>&1 | FileCheck %s
// RUN: env MPISHM_CMA=0 timeout 100 mpiexec -n 3 %t/rewritten/program 70000000 2>&1 | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_BUFFERS=150M timeout 100 mpiexec -n 3 %t/rewritten/program 70000000 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=FULL,CHECK
//
// FULL: mpishm: warning: the window is full
// CHECK: large: rank 0
// CHECK: wrong: 0
#include "report.h"

enum { SEND, ISEND, SSEND, ISSEND, BSEND, PERSISTENT, SENDRECV, MODES };
enum { WHOLE, ROWS, SCATTERED, FORMS };        /* in the window, private, private and scattered */
enum { IN_BCAST, IN_RECV, AFTERWARDS, WHENS }; /* where the receiver is that has posted; or it posts late */

/* With the gaps of scattered messages; memory that is never used costs nothing. */
enum { MOST = 70000 };
static char rows_from[MOST * 1008], rows_to[MOST * 1008], scattered_from[MOST * 1008], scattered_to[MOST * 1008];
static char *from[FORMS] = {NULL, rows_from, scattered_from}, *to[FORMS] = {NULL, rows_to, scattered_to};
static int rank, size, wrong, nothing;
static MPI_Datatype types[FORMS]; /* of a thousand bytes, with a gap after them, or of one */
static MPI_Comm wild;             /* for receives from any source */

static int n(int form, int count) { return form == SCATTERED ? count : count * 1000; }

/* Cheap to write and to check. */
static void mark(char *buffer, int form, size_t bytes, int seed) {
  size_t step = bytes / 7 + 1, i;
  for (i = 0; i < bytes; i += step)
    buffer[form == SCATTERED ? i + i / 1000 * 8 : i] = (char)(seed + i);
  buffer[form == SCATTERED ? bytes - 1 + (bytes - 1) / 1000 * 8 : bytes - 1] = (char)seed;
}

static void look(char *buffer, int form, size_t bytes, int seed) {
  size_t step = bytes / 7 + 1, i;
  for (i = 0; i + 1 < bytes; i += step)
    wrong += buffer[form == SCATTERED ? i + i / 1000 * 8 : i] != (char)(seed + i);
  wrong += buffer[form == SCATTERED ? bytes - 1 + (bytes - 1) / 1000 * 8 : bytes - 1] != (char)seed;
}

static void clear(char *buffer, size_t bytes) { memset(buffer, 0, bytes + bytes / 1000 * 8); }

static void send(int mode, char *buffer, int count, MPI_Datatype type, int to_whom) {
  MPI_Request r;
  switch (mode) {
  case SEND:
    MPI_Send(buffer, count, type, to_whom, 1, MPI_COMM_WORLD);
    return;
  case SSEND:
    MPI_Ssend(buffer, count, type, to_whom, 1, MPI_COMM_WORLD);
    return;
  case BSEND:
    MPI_Bsend(buffer, count, type, to_whom, 1, MPI_COMM_WORLD);
    return;
  case SENDRECV:
    MPI_Sendrecv(buffer, count, type, to_whom, 1, &nothing, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return;
  case ISEND:
    MPI_Isend(buffer, count, type, to_whom, 1, MPI_COMM_WORLD, &r);
    break;
  case ISSEND:
    MPI_Issend(buffer, count, type, to_whom, 1, MPI_COMM_WORLD, &r);
    break;
  default:
    MPI_Send_init(buffer, count, type, to_whom, 1, MPI_COMM_WORLD, &r);
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    return;
  }
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* From rank 0 to rank 1. */
static void one_message(int mode, int source, int target, int when, int count) {
  int seed = 100 * mode + 10 * source + target + when, token = 7;
  size_t bytes = (size_t)count * 1000;
  MPI_Request r;
  if (rank == 0)
    mark(from[source], source, bytes, seed);
  if (rank == 1) {
    clear(to[target], bytes);
    if (when != AFTERWARDS)
      MPI_Irecv(to[target], n(target, count), types[target], 0, 1, MPI_COMM_WORLD, &r);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    send(mode, from[source], n(source, count), types[source], 1);
    clear(from[source], bytes); /* the buffer is the program's again */
  }
  if (when == IN_RECV) { /* from rank 2, which waits for rank 0 */
    if (rank == 0)
      MPI_Send(&token, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    else
      MPI_Recv(&token, 1, MPI_INT, rank == 2 ? 0 : 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
      MPI_Send(&token, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else if (when != AFTERWARDS) {
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (rank == 1) {
    if (when == AFTERWARDS)
      MPI_Irecv(to[target], n(target, count), types[target], 0, 1, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    look(to[target], target, bytes, seed);
  }
}

/* The same from any source, while the receiver is in a broadcast. Not synchronously: that may wait for it. */
static void one_to_any(int mode, int source, int target, int count) {
  int seed = 100 * mode + 10 * source + target, token = 7;
  size_t bytes = (size_t)count * 1000;
  MPI_Request r;
  if (rank == 1) {
    clear(to[target], bytes);
    MPI_Irecv(to[target], n(target, count), types[target], MPI_ANY_SOURCE, 1, wild, &r);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    mark(from[source], source, bytes, seed);
    if (mode == BSEND) {
      MPI_Bsend(from[source], n(source, count), types[source], 1, 1, wild);
    } else if (mode == ISEND) {
      MPI_Isend(from[source], n(source, count), types[source], 1, 1, wild, &r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
      MPI_Send(from[source], n(source, count), types[source], 1, 1, wild);
    }
    clear(from[source], bytes);
  }
  MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    look(to[target], target, bytes, seed);
  }
}

/* Of every rank with itself or of all in a ring, all at once. */
static void exchange(int how, int source, int target, int count, int next, int previous) {
  int seed = 50 * how + 10 * source + target, replaced = 0;
  size_t bytes = (size_t)count * 1000;
  char *out = from[source], *in = to[target];
  MPI_Request r[2];
  MPI_Status s[2];
  mark(out, source, bytes, seed + rank);
  clear(in, bytes);
  switch (how) {
  case 0:
    MPI_Sendrecv(out, n(source, count), types[source], next, 4, in, n(target, count), types[target], previous, 4,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    break;
  case 1:
    MPI_Sendrecv(out, n(source, count), types[source], next, 5, in, n(target, count), types[target], MPI_ANY_SOURCE, 5,
                 wild, MPI_STATUS_IGNORE);
    break;
  case 2:
    MPI_Sendrecv_replace(out, n(source, count), types[source], next, 4, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    replaced = 1;
    break;
  case 3:
    MPI_Irecv(in, n(target, count), types[target], previous, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Send(out, n(source, count), types[source], next, 4, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    break;
  case 4:
    MPI_Irecv(in, n(target, count), types[target], previous, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Issend(out, n(source, count), types[source], next, 4, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, s);
    break;
  default:
    MPI_Isend(out, n(source, count), types[source], next, 4, MPI_COMM_WORLD, &r[1]);
    MPI_Recv(in, n(target, count), types[target], previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  }
  look(replaced ? out : in, replaced ? source : target, bytes, seed + previous);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Every mode with every buffer; where the receiver is, and with whom ranks exchange, takes turns. */
static void all_of(int count, int sources, int first_target, int targets) {
  int mode, source, target, turn = 0;
  for (mode = 0; mode < MODES; mode++)
    for (source = 0; source < sources; source++)
      for (target = first_target; target < targets; target++, turn++) {
        if (mode == BSEND && source == SCATTERED)
          continue; /* MPICH 4.0.2 calls long ones truncated */
        one_message(mode, source, target, turn % WHENS, count);
        if (mode == SEND || mode == ISEND || mode == BSEND)
          one_to_any(mode, source, target, count);
        if (turn % 2)
          exchange(mode, source, target, count, rank, rank);
        else
          exchange(mode, source, target, count, (rank + 1) % size, (rank + size - 1) % size);
      }
}

int main(int argc, char **argv) {
  int largest = 1000, all_wrong = 0, attached;
  MPI_Datatype thousand;
  char *attached_buffer, *window_from, *window_to;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &wild);
  if (argc > 1)
    largest = atoi(argv[1]) / 1000;
  size_t room = (size_t)largest * 1008;
  MPI_Alloc_mem(room, MPI_INFO_NULL, &window_from);
  MPI_Alloc_mem(room, MPI_INFO_NULL, &window_to);
  from[WHOLE] = window_from;
  to[WHOLE] = window_to;
  types[WHOLE] = types[ROWS] = MPI_CHAR;
  MPI_Type_contiguous(1000, MPI_CHAR, &thousand);
  MPI_Type_create_resized(thousand, 0, 1008, &types[SCATTERED]);
  MPI_Type_commit(&types[SCATTERED]);
  attached = (int)room + MPI_BSEND_OVERHEAD;
  attached_buffer = malloc(attached);
  MPI_Buffer_attach(attached_buffer, attached);

  if (argc > 1) {
    all_of(largest, 1, ROWS, SCATTERED);
  } else {
    all_of(60, FORMS, 0, FORMS);
    all_of(1000, 1, 0, FORMS);
  }
  MPI_Buffer_detach(&attached_buffer, &attached);
  free(attached_buffer);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("large", hash_number(HASH_START, all_wrong));
  if (rank == 0)
    printf("wrong: %d\n", all_wrong);
  MPI_Free_mem(window_from);
  MPI_Free_mem(window_to);
  MPI_Type_free(&thousand);
  MPI_Type_free(&types[SCATTERED]);
  MPI_Comm_free(&wild);
  MPI_Finalize();
  return 0;
}

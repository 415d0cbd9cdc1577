// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that lie scattered in the window are fetched from there, into what is in one piece and into what is
// scattered otherwise: one copy, as the statistics say. Of every kind of send, truncated ones, and such that nobody has
// come for when their sender wants to go on.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -I%S/../collectives %s -o %t/program
//
// RUN: env MPISHM_STATS=1 mpiexec -n 2 %t/program 1 2>&1 | FileCheck %s --check-prefix=MOVED
// RUN: env MPISHM_STATS=1 mpiexec -n 2 %t/program 0 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: mpiexec -n 3 %t/program 1 | FileCheck %s --check-prefix=RIGHT
// RUN: env MPISHM_WINDOW=300K MPISHM_BUFFERS=16M mpiexec -n 3 %t/program 1 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: env MPISHM_CMA=0 mpiexec -n 4 %t/program 1 | FileCheck %s --check-prefix=RIGHT
// RUN: %mpiexec --nodes 2 -n 4 %t/program 1 nodes | FileCheck %s --check-prefix=RIGHT
// MOVED-DAG:   all right
// MOVED-DAG:   {{^ +[0-9]+ +[0-9.]+ .?B +received, one copy in the window}}
// PRIVATE-NOT: received, one copy in the window
// PRIVATE:     received, staged
// RIGHT:       all right
#include "collectives.h"

enum { BLOCKS = 300, LENGTH = 40, APART = 64, ELEMENTS = BLOCKS * APART, LISTED = 700 };

static int moved, next, before;
static MPI_Datatype rows, other_rows, list;

static void make_datatypes(void) {
  static int lengths[LISTED], places[LISTED];
  for (int i = 0; i < LISTED; i++) {
    lengths[i] = 16 + i % 3;
    places[i] = i * 20;
  }
  MPI_Type_vector(BLOCKS, LENGTH, APART, MPI_DOUBLE, &rows);
  MPI_Type_vector(BLOCKS * 4, LENGTH / 4, 13, MPI_DOUBLE, &other_rows);
  MPI_Type_indexed(LISTED, lengths, places, MPI_DOUBLE, &list);
  MPI_Type_commit(&rows);
  MPI_Type_commit(&other_rows);
  MPI_Type_commit(&list);
}

/* What arrives where the sender's rank fills as fill_bytes does: MPI packs, and unpacks. */
static void expect(const char *what, const double *got, int count, MPI_Datatype type, MPI_Datatype sent, int from) {
  static double source[ELEMENTS], wanted[ELEMENTS];
  static char packed[ELEMENTS * 8];
  int at = 0, size_of, capacity;
  fill_bytes((char *)source, sizeof source, from);
  memset(wanted, 5, sizeof wanted);
  PMPI_Pack(source, 1, sent, packed, sizeof packed, &at, MPI_COMM_SELF);
  PMPI_Type_size(type, &size_of);
  capacity = count * size_of;
  size_of = at < capacity ? at : capacity;
  at = 0;
  PMPI_Unpack(packed, size_of, &at, wanted, size_of < capacity ? size_of / 8 : count,
              size_of < capacity ? MPI_DOUBLE : type, MPI_COMM_SELF);
  same(what, got, wanted, sizeof wanted, count);
}

typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void exchange(const double *out, double *in, MPI_Datatype sent, int count, MPI_Datatype type,
                     send_function *send) {
  MPI_Request requests[2];
  memset(in, 5, sizeof(double) * ELEMENTS);
  MPISHM_Irecv(in, count, type, before, 3, MPI_COMM_WORLD, &requests[0]);
  send(out, 1, sent, next, 3, MPI_COMM_WORLD, &requests[1]);
  MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
  expect("a message", in, count, type, sent, before);
}

/* The sender has its buffer back although the receiver sits in MPI, and writes it anew. From another node it need not.
 */
static void late(double *out, double *in) {
  MPI_Request request;
  memset(in, 5, sizeof(double) * ELEMENTS);
  MPISHM_Isend(out, 1, rows, next, 4, MPI_COMM_WORLD, &request);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  memset(out, 1, sizeof(double) * ELEMENTS);
  PMPI_Barrier(MPI_COMM_WORLD);
  MPISHM_Recv(in, 1, other_rows, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect("a message that was left", in, 1, other_rows, rows, before);
  fill_bytes((char *)out, sizeof(double) * ELEMENTS, rank);
}

/* To itself, and again by a persistent request whose datatype is gone. */
static void by_itself(const double *out, double *in) {
  MPI_Request requests[2];
  MPI_Datatype type;
  MPI_Type_dup(rows, &type);
  MPISHM_Send_init(out, 1, type, rank, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Type_free(&type);
  for (int turn = 0; turn < 3; turn++) {
    memset(in, 5, sizeof(double) * ELEMENTS);
    MPISHM_Start(&requests[0]);
    MPISHM_Irecv(in, 1, other_rows, rank, 5, MPI_COMM_WORLD, &requests[1]);
    MPISHM_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect("a message to itself", in, 1, other_rows, rows, rank);
  }
  MPISHM_Request_free(&requests[0]);
}

/* From another node MPICH 4.0.2 raises that in MPI_COMM_WORLD. */
static void truncated(const double *out, double *in) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Status status;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  memset(in, 5, sizeof(double) * ELEMENTS);
  MPISHM_Irecv(in, BLOCKS, MPI_DOUBLE, before, 6, comm, &request);
  MPISHM_Send(out, 1, rows, next, 6, comm);
  int error = MPISHM_Wait(&request, &status), class;
  MPI_Error_class(error, &class);
  if (class != MPI_ERR_TRUNCATE && class != MPI_ERR_IN_STATUS)
    wrong("the class of an error", class);
  for (int i = BLOCKS; i < ELEMENTS; i++)
    same("what lies behind a receive", &in[i], &(double){in[ELEMENTS - 1]}, sizeof(double), i);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  moved = argc > 1 && atoi(argv[1]);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  make_datatypes();
  double *out = allocate(sizeof(double) * ELEMENTS, moved), *in = allocate(sizeof(double) * ELEMENTS, moved);
  fill_bytes((char *)out, sizeof(double) * ELEMENTS, rank);
  for (int turn = 0; turn < 10; turn++) {
    exchange(out, in, rows, BLOCKS * LENGTH, MPI_DOUBLE, MPISHM_Isend);
    exchange(out, in, rows, 1, other_rows, turn % 2 ? MPISHM_Issend : MPISHM_Isend);
    exchange(out, in, list, ELEMENTS, MPI_DOUBLE, turn % 2 ? MPISHM_Issend : MPISHM_Isend);
    if (argc == 2)
      late(out, in);
  }
  by_itself(out, in);
  if (argc == 2)
    truncated(out, in);
  MPI_Type_free(&rows);
  MPI_Type_free(&other_rows);
  MPI_Type_free(&list);
  release(out, moved);
  release(in, moved);
  return finish(30);
}

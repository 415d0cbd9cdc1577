// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that paste the names of the functions together: what they make is defined as another, and the text stays, also
// where it is printed.
//
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --input-file=%t/rewritten/pasted_calls.c --check-prefix=TEXT
#include "report.h"
#include <string.h>

// TEXT: {{^}}#include <mpishm.h>
// TEXT-NEXT: {{^}}#define MPI_Bsend MPISHM_Bsend
// TEXT-NEXT: {{^}}#define MPI_Rsend MPISHM_Rsend
// TEXT-NEXT: {{^}}#define MPI_Ssend MPISHM_Ssend
// TEXT: {{^}}#define MPI_Irecv MPISHM_Irecv
// TEXT: {{^}}#define MPI_(function) MPI_##function
// TEXT: ALL(Irecv(&in[0], 1, MPI_INT, left,
// TEXT: {{^}}  MPI_Irecv(&in[1], 1, MPI_INT, left,
// TEXT: {{^}}  MPISHM_Send(&in[0],
static hash_t seen = 1;

static int check(int error, const char *text) {
  seen = hash_bytes(seen, text, strlen(text));
  if (error != MPI_SUCCESS)
    fprintf(stderr, "%s\n", text);
  return error;
}
#define MPI_(function) MPI_##function
#define CALL(name, ...) check(MPI_##name(__VA_ARGS__), "MPI_" #name)
#define ALL(call)                                                                                                      \
  do {                                                                                                                 \
    int error = MPI_##call;                                                                                            \
    check(error, #call);                                                                                               \
  } while (0)
/* Several names that are made in one place. */
#define EACH_SEND(_) _(Bsend, 4) _(Rsend, 5) _(Ssend, 6)
#define AS_CALL(name, tag) MPI_##name(value, 1, MPI_INT, to, tag, comm);

static void send_each(const int *value, int to, MPI_Comm comm) { EACH_SEND(AS_CALL) }

int main(int argc, char **argv) {
  int rank, size, in[3] = {-1, -1, -1}, sum = 0;
  MPI_Request requests[4];
  MPI_Comm ring;
  CALL(Init, &argc, &argv);
  CALL(Comm_rank, MPI_COMM_WORLD, &rank);
  ALL(Comm_size(MPI_COMM_WORLD, &size));
  ALL(Comm_dup(MPI_COMM_WORLD, &ring));
  int left = (rank + size - 1) % size, right = (rank + 1) % size;

  ALL(Irecv(&in[0], 1, MPI_INT, left, 1, ring, &requests[0]));
  MPI_Irecv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
  CALL(Isend, &rank, 1, MPI_INT, right, 1, ring, &requests[2]);
  if (MPI_(Isend)(&size, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[3]) == MPI_SUCCESS)
    ALL(Waitall(4, requests, MPI_STATUSES_IGNORE));
  CALL(Allreduce, &rank, &sum, 1, MPI_INT, MPI_SUM, ring);
  MPI_Send(&in[0], 0, MPI_INT, right, 3, ring);
  MPI_Recv(&in[2], 1, MPI_INT, left, 3, ring, MPI_STATUS_IGNORE);
  int each[3], room[1000];
  MPI_Request receives[3];
  for (int i = 0; i < 3; i++)
    MPI_Irecv(&each[i], 1, MPI_INT, left, 4 + i, ring, &receives[i]);
  MPI_Barrier(ring); /* for MPI_Rsend */
  MPI_Buffer_attach(room, sizeof room);
  send_each(&rank, right, ring);
  MPI_Waitall(3, receives, MPI_STATUSES_IGNORE);
  MPI_Buffer_detach(&(void *){NULL}, &(int){0});
  for (int i = 0; i < 3; i++)
    seen = hash_number(seen, each[i]);
  seen = hash_number(hash_number(hash_number(seen, in[0]), in[1]), sum);
  MPI_(Comm_free)(&ring);
  report("pasted", seen);
  ALL(Finalize());
  return 0;
}

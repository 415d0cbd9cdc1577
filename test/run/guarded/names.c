/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls that keep their names: in macros that make strings of them or paste them together, and one that a comment keeps.
 * They meet the rewritten ones, in collectives as well.
 */
// RUN: %run-both %s --guarded --leaves Send,Wait,Irecv,Bcast --work %t

#include "report.h"

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    if ((call) != MPI_SUCCESS)                                                                                         \
      printf("failed: %s\n", #call);                                                                                   \
  } while (0)
#define IS(name) name
#define PASTED(name, ...) IS(MPI_##name)(__VA_ARGS__)

static int rank, size;

static hash_t exchange(hash_t h, int tag, int bytes) {
  char *out = malloc((size_t)bytes), *in = malloc((size_t)bytes);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request r;
  MPI_Status status;
  fill_bytes(out, (size_t)bytes, rank + tag);
  if (rank % 2) {
    MPI_Recv(in, bytes, MPI_CHAR, left, tag, MPI_COMM_WORLD, &status);
    TRY(MPI_Send(out, bytes, MPI_CHAR, right, tag, MPI_COMM_WORLD));
  } else {
    PASTED(Irecv, in, bytes, MPI_CHAR, left, tag, MPI_COMM_WORLD, &r);
    MPI_Send(out, bytes, MPI_CHAR, right, tag, MPI_COMM_WORLD); /* mpishm: keep */
    TRY(MPI_Wait(&r, &status));
  }
  h = hash_bytes(hash_status(h, &status, MPI_CHAR), in, (size_t)bytes);
  MPI_Irecv(in, bytes, MPI_CHAR, left, tag, MPI_COMM_WORLD, &r);
  MPI_Bsend(out, bytes, MPI_CHAR, right, tag, MPI_COMM_WORLD);
  PASTED(Wait, &r, &status);
  h = hash_bytes(hash_status(h, &status, MPI_CHAR), in, (size_t)bytes);
  if (rank == tag % size)
    TRY(MPI_Bcast(in, bytes, MPI_CHAR, tag % size, MPI_COMM_WORLD));
  else
    MPI_Bcast(in, bytes, MPI_CHAR, tag % size, MPI_COMM_WORLD);
  h = hash_bytes(h, in, (size_t)bytes);
  free(out), free(in);
  return h;
}

int main(int argc, char **argv) {
  static char buffer[300000];
  void *detached;
  int length, step;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (step = 0; step < 3; step++) {
    h = exchange(h, 1, 16);
    h = exchange(h, 1, 3000);
    h = exchange(h, 2, 70000);
  }
  MPI_Buffer_detach(&detached, &length);
  report("names", h);
  MPI_Finalize();
  return 0;
}

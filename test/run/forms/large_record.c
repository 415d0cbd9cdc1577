// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that a program has is in one record of more than 500 members: a communicator and requests among numbers that it
// prints, and places that MPI writes beside these, as many as there is room for. What it prints lies in memory, too,
// and goes on as text. All is rewritten.
//
// RUN: %run-both %s --work %t --ranks 4
#include "report.h"

#define EACH_OF_8(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7)
#define EACH_OF_64(m, n)                                                                                               \
  EACH_OF_8(m, n##0)                                                                                                   \
  EACH_OF_8(m, n##1)                                                                                                   \
  EACH_OF_8(m, n##2)                                                                                                   \
  EACH_OF_8(m, n##3) EACH_OF_8(m, n##4) EACH_OF_8(m, n##5) EACH_OF_8(m, n##6) EACH_OF_8(m, n##7)
#define EACH_OF_512(m)                                                                                                 \
  EACH_OF_64(m, n0)                                                                                                    \
  EACH_OF_64(m, n1)                                                                                                    \
  EACH_OF_64(m, n2)                                                                                                    \
  EACH_OF_64(m, n3) EACH_OF_64(m, n4) EACH_OF_64(m, n5) EACH_OF_64(m, n6) EACH_OF_64(m, n7)

enum { LENGTH = 300 };

#define MEMBER(name) int name;
typedef struct {
  EACH_OF_512(MEMBER)
  int sizes[2], places[2], neighbours[4];
  MPI_Comm grid;
  int sent[LENGTH];
  double before;
  MPI_Request requests[2];
  double behind;
  int received[LENGTH];
} all_of_it;

int main(int argc, char **argv) {
  all_of_it all;
  char text[80];
  int rank, count = 0, periodic[2] = {1, 1}, read = 0;
  hash_t hash = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#define SET(name) all.name = rank + count++;
  EACH_OF_512(SET)
  all.sizes[0] = all.sizes[1] = 2;
  MPI_Cart_create(MPI_COMM_WORLD, 2, all.sizes, periodic, 0, &all.grid);
  MPI_Cart_get(all.grid, 2, all.sizes, periodic, all.places);
  MPI_Cart_shift(all.grid, 0, 1, &all.neighbours[0], &all.neighbours[1]);
  all.before = all.behind = rank;
  for (int i = 0; i < LENGTH; i++)
    all.sent[i] = 1000 * rank + i;
  MPI_Irecv(all.received, LENGTH, MPI_INT, all.neighbours[0], 3, all.grid, &all.requests[0]);
  MPI_Isend(all.sent, LENGTH, MPI_INT, all.neighbours[1], 3, all.grid, &all.requests[1]);
  MPI_Waitall(2, all.requests, MPI_STATUSES_IGNORE);
  hash = hash_bytes(hash, all.received, sizeof all.received);
#define ADD(name) hash = hash_bytes(hash, &all.name, sizeof(int));
  EACH_OF_512(ADD)
  FILE *memory = fmemopen(text, sizeof text, "w");
  fprintf(memory, "%d %d %d %g", all.places[0], all.places[1], all.n777, all.before + all.behind);
  fclose(memory);
  sscanf(text, "%d", &read);
  hash = hash_bytes(hash, &read, sizeof read);
  report(text, hash);
  MPI_Comm_free(&all.grid);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters that are read into a record by functions that are handed a format and a place, beside the communicator.
// With REQUESTS a request is written to a file and read from it, a character each. Read by such a function, it has to
// stay MPI's.
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --flags "-O1 -DREQUESTS=1" --work %t
// RUN: %run-both %s --flags "-O1 -DREQUESTS=2" --leaves Irecv,Send,Wait --work %t
#include "report.h"

static struct {
  int steps;
  char name[32];
  double tolerance;
  MPI_Comm comm;
  int cells[3];
} parameters;

static int read_one(FILE *file, const char *format, void *to) { return fscanf(file, format, to); }

static int read_all(FILE *file, const char *format, void **to, int number) {
  int found = 0;
  for (int i = 0; i < number; ++i)
    found +=
        strcmp(format, "%d") == 0 ? fscanf(file, format, &((int *)*to)[i]) : fscanf(file, format, &((double *)*to)[i]);
  return found;
}

int main(int argc, char **argv) {
  int rank, size, in = -1, found = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &parameters.comm);
  MPI_Comm_rank(parameters.comm, &rank);
  MPI_Comm_size(parameters.comm, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  FILE *file = tmpfile();
  fprintf(file, "%d box 0.25 4 5 6\n", 10 + rank);
  rewind(file);
  found += read_one(file, "%d", &parameters.steps);
  found += read_one(file, "%31s", parameters.name);
  void *to = &parameters.tolerance;
  found += read_all(file, "%lf", &to, 1);
  to = parameters.cells;
  found += read_all(file, "%d", &to, 3);
  MPI_Request request, again = MPI_REQUEST_NULL;
  MPI_Irecv(&in, 1, MPI_INT, left, 1, parameters.comm, &request);
  MPI_Send(&parameters.steps, 1, MPI_INT, right, 1, parameters.comm);
#ifdef REQUESTS
  rewind(file);
  for (size_t i = 0; i < sizeof request; ++i)
    fprintf(file, "%c", ((char *)&request)[i]);
  rewind(file);
  for (size_t i = 0; i < sizeof request; ++i)
    REQUESTS == 1 ? fscanf(file, "%c", (char *)&again + i) : read_one(file, "%c", (char *)&again + i);
#else
  again = request;
#endif
  MPI_Wait(&again, MPI_STATUS_IGNORE);
  fclose(file);
  hash_t hash = hash_number(hash_number(HASH_START, in), found);
  hash = hash_bytes(hash, parameters.cells, sizeof parameters.cells);
  hash = hash_bytes(hash, &parameters.tolerance, sizeof parameters.tolerance);
  report("read parameters", hash_bytes(hash, parameters.name, strlen(parameters.name)));
  MPI_Comm_free(&parameters.comm);
  MPI_Finalize();
  return 0;
}

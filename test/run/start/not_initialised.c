// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that was edited but never sets the runtime up: everything goes through MPI, with one warning from the job.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: timeout 60 mpiexec -n 4 %t/program > %t/out 2> %t/err
// RUN: FileCheck %s < %t/out
// RUN: FileCheck %s --check-prefix=WARNING < %t/err
//
// CHECK: all right
// WARNING: {{^mpishm: warning: .*MPISHM_Init.*$}}
// WARNING-NOT: {{.}}
#include "report.h"
#include <mpishm.h>
#include <string.h>

enum { MAX = 100000 };

int main(int argc, char **argv) {
  static int in[MAX], out[MAX], expected[MAX];
  int rank, size, n, wrong = 0, all;
  MPI_Comm twin;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPISHM_Comm_dup(MPI_COMM_WORLD, &twin);
  for (n = 1; n <= MAX; n *= 10) {
    MPI_Request r[2];
    MPI_Comm comm = n % 100 ? twin : MPI_COMM_WORLD;
    int from = (rank + size - 1) % size;
    fill_bytes(out, n * sizeof(int), rank);
    fill_bytes(expected, n * sizeof(int), from);
    MPISHM_Irecv(in, n, MPI_INT, from, 1, comm, &r[0]);
    MPISHM_Isend(out, n, MPI_INT, (rank + 1) % size, 1, comm, &r[1]);
    MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
    wrong += memcmp(in, expected, n * sizeof(int)) != 0;
    memset(in, 0, sizeof in);
    MPISHM_Sendrecv(out, n, MPI_INT, (rank + 1) % size, 2, in, n, MPI_INT, from, 2, comm, MPI_STATUS_IGNORE);
    wrong += memcmp(in, expected, n * sizeof(int)) != 0;
  }
  MPI_Comm_free(&twin);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    puts(all ? "wrong data" : "all right");
  MPI_Finalize();
  return 0;
}

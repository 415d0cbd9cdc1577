// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that includes next to nothing, and has a name for itself that headers of the library would make ambiguous.
//
// RUN: %run-both %s --work %t --ranks 2 --moves 2 --flags "-O1 -std=c++17"
#define MPICH_SKIP_MPICXX
#define OMPI_SKIP_MPICXX
#include <mpi.h>

extern "C" int printf(const char *, ...);
namespace std {}
using namespace std;
typedef unsigned char byte;

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  byte *out = new byte[100], *in = new byte[100];
  for (int i = 0; i < 100; i++)
    out[i] = byte(rank + i);
  MPI_Sendrecv(out, 100, MPI_BYTE, 1 - rank, 1, in, 100, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum = 3 * sum + in[i];
  if (rank == 0)
    printf("%d\n", sum);
  delete[] in;
  delete[] out;
  MPI_Finalize();
}

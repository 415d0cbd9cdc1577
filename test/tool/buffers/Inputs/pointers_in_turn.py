# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pointers_in_turn.py N: print a C program of N pointers, each of which gets what the next one has, the last one what
the first has, and the first a message buffer."""

import sys

count = int(sys.argv[1])
print("#include <mpi.h>\n#include <stdlib.h>")
for i in range(count):
    print(f"static double x{i}, *p{i} = &x{i};")
print("static void turn(void) {")
for i in range(count):
    print(f"  p{i} = p{(i + 1) % count};")
print("""}
int main(int argc, char **argv) {
  int rank;
  double *buffer = malloc(100 * sizeof *buffer);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  p0 = buffer;
  turn();
  if (rank == 0)
    MPI_Send(buffer, 100, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  else if (rank == 1)
    MPI_Recv(buffer, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(buffer);
  MPI_Finalize();
  return 0;
}""")

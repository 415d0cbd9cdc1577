/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * ring - each rank swaps messages with its left and right neighbour, again and again.
 *
 *   mpiexec -n P ring [iterations] [numbers per message]
 *
 * What a rank sends next depends on what it has received from both sides, so the checksum at the end depends on every
 * number of every message.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int number(int argc, char **argv, int i, int otherwise) {
  int value = argc > i ? atoi(argv[i]) : otherwise;
  if (value < 1) {
    fprintf(stderr, "usage: ring [iterations] [numbers per message]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return value;
}

int main(int argc, char **argv) {
  int rank, size;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int iterations = number(argc, argv, 1, 10);
  int length = number(argc, argv, 2, 1000);
  int left = (rank + size - 1) % size;
  int right = (rank + 1) % size;

  double *from_left = malloc(length * sizeof(double));
  double *from_right = malloc(length * sizeof(double));
  double *to_left = malloc(length * sizeof(double));
  double *to_right = malloc(length * sizeof(double));
  for (int i = 0; i < length; i++) {
    to_left[i] = rank + 1.0 / (i + 1);
    to_right[i] = rank - 1.0 / (i + 2);
  }

  for (int step = 0; step < iterations; step++) {
    MPI_Request requests[4];
    MPI_Status statuses[4];

    MPI_Irecv(from_left, length, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(from_right, length, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(to_left, length, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(to_right, length, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);

    if (statuses[0].MPI_SOURCE != left || statuses[1].MPI_SOURCE != right) {
      fprintf(stderr, "rank %d heard from a stranger\n", rank);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < length; i++) {
      to_right[i] = 0.7 * from_left[i] + 0.3 * from_right[length - 1 - i];
      to_left[i] = 0.2 * from_left[i] + 0.8 * from_right[i];
    }
  }

  double mine = 0, *all = NULL;
  for (int i = 0; i < length; i++)
    mine += (i + 1) * to_left[i] - (i % 7) * to_right[i];
  if (rank == 0)
    all = malloc(size * sizeof(double));
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    double sum = 0;
    for (int r = 0; r < size; r++)
      sum += (r + 1) * all[r];
    printf("ring: %d ranks, %d iterations, %d numbers\n", size, iterations, length);
    printf("checksum %.15e\n", sum);
    free(all);
  }

  free(from_left);
  free(from_right);
  free(to_left);
  free(to_right);
  MPI_Finalize();
  return 0;
}

/* The run in run.json is of this program, rewritten: one line further down. */
#include <mpi.h>

static void exchange(double *in, const double *out, int n, int left, int right) {
  MPI_Request r[2];
  MPI_Irecv(in, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
            &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  double in[4], out[4] = {0};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  exchange(in, out, 4, (rank + size - 1) % size, (rank + 1) % size);
  MPI_Sendrecv(out, 4, MPI_DOUBLE, rank, 2, in, 4, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}

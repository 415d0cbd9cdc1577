/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <mpi.h>
int main(int argc, char **argv) {
  double in[8], out[8] = {0};
  int flag;
  MPI_Request r[2];
  MPI_Status s;
  MPI_Init(&argc, &argv);
  MPI_Irecv_c(in, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &r[0]);
  MPI_Isend(out, 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Isendrecv(out, 8, MPI_DOUBLE, 0, 2, in, 8, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, &r[0]);
  MPI_Wait(&r[0], &s);
  MPI_Isendrecv_replace_c(in, 8, MPI_DOUBLE, 0, 3, 0, 3, MPI_COMM_SELF, &r[0]);
  MPI_Test(&r[0], &flag, &s);
  MPI_Recv_init_c(in, 8, MPI_DOUBLE, 0, 4, MPI_COMM_SELF, &r[0]);
  MPI_Ssend_init_c(out, 8, MPI_DOUBLE, 0, 4, MPI_COMM_SELF, &r[1]);
  MPI_Startall(2, r);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Sendrecv_c(out, 8, MPI_DOUBLE, 0, 5, in, 8, MPI_DOUBLE, 0, 5, MPI_COMM_SELF, &s);
  MPI_Sendrecv_replace_c(in, 8, MPI_DOUBLE, 0, 6, 0, 6, MPI_COMM_SELF, &s);
  MPI_Finalize();
  return 0;
}

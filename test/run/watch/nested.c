// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_STATS: a call during which another is made, as error handlers do, does not count the time since the machine
// was started.
//
// RUN: mkdir -p %t && mpishmcc -g %s -o %t/program
// RUN: env MPISHM_STATS=%t/out.json timeout 100 mpiexec -n 2 %t/program | FileCheck %s
// RUN: %python -c "import re; text = open('%t/out.json').read(); \
// RUN:   of = lambda name: [float(n) for n in re.findall('\x22' + name + '\x22: ([0-9.]+)', text)]; \
// RUN:   assert len(of('seconds')) > 2 and max(of('seconds')) <= 2 * max(of('run_seconds')), text"
// CHECK-COUNT-2: handled
#include <mpishm.h>
#include <stdio.h>

static void handle(MPI_Comm *comm, int *error, ...) {
  int class, in = 0, out = 1;
  MPI_Error_class(*error, &class);
  MPISHM_Sendrecv(&out, 1, MPI_INT, 0, 2, &in, 1, MPI_INT, 0, 2, *comm, MPI_STATUS_IGNORE);
  if (class == MPI_ERR_TRUNCATE && in == 1)
    printf("handled\n");
}

int main(int argc, char **argv) {
  MPI_Errhandler handler;
  MPI_Request request;
  int two[2] = {1, 2}, one;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPISHM_Isend(two, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
  MPISHM_Recv(&one, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Errhandler_free(&handler);
  return MPI_Finalize();
}

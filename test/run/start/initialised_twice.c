// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPISHM_Init a second time gives what a second MPI_Init does, by the program's error handler or the library's;
// MPISHM_Attach a second time one warning from the job. What is on its way arrives. How the job ends is not compared.
//
// With Intel MPI 2021 a second MPI_Init returns its error, and then the job is killed in MPI_Finalize or before.
// UNSUPPORTED: mpi-impi
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: mpishmcc -DMPISHM_OFF -I%S/../Inputs -Wno-stringop-overflow %s -o %t/off
// DEFINE: %{how} = init
// DEFINE: %{run} = timeout 60 mpiexec -n 4 %t/program %{how} > %t/out 2> %t/err || true
// DEFINE: %{off} = timeout 60 mpiexec -n 4 %t/off %{how} > %t/expected 2> %t/err2 || true
// DEFINE: %{same} = sed -n "/^a/p;/^error/p;/^l/p" %t/expected > %t/a && sed -n "/^a/p;/^error/p;/^l/p" %t/out > %t/b && diff %t/a %t/b
// RUN: %{run} ; %{off} ; %{same}
// RUN: not grep "mpishm: warning" %t/err
// REDEFINE: %{how} = init_thread
// RUN: %{run} ; %{off} ; %{same}
// REDEFINE: %{how} = attach
// RUN: %{run} ; FileCheck %s < %t/out && FileCheck %s --check-prefix=WARNING < %t/err
//
// CHECK: error 0
// CHECK: arrived
// WARNING: {{^mpishm: warning: .*again.*$}}
// WARNING-NOT: {{.}}
#include "report.h"
#include <mpishm.h>
#include <string.h>

#ifdef MPISHM_OFF
static int attach(void) { return MPI_SUCCESS; }
#else
static int attach(void) { return MPISHM_Attach(); }
#endif

static int again(const char *how, int *argc, char ***argv) {
  int provided;
  if (!strcmp(how, "attach"))
    return attach();
  return strcmp(how, "init") ? MPISHM_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided) : MPISHM_Init(argc, argv);
}

int main(int argc, char **argv) {
  int rank, size, in = -1, wrong, all, class = MPI_SUCCESS;
  MPI_Request r[2];
  MPISHM_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPISHM_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  int error = again(argv[1], &argc, &argv);
  if (error != MPI_SUCCESS)
    MPI_Error_class(error, &class);
  MPISHM_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
  MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
  wrong = in != (rank + size - 1) % size;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("error %d\n%s\n", class, all ? "lost" : "arrived"), fflush(stdout);
  MPI_Finalize();
  return 0;
}

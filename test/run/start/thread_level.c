// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread level that MPI has granted stays, whatever the start asks MPI for: an MPI library that took another one
// from its tool interface (Open MPI 5) would stop locking under a program with threads.
//
// RUN: mpishmcc %s -o %t
// RUN: mpiexec -n 2 %t 0 | FileCheck %s
// RUN: mpiexec -n 2 %t 1 | FileCheck %s
// RUN: mpiexec -n 2 %t 2 | FileCheck %s
// RUN: mpiexec -n 2 %t 3 | FileCheck %s
// CHECK-COUNT-2: level kept
#include <mpishm.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  int provided = -1, kept = -2;
  MPISHM_Init_thread(&argc, &argv, levels[atoi(argv[1])], &provided);
  MPI_Query_thread(&kept);
  puts(kept == provided ? "level kept" : "level lost");
  MPI_Finalize();
  return 0;
}

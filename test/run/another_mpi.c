// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is compiled for Open MPI does not link with a runtime for MPICH, and the linker's message says why.
// With the runtime's own MPI library it links from C and from C++, with the static library and with the shared one.
//
// REQUIRES: openmpi-headers
// UNSUPPORTED: mpi-openmpi
// RUN: mkdir -p %t
// RUN: env MPISHM_MPICC=%mpis/openmpi/bin/mpicc not mpishmcc %s -o %t/program 2>&1 | FileCheck %s
// CHECK: undefined reference to {{.}}mpishm_is_built_for_open_mpi
// RUN: mpishmcc %s -o %t/program && env MPISHM_LINK=shared mpishmcc %s -o %t/program
// RUN: cp %s %t/program.cpp && mpishmcxx %t/program.cpp -o %t/program
// RUN: env MPISHM_LINK=shared mpishmcxx -std=c++11 -pedantic-errors -Wall -Werror %t/program.cpp -o %t/program
#include <mpishm.h>

int main(int argc, char **argv) {
  MPISHM_Init(&argc, &argv);
  return MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program links with its runtime from C and from C++, with the static library and with the shared one. (With a runtime
// for another MPI library it does not: several_mpis.test.)
//
// RUN: mkdir -p %t
// RUN: mpishmcc %s -o %t/program && env MPISHM_LINK=shared mpishmcc %s -o %t/program
// RUN: cp %s %t/program.cpp && mpishmcxx %t/program.cpp -o %t/program
// RUN: env MPISHM_LINK=shared mpishmcxx -std=c++11 -pedantic-errors -Wall -Werror %t/program.cpp -o %t/program
#include <mpishm.h>

int main(int argc, char **argv) {
  MPISHM_Init(&argc, &argv);
  return MPI_Finalize();
}

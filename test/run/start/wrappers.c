// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What mpishmcc and mpishmcxx show is a whole command, our library before MPI's, whichever the MPI library, and enough
// to compile with. (CMake's FindMPI and mpishm-rewrite ask for it.)
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/main.c && cp %s %t/main.cpp && cd %t
// RUN: mpishmcc -show | FileCheck %s
// RUN: mpishmcxx -show | FileCheck %s
// RUN: sh -c 'eval "$(mpishmcc -show) -fsyntax-only main.c"'
// RUN: sh -c 'eval "$(mpishmcxx -show) -fsyntax-only main.cpp"'
// RUN: mpishmcc -show -O2 -c main.c | FileCheck %s --check-prefix=COMPILE
// RUN: mpishmcc -O2 -c main.c && mpishmcc main.o -o program && mpishmcxx main.cpp -o program
// RUN: env MPISHM_LINK=shared mpishmcc -show | FileCheck %s --check-prefix=SHARED
//
// CHECK: {{^[^ ]+ .*}}-I{{.*}}include{{.*}}-L{{.*}}-l:libmpishm.a{{.*}}-lmpi
// SHARED: {{^[^ ]+ .*}}-I{{.*}}include{{.*}}-L{{.*}}-Wl,-rpath,{{.*}}-lmpishm{{.*}}-lmpi
// COMPILE: -O2{{.*}} -c {{.*}}main.c
// COMPILE-NOT: libmpishm
#include <mpishm.h>

int main(int argc, char **argv) {
  MPISHM_Init(&argc, &argv);
  return MPI_Finalize();
}

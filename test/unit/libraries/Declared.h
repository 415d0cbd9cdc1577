// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the headers of this machine's C, C++ and MPI libraries declare and have no bodies of.

#ifndef MPISHM_TEST_UNIT_SOLVE_DECLARED_H
#define MPISHM_TEST_UNIT_SOLVE_DECLARED_H

#include <cstdint>
#include <string>
#include <vector>

namespace mpishm::test {

/// What is known of a parameter, or of a result, by its type.
struct DeclaredType {
  enum Kind { Void, Integer, Floating, Pointer, Record } Is = Void;
  bool ToConst = false, ToFunction = false, ToPointer = false, ToVoid = false;
  int64_t Bytes = -1;  ///< of what a pointer points to, where that is complete
  std::string Pointee; ///< its name
};

struct DeclaredFunction {
  std::string Name; ///< as the linker has it
  DeclaredType Result;
  std::vector<DeclaredType> Parameters; ///< the object that a method is of first
  bool IsVariadic = false;
  bool IsPlain = true; ///< each parameter is one argument, and the result is one
};

struct Declarations {
  std::vector<DeclaredFunction> Functions;
  std::vector<std::string> Missing; ///< headers that this machine has not
};

/// Those of all headers of the C library, or of C++.
Declarations declaredFunctions(bool Cxx);

/// Those of mpi.h.
Declarations declaredByMpi();

} // namespace mpishm::test

#endif

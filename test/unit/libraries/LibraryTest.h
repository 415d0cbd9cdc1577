// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that start a receive and call libraries.

#ifndef MPISHM_TEST_UNIT_SOLVE_LIBRARYTEST_H
#define MPISHM_TEST_UNIT_SOLVE_LIBRARYTEST_H

#include "solve/Fixture.h"

namespace mpishm::test {

class LibraryTest : public ProgramTest {
protected:
  /// Of a program of one unit, of \p Name: main starts a receive into 'r', on line 3, and has \p Main, from line 4 on.
  std::string of(llvm::StringRef Name, llvm::StringRef Headers, llvm::StringRef Main) {
    return classesOf(Name, (Headers +
                            "\nint main(int argc, char **argv) { int b[9]; MPI_Request r; "
                            "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);\n" +
                            Main + "\n(void)b, (void)r, (void)argc, (void)argv; return 0; }\n")
                               .str());
  }
};

} // namespace mpishm::test

#endif

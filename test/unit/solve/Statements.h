// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The message classes of small programs in C, which tell only their statements.

#ifndef MPISHM_TEST_UNIT_SOLVE_STATEMENTS_H
#define MPISHM_TEST_UNIT_SOLVE_STATEMENTS_H

#include "solve/Fixture.h"

namespace mpishm::test {

class StatementsTest : public ProgramTest {
protected:
  /// Of a program in C of one unit, whose main has the statements \p Main, from line 3 on, behind \p Before, line 2.
  std::string c(llvm::StringRef Main, llvm::StringRef Before = "") {
    return classesOf("a.c", (Before + "\nint main(int argc, char **argv) { int b[9]; MPI_Request r, q; MPI_Comm c, d;" +
                             Main + "\n(void)b, (void)r, (void)q, (void)c, (void)d; return 0; }\n")
                                .str());
  }
  static unsigned count(llvm::StringRef Dump, llvm::StringRef Text) { return Dump.count(Text); }
};

} // namespace mpishm::test

#define SEND(tag, comm) "\nMPI_Send(b, 1, MPI_INT, 0, " tag ", " comm ");"
#define RECV(tag, comm) "\nMPI_Recv(b, 1, MPI_INT, 0, " tag ", " comm ", MPI_STATUS_IGNORE);"
#define IRECV_ON(tag, comm, request) "\nMPI_Irecv(b, 1, MPI_INT, 0, " tag ", " comm ", " request ");"

#endif

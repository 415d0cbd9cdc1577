// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with a request that must reach its completion, or a communicator that must stay known, whatever else they
// do.

#ifndef MPISHM_TEST_UNIT_SOLVE_REQUESTS_H
#define MPISHM_TEST_UNIT_SOLVE_REQUESTS_H

#include "solve/Fixture.h"

namespace mpishm::test {

class RequestTest : public ProgramTest {
protected:
  /// The classes of a program: \p Body is in a function that has a request that it has to complete by completing *q.
  std::string classes(llvm::StringRef Body, llvm::StringRef Before = "") {
    return classesOf("a.c", ("#include <stdio.h>\n#include <string.h>\n" + Before +
                             "\nint main(void) { int b[9], n[9], t = 3; MPI_Request r, spare, other,"
                             "*q = &spare; MPI_Win win; MPI_File f; MPI_Info info; MPI_Status status; MPI_Aint size;" +
                             Body + "\nMPI_Wait(q, MPI_STATUS_IGNORE); return t; }\n")
                                .str());
  }
  /// Whether the request of MPI_Irecv is known to reach MPI_Wait, or its class is open.
  static bool isSafe(const std::string &Dump) {
    std::string Class = classWith(Dump, "MPI_Irecv");
    return has(Class, "MPI_Irecv") && (has(Class, "completed by MPI_Wait") || !has(Class, "closed"));
  }
  void expectSafe(llvm::StringRef Body, llvm::StringRef Before = "") {
    std::string Dump = classes(Body, Before);
    EXPECT_TRUE(isSafe(Dump)) << Dump;
  }
  /// What \p Body does keeps nothing that it is given, and leads to nothing else.
  void expectHarmless(llvm::StringRef Body, llvm::StringRef Before = "") {
    std::string Dump = classes(
        ("struct { MPI_Comm comm; MPI_Request request; double d[4]; } s; MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);" +
         Body + "MPI_Irecv(n, 1, MPI_INT, 0, 3, s.comm, &s.request); MPI_Wait(&s.request, &status);")
            .str(),
        Before);
    EXPECT_TRUE(has(classWith(Dump, "MPI_Irecv"), "closed") && isSafe(Dump)) << Dump;
  }
};

#define IRECV "MPI_Irecv(b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r);"

} // namespace mpishm::test

#endif

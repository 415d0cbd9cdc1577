// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests in parallel regions and tasks.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class OpenMp : public ProgramTest {
protected:
  /// The classes of a program whose main has the statements \p Main from line 5 on.
  std::string omp(llvm::StringRef Main, llvm::StringRef Before = "") {
    Units.clear();
    add("a.c",
        ("struct halo { MPI_Request r; int n; };\n" + Before +
         "\nint main(int argc, char **argv) { int b[9], sum = 0; MPI_Request r, q; struct halo h;\n" + Main + "\n}\n")
            .str(),
        {"-fopenmp"});
    return classes();
  }
  /// Asks that the one class of such a program is closed, and completed by the MPI_Wait of line \p Wait alone.
  void isCompleted(llvm::StringRef Main, unsigned Wait) {
    std::string Dump = omp(Main);
    EXPECT_TRUE(has(Dump, "class 0 closed")) << Dump;
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait:" + std::to_string(Wait) + "\n")) << Dump;
  }
};

#define START(request) "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, " request ");\n"
#define COMPLETE(request) "MPI_Wait(" request ", MPI_STATUS_IGNORE);\n"

TEST_F(OpenMp, TasksThatShare) {
  isCompleted(START("&r") "#pragma omp parallel\n#pragma omp single\n#pragma omp task\n" COMPLETE("&r"), 9);
}

TEST_F(OpenMp, TasksWithCopies) {
  isCompleted(START("&h.r") "#pragma omp parallel\n#pragma omp single\n"
                            "#pragma omp task firstprivate(h) depend(in : sum)\n" COMPLETE("&h.r"),
              9);
}

TEST_F(OpenMp, LoopsOfTasks) {
  isCompleted(START("&h.r") "#pragma omp parallel\n#pragma omp single\n#pragma omp taskloop\n"
                            "for (int i = 0; i < argc; i++)\n" COMPLETE("&h.r"),
              10);
}

TEST_F(OpenMp, Reductions) {
  std::string Dump = omp(START("&h.r") "#pragma omp parallel for reduction(+ : sum)\n"
                                       "for (int i = 0; i < argc; i++) sum += b[i] + h.n;\n" COMPLETE("&h.r"));
  EXPECT_TRUE(has(Dump, "class 0 closed")) << Dump;
  // What threads put together goes where it is put.
  Dump = omp(START("&r") "#pragma omp parallel for reduction(| : q)\n"
                         "for (int i = 0; i < argc; i++) q |= r;\n" COMPLETE("&q"));
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait:8\n")) << Dump;
}

TEST_F(OpenMp, TasksThatHandRequestsOut) {
  std::string Dump = omp(
      "#pragma omp parallel\n#pragma omp single\n#pragma omp task firstprivate(h)\n{\n" START("&h.r") "keep(&h);\n}\n",
      "void keep(struct halo *);");
  EXPECT_TRUE(has(Dump, "is handed to 'keep', which is not in the database")) << Dump;
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told apart although its place in an object is a number that the program keeps.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Bytes : public ProgramTest {};

} // namespace

TEST_F(Bytes, OffsetsThatAreKept) {
  auto Of = [&](const char *Offset) {
    return classesOf(
        "a.c",
        (std::string("void library_take(int);\n"
                     "int main(int argc, char **argv) { int b[4], kept[4] = {0}; long at[2] = {4, 8}; at[argc] = ") +
         Offset +
         ";\n"
         "MPI_Request *r = (MPI_Request *)((char *)kept + at[argc]);\n"
         "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, r);\n"
         "library_take(kept[3]); MPI_Wait(r, MPI_STATUS_IGNORE); return 0; }\n")
            .c_str());
  };
  EXPECT_NE(Of("0").find("closed"), std::string::npos) << Of("0");
  EXPECT_NE(Of("12").find("open"), std::string::npos) << Of("12");
  EXPECT_NE(Of("argc").find("open"), std::string::npos) << Of("argc");
}

TEST_F(Bytes, PointersToMembers) {
  auto Of = [&](const char *Bases) {
    return classesOf("a.cpp", (std::string("void library_take(int); volatile int way;\n"
                                           "struct Other { MPI_Request other; };\n"
                                           "struct Counted { int n = 0; int get() { return n; } };\n"
                                           "struct All : ") +
                               Bases +
                               " { MPI_Request request; };\n"
                               "typedef int (All::*Getter)();\n"
                               "static void show(All &a, Getter *all) { library_take((a.*all[way])()); }\n"
                               "int main() { int b[4]; All a; Getter all[2] = {&All::get, &All::get};\n"
                               "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &a.request);\n"
                               "show(a, all); MPI_Wait(&a.request, MPI_STATUS_IGNORE); }\n")
                                  .c_str());
  };
  EXPECT_NE(Of("Counted").find("closed"), std::string::npos) << Of("Counted");
  EXPECT_NE(Of("Other, Counted").find("closed"), std::string::npos) << Of("Other, Counted");
}

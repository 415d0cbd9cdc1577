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

// An array of one element at the end of a record may have more behind it, but no std::array has.
TEST_F(Bytes, ArraysOfOneElement) {
  auto Of = [&](const char *Array) {
    return classesOf("a.cpp", (std::string("#include <array>\n#include <cstddef>\nvoid library_take(int);\n"
                                           "struct Extents { ") +
                               Array +
                               " extents; int of(size_t i) { return extents[i]; } };\n"
                               "struct Field { Extents extents; MPI_Request request; };\n"
                               "int main(int argc, char **) { int b[4]; Field *f = new Field();\n"
                               "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &f->request);\n"
                               "library_take(f->extents.of(argc)); MPI_Wait(&f->request, MPI_STATUS_IGNORE); }\n")
                                  .c_str());
  };
  EXPECT_NE(Of("std::array<int, 1>").find("closed"), std::string::npos) << Of("std::array<int, 1>");
  EXPECT_NE(Of("std::array<int, 2>").find("closed"), std::string::npos) << Of("std::array<int, 2>");
  const char *Hack = "struct { int all[1]; int operator[](size_t i) const { return all[i]; } }";
  EXPECT_NE(Of(Hack).find("open"), std::string::npos) << Of(Hack);
}

// A text in each record of an array goes round, and the request beside it does not.
TEST_F(Bytes, TextsInRecords) {
  auto Of = [&](const char *Length) {
    return classesOf("a.c", (std::string("#include <stdlib.h>\nvoid library_take(int);\n"
                                         "struct Run { char name[20]; MPI_Request request; int n; };\n"
                                         "int main(int argc, char **argv) { int b[4], way = 0;\n"
                                         "struct Run *runs = calloc(argc, sizeof *runs);\n"
                                         "for (int i = 0; i < argc; ++i)\n"
                                         "  MPI_Bcast(runs[i].name, ") +
                             Length +
                             ", MPI_CHAR, 0, MPI_COMM_WORLD);\n"
                             "MPI_Bcast(&way, 1, MPI_INT, 0, MPI_COMM_WORLD); library_take(way);\n"
                             "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &runs[way].request);\n"
                             "MPI_Wait(&runs[way].request, MPI_STATUS_IGNORE); return 0; }\n")
                                .c_str());
  };
  EXPECT_NE(Of("20").find("closed"), std::string::npos) << Of("20");
  EXPECT_NE(Of("24").find("open"), std::string::npos) << Of("24");
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

// Only of a virtual one is the object asked, which may have a number where others have the address of their table.
TEST_F(Bytes, PointersToMemberFunctions) {
  auto Of = [&](const char *Before, const char *Use) {
    return classesOf("a.cpp", (std::string("#include <string.h>\nvoid library_take(int); long library_number();\n"
                                           "struct Worker { long first; MPI_Request request; int b[4];\n"
                                           "void run() { MPI_Wait(&request, MPI_STATUS_IGNORE); }\n"
                                           "void none() {} };\n"
                                           "struct Task { virtual void none() {} virtual void run() {}\n"
                                           "MPI_Request request; int b[4]; };\n"
                                           "struct Waiting : Task { void run() override {\n"
                                           "MPI_Waitall(1, &request, MPI_STATUSES_IGNORE); } };\n") +
                               Before +
                               "\nint main(int argc, char **) { Worker w; Waiting d; Task &t = d;\n"
                               "w.first = library_number();\n"
                               "MPI_Irecv(w.b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &w.request);\n"
                               "MPI_Irecv(d.b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &d.request);\n" +
                               Use + " }\n")
                                  .c_str());
  };
  constexpr const char *Members = "typedef void (Worker::*Run)(); typedef void (Task::*Step)();\n"
                                  "static Run runs[2] = {&Worker::run, &Worker::none}; volatile int way;";
  std::string Dump = Of(Members, "(w.*runs[way])(); Step s = &Task::run; (t.*s)();");
  EXPECT_NE(Dump.find("completed by MPI_Waitall"), std::string::npos) << Dump;
  EXPECT_EQ(Dump.find("open"), std::string::npos) << Dump;
  // The one that stands in the table, and no other.
  Dump = Of(Members, "Step s = &Task::none; (t.*s)();");
  EXPECT_EQ(Dump.find("completed by MPI_Waitall"), std::string::npos) << Dump;
  Dump = Of(Members, "Step s = way ? &Task::none : &Task::run; (t.*s)();");
  EXPECT_NE(Dump.find("completed by MPI_Waitall"), std::string::npos) << Dump;
  // One that is made of a number may be any.
  for (const char *Made : {"long n[2] = {library_number(), 0}; Run r; memcpy(&r, n, 16); (w.*r)();",
                           "long n[2] = {library_number() | 1, 0}; Run r; memcpy(&r, n, 16); (w.*r)();",
                           "long n[2] = {argc, 0}; Step s; memcpy(&s, n, 16); (t.*s)();",
                           "long n[2] = {argc + 8L * way, 0}; Step s; memcpy(&s, n, 16); (t.*s)();"}) {
    Dump = Of(Members, Made);
    EXPECT_TRUE(Dump.find("open") != std::string::npos || Dump.find("completed by MPI_Waitall") != std::string::npos)
        << Made << "\n"
        << Dump;
  }
}

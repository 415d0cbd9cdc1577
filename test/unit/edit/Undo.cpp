// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taking the edits out of one file. What the rewriter itself has written is undone in test/run and test/tool.

#include "edit/Undo.h"
#include "gtest/gtest.h"

using namespace mpishm;

namespace {

constexpr const char Header[] = "#define MPISHM_VERSION_MAJOR 0\n"
                                "#define MPISHM_Isend MPI_Isend\n#define MPISHM_Free free\n#define OTHER MPI_Send\n"
                                "#define MPISHM_Isend_packed MPI_Isend\n#define MPISHM_Send_packed MPI_Send\n";

EditedFile undone(const std::string &Before, UndoResult *Result = nullptr, const char *Path = "/a.cpp") {
  EditedFile File;
  File.Path = Path;
  File.Before = Before;
  llvm::Expected<UndoResult> R = undoFile(File, originalNames(Header));
  EXPECT_TRUE(bool(R)) << llvm::toString(R.takeError());
  if (Result && R)
    *Result = *R;
  return File;
}

TEST(OriginalNames, AreReadFromTheHeader) {
  OriginalNames Names = originalNames(Header);
  EXPECT_EQ(Names.size(), 4u);
  EXPECT_EQ(Names["MPISHM_Free"], "free");
}

TEST(Undo, NamesAndInclude) {
  UndoResult R;
  EXPECT_EQ(undone("#include <mpi.h>\r\n  #include <mpishm.h>\r\nMPISHM_Isend(a);\r\n", &R).After,
            "#include <mpi.h>\r\nMPI_Isend(a);\r\n");
  EXPECT_EQ(R.Names, 1u);
  EXPECT_EQ(R.Includes, 1u);
}

TEST(Undo, NumbersOfLines) {
  EXPECT_EQ(undone("#include <mpi.h>\n#include <mpishm.h>\n#line 2\nMPISHM_Isend(a);\n").After,
            "#include <mpi.h>\nMPI_Isend(a);\n");
  EXPECT_EQ(undone("#ifdef MPI_VERSION\r\n#include <mpishm.h>\r\n#endif\r\n#line 5\r\nMPISHM_Isend(a);\r\n").After,
            "MPI_Isend(a);\r\n");
  EXPECT_EQ(undone("#include <mpishm.h>\n#line 2 \"own.y\"\nMPISHM_Isend(a);\n").After,
            "#line 2 \"own.y\"\nMPI_Isend(a);\n");
}

TEST(Undo, LeavesCommentsAndStrings) {
  const char Text[] = "// MPISHM_Isend\nchar *s = \"MPISHM_Isend\" R\"(\nMPISHM_Isend \")\"; /* MPISHM_Isend */\n";
  EXPECT_EQ(undone(Text).After, Text);
  EXPECT_EQ(undone("char q = '\"'; MPISHM_Isend; '\"'").After, "char q = '\"'; MPI_Isend; '\"'");
  // In C this is a call of a macro, and a string.
  EXPECT_EQ(undone("int R; f(R \"(\", MPISHM_Isend, \")\");", nullptr, "/a.c").After,
            "int R; f(R \"(\", MPI_Isend, \")\");");
}

TEST(Undo, CallsAroundOthers) {
  EXPECT_EQ(undone("a = (T *) MPISHM_To_window(take (n, \")\", f(m)) ) ;").After, "a = (T *) take (n, \")\", f(m))  ;");
  EXPECT_EQ(undone("MPISHM_TO_WINDOW(NEW(T, MPISHM_To_window(x)));").After, "NEW(T, x);");
  UndoResult R;
  EXPECT_EQ(undone("f = MPISHM_To_window;", &R).After, "f = MPISHM_To_window;");
  EXPECT_EQ(R.Leftovers.size(), 1u);
}

TEST(Undo, PackedSends) {
  EXPECT_EQ(undone("{ MPISHM_Packing_begin(out[f], n * (m), MPI_INT, 1, 2, c); pack(f);\n"
                   "MPISHM_Isend_packed(out[f], n * (m), MPI_INT, 1, 2, c, &r);\n"
                   "MPISHM_PACK_THERE(to, n - 1, (m)); for (;;) MPISHM_Send_packed(1); }")
                .After,
            "{ pack(f);\nMPI_Isend(out[f], n * (m), MPI_INT, 1, 2, c, &r);\nfor (;;) MPI_Send(1); }");
  EXPECT_EQ(undone("MPISHM_Packing_begin(out[f], n, MPI_INT, 1, 2, c); MPISHM_PACKING(out[f], 1, (n)) for (;;)\n"
                   "  MPISHM_THERE(out[f])[k] = x;\nMPISHM_Send_packed(1);")
                .After,
            "for (;;)\n  out[f][k] = x;\nMPI_Send(1);");
  for (const char *Own : {"MPISHM_PACK_THERE(to, n, n);\nfor (;;) f();", "f = MPISHM_Packing_begin;",
                          "MPISHM_PACKING(to, n, n)\nfor (;;) f();", "MPISHM_PACKING(to, n, n)"}) {
    UndoResult R;
    EXPECT_EQ(undone(Own, &R).After, Own);
    EXPECT_EQ(R.Leftovers.size(), 1u);
  }
}

TEST(Undo, Allocators) {
  EXPECT_EQ(undone("std::vector<unsigned int, mpishm::allocator<unsigned int> > v;").After,
            "std::vector<unsigned int> v;");
  UndoResult R;
  EXPECT_EQ(undone("std::vector<A<B<int>>, mpishm::allocator<A<B<int>>> > v;").After, "std::vector<A<B<int>>> v;");
  EXPECT_EQ(undone("std::vector<A<(1 < 2)>, mpishm::allocator<A<(1 < 2)>> > v;").After, "std::vector<A<(1 < 2)>> v;");
  EXPECT_EQ(undone("std::vector<A<int>, mpishm::allocator<A<int>>> own;").After,
            "std::vector<A<int>, mpishm::allocator<A<int>>> own;");
  EXPECT_EQ(undone("std::list<T, mpishm::allocator<T>> own;", &R).After, "std::list<T, mpishm::allocator<T>> own;");
  EXPECT_EQ(R.Leftovers.size(), 1u);
}

TEST(Undo, MacroBodiesAndSkippedBranches) {
  EXPECT_EQ(undone("#define SEND(x) MPISHM_Isend(x, \\\n MPISHM_Isend)\n#if 0\nMPISHM_Free\n#endif\n").After,
            "#define SEND(x) MPI_Isend(x, \\\n MPI_Isend)\n#if 0\nfree\n#endif\n");
}

TEST(Undo, ConditionalsAroundTheInclude) {
  EXPECT_EQ(undone("#if A\n#elif B\n#include <mpishm.h>\n#endif\n#if A\n#elif B\nMPISHM_Free\n#endif\n").After,
            "#if A\n#elif B\nfree\n#endif\n");
  EXPECT_EQ(undone("#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\n#endif\n").After,
            "#ifdef A\n#include <mpi.h>\n#endif\n");
}

TEST(Undo, Memory) {
  EXPECT_EQ(undone("a = new (mpishm::window) double[n]; MPISHM_Delete_array(f(a));").After,
            "a = new double[n]; delete[] f(a);");
  EXPECT_EQ(undone("a = new (mpishm::window, std::nothrow) T[n]").After, "a = new (std::nothrow) T[n]");
}

TEST(Undo, KeepsTheIncludeForWhatStandsForNothing) {
  UndoResult R;
  EXPECT_EQ(undone("#include <mpishm.h>\nMPISHM_Attach();\nMPISHM_Isend();\n", &R).After,
            "#include <mpishm.h>\nMPISHM_Attach();\nMPI_Isend();\n");
  ASSERT_EQ(R.Leftovers.size(), 1u);
  EXPECT_EQ(R.Leftovers[0].Name, "MPISHM_Attach");
  EXPECT_EQ(R.Leftovers[0].Line, 2u);
  EXPECT_EQ(undone("#include <mpishm.h>\nstd::vector<int, mpishm::allocator<int>> v;\n", &R).After.front(), '#');
  EXPECT_EQ(R.Leftovers.size(), 1u);
}

TEST(Undo, NothingToDo) {
  for (const char *Text : {"", "int main() {}", "#include <mpi.h>", "\xff MPI_Isend \"", "MYMPISHM_Isend MPISHM"})
    EXPECT_EQ(undone(Text).After, Text);
}

} // namespace

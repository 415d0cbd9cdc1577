// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls in the IR name their sites.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;
using Strings = std::vector<std::string>;

namespace {

class SiteMarks : public testing::Test {
protected:
  Strings c(llvm::StringRef Text, std::vector<std::string> Flags = {}) { return callsOf("a.c", Text, Flags); }
  Strings cxx(llvm::StringRef Text, std::vector<std::string> Flags = {}) { return callsOf("a.cpp", Text, Flags); }

  Sources Files;

private:
  Strings callsOf(llvm::StringRef Name, llvm::StringRef Text, const std::vector<std::string> &Flags) {
    std::optional<LoweredUnit> U = Files.lower(Name, Text, Flags);
    EXPECT_EQ(Files.Errors, "");
    return U ? callsIn(*U) : Strings{"it does not compile"};
  }
};

} // namespace

TEST_F(SiteMarks, EachCallHasItsOwn) {
  EXPECT_EQ(c("#include <mpi.h>\n"
              "void f(MPI_Request *r) {\n"
              "  MPI_Wait(r, MPI_STATUS_IGNORE);\n"
              "  (MPI_Wait)(r + 1, MPI_STATUS_IGNORE);\n"
              "  PMPI_Wait(r + 2, MPI_STATUS_IGNORE);\n"
              "}\n"),
            (Strings{"3:MPI_Wait", "4:MPI_Wait", "5:PMPI_Wait"}));
}

TEST_F(SiteMarks, ColumnsTellCallsOfOneLineApart) {
  std::optional<LoweredUnit> U = Files.lower("a.c", "#include <mpi.h>\n"
                                                    "void f(MPI_Request *r) { MPI_Start(r); MPI_Start(r + 1); }\n");
  ASSERT_TRUE(U);
  ASSERT_EQ(U->Sites.size(), 2U);
  EXPECT_EQ(U->Sites[0].Name.Column, 26U);
  EXPECT_EQ(U->Sites[1].Name.Column, 40U);
}

TEST_F(SiteMarks, MacrosNamePlaceAndToken) {
  std::optional<LoweredUnit> U = Files.lower("a.c", "#include <mpi.h>\n"
                                                    "#define START(r) MPI_Start(r)\n"
                                                    "#define TWICE(f, r) f(r); f(r)\n"
                                                    "void f(MPI_Request *r) {\n"
                                                    "  START(r); START(r + 1);\n"
                                                    "  TWICE(MPI_Cancel, r);\n"
                                                    "}\n");
  ASSERT_TRUE(U);
  // What a macro repeats is one name in the text, which is one site.
  ASSERT_EQ(U->Sites.size(), 3U);
  EXPECT_EQ(U->Sites[0].Token.Line, 2U);
  EXPECT_EQ(U->Sites[0].Name.Line, 5U);
  EXPECT_EQ(U->Sites[1].Name.Column, 13U);
  EXPECT_EQ(U->Sites[2].Function, "MPI_Cancel");
  EXPECT_EQ(U->Sites[2].Name.Line, 6U);
  EXPECT_EQ(U->Sites[2].Name.Column, 9U);
}

TEST_F(SiteMarks, OtherUsesKeepTheFunction) {
  EXPECT_EQ(c("#include <mpi.h>\n"
              "int (*start)(MPI_Request *) = MPI_Start;\n"
              "void f(MPI_Request *r) { start(r); (*MPI_Cancel)(r); MPI_Start(r); }\n"),
            (Strings{"MPI_Start!", "3:MPI_Cancel", "3:MPI_Start"}));
}

TEST_F(SiteMarks, WithoutPrototype) {
  EXPECT_EQ(c("int f(void *r) {\n"
              "  return MPI_Start(r);\n"
              "}\n"
              "int MPI_Cancel();\n"
              "int g(r) void *r; {\n"
              "  return MPI_Cancel(r, 1);\n"
              "}\n",
              {"-std=gnu89"}),
            (Strings{"2:MPI_Start", "6:MPI_Cancel"}));
}

TEST_F(SiteMarks, WhatTheUnitDefinesItselfIsNoSite) {
  EXPECT_EQ(c("#include <mpi.h>\n"
              "int MPI_Start(MPI_Request *r) { return PMPI_Start(r); }\n"
              "void f(MPI_Request *r) { MPI_Start(r); }\n"),
            (Strings{"MPI_Start!", "2:PMPI_Start"}));
}

TEST_F(SiteMarks, InstancesOfTemplatesShareOne) {
  EXPECT_EQ(cxx("#include <mpi.h>\n"
                "template <class T> struct Box {\n"
                "  void start(T *r) { MPI_Start(reinterpret_cast<MPI_Request *>(r)); }\n"
                "  template <class U> void both(U) { MPI_Start(nullptr); }\n"
                "};\n"
                "template <class... A> void each(A... a) { (MPI_Cancel(a), ...); }\n"
                "void f(int *i, long *l, MPI_Request *r) {\n"
                "  Box<int>().start(i); Box<long>().start(l); Box<long>().both(1); each(r, r);\n"
                "}\n",
                {"-std=c++20"}),
            (Strings{"3:MPI_Start", "4:MPI_Start", "6:MPI_Cancel"}));
}

TEST_F(SiteMarks, CodeThatStandsElsewhere) {
  EXPECT_EQ(cxx("#include <mpi.h>\n"
                "struct Own {\n"
                "  int made = MPI_Start(nullptr);\n" // by the implicit constructor
                "  ~Own() { MPI_Cancel(nullptr); }\n"
                "};\n"
                "int given(int i = MPI_Start(nullptr));\n" // where it is called
                "int global = MPI_Start(nullptr);\n"       // before main
                "void f(MPI_Request *r) {\n"
                "  Own o;\n"
                "  given();\n"
                "  auto lambda = [=](auto x) { return MPI_Start(r + x); };\n"
                "  lambda(1);\n"
                "}\n"),
            (Strings{"3:MPI_Start", "4:MPI_Cancel", "6:MPI_Start", "7:MPI_Start", "11:MPI_Start"}));
}

TEST_F(SiteMarks, Coroutines) {
  EXPECT_EQ(cxx("#include <mpi.h>\n"
                "#include <coroutine>\n"
                "struct Task {\n"
                "  struct promise_type {\n"
                "    Task get_return_object() { return {}; }\n"
                "    std::suspend_always initial_suspend() { return {}; }\n"
                "    std::suspend_never final_suspend() noexcept { return {}; }\n"
                "    void return_void() {}\n"
                "    void unhandled_exception() {}\n"
                "  };\n"
                "};\n"
                "Task f(MPI_Request *r) {\n"
                "  MPI_Start(r);\n"
                "  co_await std::suspend_always();\n"
                "  MPI_Cancel(r);\n"
                "}\n",
                {"-std=c++20"}),
            (Strings{"13:MPI_Start", "15:MPI_Cancel"}));
}

TEST_F(SiteMarks, AHeaderIsOnePlaceInAllUnits) {
  Files.write("wait.h", "#include <mpi.h>\n"
                        "inline void wait(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }\n");
  std::optional<LoweredUnit> First = Files.lower("a.cpp", "#include \"wait.h\"\nvoid f(MPI_Request *r) { wait(r); }\n");
  std::optional<LoweredUnit> Second = Files.lower(
      "b.cpp", "#include <cstdlib>\n#include \"wait.h\"\nvoid g(MPI_Request *r) { MPI_Start(r); wait(r); }\n");
  ASSERT_TRUE(First && Second);
  // The MPI library's own headers may have calls, too.
  auto InHeader = [](const LoweredUnit &U) {
    std::vector<SiteMark> Result;
    for (const SiteMark &Mark : U.Sites)
      if (llvm::StringRef(Mark.Name.File).ends_with("/wait.h"))
        Result.push_back(Mark);
    return Result;
  };
  ASSERT_EQ(InHeader(*First).size(), 1U);
  ASSERT_EQ(InHeader(*Second).size(), 1U);
  EXPECT_TRUE(InHeader(*First)[0].Name == InHeader(*Second)[0].Name);
  EXPECT_EQ(callsIn(*Second), (Strings{"2:MPI_Wait", "3:MPI_Start"}));
}

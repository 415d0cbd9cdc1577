// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the names of calls stand.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Macros : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Macros, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Macros, NameInAnArgument) {
  Facts F = collect(Language::C, R"(
    #define CHECK(call) do { if ((call) != 0) return; } while (0)
    #define AGAIN(x) CHECK(x)
    void f(MPI_Request *r) {
      CHECK(MPI_Wait(r, MPI_STATUS_IGNORE));
      AGAIN(  MPI_Waitall(1, r, MPI_STATUSES_IGNORE));
    })");
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:6:13 editable in f")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Waitall at unit.c:7:15 editable in f")) << F.dump();
}

TEST_P(Macros, NameInTheBody) {
  Facts F = collect(Language::C, R"(
    #define WAIT(r) MPI_Wait(r, MPI_STATUS_IGNORE)
    #define OUTER(r) WAIT(r)
    #define NAME MPI_Waitall
    #define TWICE CHECK(MPI_Wait(r, MPI_STATUS_IGNORE))
    #define CHECK(x) x
    void f(MPI_Request *r) {
      WAIT(r);
      OUTER(r);
      NAME(1, r, MPI_STATUSES_IGNORE);
      TWICE;
    })");
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:9:7 macro-definition (WAIT unit.c:3:21)")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:10:7 macro-definition (WAIT unit.c:3:21)")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Waitall at unit.c:11:7 macro-definition (NAME unit.c:5:18)")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:12:7 macro-definition (TWICE unit.c:6:25)")) << F.dump();
}

TEST_P(Macros, PastedNames) {
  Facts F = collect(Language::C, R"(
    #define PREFIX(x) MPI_##x
    #define HAND(x) x
    void f(MPI_Request *r) { PREFIX(Wait)(r, MPI_STATUS_IGNORE); HAND(PREFIX(Wait))(r, MPI_STATUS_IGNORE); }
  )");
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:5:30 pasted (")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:5:71 pasted-name")) << F.dump();
}

TEST_P(Macros, ArgumentsInBodies) {
  Facts F = collect(Language::C, R"(
    #define RECV(c, s) MPI_Recv(b, 1, MPI_INT, s, MPI_ANY_TAG, c, MPI_STATUS_IGNORE)
    #define NOT_ONLY MPI_ANY_SOURCE + 3
    void f(int *b) { RECV(MPI_COMM_WORLD, MPI_ANY_SOURCE); RECV(MPI_COMM_SELF, 2 * (NOT_ONLY)); }
  )");
  EXPECT_TRUE(F.has("call MPI_Recv at unit.c:5:22 macro-definition (RECV unit.c:3:24) in f")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Recv at unit.c:5:60 macro-definition (RECV unit.c:3:24) in f")) << F.dump();
}

TEST_P(Macros, TextsAndNamesMadeOfCalls) {
  Facts F = collect(Language::C, R"(
    #define TEXT(x) use(x, #x)
    #define CHECK(x) TEXT(x)
    #define MORE(f, ...) f(0, ## __VA_ARGS__)
    #define OTHER(x) P ## x
    #define WAIT MPI_Waitall
    #define NAME(x) OTHER(x)
    void use(int, ...);
    void f(MPI_Request *r) {
      CHECK(MPI_Wait(r, MPI_STATUS_IGNORE));
      MORE(use, MPI_Test(r, 0, MPI_STATUS_IGNORE));
      WAIT(1, r, MPI_STATUSES_IGNORE);
      NAME(WAIT)(1, r, MPI_STATUSES_IGNORE);
    })");
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:11:13 stringized (TEXT unit.c:3:13)")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Test at unit.c:12:17 editable")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Waitall at unit.c:13:7 pasted-name (OTHER unit.c:6:13)")) << F.dump();
}

TEST(MacrosOfCommands, NamesFromTheCommandLine) {
  Facts F = collect(Language::C, "void f(MPI_Request *r) { WAIT(r, MPI_STATUS_IGNORE); }", {"-DWAIT=MPI_Wait"});
  EXPECT_EQ(F.Errors, "");
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:2:26 macro-body (WAIT unit.c:2:26)")) << F.dump();
}

TEST_P(Macros, Spellings) {
  Facts F = collect(Language::C, R"(
    #include <mpishm.h>
    int PMPI_Wait(MPI_Request *r, MPI_Status *s);
    void f(MPI_Request *r) {
      PMPI_Wait(r, MPI_STATUS_IGNORE);
      MPISHM_Wait(r, MPI_STATUS_IGNORE);
    })");
  EXPECT_TRUE(F.has("call MPI_Wait as PMPI_Wait at unit.c:6:7 editable")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Wait as MPISHM_Wait at unit.c:7:7 editable in f")) << F.dump();
}

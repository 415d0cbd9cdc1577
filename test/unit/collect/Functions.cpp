// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as values, and functions of MPI's names.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Functions : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Functions, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Functions, CallsThroughPointers) {
  Facts F = collect(Language::C, R"(
    static MPI_Comm kept;
    static void keep(MPI_Comm c) { kept = c; }
    void (*hook)(MPI_Comm) = keep;
    void f(void) { hook(MPI_COMM_WORLD); (*hook)(MPI_COMM_SELF); }
  )");
  EXPECT_TRUE(F.connected("kept", "World")) << F.dump();
}

TEST_P(Functions, MethodPointers) {
  Facts F = collect(Language::Cxx, R"(
    struct Halo { MPI_Comm comm; void set(MPI_Comm c) { comm = c; } };
    void f(Halo *h) { void (Halo::*m)(MPI_Comm) = &Halo::set; (h->*m)(MPI_COMM_WORLD); }
  )");
  EXPECT_TRUE(F.connected("Halo.comm", "World")) << F.dump();
}

TEST_P(Functions, MpiFunctionsAsValues) {
  Facts F = collect(Language::C, R"(
    int (*wait_one)(MPI_Request *, MPI_Status *) = MPI_Wait;
    int (*rank)(MPI_Comm, int *) = MPI_Comm_rank;
    void f(MPI_Request *r) { (MPI_Wait)(r, MPI_STATUS_IGNORE); (*MPI_Wait)(r, MPI_STATUS_IGNORE); }
  )");
  ASSERT_EQ(F.Unit.Uses.size(), 1u) << F.dump();
  EXPECT_EQ(F.Unit.Uses[0].Function, "MPI_Wait");
  EXPECT_EQ(F.Unit.Uses[0].Where.Line, 3u);
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:5:31 editable")) << F.dump();
  EXPECT_EQ(F.Unit.Calls.size(), 2u);
}

TEST_P(Functions, ProfilingNamesAsValues) {
  Facts F = collect(Language::C, R"(
    int PMPI_Wait(MPI_Request *r, MPI_Status *s);
    int (*wait_round)(MPI_Request *, MPI_Status *) = PMPI_Wait;
    int (*wait_one)(MPI_Request *, MPI_Status *) = MPI_Wait;
  )");
  EXPECT_TRUE(F.has("use MPI_Wait round the net at unit.c:4:54")) << F.dump();
  EXPECT_TRUE(F.has("use MPI_Wait at unit.c:5:52")) << F.dump();
}

TEST_P(Functions, DefinedByTheProgram) {
  Facts F = collect(Language::C, R"(
    int MPI_Send(const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c) { return 0; }
    #define MPI_Recv my_recv
    #define MPI_Wtime my_time
  )");
  EXPECT_TRUE(F.has("definition MPI_Send at unit.c:3:9")) << F.dump();
  EXPECT_TRUE(F.has("definition MPI_Recv macro at unit.c:4:13")) << F.dump();
  EXPECT_EQ(F.Unit.Definitions.size(), 2u);
}

TEST_P(Functions, OthersOfTheSameName) {
  Facts F = collect(Language::Cxx, R"(
    namespace mine { void MPI_Isend(MPI_Comm c); }
    struct Wrapper { void MPI_Wait(MPI_Request *r); };
    void f(Wrapper &w, MPI_Request r, MPI_Comm c) { mine::MPI_Isend(c); w.MPI_Wait(&r); }
  )");
  ASSERT_EQ(F.Unit.Calls.size(), 1u) << F.dump();
  EXPECT_TRUE(F.has("call another mine::MPI_Isend at unit.cpp:5:59"))
      << "not MPI's, where MPI's may stand for another unit";
  EXPECT_TRUE(F.has("argument mine::MPI_Isend")) << "as any function's";
}

TEST_P(Functions, Bodies) {
  Facts F = collect(Language::C, R"(
    void declared(int);
    static int hidden(void) { return 1; }
    int main(void) { declared(hidden()); return 0; }
  )");
  EXPECT_TRUE(F.has("body c:@F@main"));
  EXPECT_TRUE(F.has("body c:unit.c@F@hidden@/")) << F.dump();
  EXPECT_FALSE(F.has("body c:@F@declared"));
}

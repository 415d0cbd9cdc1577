// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mpi/Functions.h"
#include "gtest/gtest.h"

using namespace mpishm;

TEST(Table, SpellingsShareARow) {
  const FunctionInfo *Row = findFunction("MPI_Isend");
  ASSERT_NE(Row, nullptr);
  EXPECT_EQ(findFunction("PMPI_Isend"), Row);
  EXPECT_EQ(findFunction("MPISHM_Isend"), Row);
  EXPECT_EQ(Row->Name, "MPI_Isend");
  EXPECT_EQ(Row->Comm, 5u);
  EXPECT_EQ(Row->Request, 6u);
  EXPECT_TRUE(Row->Nonblocking);
}

TEST(Table, LargeCountsHaveTheirOwnRow) {
  const FunctionInfo *Row = findFunction("MPI_Isend_c");
  ASSERT_NE(Row, nullptr);
  EXPECT_EQ(Row->Name, "MPI_Isend_c");
  EXPECT_EQ(Row->Supported, Support::Rewritten);
  EXPECT_EQ(Row->Kind, FunctionKind::Send);
  EXPECT_EQ(findFunction("MPI_Psend_init_c"), nullptr);
}

TEST(Table, FormsThatMarkAProgram) {
  const FunctionInfo *Row = findFunction("MPI_Init_thread");
  for (bool Guarded : {false, true})
    for (bool Nodewise : {false, true}) {
      const Marks All = {Guarded, Nodewise};
      std::string Name = markedForm("MPI_Init_thread", All);
      EXPECT_EQ(findFunction(Name), Row) << Name;
      EXPECT_TRUE(marksOf(Name) == All) << Name;
      EXPECT_EQ(markedForm(Name, All), Name);
      EXPECT_TRUE(isAttach(markedForm(AttachName, All)));
    }
  EXPECT_EQ(markedForm("MPI_Init_thread", {true, false}), "MPISHM_Init_thread_guarded");
  EXPECT_EQ(markedForm("MPI_Init", {true, true}), "MPISHM_Init_nodewise_guarded");
  EXPECT_EQ(markedForm("MPISHM_Init_guarded", {false, true}), "MPISHM_Init_nodewise");
  EXPECT_EQ(findFunction("MPISHM_Send_guarded"), nullptr);
  EXPECT_EQ(findFunction("MPISHM_Send_nodewise"), nullptr);
  EXPECT_EQ(findFunction("MPI_Init_guarded"), nullptr);
  EXPECT_FALSE(isAttach("MPISHM_Init"));
}

TEST(Table, KnowsOnlyMpi) {
  EXPECT_EQ(findFunction("Isend"), nullptr);
  EXPECT_EQ(findFunction("MPI_Wtime"), nullptr);
  EXPECT_EQ(findFunction("my_MPI_Isend"), nullptr);
  EXPECT_TRUE(isMpiName("MPI_Barrier"));
  EXPECT_TRUE(isMpiName("PMPI_Barrier"));
  EXPECT_FALSE(isMpiName("MPI_barrier"));
  EXPECT_FALSE(isMpiName("MPIX_Comm_shrink"));
  EXPECT_FALSE(isMpiName("MPI_"));
}

TEST(Table, Collectives) {
  const FunctionInfo *Row = findFunction("MPISHM_Bcast");
  ASSERT_NE(Row, nullptr);
  EXPECT_EQ(Row->Comm, 4u);
  EXPECT_TRUE(isCollective(Row->Kind));
  EXPECT_EQ(collectiveOf(*Row), "MPI_Bcast");
  // Members may differ in the width of counts.
  EXPECT_EQ(collectiveOf(*findFunction("MPI_Bcast_c")), "MPI_Bcast");
  EXPECT_EQ(findFunction("MPI_Exscan")->Kind, FunctionKind::Reduction);
  EXPECT_EQ(collectiveOf(*findFunction("MPI_Send_c")), "");
  // These give a request, and match none of those that do not.
  const FunctionInfo *Nonblocking = findFunction("MPI_Iallgatherv_c");
  ASSERT_NE(Nonblocking, nullptr);
  EXPECT_EQ(Nonblocking->Comm, 7u);
  EXPECT_EQ(Nonblocking->Request, 8u);
  EXPECT_EQ(collectiveOf(*Nonblocking), "MPI_Iallgatherv");
  EXPECT_EQ(findFunction("MPI_Ibarrier")->Request, 1u);
  EXPECT_EQ(findFunction("MPI_Iscan")->Kind, FunctionKind::Reduction);
  // So do persistent ones, which match neither.
  const FunctionInfo *Persistent = findFunction("MPI_Barrier_init");
  ASSERT_NE(Persistent, nullptr);
  EXPECT_EQ(Persistent->Request, 2u);
  EXPECT_EQ(collectiveOf(*Persistent), "MPI_Barrier_init");
}

TEST(Table, MatchedProbesAndTheirReceives) {
  for (const char *Name : {"MPI_Mprobe", "MPI_Mrecv", "MPI_Mrecv_c", "MPI_Imrecv", "MPI_Imrecv_c"})
    EXPECT_EQ(findFunction(Name)->Message, 3u) << Name;
  EXPECT_EQ(findFunction("MPI_Improbe")->Message, 4u);
  EXPECT_EQ(findFunction("MPI_Imrecv_c")->Request, 4u);
  EXPECT_EQ(findFunction("MPI_Mrecv_c")->Kind, FunctionKind::MatchedReceive);
}

TEST(Table, Sendrecv) {
  const FunctionInfo *Row = findFunction("MPI_Sendrecv");
  ASSERT_NE(Row, nullptr);
  EXPECT_EQ(Row->Peer, 3u);
  EXPECT_EQ(Row->Tag, 4u);
  EXPECT_EQ(Row->SecondPeer, 8u);
  EXPECT_EQ(Row->SecondTag, 9u);
  EXPECT_EQ(Row->Comm, 10u);
}

TEST(Table, Windows) {
  const FunctionInfo *Row = findFunction("MPI_Rget_accumulate_c");
  ASSERT_NE(Row, nullptr);
  EXPECT_TRUE(isOneSided(Row->Kind) && !isCollective(Row->Kind));
  EXPECT_EQ(Row->Window, 11u);
  EXPECT_EQ(Row->Request, 12u);
  EXPECT_EQ(collectiveOf(*Row), "");
  // Members make a window together, by one function.
  EXPECT_EQ(findFunction("MPI_Win_create")->Comm, 4u);
  EXPECT_EQ(collectiveOf(*findFunction("MPI_Win_create_c")), "MPI_Win_create");
  EXPECT_EQ(findFunction("MPI_Win_create_dynamic")->Supported, Support::Unsupported);
  EXPECT_EQ(findFunction("MPI_Isend")->Window, std::nullopt);
}

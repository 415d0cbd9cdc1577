// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is renamed, and that a second run finds nothing to do.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

TEST(Renames, NewNamesAreOfTheRuntime) {
  Unit U;
  U.exchange(constant(1), World);
  Decisions D = decide(U);
  ASSERT_EQ(D.Renames.size(), 4u);
  EXPECT_EQ(D.Renames[0].OldName, "MPI_Irecv");
  EXPECT_EQ(D.Renames[0].NewName, "MPISHM_Irecv");
  EXPECT_EQ(D.Renames[3].NewName, "MPISHM_Init");
}

TEST(Renames, BlockingPartnersComeAlong) {
  Unit U;
  U.receive("MPI_Irecv", Computed, constant(1), World, {U.request("c:r")});
  U.send("MPI_Send", constant(1), World).completion("MPI_Wait", U.request("c:r"));
  U.send("MPI_Send", constant(2), World).receive("MPI_Recv", Computed, constant(2), World);
  EXPECT_EQ(renames(decide(U)), "MPI_Irecv:1 MPI_Send:2 MPI_Wait:3 MPI_Send:4 MPI_Recv:5");
  ProgramContext Context;
  Context.ExchangesOnly = true;
  EXPECT_EQ(renames(match({U.Facts}, Context)), "MPI_Irecv:1 MPI_Send:2 MPI_Wait:3");
}

TEST(Renames, APlaceSeenByTwoUnitsCountsOnce) {
  Unit A("/p/a.c"), B("/p/b.c", false);
  A.exchange(constant(1), World);
  B.exchange(constant(1), World);
  for (Call &C : A.Facts.Calls)
    C.Name.File = "/p/halo.h";
  for (Call &C : B.Facts.Calls)
    C.Name.File = "/p/halo.h";
  Decisions D = decide(A, B);
  EXPECT_EQ(D.Sites.size(), 2u);
  EXPECT_EQ(renames(D), "MPI_Irecv:1 MPI_Isend:2 MPI_Waitall:3");
}

TEST(Renames, OperandsOfAllViewsCount) {
  Unit A("/p/a.c"), B("/p/b.c", false);
  A.receive("MPI_Irecv", Computed, constant(1), World, {A.request("c:r")});
  B.receive("MPI_Precv_init", Computed, constant(1), World, {B.request("c:r")});
  A.Facts.Calls[0].Name.File = B.Facts.Calls[0].Name.File = "/p/halo.h";
  EXPECT_EQ(reasonAt(decide(A, B), 1, "/p/halo.h"), Diagnostic::UnsupportedOperation);
}

TEST(Renames, TheOrderOfUnitsDoesNotMatter) {
  Unit A("/p/a.c"), B("/p/b.c", false);
  A.exchange(constant(1), World, "c:r1");
  B.receive("MPI_Precv_init", Computed, constant(3), World).exchange(constant(2), World, "c:r2");
  EXPECT_EQ(renames(match({A.Facts, B.Facts})), renames(match({B.Facts, A.Facts})));
}

TEST(Renames, ASecondRunChangesNothing) {
  Unit U;
  U.call("MPI_Init");
  U.maker("MPI_Cart_create", World, U.comm("c:cart")).exchange(constant(1), U.comm("c:cart"));
  Decisions First = match({U.Facts});
  EXPECT_EQ(First.Renames.size(), 5u);
  apply(First, U.Facts);
  Decisions Second = match({U.Facts});
  EXPECT_TRUE(Second.Renames.empty());
  ASSERT_EQ(Second.Sites.size(), 2u);
  EXPECT_TRUE(Second.Sites[0].Already && Second.Sites[0].Rewrite);
  EXPECT_TRUE(Second.Findings.empty());
}

TEST(Renames, WhatWasAddedAfterARunIsDoneByTheNext) {
  Unit U;
  U.call("MPI_Init");
  U.exchange(constant(1), World);
  apply(match({U.Facts}), U.Facts);
  U.send("MPI_Send", constant(1), World).completion("MPI_Test", U.request("c:reqs"));
  EXPECT_EQ(renames(match({U.Facts})), "MPI_Send:5 MPI_Test:6");
}

TEST(Renames, AnOpenClassThatIsRewrittenAlreadyIsAnError) {
  Unit U;
  U.call("MPI_Init");
  U.exchange(constant(1), World);
  apply(match({U.Facts}), U.Facts);
  U.receive("MPI_Precv_init", Computed, constant(1), World);
  Decisions D = match({U.Facts});
  EXPECT_TRUE(hasFinding(D, Diagnostic::RewrittenInOpenClass));
  EXPECT_TRUE(D.Renames.empty());
}

TEST(Renames, WithoutInitTheUserIsTold) {
  Unit U;
  U.exchange(constant(1), World);
  Decisions D = match({U.Facts});
  EXPECT_EQ(D.Renames.size(), 3u);
  EXPECT_TRUE(hasFinding(D, Diagnostic::NoInit));
  U.call("MPISHM_Attach");
  EXPECT_FALSE(hasFinding(match({U.Facts}), Diagnostic::NoInit));
}

TEST(Renames, NothingToRewriteLeavesInitAlone) {
  Unit U;
  U.call("MPI_Init");
  U.send("MPI_Send", constant(1), World);
  U.Facts.Uses.push_back({"MPI_Send", U.here()});
  EXPECT_TRUE(match({U.Facts}).Renames.empty());
}

TEST(Makers, OnlyThoseThatAreUsed) {
  Unit U;
  U.maker("MPI_Comm_split", World, U.comm("c:used")).maker("MPI_Comm_dup", World, U.comm("c:idle"));
  U.at(10).exchange(constant(1), U.comm("c:used"));
  EXPECT_EQ(renames(decide(U)), "MPI_Comm_split:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12");
}

TEST(Makers, ThatMayBeOneCollectiveCallGoTogether) {
  Unit U;
  U.maker("MPI_Comm_split", World, U.comm("c:used")).maker("MPI_Comm_split", World, U.comm("c:idle"));
  U.maker("MPI_Comm_split", U.comm("c:used"), U.comm("c:third"));
  U.at(10).exchange(constant(1), U.comm("c:used"));
  EXPECT_EQ(renames(decide(U)), "MPI_Comm_split:1 MPI_Comm_split:2 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12");
}

TEST(Makers, OneThatCannotBeRenamedHoldsTheOthers) {
  Unit U;
  U.maker("MPI_Comm_split", World, U.comm("c:used"));
  U.maker("MPI_Comm_split", World, U.comm("c:idle")).Facts.Calls.back().Edit = Editability::MacroBody;
  U.at(10).exchange(constant(1), U.comm("c:used"));
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::MacroBody);
  EXPECT_TRUE(D.Renames.empty());
}

TEST(Makers, AnUnknownParentMayBeAny) {
  Unit U;
  U.maker("MPI_Comm_split", World, U.comm("c:used"));
  U.maker("MPI_Comm_split", Unknown, U.comm("c:idle")).Facts.Calls.back().Edit = Editability::MacroBody;
  U.at(10).exchange(constant(1), U.comm("c:used"));
  EXPECT_TRUE(decide(U).Renames.empty());
}

TEST(Makers, WithoutCounterpartLeaveTheirClassAlone) {
  Unit U;
  U.maker("MPI_Intercomm_merge", World, U.comm("c:dup")).at(10).exchange(constant(1), U.comm("c:dup"));
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::NotRegistered);
}

TEST(Makers, AMixOfBothIsRewritten) {
  Unit U;
  U.maker("MPI_Intercomm_merge", World, U.comm("c:c")).maker("MPI_Comm_dup", World, U.comm("c:c"));
  U.at(10).exchange(constant(1), U.comm("c:c"));
  EXPECT_EQ(renames(decide(U)), "MPI_Comm_dup:2 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which communicators and requests count as the same, and what becomes of those that leave our sight.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

TEST(Communicators, DifferentOnesAreDifferentClasses) {
  Unit U;
  U.maker("MPI_Comm_dup", World, U.comm("c:dup"));
  U.at(10).exchange(constant(1), U.comm("c:dup"), "c:r1");
  U.at(20).receive("MPI_Precv_init", Computed, constant(1), World);
  Decisions D = decide(U);
  EXPECT_TRUE(rewritten(D, 10));
  EXPECT_EQ(reasonAt(D, 20), Diagnostic::UnsupportedOperation);
  EXPECT_EQ(renames(D), "MPI_Comm_dup:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12");
}

TEST(Communicators, AreFollowedThroughVariablesAndCallsOfSeveralUnits) {
  Unit A("/p/a.c"), B("/p/b.c", false);
  A.flow(A.comm("c:@halo.comm"), World);
  A.argument("c:@F@exchange", 0, A.comm("c:@halo.comm"), Domain::Communicator);
  A.at(5).receive("MPI_Precv_init", Computed, constant(1), World);
  B.body("c:@F@exchange").exchange(constant(1), B.comm("c:@F@exchange#0"));
  Decisions D = decide(A, B);
  EXPECT_EQ(reasonAt(D, 1, "/p/b.c"), Diagnostic::UnsupportedOperation);
  EXPECT_EQ(renames(D), "");
}

TEST(Communicators, HandedToUnseenCodeOpenTheirClass) {
  Unit U;
  U.maker("MPI_Comm_dup", World, U.comm("c:dup"));
  U.at(5).argument("c:@F@library", 0, U.comm("c:dup"), Domain::Communicator);
  U.at(10).exchange(constant(1), U.comm("c:dup"), "c:r1");
  U.at(20).exchange(constant(1), World, "c:r2");
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::CommunicatorEscapes);
  EXPECT_TRUE(rewritten(D, 20)) << "what a library does with a duplicate does not touch MPI_COMM_WORLD";
}

TEST(Communicators, OfUnknownOriginMayBeWorld) {
  Unit U;
  U.flow(U.comm("c:lib"), U.comm("c:@F@library#result"));
  U.at(10).receive("MPI_Recv", Computed, constant(1), U.comm("c:lib"));
  U.at(20).exchange(constant(1), World);
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::CommunicatorUnknown);
  EXPECT_EQ(reasonAt(D, 20), Diagnostic::CommunicatorUnknown);
}

TEST(Communicators, UnknownOnesThatAreNotUsedDoNoHarm) {
  Unit U;
  U.flow(U.comm("c:lib"), U.comm("c:@F@library#result"));
  U.at(20).exchange(constant(1), World);
  EXPECT_TRUE(rewritten(decide(U), 20));
}

TEST(Communicators, OfAnUnknownOperandMayBeWorld) {
  Unit U;
  U.receive("MPI_Recv", Computed, constant(1), Unknown);
  U.at(20).exchange(constant(1), World);
  EXPECT_EQ(renames(decide(U)), "");
}

TEST(Communicators, DefinedByALibraryAreUnknown) {
  Unit U;
  Operand Petsc = U.comm("c:@LIBRARY_COMM");
  U.Facts.Objects[Petsc.ObjectIndex].External = true;
  U.flow(Petsc, World); // even when we also store there
  U.at(20).exchange(constant(1), Petsc);
  EXPECT_EQ(reasonAt(decide(U), 20), Diagnostic::CommunicatorUnknown);
  U.body("c:@LIBRARY_COMM");
  EXPECT_TRUE(rewritten(decide(U), 20));
}

TEST(Communicators, OfAFunctionThatNobodyCallsOpenOnlyTheirOwnClass) {
  Unit U;
  U.body("c:@F@dead").at(10).exchange(constant(1), U.comm("c:@F@dead#0"), "c:r1");
  U.at(20).exchange(constant(1), World, "c:r2");
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::CommunicatorUnknown);
  EXPECT_TRUE(rewritten(D, 20));
}

TEST(Communicators, OfAFunctionWhoseAddressIsTakenAreUnknown) {
  Unit U;
  U.body("c:@F@back").body("indirect:void (MPI_Comm)");
  U.flow(U.comm("c:@F@back#0"), U.comm("indirect:void (MPI_Comm)#0"));
  U.at(10).exchange(constant(1), U.comm("c:@F@back#0"), "c:r1");
  U.at(20).exchange(constant(1), World, "c:r2");
  EXPECT_EQ(renames(decide(U)), "");
}

TEST(Communicators, WithoutMainWorldIsOpen) {
  Unit U("/p/a.c", false);
  U.maker("MPI_Comm_dup", World, U.comm("c:a.c@dup"));
  U.at(10).exchange(constant(1), World, "c:r1");
  U.at(20).exchange(constant(1), U.comm("c:a.c@dup"), "c:r2");
  U.at(30).body("c:@F@api").exchange(constant(2), U.comm("c:@F@api#0"), "c:r3");
  Decisions D = matchProgram({U.Facts});
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::CommunicatorUnknown);
  EXPECT_TRUE(rewritten(D, 20));
  EXPECT_EQ(reasonAt(D, 30), Diagnostic::CommunicatorUnknown);
  ASSERT_TRUE(hasFinding(D, Diagnostic::NotWholeProgram));
}

TEST(Communicators, SourcesOutOfSightOpenWorld) {
  Unit U;
  U.at(10).exchange(constant(1), World);
  ProgramContext Context;
  Context.UnseenSources = {"solver.f90"};
  EXPECT_EQ(reasonAt(matchProgram({U.Facts}, Context), 10), Diagnostic::UnseenSource);
  EXPECT_TRUE(rewritten(matchProgram({U.Facts}), 10));
}

TEST(Communicators, AConditionalOperandBelongsToBoth) {
  Unit U;
  U.maker("MPI_Comm_dup", World, U.comm("c:dup"));
  U.at(10).exchange(constant(1), U.comm("c:dup"), "c:r1");
  U.Facts.Calls[1].Comm.push_back(World);
  U.at(20).receive("MPI_Precv_init", Computed, constant(1), World);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::UnsupportedOperation);
}

TEST(Communicators, HandlesMayTravelInIntegers) {
  Unit U;
  U.flow(U.integer("c:T"), World).flow(U.comm("c:copy"), U.integer("c:T")).flow(U.integer("c:T"), constant(0));
  U.at(10).exchange(constant(1), U.comm("c:copy"), "c:r1");
  EXPECT_TRUE(rewritten(decide(U), 10));
  U.flow(U.integer("c:T"), Unknown);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::CommunicatorUnknown);
}

TEST(Requests, HandedToUnseenCodeOpenTheirClass) {
  Unit U;
  U.at(10).exchange(constant(1), World, "c:r1");
  U.at(15).argument("c:@F@wait_elsewhere", 0, U.request("c:r1"), Domain::Request, true);
  U.at(20).exchange(constant(2), World, "c:r2");
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::RequestEscapes);
  EXPECT_TRUE(rewritten(D, 20));
}

TEST(Requests, ThatCannotBeFollowedOpenTheirClass) {
  Unit U;
  U.at(10).receive("MPI_Irecv", Computed, constant(1), World, {Unknown});
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::RequestUnknown);
}

TEST(Requests, ReachCompletionCallsInOtherUnits) {
  Unit A("/p/a.c"), B("/p/b.c", false);
  A.send("MPI_Isend", constant(1), World, {A.request("c:@reqs")});
  A.receive("MPI_Irecv", Computed, constant(1), World, {A.request("c:@reqs")});
  A.argument("c:@F@finish", 0, A.request("c:@reqs"), Domain::Request, true);
  B.body("c:@F@finish").at(7).completion("MPI_Wait", B.request("c:@F@finish#0"));
  B.at(9).completion("MPI_Wait", B.request("c:other"));
  EXPECT_EQ(renames(decide(A, B)), "MPI_Isend:1 MPI_Irecv:2 MPI_Wait:7");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tags count as possibly equal, and what may be a wildcard.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

/// A program with an exchange at line 10 and, at line 20, a receive with \p Tag that opens its class.
static Decisions exchangeBesideOpener(Operand Tag) {
  Unit U;
  U.at(10).exchange(constant(1), World);
  U.at(20).receive("MPI_Precv_init", Computed, Tag, World);
  return decide(U);
}

TEST(Tags, DifferentConstantsAreDifferentClasses) {
  Decisions D = exchangeBesideOpener(constant(2));
  EXPECT_TRUE(rewritten(D, 10));
  EXPECT_EQ(reasonAt(D, 20), Diagnostic::UnsupportedOperation);
}

TEST(Tags, EqualConstantsMatch) {
  EXPECT_EQ(reasonAt(exchangeBesideOpener(constant(1)), 10), Diagnostic::UnsupportedOperation);
}
TEST(Tags, ComputedTagsMatchAll) {
  EXPECT_EQ(reasonAt(exchangeBesideOpener(Computed), 10), Diagnostic::UnsupportedOperation);
}
TEST(Tags, UnknownTagsMatchAll) {
  EXPECT_EQ(reasonAt(exchangeBesideOpener(Unknown), 10), Diagnostic::UnsupportedOperation);
}
TEST(Tags, AnyTagMatchesAll) {
  EXPECT_EQ(reasonAt(exchangeBesideOpener(AnyTag), 10), Diagnostic::UnsupportedOperation);
}

TEST(Tags, AreFollowedThroughVariables) {
  Unit U;
  U.flow(U.integer("c:tag"), constant(7)).flow(U.integer("c:other"), constant(8));
  U.at(10).exchange(U.integer("c:tag"), World);
  U.at(20).receive("MPI_Precv_init", Computed, U.integer("c:other"), World);
  EXPECT_TRUE(rewritten(decide(U), 10));
  U.flow(U.integer("c:other"), U.integer("c:tag"));
  EXPECT_FALSE(rewritten(decide(U), 10));
}

TEST(Tags, FlowsOfIntegersHaveADirection) {
  Unit U;
  U.flow(U.integer("c:both"), constant(7)).flow(U.integer("c:both"), U.integer("c:other"));
  U.flow(U.integer("c:other"), constant(8));
  U.at(10).exchange(constant(7), World);
  U.at(20).receive("MPI_Precv_init", Computed, U.integer("c:other"), World);
  EXPECT_TRUE(rewritten(decide(U), 10));
}

TEST(Tags, TooManyConstantsAreAnyTag) {
  for (int Count : {16, 17}) {
    Unit U;
    for (int I = 0; I < Count; ++I)
      U.flow(U.integer("c:tag"), constant(100 + I));
    U.at(10).exchange(constant(1), World);
    U.at(20).receive("MPI_Precv_init", Computed, U.integer("c:tag"), World);
    EXPECT_EQ(rewritten(decide(U), 10), Count == 16);
  }
}

TEST(Tags, WhatNobodySetsMayBeAnything) {
  Unit U;
  // One of the two sources of `tag` is never set where we see it.
  U.flow(U.integer("c:tag"), constant(7)).flow(U.integer("c:tag"), U.integer("c:@F@f#0"));
  U.at(10).exchange(constant(1), World);
  U.at(20).receive("MPI_Precv_init", Computed, U.integer("c:tag"), World);
  EXPECT_FALSE(rewritten(decide(U), 10));
}

TEST(Tags, SendrecvMatchesWithBothItsTags) {
  Unit U;
  Call &C = U.at(10).call("MPI_Sendrecv");
  C.Comm = {World};
  C.Tag = {constant(1)};
  C.SecondTag = {constant(2)};
  C.Peer = C.SecondPeer = {Computed};
  U.at(20).receive("MPI_Precv_init", Computed, constant(2), World);
  U.at(30).send("MPI_Send", constant(1), World);
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::UnsupportedOperation);
  EXPECT_EQ(reasonAt(D, 30), Diagnostic::UnsupportedOperation);
}

TEST(Tags, NegativeOnesMatchAll) {
  EXPECT_EQ(reasonAt(exchangeBesideOpener(constant(-1)), 10), Diagnostic::UnsupportedOperation);
}

TEST(Wildcards, AreRewrittenWithWhatTheyMayReceive) {
  Unit U;
  U.at(10).exchange(constant(1), World);
  U.at(20).receive("MPI_Recv", AnySource, constant(1), World);
  U.at(30).receive("MPI_Iprobe", AnySource, AnyTag, World);
  U.at(40).send("MPI_Send", constant(2), World);
  EXPECT_EQ(renames(decide(U)), "MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12 MPI_Recv:20 MPI_Iprobe:30 MPI_Send:40");
}

namespace {

/// Decides on \p U beside a synchronous send with tag 1, which matches what may be a wildcard and all that is exact.
/// The program cannot be marked, so that it must not meet a wildcard.
Decisions besideSynchronousSend(Unit &U) {
  U.Facts.Definitions.push_back({"MPISHM_Init_nodewise", U.here(), false});
  U.at(80).send("MPI_Ssend", constant(1), World);
  return decide(U);
}

} // namespace

TEST(Wildcards, AreFollowedThroughVariablesAndParameters) {
  Unit U;
  U.body("c:@F@get").argument("c:@F@get", 0, AnySource, Domain::Integer);
  U.argument("c:@F@get", 0, Computed, Domain::Integer);
  U.at(10).receive("MPI_Irecv", U.integer("c:@F@get#0"), constant(1), World, {U.request("c:r")});
  EXPECT_EQ(reasonAt(besideSynchronousSend(U), 10), Diagnostic::SynchronousSend);
}

TEST(Wildcards, OfASendrecvCountForItsReceive) {
  Unit U;
  Call &C = U.at(10).call("MPI_Sendrecv");
  C.Comm = {World};
  C.Tag = C.SecondTag = {constant(1)};
  C.Peer = {Computed};
  C.SecondPeer = {AnySource};
  EXPECT_EQ(reasonAt(besideSynchronousSend(U), 10), Diagnostic::SynchronousSend);
}

TEST(Wildcards, ThatEscapeMayBeWhatComesBack) {
  Unit U;
  U.at(10).receive("MPI_Irecv", Unknown, constant(1), World, {U.request("c:r")});
  EXPECT_TRUE(rewritten(besideSynchronousSend(U), 10));
  U.flow(U.integer(EscapedIntegersId), AnySource);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::SynchronousSend);
}

TEST(Wildcards, HandedToUnseenCodeMayComeBackAsAResult) {
  Unit U;
  U.at(10).receive("MPI_Irecv", U.integer("c:@F@get#result"), constant(1), World, {U.request("c:r")});
  EXPECT_TRUE(rewritten(besideSynchronousSend(U), 10));
  U.argument("c:@F@put", 0, AnySource, Domain::Integer);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::SynchronousSend);
}

TEST(Wildcards, WrittenAsNegativeNumbersCount) {
  Unit U;
  U.at(10).receive("MPI_Irecv", constant(-1), constant(1), World, {U.request("c:r")});
  EXPECT_EQ(reasonAt(besideSynchronousSend(U), 10), Diagnostic::SynchronousSend);
}

TEST(Wildcards, SumsOfThemMayBeWildcards) {
  Unit U;
  U.flow(U.integer("c:any"), AnyTag);
  Operand Tag = U.integer("c:tag");
  U.Facts.Sums.push_back({Tag.ObjectIndex, 2, {{U.integer("c:any"), 4}}});
  U.at(10).exchange(constant(1), World);
  U.at(20).receive("MPI_Recv", Computed, Tag, World);
  EXPECT_EQ(reasonAt(besideSynchronousSend(U), 10), Diagnostic::SynchronousSend);
}

namespace {

/// base + factor * direction, whose values the exchanges' tags are.
Operand sum(Unit &U, const std::string &Id, int64_t Offset, int64_t Factor, Operand Term) {
  Operand To = U.integer(Id);
  U.Facts.Sums.push_back({To.ObjectIndex, Offset, {{Term, Factor}}});
  return To;
}

} // namespace

TEST(Tags, SumsOfConstantsAreConstants) {
  Unit U;
  Operand Direction = U.integer("c:dir");
  for (int D = 0; D < 6; ++D)
    U.flow(Direction, constant(D));
  U.at(10).exchange(sum(U, "c:tag", 100, 1, Direction), World, "c:r1");
  U.at(20).receive("MPI_Precv_init", Computed, constant(106), World);
  EXPECT_TRUE(rewritten(decide(U), 10));
  U.at(30).receive("MPI_Precv_init", Computed, constant(105), World);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::UnsupportedOperation);
}

TEST(Tags, OddAndEvenOnesAreApart) {
  Unit U;
  U.at(10).exchange(sum(U, "c:even", 0, 2, Computed), World, "c:r1");
  U.at(20).receive("MPI_Precv_init", Computed, sum(U, "c:odd", 1, -2, Computed), World);
  U.at(30).exchange(constant(4), World, "c:r2");
  EXPECT_TRUE(rewritten(decide(U), 10));
  EXPECT_TRUE(rewritten(decide(U), 30));
  U.flow(U.integer("c:odd"), constant(6)); // any number by now
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::UnsupportedOperation);
  EXPECT_EQ(reasonAt(decide(U), 30), Diagnostic::UnsupportedOperation);
}

TEST(Tags, SumsWithThemselvesEnd) {
  Unit U;
  Operand Tag = sum(U, "c:tag", 4, 1, U.integer("c:tag"));
  U.flow(Tag, constant(1));
  U.at(10).exchange(Tag, World, "c:r1");
  U.at(20).receive("MPI_Precv_init", Computed, constant(6), World);
  EXPECT_TRUE(rewritten(decide(U), 10)) << "1, 5, 9, ...";
  U.at(30).receive("MPI_Precv_init", Computed, constant(4001), World);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::UnsupportedOperation);
}

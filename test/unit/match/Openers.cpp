// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each reason to leave a class alone.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// Exchanges with tags 1 (line 10) and 2 (line 20), whose requests differ.
Unit twoExchanges() {
  Unit U;
  U.at(10).exchange(constant(1), World, "c:r1");
  U.at(20).exchange(constant(2), World, "c:r2");
  U.at(30);
  return U;
}

/// Expects that \p Reason opens the exchange at line 10 and nothing else.
void expectOnlyFirstOpen(const Unit &U, Diagnostic Reason) {
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Reason);
  EXPECT_EQ(reasonAt(D, 11), Reason);
  EXPECT_TRUE(rewritten(D, 20));
  EXPECT_EQ(renames(D), "MPI_Irecv:20 MPI_Isend:21 MPI_Waitall:22");
}

} // namespace

TEST(Openers, NothingSpeaksAgainstTheTwoExchanges) {
  EXPECT_EQ(renames(decide(twoExchanges())),
            "MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12 MPI_Irecv:20 MPI_Isend:21 MPI_Waitall:22");
}

TEST(Openers, UnsupportedOperation) {
  Unit U = twoExchanges();
  U.send("MPI_Psend_init", constant(1), World);
  expectOnlyFirstOpen(U, Diagnostic::UnsupportedOperation);
}

TEST(Openers, UnsupportedOperationWithRequest) {
  Unit U = twoExchanges();
  U.send("MPI_Psend_init", constant(1), World, {U.request("c:p")});
  expectOnlyFirstOpen(U, Diagnostic::UnsupportedOperation);
}

TEST(Openers, UnsupportedCompletionCall) {
  Unit U = twoExchanges();
  U.completion("MPI_Request_get_status_all", U.request("c:r1"));
  expectOnlyFirstOpen(U, Diagnostic::UnsupportedOperation);
}

TEST(Openers, CompletionCallInAMacro) {
  Unit U = twoExchanges();
  Call &C = U.call("MPI_Wait");
  U.given().Request = {U.request("c:r1")};
  C.Edit = Editability::MacroBody;
  expectOnlyFirstOpen(U, Diagnostic::MacroBody);
}

TEST(Openers, CallInAMacro) {
  Unit U = twoExchanges();
  U.send("MPI_Send", constant(1), World).Facts.Calls.back().Edit = Editability::MacroBody;
  expectOnlyFirstOpen(U, Diagnostic::MacroBody);
}

TEST(Openers, PastedName) {
  Unit U = twoExchanges();
  U.send("MPI_Send", constant(1), World).Facts.Calls.back().Edit = Editability::PastedName;
  expectOnlyFirstOpen(U, Diagnostic::PastedName);
}

TEST(Openers, CallInASystemHeader) {
  Unit U = twoExchanges();
  U.send("MPI_Send", constant(1), World).Facts.Calls.back().Edit = Editability::SystemHeader;
  expectOnlyFirstOpen(U, Diagnostic::SystemHeader);
}

TEST(Openers, ProfilingName) {
  Unit U = twoExchanges();
  U.send("PMPI_Send", constant(1), World);
  expectOnlyFirstOpen(U, Diagnostic::ProfilingName);
}

TEST(Openers, TwoUnitsSeeDifferentCalls) {
  Unit A("/p/d.c", false), B("/p/b.c", false), C = twoExchanges();
  A.send("MPI_Send", constant(1), World);
  B.send("MPI_Ssend", constant(1), World);
  A.Facts.Calls[0].Name.File = B.Facts.Calls[0].Name.File = "/p/halo.h";
  Decisions D = decide(A, B, C);
  EXPECT_EQ(reasonAt(D, 1, "/p/halo.h"), Diagnostic::ConflictingViews);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::ConflictingViews);
  EXPECT_TRUE(rewritten(D, 20));
}

TEST(Openers, TwoCallsOfOneMacroAreNoConflict) {
  Unit U = twoExchanges();
  U.send("MPI_Send", constant(1), World).Facts.Calls.back().Edit = Editability::MacroBody;
  U.at(30).send("MPI_Ssend", constant(1), World).Facts.Calls.back().Edit = Editability::MacroBody;
  expectOnlyFirstOpen(U, Diagnostic::MacroBody);
}

TEST(Openers, CancelOfASynchronousSend) {
  Unit U = twoExchanges();
  U.send("MPI_Issend", constant(1), World, {U.request("c:r1")});
  U.completion("MPI_Cancel", U.request("c:r1"));
  expectOnlyFirstOpen(U, Diagnostic::CancelledSend);
}

TEST(Openers, CancelOfAnotherSendIsNone) {
  Unit U;
  U.exchange(constant(1), World, "c:r").completion("MPI_Cancel", U.request("c:r"));
  EXPECT_EQ(renames(decide(U)), "MPI_Irecv:1 MPI_Isend:2 MPI_Waitall:3 MPI_Cancel:4");
}

TEST(Openers, CancelOfAReceiveIsNone) {
  Unit U;
  U.receive("MPI_Irecv", Computed, constant(1), World, {U.request("c:r")});
  U.send("MPI_Send", constant(1), World);
  U.completion("MPI_Cancel", U.request("c:r")).completion("MPI_Wait", U.request("c:r"));
  EXPECT_EQ(renames(decide(U)), "MPI_Irecv:1 MPI_Send:2 MPI_Cancel:3 MPI_Wait:4");
}

TEST(Openers, PointToPointFunctionAsValueOpensAll) {
  Unit U = twoExchanges();
  U.Facts.Uses.push_back({"MPI_Send", U.here()});
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::FunctionAsValue);
  EXPECT_EQ(renames(D), "");
}

TEST(Openers, CompletionFunctionAsValueOpensWhatHasRequests) {
  Unit U;
  U.at(10).exchange(constant(1), World);
  U.at(20).call("MPI_Sendrecv");
  Operands &Given = U.given();
  Given.Comm = {World};
  Given.Tag = Given.SecondTag = {constant(2)};
  Given.Peer = Given.SecondPeer = {Computed};
  U.Facts.Uses.push_back({"MPI_Wait", U.here()});
  EXPECT_EQ(renames(decide(U)), "MPI_Sendrecv:20");
}

TEST(Openers, FunctionThatTheProgramDefines) {
  Unit U = twoExchanges();
  U.send("MPI_Rsend", constant(1), World);
  U.Facts.Definitions.push_back({"MPI_Rsend", U.here(), false});
  expectOnlyFirstOpen(U, Diagnostic::FunctionDefined);
}

TEST(Openers, CompletionFunctionThatTheProgramDefines) {
  Unit U = twoExchanges();
  U.completion("MPI_Wait", U.request("c:r1"));
  U.Facts.Definitions.push_back({"MPI_Wait", U.here(), true});
  expectOnlyFirstOpen(U, Diagnostic::MacroRedefined);
}

TEST(Openers, BlockingCallsOnly) {
  Unit U;
  U.send("MPI_Send", constant(1), World).receive("MPI_Recv", Computed, constant(1), World);
  EXPECT_EQ(decide(U).Renames.size(), 3u);
  ProgramContext Context;
  Context.ExchangesOnly = true;
  Decisions D = match({U.Facts}, Context);
  EXPECT_EQ(reasonAt(D, 1), Diagnostic::NoExchange);
  EXPECT_EQ(reasonAt(D, 2), Diagnostic::NoExchange);
  EXPECT_TRUE(D.Renames.empty());
}

TEST(Openers, InitThatCannotBeRewritten) {
  Unit U = twoExchanges();
  U.call("MPI_Init_thread").Edit = Editability::MacroBody;
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::MacroBody);
  EXPECT_TRUE(D.Renames.empty());
}

TEST(Openers, InitAsValue) {
  Unit U = twoExchanges();
  U.Facts.Uses.push_back({"MPI_Init", U.here()});
  EXPECT_TRUE(decide(U).Renames.empty());
}

TEST(Openers, SynchronousSendToAWildcard) {
  for (const char *Name : {"MPI_Ssend", "MPI_Issend", "MPI_Ssend_init"}) {
    Unit U = twoExchanges();
    U.send(Name, constant(1), World);
    EXPECT_TRUE(rewritten(decide(U), 10)) << "its receive is exact";
    U.receive("MPI_Recv", AnySource, constant(1), World);
    EXPECT_TRUE(rewritten(decide(U), 10)) << "the program is marked";
    U.Facts.Definitions.push_back({"MPISHM_Init_nodewise", U.here(), false});
    expectOnlyFirstOpen(U, Diagnostic::SynchronousSend);
  }
}

TEST(Openers, WithoutMainWorldIsOpen) {
  Unit U("/p/a.c", false);
  U.maker("MPI_Comm_dup", World, U.comm("c:dup"));
  U.at(10).exchange(constant(1), World, "c:r1");
  U.at(20).exchange(constant(1), U.comm("c:dup"), "c:r2");
  Decisions D = match({U.Facts});
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::NotWholeProgram);
  EXPECT_TRUE(rewritten(D, 20));
}

TEST(Openers, SourcesOutOfSightOpenWorld) {
  Unit U;
  U.maker("MPI_Comm_dup", World, U.comm("c:dup"));
  U.at(10).exchange(constant(1), World, "c:r1");
  U.at(20).exchange(constant(1), U.comm("c:dup"), "c:r2");
  ProgramContext Context;
  Context.UnseenSources = {"solver.f90"};
  Decisions D = match({U.Facts}, Context);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::UnseenSource);
  EXPECT_TRUE(rewritten(D, 20));
  EXPECT_TRUE(rewritten(match({U.Facts}), 10));
}

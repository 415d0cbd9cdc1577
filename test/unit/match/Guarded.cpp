// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --guarded makes of classes that are not proved: each reason that the net can guard, each that it cannot, marks,
// and further runs.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// MPI_Init at line 1, and exchanges with tags 1 (line 10) and 2 (line 20), whose requests differ.
Unit initAndTwoExchanges() {
  Unit U;
  U.call("MPI_Init");
  U.at(10).exchange(constant(1), World, "c:r1");
  U.at(20).exchange(constant(2), World, "c:r2");
  U.at(30);
  return U;
}

template <typename... Units> Decisions decideWith(bool Guarded, const Units &...List) {
  ProgramContext Context;
  Context.Guarded = Guarded;
  return match({List.Facts...}, Context);
}

constexpr const char *Both = "MPI_Init:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12 "
                             "MPI_Irecv:20 MPI_Isend:21 MPI_Waitall:22";
constexpr const char *SecondOnly = "MPI_Init:1 MPI_Irecv:20 MPI_Isend:21 MPI_Waitall:22";

std::string newNameAt(const Decisions &D, uint32_t Line) {
  for (const Rename &R : D.Renames)
    if (R.Where.Line == Line)
      return R.NewName;
  return "";
}

/// Expects that the exchange at line 10 is guarded for \p Reason, \p More being renamed as well, and that further runs
/// leave all of it as it is. Returns the decisions.
Decisions expectGuarded(const Unit &U, Diagnostic Reason, const std::string &More = "") {
  Decisions Plain = decideWith(false, U);
  EXPECT_EQ(reasonAt(Plain, 10), Reason);
  EXPECT_EQ(newNameAt(Plain, 1), "MPISHM_Init");
  Decisions D = decideWith(true, U);
  EXPECT_EQ(guardedFor(D, 10), Reason);
  EXPECT_EQ(guardedFor(D, 11), Reason);
  EXPECT_TRUE(rewritten(D, 20) && !guardedFor(D, 20)) << "that one is proved";
  EXPECT_EQ(renames(D), Both + More);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init_guarded");
  EXPECT_TRUE(hasFinding(D, Diagnostic::Guarded));
  EXPECT_EQ(Plain.Guardable, llvm::count_if(D.Sites, [](const Site &S) { return S.Guarded; }));
  EXPECT_EQ(D.Guardable, 0u);

  Unit After = U;
  apply(D, After.Facts);
  for (bool Guarded : {true, false}) {
    Decisions Again = decideWith(Guarded, After);
    EXPECT_EQ(renames(Again), "") << (Guarded ? "the same options" : "without --guarded");
    EXPECT_FALSE(hasFinding(Again, Diagnostic::RewrittenInOpenClass));
    EXPECT_TRUE(guardedFor(Again, 10));
    EXPECT_EQ(Again.Guardable, 0u);
  }
  return D;
}

/// Expects that the exchange at line 10 stays as it is, and that \p Why is the first thing that is said about it.
void expectUnguarded(const Unit &U, Diagnostic Why, const std::string &Renamed = SecondOnly) {
  Decisions Plain = decideWith(false, U);
  EXPECT_EQ(Plain.Guardable, 0u);
  EXPECT_EQ(renames(Plain), Renamed);
  Decisions D = decideWith(true, U);
  EXPECT_EQ(reasonAt(D, 10), Why);
  EXPECT_EQ(reasonAt(D, 11), Why);
  EXPECT_EQ(renames(D), Renamed);
  EXPECT_EQ(newNameAt(D, 1), Renamed.empty() ? "" : "MPISHM_Init");
  EXPECT_FALSE(hasFinding(D, Diagnostic::Guarded));
}

/// Hands the requests of the first exchange to code out of sight.
Unit &withEscape(Unit &U, const char *Request = "c:r1") { return U.argument("library_wait", U.request(Request)); }

} // namespace

TEST(Guarded, RequestThatEscapes) {
  Unit U = initAndTwoExchanges();
  Decisions D = expectGuarded(withEscape(U), Diagnostic::RequestEscapes);
  EXPECT_FALSE(hasFinding(D, Diagnostic::NoInit));
}

TEST(Guarded, RequestThatCannotBeFollowed) {
  Unit U = initAndTwoExchanges();
  U.send("MPI_Isend", constant(1), World, {Unknown}).completion("MPI_Wait", Unknown);
  expectGuarded(U, Diagnostic::RequestEscapes, " MPI_Isend:30 MPI_Wait:31");
}

TEST(Guarded, CompletionCallsOfWhatComesFromOutOfSight) {
  Unit U = initAndTwoExchanges();
  withEscape(U).argument("library_get", U.request("c:got"));
  U.completion("MPI_Wait", U.request("c:got"));
  EXPECT_EQ(renames(decideWith(false, U)), SecondOnly);
  expectGuarded(U, Diagnostic::RequestEscapes, " MPI_Wait:30");
}

TEST(Guarded, MessageThatEscapes) {
  Unit U = initAndTwoExchanges();
  U.matchedProbe("MPI_Mprobe", constant(1), U.message("c:m"));
  U.argument("library_keep", U.message("c:m"));
  expectGuarded(U, Diagnostic::MessageEscapes, " MPI_Mprobe:30");
}

TEST(Guarded, CommunicatorThatEscapes) {
  Unit U;
  U.call("MPI_Init");
  U.maker("MPI_Comm_dup", World, U.comm("c:comm"));
  U.at(10).exchange(constant(1), U.comm("c:comm"), "c:r1");
  U.at(20).exchange(constant(2), World, "c:r2");
  U.argument("library_use", U.comm("c:comm"));
  Decisions D = decideWith(true, U);
  EXPECT_EQ(guardedFor(D, 10), Diagnostic::CommunicatorEscapes);
  EXPECT_EQ(newNameAt(D, 2), "MPISHM_Comm_dup");
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init_guarded");
}

TEST(Guarded, CommunicatorOfUnknownOrigin) {
  Unit U = initAndTwoExchanges();
  U.send("MPI_Send", constant(1), Unknown);
  Decisions D = decideWith(true, U);
  EXPECT_EQ(guardedFor(D, 10), Diagnostic::CommunicatorUnknown);
  EXPECT_TRUE(rewritten(D, 20) && !guardedFor(D, 20)) << "that has another tag";
  EXPECT_EQ(guardedFor(D, 30), Diagnostic::CommunicatorUnknown);
}

TEST(Guarded, SourceThatWasNotRead) {
  ProgramContext Context;
  Context.Guarded = true;
  Context.UnseenSources = {"solver.f90"};
  Unit U = initAndTwoExchanges();
  EXPECT_EQ(guardedFor(match({U.Facts}, Context), 10), Diagnostic::UnseenSource);
  Context.ProfilingSources = Context.UnseenSources;
  EXPECT_EQ(reasonAt(match({U.Facts}, Context), 10), Diagnostic::UnseenSource) << "it goes round the net";
}

TEST(Guarded, FunctionsAsValues) {
  for (const char *Name : {"MPI_Rsend", "MPI_Probe", "MPI_Testany"}) {
    Unit U = initAndTwoExchanges();
    U.Facts.Uses.push_back({Name, U.here()});
    Decisions D = decideWith(true, U);
    EXPECT_EQ(guardedFor(D, 10), Diagnostic::FunctionAsValue) << Name;
    EXPECT_EQ(renames(D), Both);
  }
}

TEST(Guarded, CallsThatKeepTheirNames) {
  const std::pair<Editability, Diagnostic> All[] = {{Editability::MacroBody, Diagnostic::MacroBody},
                                                    {Editability::PastedName, Diagnostic::PastedName},
                                                    {Editability::Qualified, Diagnostic::QualifiedName},
                                                    {Editability::SplitName, Diagnostic::SplitName},
                                                    {Editability::Column, Diagnostic::Column},
                                                    {Editability::Stringized, Diagnostic::Stringized},
                                                    {Editability::SystemHeader, Diagnostic::SystemHeader}};
  for (auto [Edit, What] : All) {
    Unit U = initAndTwoExchanges();
    U.send("MPI_Send", constant(1), World).Facts.Calls.back().Edit = Edit;
    EXPECT_EQ(reasonAt(expectGuarded(U, What), 30), What);
  }
  Unit U = initAndTwoExchanges();
  U.send("MPI_Send", constant(1), World).Facts.Calls.back().Kept = U.here();
  EXPECT_EQ(reasonAt(expectGuarded(U, Diagnostic::Kept), 30), Diagnostic::Kept);
}

TEST(Guarded, ItsOwnReasonCountsForACallThatKeepsItsName) {
  Unit U = initAndTwoExchanges();
  withEscape(U).send("MPI_Send", constant(1), World).Facts.Calls.back().Edit = Editability::PastedName;
  U.receive("MPI_Recv", Computed, constant(1), World).Facts.Calls.back().Edit = Editability::MacroBody;
  Decisions D = decideWith(true, U);
  EXPECT_EQ(reasonAt(D, 30), Diagnostic::PastedName);
  EXPECT_EQ(reasonAt(D, 31), Diagnostic::MacroBody);
  EXPECT_EQ(guardedFor(D, 10), Diagnostic::MacroBody);
}

TEST(Guarded, NothingIsMarkedForCallsThatAllKeepTheirNames) {
  Unit U = initAndTwoExchanges();
  U.send("MPI_Send", constant(3), World).Facts.Calls.back().Edit = Editability::PastedName;
  Decisions D = decideWith(true, U);
  EXPECT_EQ(renames(D), Both);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init");
  EXPECT_EQ(decideWith(false, U).Guardable, 0u);
}

TEST(Guarded, CompletionCallThatKeepsItsName) {
  Unit U = initAndTwoExchanges();
  U.completion("MPI_Wait", U.request("c:r1")).Facts.Calls.back().Edit = Editability::MacroBody;
  expectGuarded(U, Diagnostic::MacroBody);
}

TEST(Guarded, MakerThatKeepsItsName) {
  Unit U;
  U.call("MPI_Init");
  U.maker("MPI_Comm_dup", World, U.comm("c:comm")).Facts.Calls.back().Edit = Editability::PastedName;
  U.at(10).exchange(constant(1), U.comm("c:comm"));
  Decisions D = decideWith(true, U);
  EXPECT_EQ(guardedFor(D, 10), Diagnostic::PastedName) << "the net tells the runtime of the communicator";
  EXPECT_EQ(renames(D), "MPI_Init:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12");
}

TEST(Guarded, NamesInMacros) {
  auto SendBoth = [](Unit &U) {
    for (int Tag : {1, 2}) {
      Call &C = U.send("MPI_Send", constant(Tag), World).Facts.Calls.back();
      C.Edit = Editability::MacroDefinition;
      C.CauseName = "SEND";
      C.Token = C.Cause = {"/p/a.c", 50, 5, 1};
    }
  };
  Unit Open = initAndTwoExchanges();
  SendBoth(withEscape(Open));
  EXPECT_EQ(reasonAt(decideWith(false, Open), 20), Diagnostic::SharedMacro);
  Decisions D = decideWith(true, Open);
  EXPECT_EQ(guardedFor(D, 10), Diagnostic::RequestEscapes);
  EXPECT_TRUE(rewritten(D, 20) && !guardedFor(D, 20)) << "the macro no longer stands in its way";
  EXPECT_EQ(newNameAt(D, 5), "MPISHM_Send");

  Unit Left = initAndTwoExchanges();
  SendBoth(Left);
  Left.receive("MPI_Precv_init", Computed, constant(1), World);
  D = decideWith(true, Left);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::UnsupportedOperation);
  EXPECT_EQ(guardedFor(D, 20), Diagnostic::SharedMacro);
  EXPECT_EQ(reasonAt(D, 31), Diagnostic::SharedMacro) << "the net serves it";
  EXPECT_EQ(newNameAt(D, 5), "");
}

TEST(Unguarded, UnsupportedOperation) {
  Unit U = initAndTwoExchanges();
  U.receive("MPI_Precv_init", Computed, constant(1), World);
  expectUnguarded(withEscape(U), Diagnostic::UnsupportedOperation);
}

TEST(Unguarded, CompletionCallWithoutCounterpart) {
  Unit U = initAndTwoExchanges();
  U.completion("MPI_Wait", U.request("c:r1")).Facts.Calls.back().Edit = Editability::MacroBody;
  U.completion("MPI_Request_get_status_all", U.request("c:r1"));
  expectUnguarded(U, Diagnostic::UnsupportedOperation);
}

TEST(Unguarded, SuchACompletionCallOfWhatComesFromOutOfSight) {
  Unit U = initAndTwoExchanges();
  withEscape(U).completion("MPI_Request_get_status_any", Unknown);
  expectUnguarded(U, Diagnostic::UnsupportedOperation);
}

TEST(Unguarded, SuchAFunctionAsAValue) {
  Unit U = initAndTwoExchanges();
  U.Facts.Uses.push_back({"MPI_Request_get_status_some", U.here()});
  expectUnguarded(U, Diagnostic::FunctionAsValue, "");
}

TEST(Unguarded, SynchronousSendToAWildcard) {
  Unit U = initAndTwoExchanges();
  withEscape(U).send("MPI_Ssend", constant(1), World).receive("MPI_Recv", AnySource, constant(1), World);
  U.Facts.Definitions.push_back({"MPISHM_Init_nodewise", U.here(), false});
  expectUnguarded(U, Diagnostic::SynchronousSend);
}

TEST(Guarded, SynchronousSendThatMayBeCancelled) {
  Unit Seen = initAndTwoExchanges(), Escapes = initAndTwoExchanges(), Value = initAndTwoExchanges();
  for (Unit *U : {&Seen, &Escapes, &Value})
    U->send("MPI_Issend", constant(1), World, {U->request("c:s")}).completion("MPI_Wait", U->request("c:s"));
  Seen.completion("MPI_Cancel", Seen.request("c:s"));
  Value.Facts.Uses.push_back({"MPI_Cancel", Value.here()});
  for (const auto &[U, Why] :
       {std::pair(&Seen, Diagnostic::CancelledSend), std::pair(&withEscape(Escapes, "c:s"), Diagnostic::RequestEscapes),
        std::pair(&Value, Diagnostic::FunctionAsValue)}) {
    EXPECT_EQ(reasonAt(decideWith(false, *U), 10), Why);
    EXPECT_EQ(guardedFor(decideWith(true, *U), 10), Why) << "as in the MPI libraries, no send is cancelled";
  }
}

TEST(Unguarded, ProfilingNames) {
  Unit U = initAndTwoExchanges();
  withEscape(U).send("PMPI_Send", constant(7), World);
  expectUnguarded(U, Diagnostic::ProfilingName);
  Unit Waits = initAndTwoExchanges();
  withEscape(Waits).completion("PMPI_Wait", Waits.request("c:other"));
  expectUnguarded(Waits, Diagnostic::ProfilingName);
  Unit Makes = initAndTwoExchanges();
  withEscape(Makes).maker("PMPI_Comm_dup", World, Makes.comm("c:comm"));
  expectUnguarded(Makes, Diagnostic::ProfilingName);
  Unit Value = initAndTwoExchanges();
  withEscape(Value).Facts.Uses.push_back({"MPI_Recv", Value.here(), /*GoesRound=*/true});
  expectUnguarded(Value, Diagnostic::FunctionAsValue, "");
  Unit Harmless = initAndTwoExchanges();
  withEscape(Harmless).call("PMPI_Alloc_mem");
  EXPECT_TRUE(guardedFor(decideWith(true, Harmless), 10));
}

TEST(Unguarded, FunctionsThatTheProgramDefines) {
  for (const char *Name : {"MPI_Rsend", "MPI_Wait", "MPI_Comm_dup", "MPISHM_Rsend", "PMPI_Test"}) {
    Unit U = initAndTwoExchanges();
    withEscape(U).Facts.Definitions.push_back({Name, U.here(), false});
    EXPECT_EQ(reasonAt(decideWith(true, U), 10), Diagnostic::FunctionDefined) << Name;
  }
  Unit U = initAndTwoExchanges();
  withEscape(U).Facts.Definitions.push_back({"MPI_Rsend", U.here(), true});
  EXPECT_TRUE(guardedFor(decideWith(true, U), 10)) << "a macro is no function";
}

TEST(Unguarded, WhatIsNeverRegistered) {
  Unit U = initAndTwoExchanges();
  U.maker("MPI_Intercomm_merge", World, U.comm("c:merged"));
  U.at(40).exchange(constant(1), U.comm("c:merged"), "c:r3");
  withEscape(U, "c:r3");
  EXPECT_EQ(reasonAt(decideWith(true, U), 40), Diagnostic::NotRegistered);
}

TEST(Unguarded, BlockingCallsThatTheUserWantsLeft) {
  Unit U = initAndTwoExchanges();
  U.send("MPI_Send", constant(3), World).receive("MPI_Recv", Computed, constant(3), World);
  U.send("MPI_Send", constant(3), World).Facts.Calls.back().Edit = Editability::PastedName;
  ProgramContext Context;
  Context.Guarded = true;
  EXPECT_EQ(guardedFor(match({U.Facts}, Context), 30), Diagnostic::PastedName);
  Context.ExchangesOnly = true;
  EXPECT_EQ(reasonAt(match({U.Facts}, Context), 30), Diagnostic::NoExchange);
}

TEST(Unguarded, WithoutMainOrInit) {
  Unit NoInit;
  NoInit.at(10).exchange(constant(1), World, "c:r1");
  expectUnguarded(withEscape(NoInit), Diagnostic::NoInit, "");
  EXPECT_TRUE(guardedFor(decideWith(true,
                                    [&] {
                                      Unit U = NoInit;
                                      U.call("MPISHM_Attach");
                                      return U;
                                    }()),
                         10));
  Unit NoMain("/p/a.c", false);
  NoMain.call("MPI_Init");
  NoMain.at(10).exchange(constant(1), World, "c:r1");
  expectUnguarded(withEscape(NoMain), Diagnostic::NotWholeProgram, "");
}

TEST(Unguarded, InitThatCannotBeMarked) {
  Unit Macro = initAndTwoExchanges();
  withEscape(Macro).call("MPI_Init_thread").Edit = Editability::MacroBody;
  expectUnguarded(Macro, Diagnostic::MacroBody, "");
  Unit Already = initAndTwoExchanges();
  withEscape(Already).call("MPISHM_Init_thread").Edit = Editability::MacroBody;
  expectUnguarded(Already, Diagnostic::MacroBody);
  Unit Value = initAndTwoExchanges();
  withEscape(Value).Facts.Uses.push_back({"MPI_Init", Value.here()});
  expectUnguarded(Value, Diagnostic::FunctionAsValue, "");
  Unit Taken = initAndTwoExchanges();
  withEscape(Taken).Facts.Definitions.push_back({"MPISHM_Init_guarded", Taken.here(), false});
  expectUnguarded(Taken, Diagnostic::FunctionDefined);
}

TEST(Marks, AllThatSetTheRuntimeUp) {
  Unit U = initAndTwoExchanges();
  withEscape(U).call("MPI_Init_thread");
  U.call("MPISHM_Init");
  U.call("MPISHM_Attach");
  U.call("MPISHM_Attach_guarded");
  Decisions D = decideWith(true, U);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init_guarded");
  EXPECT_EQ(newNameAt(D, 30), "MPISHM_Init_thread_guarded");
  EXPECT_EQ(newNameAt(D, 31), "MPISHM_Init_guarded");
  EXPECT_EQ(newNameAt(D, 32), "MPISHM_Attach_guarded");
  EXPECT_EQ(newNameAt(D, 33), "");
}

TEST(Marks, ProgramsWithSynchronousSendsToWildcards) {
  Unit U = initAndTwoExchanges();
  U.send("MPI_Ssend", constant(1), World).receive("MPI_Recv", AnySource, constant(1), World);
  Decisions D = decideWith(false, U);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init_nodewise");
  EXPECT_TRUE(rewritten(D, 10) && rewritten(D, 20) && rewritten(D, 30) && rewritten(D, 31));
  EXPECT_TRUE(hasFinding(D, Diagnostic::Nodewise));
  apply(D, U.Facts);
  EXPECT_EQ(renames(decideWith(false, U)), "");
  // Guarded as well, later.
  withEscape(U);
  D = decideWith(true, U);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init_nodewise_guarded");
  apply(D, U.Facts);
  EXPECT_EQ(renames(decideWith(true, U)), "");
  EXPECT_EQ(renames(decideWith(false, U)), "");
}

TEST(Marks, ProgramsWhoseSynchronousSendsMayMeetWhatIsNotSeen) {
  Unit U = initAndTwoExchanges(), Left = initAndTwoExchanges();
  withEscape(U).send("MPI_Ssend", constant(1), World);
  EXPECT_EQ(newNameAt(decideWith(true, U), 1), "MPISHM_Init_nodewise_guarded");
  EXPECT_EQ(newNameAt(decideWith(false, U), 1), "MPISHM_Init") << "the net serves it, but knows no more";
  withEscape(Left).send("MPI_Ssend", constant(1), World).receive("MPI_Recv", AnySource, constant(1), World);
  Decisions D = decideWith(false, Left);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::RequestEscapes);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init_nodewise") << "the net serves both";
}

TEST(Marks, NotProgramsWhoseSynchronousSendsMeetNoWildcard) {
  Unit U = initAndTwoExchanges();
  U.send("MPI_Ssend", constant(1), World).receive("MPI_Recv", AnySource, constant(2), World);
  U.receive("MPI_Iprobe", AnySource, constant(1), World);
  Decisions D = decideWith(false, U);
  EXPECT_EQ(newNameAt(D, 1), "MPISHM_Init");
  EXPECT_FALSE(hasFinding(D, Diagnostic::Nodewise));
}

TEST(Marks, BehindAQualifier) {
  Unit U = initAndTwoExchanges();
  withEscape(U).Facts.Calls.front().Qualifier = "mpi::";
  Decisions D = decideWith(true, U);
  ASSERT_FALSE(D.Renames.empty());
  EXPECT_EQ(D.Renames.front().NewName, "::MPISHM_Init_guarded/*instead of mpi::MPI_Init*/");
}

TEST(Marks, OfTheProgramThatNeedsThem) {
  Unit A("/p/a.c"), B("/p/b.c");
  A.call("MPI_Init");
  B.call("MPI_Init");
  A.at(10).exchange(constant(1), World, "c:a");
  B.at(10).exchange(constant(1), World, "c:b");
  Decisions D = decideWith(true, withEscape(A, "c:a"), B);
  ASSERT_EQ(D.Renames.size(), 8u);
  EXPECT_EQ(D.Renames[0].NewName, "MPISHM_Init_guarded");
  EXPECT_EQ(D.Renames[4].NewName, "MPISHM_Init") << "all messages of that one are proved";
  EXPECT_EQ(llvm::count_if(D.Findings, [](const Finding &F) { return F.What == Diagnostic::Guarded; }), 1);
}

TEST(Marks, OfAProgramThatWasRewrittenWithProofBefore) {
  Unit U = initAndTwoExchanges();
  withEscape(U);
  apply(decideWith(false, U), U.Facts);
  EXPECT_EQ(renames(decideWith(true, U)), "MPISHM_Init:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12");
}

TEST(Marks, WithoutOneARewrittenCallInAnOpenClassIsAnError) {
  Unit U = initAndTwoExchanges();
  withEscape(U);
  apply(decideWith(true, U), U.Facts);
  U.Facts.Calls.front().Spelled = "MPISHM_Init";
  EXPECT_TRUE(hasFinding(decideWith(false, U), Diagnostic::RewrittenInOpenClass));
  EXPECT_FALSE(hasFinding(decideWith(true, U), Diagnostic::RewrittenInOpenClass)) << "it is mended";
  U.Facts.Calls.front().Spelled = "MPISHM_Init_guarded";
  U.receive("MPI_Precv_init", Computed, constant(1), World);
  EXPECT_TRUE(hasFinding(decideWith(true, U), Diagnostic::RewrittenInOpenClass)) << "no net can guard that";
}

TEST(Marks, AnotherInitOfAMarkedProgramIsMarkedInEachRun) {
  Unit U = initAndTwoExchanges();
  withEscape(U);
  apply(decideWith(true, U), U.Facts);
  U.call("MPI_Init_thread");
  EXPECT_EQ(newNameAt(decideWith(false, U), 30), "MPISHM_Init_thread_guarded");
}

TEST(Marks, WhatWasAddedToAGuardedClassWaitsForTheOption) {
  Unit U = initAndTwoExchanges();
  withEscape(U);
  apply(decideWith(true, U), U.Facts);
  U.send("MPI_Send", constant(1), World);
  Decisions D = decideWith(false, U);
  EXPECT_EQ(renames(D), "");
  EXPECT_EQ(reasonAt(D, 30), Diagnostic::RequestEscapes);
  EXPECT_EQ(D.Guardable, 1u);
  EXPECT_EQ(renames(decideWith(true, U)), "MPI_Send:30");
}

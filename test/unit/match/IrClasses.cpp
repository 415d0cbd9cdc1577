// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of the classes that the analysis of LLVM IR finds, beside those of plain programs; and where it finds
// none.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// Exchanges with tags 1 (line 10) and 2 (line 20), whose requests differ, and a collective (line 30).
class Classes : public testing::Test {
protected:
  Classes() {
    U.call("MPI_Init");
    U.at(10).exchange(constant(1), World, "c:r1");
    U.at(20).exchange(constant(2), World, "c:r2");
    U.at(30).collective("MPI_Barrier", World);
    U.at(40);
  }
  /// Decides by what Values has, or by values() of the program if it has nothing.
  Decisions decide(bool Guarded = false) {
    if (Values.empty())
      Values = valuesOf({U.Facts}, false);
    ProgramContext Context;
    Context.Guarded = Guarded;
    Context.Values = &Values;
    return matchProgram({U.Facts}, Context);
  }
  void giveUp() {
    ir::ValueClasses None;
    None.GivenUp = ir::Refusal{{}, "", "the program is too large to be followed", "", 0};
    Values = {None};
  }
  /// The class of the exchange with tag \p Tag, in Values.
  ir::ValueClass &classOf(unsigned Tag) {
    Values = valuesOf({U.Facts}, false);
    return *llvm::find_if(Values.front().Classes, [&](const ir::ValueClass &Each) {
      return llvm::any_of(Each.Members, [&](const ir::ClassMember &M) { return M.Call.Where.Line == Tag * 10; });
    });
  }

  Unit U;
  std::vector<ir::ValueClasses> Values;
};

} // namespace

TEST_F(Classes, NothingIsProvedWithoutThem) {
  Decisions D = matchProgram({U.Facts});
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::NotFollowed);
  EXPECT_EQ(reasonAt(D, 30), Diagnostic::NotFollowed);
  EXPECT_EQ(renames(D), "");
  giveUp();
  EXPECT_EQ(renames(decide()), "");
}

TEST_F(Classes, OfProgramsThatAreGivenUpAreByKind) {
  U.collective("MPI_Bcast", World);
  giveUp();
  EXPECT_EQ(renames(decide(true)),
            "MPI_Init:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12 MPI_Irecv:20 MPI_Isend:21 MPI_Waitall:22 "
            "MPI_Barrier:30 MPI_Bcast:40");
  U.receive("MPI_Precv_init", Computed, constant(3), World);
  Decisions D = decide(true);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::UnsupportedOperation) << "which may match any message";
  EXPECT_EQ(reasonAt(D, 20), Diagnostic::UnsupportedOperation);
  EXPECT_EQ(renames(D), "MPI_Init:1 MPI_Barrier:30 MPI_Bcast:40");
  EXPECT_EQ(renames(decide(false)), "");
}

TEST_F(Classes, OfProgramsThatAreGivenUpHaveAnyWildcardAndCompletion) {
  U.send("MPI_Ssend", constant(3), World);
  giveUp();
  EXPECT_EQ(decide(true).Renames.front().NewName, "MPISHM_Init_nodewise_guarded");
  U.Facts.Definitions.push_back({"MPISHM_Init_nodewise_guarded", U.here(), false});
  EXPECT_EQ(reasonAt(decide(true), 10), Diagnostic::SynchronousSend);
  U.Facts.Definitions.clear();
  U.Facts.Calls.pop_back();
  U.completion("MPI_Request_get_status_any", U.request("c:other"));
  EXPECT_EQ(reasonAt(decide(true), 10), Diagnostic::UnsupportedOperation) << "it may get any request";
}

TEST_F(Classes, MakersOfProgramsThatAreGivenUpGoTogether) {
  U.maker("MPI_Comm_dup", World, U.comm("c:one")).maker("MPI_Comm_split", World, U.comm("c:two"));
  giveUp();
  EXPECT_TRUE(llvm::StringRef(renames(decide(true))).ends_with("MPI_Comm_dup:40 MPI_Comm_split:41"));
  U.maker("MPI_Comm_dup", World, U.comm("c:three")).Facts.Calls.back().Edit = Editability::MacroBody;
  EXPECT_TRUE(llvm::StringRef(renames(decide(true))).ends_with("MPI_Barrier:30 MPI_Comm_split:41"));
}

TEST_F(Classes, WhatNothingComesToGoesWithItsCompletions) {
  auto Forget = [&](unsigned Line) {
    Values = valuesOf({U.Facts}, false);
    llvm::erase_if(Values.front().Classes,
                   [&](const ir::ValueClass &Each) { return Each.Members.front().Call.Where.Line / 10 == Line / 10; });
    auto &Reached = Values.front().Reached;
    for (auto It = Reached.begin(); It != Reached.end();)
      It = It->Where.Line / 10 == Line / 10 ? Reached.erase(It) : std::next(It);
  };
  Forget(10);
  EXPECT_EQ(renames(decide()), "MPI_Init:1 MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12 MPI_Irecv:20 MPI_Isend:21 "
                               "MPI_Waitall:22 MPI_Barrier:30");
  U.Facts.Calls[3].Edit = Editability::MacroBody; // MPI_Waitall
  Forget(10);
  EXPECT_TRUE(rewritten(decide(), 20)) << "it opens nothing";
}

TEST_F(Classes, WhatNothingComesToInOneProgramLeavesOthersAsTheyAre) {
  Unit Other("/p/b.c");
  Other.call("MPI_Init");
  Other.completion("MPI_Wait", Other.request("c:nothing"));
  Values = valuesOf({U.Facts, Other.Facts}, false);
  for (ir::ValueClasses &Each : Values) {
    Each.Classes.clear();
    Each.Reached.clear();
  }
  ProgramContext Context;
  Context.Values = &Values;
  Decisions D = matchProgram({U.Facts, Other.Facts}, Context);
  EXPECT_TRUE(rewritten(D, 10));
  EXPECT_FALSE(llvm::any_of(D.Renames, [](const Rename &R) { return R.Where.File == "/p/b.c"; })) << renames(D);
  giveUp();
  Values.push_back(Values.front());
  Context.Guarded = true;
  D = matchProgram({U.Facts, Other.Facts}, Context);
  EXPECT_TRUE(rewritten(D, 10));
  EXPECT_FALSE(llvm::any_of(D.Renames, [](const Rename &R) { return R.Where.File == "/p/b.c"; })) << renames(D);
}

TEST_F(Classes, WhatNothingComesToMayBeUsedByOtherSources) {
  Values = valuesOf({U.Facts}, false);
  Values.front().Classes.clear();
  ProgramContext Context;
  Context.Values = &Values;
  Context.UnseenSources = {"solver.f90"};
  Decisions D = matchProgram({U.Facts}, Context);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::UnseenSource);
  EXPECT_EQ(reasonAt(D, 30), Diagnostic::UnseenSource);
}

TEST_F(Classes, ThatTheNetCannotGuardForOneOfTheirReasons) {
  ir::ValueClass &First = classOf(1);
  First.Members.front().Whys = {{ir::Refusal::Subject::Request, "MPI_Irecv", "is lost", "", 0}};
  EXPECT_EQ(guardedFor(decide(true), 10), Diagnostic::RequestEscapes);
  First.Members.front().Whys.push_back({ir::Refusal::Subject::FunctionDefined, "MPI_Send", "", "", 0});
  EXPECT_EQ(reasonAt(decide(true), 10), Diagnostic::FunctionDefined);
  EXPECT_TRUE(rewritten(decide(true), 20));
  // Also where a name in the class opens it already.
  First.Members.front().Whys.pop_back();
  U.Facts.Calls[1].Edit = Editability::MacroBody;
  EXPECT_EQ(guardedFor(decide(true), 11), Diagnostic::MacroBody);
  First.Members.front().Whys.push_back(
      {ir::Refusal::Subject::FunctionAsValue, "MPI_Request_get_status_all", "", "", 0});
  EXPECT_EQ(reasonAt(decide(true), 11), Diagnostic::FunctionAsValue) << "the net has none of that name";
}

TEST_F(Classes, WhoseRequestsAreLostMayReachAnyCompletion) {
  U.completion("MPI_Request_get_status_any", U.request("c:other"));
  EXPECT_TRUE(rewritten(decide(true), 10)) << "it has others";
  classOf(1).Members.front().Whys = {{ir::Refusal::Subject::Request, "MPI_Irecv", "is lost", "", 0}};
  EXPECT_EQ(reasonAt(decide(true), 10), Diagnostic::UnsupportedOperation);
  U.Facts.Calls[1].Edit = Editability::MacroBody; // which opens it first
  EXPECT_EQ(reasonAt(decide(true), 10), Diagnostic::UnsupportedOperation);
}

TEST_F(Classes, WithCallsThatHaveNoName) {
  U.completion("MPI_Wait", U.request("c:other"));
  ir::ValueClass &First = classOf(1);
  First.Whys = {{ir::Refusal::Subject::FunctionAsValue, "MPI_Irecv", "is called by its address", "", 0}};
  auto LastCall = [&](const char *Function) {
    return std::make_shared<const std::set<ir::CallName>>(
        std::set<ir::CallName>{{U.Facts.Calls.back().Name, Function}});
  };
  First.Completions = {LastCall("MPI_Wait")};
  EXPECT_EQ(reasonAt(decide(false), 10), Diagnostic::FunctionAsValue);
  EXPECT_EQ(renames(decide(false)), "MPI_Init:1 MPI_Irecv:20 MPI_Isend:21 MPI_Waitall:22 MPI_Barrier:30");
  Decisions D = decide(true);
  EXPECT_EQ(guardedFor(D, 10), Diagnostic::FunctionAsValue);
  EXPECT_TRUE(llvm::StringRef(renames(D)).ends_with("MPI_Wait:40"));
  // Their completions count as those of the others.
  U.completion("MPI_Request_get_status_all", U.request("c:other"));
  First.Completions.push_back(LastCall("MPI_Request_get_status_all"));
  D = decide(true);
  EXPECT_EQ(reasonAt(D, 10), Diagnostic::UnsupportedOperation);
  EXPECT_TRUE(rewritten(D, 20));
}

TEST_F(Classes, AreOpenWhereAFunctionIsUsedAndNotWhereItIsCalled) {
  U.at(50).Facts.Uses.push_back({"MPI_Send", U.here()});
  ir::ValueClass &First = classOf(1);
  First.Members.front().Whys = {{ir::Refusal::Subject::FunctionAsValue, "MPI_Send", "is called", "/p/a.c", 60}};
  Decisions D = decide();
  EXPECT_EQ(llvm::count_if(D.Findings, [](const Finding &F) { return F.What == Diagnostic::FunctionAsValue; }), 1);
  EXPECT_EQ(
      llvm::find_if(D.Findings, [](const Finding &F) { return F.What == Diagnostic::FunctionAsValue; })->Where.Line,
      50U);
}

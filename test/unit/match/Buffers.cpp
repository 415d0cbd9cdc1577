// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which buffers move.

#include "buffers/Buffers.h"
#include "Facts.h"
#include "buffers/PointsTo.h"

using namespace mpishm;
using namespace mpishm::test;
using Node = PointerNodeIndex;
using How = PointerFlow::Kind;

namespace {

/// One unit with pointers, under construction. Each call stands on a line of its own.
class Pointers {
public:
  Pointers() {
    Facts.Nodes.emplace_back();
    Facts.Nodes[OutsideNode].Id = "outside";
    Source.Facts.Files = {Source.Facts.MainFile};
  }

  Node node(const std::string &Id) {
    for (auto [Index, N] : llvm::enumerate(Facts.Nodes))
      if (N.Id == Id)
        return Index;
    Facts.Nodes.emplace_back();
    Facts.Nodes.back().Id = Facts.Nodes.back().Name = Id;
    Facts.Nodes.back().What = PointerNode::Kind::Variable;
    return Facts.Nodes.size() - 1;
  }
  void flow(How What, const std::string &To, const std::string &From) {
    Facts.Flows.push_back({What, node(To), node(From)});
  }
  void copy(const std::string &To, const std::string &From) { flow(How::Copy, To, From); }

  /// `Into = Function(...)`
  MemoryCall &make(const std::string &Into, const std::string &Function = "malloc") {
    MemoryCall &C = call(Function, "MPISHM_" + Function);
    C.Makes = memory("memory:" + Into + std::to_string(Line));
    Facts.Flows.push_back({How::Address, node(Into), C.Makes});
    return Facts.Calls.back();
  }
  MemoryCall &release(const std::string &Value, const std::string &Function = "free") {
    MemoryCall &C = call(Function, "MPISHM_" + Function);
    C.GivesBack = node(Value);
    return C;
  }
  /// `Into = realloc(Value, ...)`
  MemoryCall &resize(const std::string &Into, const std::string &Value) {
    Node From = node(Value);
    make(Into, "realloc").GivesBack = From;
    return Facts.Calls.back();
  }
  void pass(const std::string &Function, const std::string &Value) {
    Facts.Arguments.push_back({Function, Function, node(Function + "#0"), node(Value), 0, here()});
  }
  /// An exchange from and into the buffers that \p Value points to.
  void message(const std::string &Value) {
    Facts.Messages.push_back({here(), node(Value)}), Sites.insert(here()), ++Line;
  }
  /// A window of the memory that \p Value points to.
  void window(const std::string &Value, bool IsRewritten) {
    Facts.Messages.push_back({here(), node(Value), true});
    if (IsRewritten)
      Sites.insert(here());
    ++Line;
  }
  Place here() const { return {Source.Facts.MainFile, Line * 100, Line, 3}; }

  Node memory(const std::string &Id) {
    Node N = node(Id);
    Facts.Nodes[N].What = PointerNode::Kind::Memory;
    return N;
  }
  MemoryCall &call(const std::string &Function, const std::string &New) {
    MemoryCall C;
    C.Function = C.Old = Function;
    C.New = New;
    C.Name = C.Token = here();
    ++Line;
    Facts.Calls.push_back(C);
    return Facts.Calls.back();
  }

  BufferDecisions decide(MoveBuffers Move = MoveBuffers::Messages) {
    UnitFacts Facts2 = Source.Facts;
    Facts2.Pointers = Facts;
    ProgramContext Context;
    Context.Move = Move;
    std::vector<UnitFacts> Units = More;
    Units.push_back(std::move(Facts2));
    Program P = mergeUnits(std::move(Units), false);
    return decideBuffers(P, Sites, Context);
  }

  Unit Source;
  std::vector<UnitFacts> More;
  PointerFacts Facts;
  std::set<Place> Sites;
  uint32_t Line = 1;
};

/// "3:free 7:malloc": the lines and old names of what is replaced.
std::string replaced(const BufferDecisions &D) {
  std::string Text;
  for (const Rename &R : D.Renames)
    Text += (Text.empty() ? "" : " ") + std::to_string(R.Where.Line) + ":" + R.OldName;
  return Text;
}

std::string reason(const BufferDecisions &D) { return D.Findings.empty() ? "" : D.Findings.front().Args.at(1); }

} // namespace

TEST(Buffers, AllThatMayGiveBackIsReplaced) {
  Pointers P;
  P.make("a");
  P.make("b");
  P.copy("p", "a");
  P.copy("p", "b");
  P.release("p");
  P.release("b");
  P.make("other");
  P.release("other");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 3:free") << "b is no buffer, but its memory may be given back at 3";
}

TEST(Buffers, ThroughPointersToPointers) {
  Pointers P;
  P.make("fresh");
  P.flow(How::Address, "parameter", "a"); // allocate(&a)
  P.flow(How::Store, "parameter", "fresh");
  P.flow(How::Load, "loaded", "parameter");
  P.release("loaded");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 2:free");
}

TEST(Buffers, NotSeenFunction) {
  Pointers P;
  P.make("a");
  P.release("a");
  P.message("a");
  P.pass("c:@F@keep", "a");
  BufferDecisions D = P.decide();
  EXPECT_EQ(replaced(D), "");
  EXPECT_EQ(reason(D), "its address is handed to 'c:@F@keep', which is not in the database");
  P.Source.body("c:@F@keep");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 2:free");
}

TEST(Buffers, ReachableFromOutside) {
  Pointers P;
  P.make("a");
  P.copy("field", "a"); // s.field = a; keep(&s)
  Node Record = P.node("record");
  P.Facts.Nodes[Record].Record = Record;
  P.Facts.Nodes[P.node("s")].Record = Record;
  P.Facts.Layouts.push_back({Record, {P.node("field")}});
  P.flow(How::Address, "pointer", "s");
  P.pass("c:@F@keep", "pointer");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "");
}

TEST(Buffers, BytesOfARecord) {
  Pointers P;
  P.make("a");
  P.copy("field", "a");
  Node Record = P.node("record");
  P.Facts.Nodes[P.node("s")].Record = Record;
  P.Facts.Layouts.push_back({Record, {P.node("field")}});
  P.flow(How::Address, "bytes", "s"); // *(void **)&s
  P.flow(How::Load, "loaded", "bytes");
  P.release("loaded");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 2:free");
}

TEST(Buffers, WhatReallocMakesMovesAsWell) {
  Pointers P;
  P.make("a");
  P.resize("b", "a");
  P.release("b");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 2:realloc 3:free");
  P.Facts.Calls.back().Unfit = "it is strange";
  BufferDecisions D = P.decide();
  EXPECT_EQ(replaced(D), "");
  EXPECT_EQ(reason(D),
            "it may be resized by realloc, whose result cannot move: it may be given back by free, where it is "
            "strange");
}

TEST(Buffers, ReallocsOfOneAnother) {
  Pointers P;
  P.make("a");
  P.resize("b", "a");
  P.resize("a", "b");
  P.message("b");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 2:realloc 3:realloc");
  P.pass("c:@F@keep", "a");
  EXPECT_EQ(replaced(P.decide()), "") << "b's memory becomes a's, which is given away";
}

TEST(Buffers, ComputedOn) {
  Pointers P;
  P.make("a");
  P.message("a");
  P.Facts.Computations.push_back({P.node("a"), P.here()});
  EXPECT_EQ(replaced(P.decide()), "");
  EXPECT_EQ(replaced(P.decide(MoveBuffers::All)), "1:malloc");
  EXPECT_TRUE(P.decide(MoveBuffers::None).Buffers.empty());
}

TEST(Buffers, OfWindows) {
  Pointers Moves;
  Moves.make("p");
  Moves.window("p", true);
  Moves.release("p");
  EXPECT_EQ(replaced(Moves.decide()), "1:malloc 3:free");
  // Whoever has the window may ask MPI for the address.
  Moves.window("p", false);
  EXPECT_EQ(replaced(Moves.decide()), "");
  EXPECT_EQ(reason(Moves.decide()), "it is in a window that is left to MPI");
  Pointers Left;
  Left.make("p");
  Left.window("p", false);
  EXPECT_TRUE(Left.decide().Buffers.empty());
}

TEST(Buffers, OneNameInAMacroForAll) {
  Pointers P;
  P.make("a").Edit = Editability::MacroDefinition;
  Place Token = P.Facts.Calls.back().Token;
  P.make("b").Edit = Editability::MacroDefinition;
  P.Facts.Calls.back().Token = Token;
  P.release("b");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 3:free");
  P.pass("c:@F@keep", "b");
  EXPECT_EQ(replaced(P.decide()), "");
}

namespace {

/// take() calls malloc, at 1; a and b are made by take(), at 2 and 3.
Pointers wrapper() {
  Pointers P;
  P.Source.body("c:@F@take");
  Node Inner = P.make("c:@F@take#result").Makes;
  P.Facts.Wrappers.push_back({"c:@F@take", "take", {Inner}, {}, ""});
  for (std::string Name : {"a", "b"}) {
    ResultCall C;
    C.Callee = "c:@F@take";
    C.Value = P.node(Name);
    C.Returned = P.node("c:@F@take#result");
    C.As = P.call("take", "");
    P.Facts.Calls.pop_back();
    C.As.Makes = P.memory("memory:" + Name);
    P.Facts.Results.push_back(C);
  }
  return P;
}

/// Where another call may be put around each call of the wrapper.
void surroundable(Pointers &P) {
  for (ResultCall &C : P.Facts.Results) {
    Place End = C.As.Name;
    End.Offset += 7;
    C.As.Whole = WholeCall{C.As.Name, End, "take", "MPISHM_To_window", {}};
  }
}

} // namespace

TEST(Buffers, EachCallOfAWrapperMakesItsOwn) {
  Pointers P = wrapper();
  P.release("b");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 4:free") << "the edit is in the wrapper: b's memory moves as well";
  P.pass("c:@F@keep", "b");
  EXPECT_EQ(replaced(P.decide()), "");
  P.Facts.Wrappers.front().Forwards = "MPISHM_Malloc";
  EXPECT_EQ(replaced(P.decide()), "2:take") << "the call alone is replaced";
}

TEST(Buffers, ACallAroundThatOfAWrapper) {
  Pointers P = wrapper();
  P.release("a");
  P.release("b");
  P.message("a");
  surroundable(P);
  BufferDecisions D = P.decide();
  EXPECT_EQ(replaced(D), "2:take 2: 4:free") << "b is no buffer";
  EXPECT_EQ(D.Renames[0].NewName, "MPISHM_To_window(take");
  EXPECT_EQ(D.Renames[1].NewName, ")");
  P.message("b");
  EXPECT_EQ(replaced(P.decide()), "1:malloc 4:free 5:free") << "all is";
  P.pass("c:@F@keep", "b");
  D = P.decide();
  EXPECT_EQ(replaced(D), "2:take 2: 4:free") << "b may not move";
  EXPECT_EQ(reason(D), "its address is handed to 'c:@F@keep', which is not in the database");
  P.Facts.Calls.front().Function = "new[]";
  EXPECT_EQ(replaced(P.decide()), "") << "what has to go back to delete[]";
}

TEST(Buffers, AWrapperOfReallocKeepsWhatWasThere) {
  Pointers P = wrapper();
  P.Facts.Calls.front().GivesBack = P.node("c:@F@take#0"); // take(old, n)
  P.flow(How::Load, "kept", "c:@F@take#0");
  P.flow(How::Store, "c:@F@take#result", "kept");
  P.copy("c:@F@take#0", "old");
  P.make("old");
  P.make("row");
  P.flow(How::Store, "old", "row");
  P.flow(How::Load, "found", "a");
  P.release("found");
  P.message("row");
  EXPECT_EQ(replaced(P.decide()), "5:malloc 6:free");
}

TEST(Buffers, TheRootOfWhatSpeaksAgainst) {
  Pointers P;
  P.make("a");
  P.make("b");
  P.Facts.Calls.back().Token = P.Facts.Calls.front().Token; // of one macro
  P.copy("c", "b");
  P.resize("d", "c");
  P.pass("c:@F@keep", "d");
  P.message("a");
  EXPECT_EQ(reason(P.decide()),
            "the same malloc makes memory that cannot move: its address is handed to 'c:@F@keep', which is not in the "
            "database");
}

TEST(Buffers, WhereTheHeaderIsNotFound) {
  Pointers P;
  P.make("a");
  P.message("a");
  EXPECT_EQ(replaced(P.decide()), "1:malloc");
  UnitFacts Other;
  Other.MainFile = "/p/plain.c";
  Other.Compiler = "gcc";
  Other.Files = {"/p/plain.c", P.Source.Facts.MainFile};
  P.More = {Other};
  EXPECT_EQ(replaced(P.decide()), "");
  P.More[0].FindsMpi = true;
  EXPECT_EQ(replaced(P.decide()), "") << "mpi.h is found there, but mpishm.h may not be";
  P.More[0].Compiler = P.Source.Facts.Compiler;
  EXPECT_EQ(replaced(P.decide()), "1:malloc");
}

TEST(Buffers, NothingIsKnownOfAPart) {
  Pointers P;
  P.make("a");
  P.message("a");
  P.Source.Facts.Bodies.clear();
  EXPECT_EQ(reason(P.decide()), "not all sources of the program are read");
  P.Source.body("c:@F@main");
  P.Facts.Own.push_back(P.here());
  EXPECT_EQ(replaced(P.decide()), "");
}

TEST(Buffers, MovedBefore) {
  Pointers P;
  P.make("a", "MPISHM_Malloc").Already = true;
  P.release("a");
  P.message("a");
  BufferDecisions D = P.decide();
  EXPECT_EQ(replaced(D), "2:free") << "somebody has added it since";
  P.Facts.Calls.back().Unfit = "it is strange";
  D = P.decide();
  ASSERT_EQ(D.Findings.size(), 1u);
  EXPECT_EQ(D.Findings[0].What, Diagnostic::MovedBufferReleased);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mpishm;
using namespace mpishm::ir;
using namespace mpishm::test;
using Kind = Constraint::Kind;

std::optional<LoweredUnit> mpishm::test::parse(llvm::StringRef Text) {
  LoweredUnit U;
  U.Context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic Error;
  U.Module = llvm::parseAssemblyString(Text, Error, *U.Context);
  std::string Message;
  llvm::raw_string_ostream Out(Message);
  if (!U.Module || llvm::verifyModule(*U.Module, &Out)) {
    Error.print("", Out);
    ADD_FAILURE() << Message << "\n" << Text.str();
    return std::nullopt;
  }
  return U;
}

static bool hands(const Constraint &C) {
  return C.Is == Kind::Copy || C.Is == Kind::Derive || C.Is == Kind::Offset || C.Is == Kind::Part ||
         C.Is == Kind::Member || C.Is == Kind::Convert || C.Is == Kind::ToAddress || C.Is == Kind::Binary;
}

std::set<Node> Flow::madeOf(Node From) const {
  std::set<Node> Reached{From};
  for (size_t Before = 0; Before != Reached.size();) {
    Before = Reached.size();
    for (const Constraint &C : Code.Constraints)
      if (hands(C) && (Reached.count(C.From) || Reached.count(C.Second)))
        Reached.insert(C.To);
  }
  return Reached;
}

bool Flow::reaches(Node From, Node To) const { return madeOf(From).count(To) != 0; }

bool Flow::has(Kind Is, Node From, Node To) const {
  std::set<Node> Made = madeOf(From);
  return llvm::any_of(Code.Constraints, [&](const Constraint &C) {
    return C.Is == Is && (From == NoNode || Made.count(C.From)) && (To == NoNode || C.To == To);
  });
}

bool Flow::isAnything(Node To) const {
  return llvm::any_of(Code.Constraints,
                      [&](const Constraint &C) { return C.Is == Kind::Anything && (C.To == To || reaches(C.To, To)); });
}

bool Flow::escapes(Node From) const { return has(Kind::Escape, From, NoNode) || has(Kind::BecomeNumber, From, NoNode); }

bool Flow::isNumber(Node To) const {
  return llvm::any_of(Code.Constraints, [&](const Constraint &C) {
    return (C.Is == Kind::Integer || C.Is == Kind::AnyInteger) && (C.To == To || reaches(C.To, To));
  });
}

Node Flow::argumentOf(llvm::StringRef Callee, unsigned Index) const {
  for (const Call &C : Code.Calls)
    if (C.Callee && Unit.Symbols[*C.Callee].Name == Callee && Index < C.Arguments.size())
      return C.Arguments[Index];
  return NoNode;
}

bool Flow::isNumber(Node To, int64_t Value) const {
  return llvm::any_of(Code.Constraints, [&](const Constraint &C) {
    return C.Is == Kind::Integer && C.A == Value && (C.To == To || reaches(C.To, To));
  });
}

bool Flow::hasAddress(Node To) const {
  return llvm::any_of(Code.Constraints,
                      [&](const Constraint &C) { return C.Is == Kind::GlobalAddress && reaches(C.To, To); });
}

bool Flow::isGiven(Node From) const {
  return llvm::any_of(Code.Calls, [&](const Call &C) {
    return C.Pointer == From || llvm::any_of(C.Arguments, [&](Node Argument) { return reaches(From, Argument); });
  });
}

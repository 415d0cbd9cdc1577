// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "values/Emitter.h"

using namespace mpishm;
using namespace clang;

Operand mpishm::makeOperand(Operand::Kind Which) {
  Operand O;
  O.Which = Which;
  return O;
}

Operand mpishm::makeConstant(int64_t Value) {
  Operand O;
  O.Which = Operand::Kind::Constant;
  O.Value = Value;
  return O;
}

Operand mpishm::makeObject(uint32_t Index) {
  Operand O;
  O.Which = Operand::Kind::Object;
  O.ObjectIndex = Index;
  return O;
}

void mpishm::addOperand(Operands &To, const Operand &O) {
  for (const Operand &Known : To)
    if (Known.Which == O.Which && Known.ObjectIndex == O.ObjectIndex && Known.Value == O.Value)
      return;
  To.push_back(O);
}

void mpishm::addOperands(Operands &To, const Operands &From) {
  for (const Operand &O : From)
    addOperand(To, O);
}

uint32_t Emitter::object(llvm::StringRef Id, llvm::StringRef Name, Domain Kind) {
  auto [It, New] = Index.try_emplace(Id, Facts.Objects.size());
  if (New) {
    Object O;
    O.Id = Id.str();
    O.Name = Name.str();
    O.Kind = Kind;
    Facts.Objects.push_back(std::move(O));
  } else if (Facts.Objects[It->second].Kind == Domain::Integer) {
    // One view of it may have lost the typedef.
    Facts.Objects[It->second].Kind = Kind;
  }
  return It->second;
}

uint32_t Emitter::objectOf(const ValueDecl *D) {
  auto It = OfDecl.find(D);
  if (It != OfDecl.end())
    return It->second;
  uint32_t Result;
  const auto *P = dyn_cast<ParmVarDecl>(D);
  const auto *F = P ? dyn_cast<FunctionDecl>(P->getDeclContext()) : nullptr;
  if (F) {
    Result = parameter(F, P->getFunctionScopeIndex());
    Facts.Objects[Result].Name = nameOf(D); // the definition's name, where declarations have others
  } else {
    Result = object(mpishm::idOf(D, Where), nameOf(D), Typing.classify(D->getType()).Kind);
    if (const auto *V = dyn_cast<VarDecl>(D))
      Facts.Objects[Result].External = V->hasExternalFormalLinkage();
    else if (isa<FieldDecl>(D))
      Facts.Objects[Result].Hidden = Where.sources().isInMainFile(D->getLocation());
  }
  OfDecl[D] = Result;
  return Result;
}

uint32_t Emitter::parameter(const FunctionDecl *F, unsigned Position) {
  std::string Id = mpishm::idOf(F, Where) + "#" + std::to_string(Position);
  if (Position < F->getNumParams())
    return object(Id, nameOf(F->getParamDecl(Position)), Typing.classify(F->getParamDecl(Position)->getType()).Kind);
  return object(Id, "a parameter of " + F->getQualifiedNameAsString(), Domain::Integer);
}

uint32_t Emitter::result(const FunctionDecl *F) {
  return object(mpishm::idOf(F, Where) + "#result", "result of " + F->getQualifiedNameAsString(),
                Typing.classify(F->getReturnType()).Kind);
}

uint32_t Emitter::calledParameter(QualType FunctionType, unsigned Position, Domain Kind) {
  return object(indirectId(FunctionType) + "#" + std::to_string(Position),
                "a parameter of a function called through a pointer", Kind);
}

uint32_t Emitter::escapedIntegers() {
  return object(EscapedIntegersId, "an integer that cannot be followed", Domain::Integer);
}

void Emitter::flow(uint32_t To, const Operand &From, bool Both, SourceLocation Loc) {
  if (From.Which == Operand::Kind::Object && From.ObjectIndex == To)
    return;
  if (!Flows.insert({To, unsigned(From.Which), From.ObjectIndex, From.Value, Both}).second)
    return;
  Flow F;
  F.To = To;
  F.From = From;
  F.Both = Both;
  F.Where = Where.at(Loc);
  Facts.Flows.push_back(std::move(F));
}

void Emitter::flow(uint32_t To, const Operands &From, bool Both, SourceLocation Loc) {
  for (const Operand &O : From)
    flow(To, O, Both, Loc);
}

void Emitter::sum(Sum S) {
  llvm::SmallVector<int64_t, 16> Key = {S.To, S.Offset};
  for (const Sum::Term &T : S.Terms)
    Key.append({int64_t(T.Value.Which), T.Value.ObjectIndex, T.Value.Value, T.Factor});
  if (Sums.insert(std::vector<int64_t>(Key.begin(), Key.end())).second)
    Facts.Sums.push_back(std::move(S));
}

void Emitter::tie(const Operands &Values, SourceLocation Loc) {
  const Operand *Hub = nullptr;
  bool Handles = false;
  for (const Operand &O : Values)
    if (O.Which == Operand::Kind::Object) {
      Hub = Hub ? Hub : &O;
      Handles |= kindOf(O.ObjectIndex) != Domain::Integer;
    }
  if (!Hub)
    return;
  for (const Operand &O : Values) // no number becomes a handle
    if (!Handles || (O.Which != Operand::Kind::Constant && O.Which != Operand::Kind::Computed))
      flow(Hub->ObjectIndex, O, true, Loc);
}

void Emitter::argument(const Argument &A) {
  if (!Arguments.insert({A.Parameter, unsigned(A.Value.Which), A.Value.ObjectIndex, A.Value.Value, A.Both}).second)
    return;
  Facts.Arguments.push_back(A);
}

void Emitter::memory(MemoryUse M) {
  if (llvm::is_contained(Facts.Memory, M))
    return;
  Facts.Memory.push_back(std::move(M));
}

void Emitter::escape(Escape::Kind Which, Domain What, const Operands &Values, SourceLocation Loc, llvm::StringRef Name,
                     llvm::StringRef Unless) {
  Place At = Where.at(Loc);
  for (const Operand &O : Values) {
    bool Counts = O.Which == Operand::Kind::Object || O.Which == Operand::Kind::World ||
                  O.Which == Operand::Kind::Self || O.Which == Operand::Kind::Unknown;
    if (!Counts || !Escapes.insert({unsigned(O.Which), O.ObjectIndex, At.File, At.Offset}).second)
      continue;
    Escape E;
    E.Which = Which;
    E.What = What;
    E.Value = O;
    E.Where = At;
    E.Name = Name.str();
    E.Unless = Unless.str();
    Facts.Escapes.push_back(std::move(E));
  }
}

void Emitter::call(Call C) { Facts.Calls.push_back(std::move(C)); }

void Emitter::use(llvm::StringRef Function, bool GoesRound, SourceLocation Loc) {
  Place At = Where.at(Loc);
  for (FunctionUse &U : Facts.Uses)
    if (U.Function == Function && U.Where == At) {
      U.GoesRound |= GoesRound;
      return;
    }
  Facts.Uses.push_back({Function.str(), std::move(At), GoesRound});
}

void Emitter::define(llvm::StringRef Function, SourceLocation Loc, bool IsMacro) {
  Facts.Definitions.push_back({Function.str(), Where.at(Loc), IsMacro});
}

void Emitter::body(llvm::StringRef Id) {
  if (Bodies.insert(Id).second)
    Facts.Bodies.push_back(Id.str());
}

void Emitter::ownFunctionType(llvm::StringRef Id) {
  if (OwnFunctionTypes.insert(Id).second)
    Facts.OwnFunctionTypes.push_back(Id.str());
}

void Emitter::convertedFunctionType(llvm::StringRef Id) {
  if (ConvertedFunctionTypes.insert(Id).second)
    Facts.ConvertedFunctionTypes.push_back(Id.str());
}

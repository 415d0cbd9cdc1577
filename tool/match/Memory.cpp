// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Memory.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <array>

using namespace mpishm;

using Kinds = llvm::StringMap<MemoryUse::Kind>;

/// What all of \p Uses together say of each parameter and result.
static Kinds kindsOf(const std::vector<MemoryUse> &Uses) {
  Kinds Result;
  llvm::StringMap<std::vector<const MemoryUse *>> Dependents;
  std::vector<llvm::StringRef> NotAlone;
  auto Worsen = [&](const MemoryUse &Use, MemoryUse::Kind To) {
    MemoryUse::Kind &Known = Result.try_emplace(Use.Id, To).first->second;
    bool WasAlone = Known == MemoryUse::Kind::Alone;
    Known = std::max(Known, To);
    if (WasAlone && Known != MemoryUse::Kind::Alone)
      NotAlone.push_back(Use.Id);
  };
  for (const MemoryUse &Use : Uses) {
    Result.try_emplace(Use.Id, Use.Does);
    Worsen(Use, Use.Does);
    for (const std::string &Id : Use.DependsOn)
      Dependents[Id].push_back(&Use);
  }
  for (const auto &Entry : Dependents) {
    auto It = Result.find(Entry.first());
    if (It == Result.end() || It->second != MemoryUse::Kind::Alone)
      NotAlone.push_back(Entry.first());
  }
  while (!NotAlone.empty()) {
    llvm::StringRef Id = NotAlone.back();
    NotAlone.pop_back();
    for (const MemoryUse *Use : Dependents.lookup(Id))
      Worsen(*Use, MemoryUse::Kind::Bytes);
  }
  return Result;
}

void mpishm::forgetMemory(Program &P, const std::vector<MemoryUse> &Uses) {
  Kinds Known = kindsOf(Uses);
  // The value of a call is that of its arguments already.
  auto PassesOn = [&](llvm::StringRef Id) {
    auto It = Known.find(Id);
    return It != Known.end() && It->second != MemoryUse::Kind::Bytes;
  };
  llvm::BitVector Forgotten(P.Objects.size());
  for (auto [Index, O] : llvm::enumerate(P.Objects))
    Forgotten[Index] = PassesOn(O.Id);
  auto IsForgotten = [&](const Operand &O) {
    return O.Which == Operand::Kind::Object && Forgotten.test(O.ObjectIndex);
  };
  auto Forget = [&](Operand &O) {
    if (IsForgotten(O))
      O = {Operand::Kind::Null, 0, 0};
  };
  llvm::erase_if(P.Flows, [&](const Flow &F) { return Forgotten.test(F.To); });
  llvm::erase_if(P.Arguments, [&](const Argument &A) { return Forgotten.test(A.Parameter); });
  llvm::erase_if(P.Escapes, [&](const Escape &E) { return PassesOn(E.Unless) || IsForgotten(E.Value); });
  for (Flow &F : P.Flows)
    Forget(F.From);
  for (Argument &A : P.Arguments)
    Forget(A.Value);
  for (ProgramCall &C : P.Calls)
    for (std::vector<Operand> *List : std::array{&C.Comm, &C.Request, &C.NewComm, &C.Message})
      llvm::for_each(*List, Forget);
}

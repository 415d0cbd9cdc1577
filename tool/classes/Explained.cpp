// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/Explained.h"
#include "flows/Flows.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

void Explained::add(const Refusal &Why, const Token &T, std::vector<uint32_t> Chain) {
  if (IsAsked)
    Subjects.try_emplace(keyOf(Why), Subject{T, std::move(Chain), NoNode});
}

void Explained::add(const Refusal &Why, uint32_t Given) {
  if (IsAsked)
    Subjects.try_emplace(keyOf(Why), Subject{std::nullopt, {}, Given});
}

void Explained::addFlows(std::vector<ValueClass> &To) {
  if (!IsAsked)
    return;
  const FlowFinder Flows(A);
  auto Add = [&](std::vector<Refusal> &Whys) {
    for (Refusal &Why : Whys) {
      auto It = Subjects.find(keyOf(Why));
      if (It == Subjects.end())
        continue;
      Subject &Of = It->second;
      if (!Of.Found)
        Of.Found = Of.Handle            ? Flows.ofHandle(*Of.Handle, Of.Chain)
                   : Of.Given == NoNode ? Flows.ofWriting()
                                        : Flows.ofAnything(Of.Given);
      Why.Way = *Of.Found;
    }
  };
  for (ValueClass &Class : To) {
    if (llvm::none_of(Class.Members, [&](const ClassMember &M) { return IsAsked(M.Call.Where); }))
      continue;
    Add(Class.Whys);
    for (ClassMember &M : Class.Members)
      Add(M.Whys);
  }
}

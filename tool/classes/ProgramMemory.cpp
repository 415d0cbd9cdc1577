// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/ProgramMemory.h"

using namespace mpishm;
using namespace mpishm::ir;

ProgramMemory::ProgramMemory(const Analysis &Values) : A(Values), G(Values.G), Heap(Values.Heap) {
  for (const Analysis::MemoryPlace &M : A.Allocations)
    Own.insert(M.ObjectOrNode);
  for (const std::optional<uint32_t> &Variable : A.ObjectOf)
    if (Variable && !Heap[*Variable].ReadOnly && !Heap[*Variable].Table)
      Own.insert(*Variable);
  for (auto [Object, Instance] : A.Locals) {
    Own.insert(Object);
    LocalOf[Object] = Instance;
  }
}

std::string ProgramMemory::whyNotPrivate(uint32_t Object) const {
  const MemoryObject &O = Heap[Object];
  if (!Own.contains(Object))
    return O.Name + " is not the program's alone";
  if (O.Escaped || A.LentObjects.contains(Object))
    return O.Name + " is known to code that was not read";
  if (A.LeftObjects.count(Object))
    return "the address of " + O.Name + " becomes a number";
  if (!O.Heads.empty())
    return O.Name + " holds a container";
  bool InWindow = false;
  eachObject(A.Windows, [&](uint32_t Each) { InWindow |= Each == Object; });
  return InWindow ? O.Name + " is in a window" : "";
}

std::string ProgramMemory::whyUnknown(uint32_t Node) const {
  if (Node == NoNode)
    return "it is not given";
  if (const Reason *Why = A.whyAnything(Node))
    return "it " + A.describe(*Why);
  if (G.isAnything(Node) || G.hasOutside(Node))
    return "it may be known to code that was not read";
  for (uint32_t T : G.tokensOf(Node)) {
    const Token &Each = G.token(T);
    // What was computed of an address, or of null, as of an allocation that has failed, is in the objects beside.
    bool IsNumber = (Each.Is == Token::Kind::Integer && Each.Id != MadeUp) || Each.Is == Token::Kind::AnySource;
    if (IsNumber && Each.Is == Token::Kind::Integer && !Each.Where.isExact() && !A.LeftObjects.empty())
      return "it may be a number, and the address of " + Heap[A.LeftObjects.begin()->first].Name + " " +
             A.describe(A.Reasons[A.LeftObjects.begin()->second]);
    if (!IsNumber && Each.Is != Token::Kind::Memory && !Each.isHandle())
      return "it may be made of a number";
  }
  return "";
}

std::optional<uint32_t> ProgramMemory::ownerOf(uint32_t Object) const {
  auto It = LocalOf.find(Object);
  return It == LocalOf.end() ? std::nullopt : std::optional(It->second);
}

std::string mpishm::ir::lineOf(const Body &Of, uint32_t Where) {
  Place At = placeOf(*Of.Of, Where);
  return At.Line ? " in line " + std::to_string(At.Line) : "";
}

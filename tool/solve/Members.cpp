// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects have the members that are accessed. A program may ask an object what it is, by a number in it, say, and
// cast its address to that of a derived class. Branches are not followed; but no other object has members of that
// class, and an object with virtual functions begins with the address of their table, which tells its class.

#include "link/Classes.h"
#include "solve/Solver.h"

using namespace mpishm;
using namespace mpishm::ir;

void Solver::addMember(uint32_t To, uint32_t From, int64_t Offset, const std::string &Class) {
  auto [It, New] = ClassNumbers.try_emplace(Class, NoNode);
  if (New && hasTables(P, Class)) {
    It->second = ClassNames.size();
    ClassNames.push_back(Class);
  }
  if (It->second == NoNode)
    return G.addCopy(From, To);
  G.addRule(From, {Rule::Kind::Member, To, NoNode, NoNode, Offset, It->second});
}

/// The address of an object that has what is at \p Member, so many bytes from its beginning.
static Token beginOf(const Token &Member, int64_t Offset) {
  Region At = Member.Where;
  At.Offset -= Offset;
  if (At.isExact())
    return {Token::Kind::Memory, Member.Id, {At.Offset, 0}};
  if (At.isBounded()) {
    At.Low -= Offset;
    At.High -= Offset;
  }
  return {Token::Kind::Memory, Member.Id, normalised(At)};
}

void Solver::member(const Rule &R, uint32_t T) {
  const Token Each = G.token(T);
  if (Each.Is != Token::Kind::Memory || Heap[Each.Id].Escaped || Heap[Each.Id].Table)
    return G.addToken(R.To, T);
  const Token Object = beginOf(Each, R.A);
  if (!Heap.isWithin(Object, 8))
    return;
  auto [It, New] = MembersAt.try_emplace({G.number(Object), R.B}, Members.size());
  const uint32_t Number = It->second;
  if (New) {
    const uint32_t Table = G.newNode();
    Members.push_back({static_cast<uint32_t>(R.B), Table, false, {}});
    G.addCopy(Heap.loaded(Object, 8), Table);
    G.addRule(Table, {Rule::Kind::TableOf, NoNode, NoNode, NoNode, Number});
  }
  if (Members[Number].IsAllowed)
    G.addToken(R.To, T);
  else
    Members[Number].Waiting.push_back({R.To, T});
}

/// An object of the class may be where \p Table is: unless that is a table of another class's, or the zero that was
/// there before. What is no table was put there in a way that tells nothing.
void Solver::findTable(uint32_t Number, const Token &Table) {
  const auto Variable = VariableOf.find(Table.Id);
  bool IsPlace = Table.Is == Token::Kind::Memory && Table.Where.isExact() && Variable != VariableOf.end();
  bool IsZero = Table == Token{Token::Kind::Integer, 0, {0, 0}};
  if (IsPlace ? mayBe(P, Variable->second, Table.Where.Offset, ClassNames[Members[Number].Class]) : !IsZero)
    allow(Number);
}

void Solver::allow(uint32_t Number) {
  if (Members[Number].IsAllowed)
    return;
  Members[Number].IsAllowed = true;
  for (auto [To, T] : std::exchange(Members[Number].Waiting, {}))
    G.addToken(To, T);
}

/// What has no table at all was made in a way that is not followed. False when there is nothing new.
bool Solver::settleMembers() {
  bool Any = false;
  for (uint32_t Number = 0; Number < Members.size(); ++Number) {
    auto IsTable = [&](uint32_t T) { return G.token(T).Is == Token::Kind::Memory; };
    if (Members[Number].IsAllowed || llvm::any_of(G.tokensOf(Members[Number].Table), IsTable))
      continue;
    allow(Number);
    Any = true;
  }
  return Any;
}

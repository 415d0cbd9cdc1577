// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from many tokens that come to a node together. In a large program of C++ thousands of objects hold one
// another, and thousands of loads go by the same addresses: what these loads share is made once.

#include "solve/Solver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

void Solver::applyToAll(const Rule &R, uint32_t At, llvm::ArrayRef<uint32_t> New) {
  constexpr size_t Many = 16; // fewer cost no more one by one
  auto IsMemory = [&](uint32_t T) { return G.token(T).Is == Token::Kind::Memory; };
  // They are in the order of their kinds.
  llvm::ArrayRef<uint32_t> Rest = New.drop_until(IsMemory), Places = Rest.take_while(IsMemory);
  if (Places.size() < Many || !applyToMany(R, Places))
    return Graph::Client::applyToAll(R, At, New);
  Graph::Client::applyToAll(R, At, New.take_front(New.size() - Rest.size()));
  Graph::Client::applyToAll(R, At, Rest.drop_front(Places.size()));
}

/// What \p R does with the addresses \p Places. False when it does nothing that can be shared.
bool Solver::applyToMany(const Rule &R, llvm::ArrayRef<uint32_t> Places) {
  switch (R.Is) {
  case Rule::Kind::Index:
  case Rule::Kind::Offset:
  case Rule::Kind::Part:
  case Rule::Kind::Convert:
  case Rule::Kind::ToAddress:
    G.addImages(R.To, R, Places, [&](const Token &T, llvm::SmallVectorImpl<Token> &To) { addImage(R, T, To); });
    return true;
  case Rule::Kind::Load:
  case Rule::Kind::LoadElement:
  case Rule::Kind::Store: {
    auto [Joint, New] = G.jointNode(R, Places);
    Rule Shared = R;
    (R.Is == Rule::Kind::Store ? Shared.Other : Shared.To) = Joint;
    for (uint32_t T : New ? Places : llvm::ArrayRef<uint32_t>())
      applyToMemory(Shared, Token(G.token(T)));
    R.Is == Rule::Kind::Store ? G.addCopy(R.Other, Joint) : G.addCopy(Joint, R.To);
    return true;
  }
  default:
    return false;
  }
}

/// One for all that are alike, so that rules are.
int64_t Solver::partNumber(const Part &Of) {
  auto [It, New] = PartNumbers.try_emplace({Of.Low, Of.High, Of.Record, Of.Element}, Parts.size());
  if (New)
    Parts.push_back(&Of);
  return It->second;
}

/// What of the address \p T alone comes to R.To; see apply().
void Solver::addImage(const Rule &R, const Token &T, llvm::SmallVectorImpl<Token> &Images) const {
  switch (R.Is) {
  case Rule::Kind::Index:
    return R.A == WideIndex ? Images.push_back(T.partial()) : void();
  case Rule::Kind::Offset:
  case Rule::Kind::Part:
    for (const Region &To :
         R.Is == Rule::Kind::Part ? movedToPart(T.Where, R.A, *Parts[R.B]) : moved(T.Where, R.A, R.B, R.C))
      if (!Heap.leadsAway(T.Id, T.Where, To))
        Images.push_back({Token::Kind::Memory, T.Id, To});
    return;
  default: // conversions
    return Images.push_back(R.B < 64 ? T.partial() : T);
  }
}

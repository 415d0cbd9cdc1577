// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What leaves sight: for code out of sight, or as a number.

#include "solve/Solver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

/// That something is in \p Object, which has escaped.
uint32_t Solver::reasonIn(uint32_t Object) {
  auto [It, New] = InObject.try_emplace(Object, Reasons.size());
  if (New) {
    Reasons.emplace_back();
    Reasons.back().Object = Object;
  }
  return It->second;
}

void Solver::exposeHead(uint32_t Object, uint32_t Head) { escapeMemory(Head, reasonIn(Object)); }

void Solver::exposeCell(uint32_t Object, const Cell &C) {
  uint32_t Why = reasonIn(Object);
  escape(C.Stored, Why);
  if (!Heap[Object].Known)
    G.addAnything(C.Loaded, Why);
}

/// What is in an object that escapes, escapes after it, not within: so no chain of objects is too long for the stack,
/// and each has the shortest way as its reason.
void Solver::escapeMemory(uint32_t Object, uint32_t Why) {
  if (Heap[Object].Escaped || !Escaping.insert(Object).second)
    return note(EscapedAgain[Object], Why);
  Escapes.push_back({Object, Why});
  if (Escapes.size() > 1)
    return;
  for (; !Escapes.empty(); Escapes.pop_front())
    if (auto [Next, Because] = Escapes.front(); Heap[Next].Escaped)
      note(EscapedAgain[Next], Because);
    else
      Heap.escape(Next, Because);
}

/// Code out of sight has \p Address, and puts nothing there but numbers: where it is \p Known, it takes what is there
/// for such as well, so that some of their bits may be in others. What the program stores at addresses that come from
/// there may be there, too. All goes no farther than the members of the array's type that lie side by side.
void Solver::lend(const Token &Address, bool Known, uint32_t Why) {
  const int64_t Element = Address.Where.Element;
  uint32_t Contents = G.newNode();
  if (Known) {
    showNumber(Contents, Why);
    Heap.fill(Address, Unknown, AnyNumber, Element);
  } else {
    escape(Contents, Why);
  }
  Heap.contents(Address, Unknown, Contents, Element);
  Heap.fill(Address, Unknown, StoredOutside, Element);
  LentObjects.insert(Address.Id);
}

void Solver::escapeToken(uint32_t T, uint32_t Why) {
  const Token Each = G.token(T);
  if (Each.Is == Token::Kind::Memory)
    escapeMemory(Each.Id, Why);
  else if (Each.Is == Token::Kind::Function)
    exposeFunction(Each.Id, Why);
  else if (Each.isHandle())
    note(EscapedHandles[G.number(Each.whole())], Why);
  else if (Each.Is == Token::Kind::Integer && Each.Id == MadeUp)
    letBack(); // what comes back is anything, and no longer known to be made of a number
}

/// Keeps \p Why for the user, who wants to know all that has to go. A few are enough: what escapes for many reasons
/// does so for one, mostly, and the clones of a call have the same.
void Solver::note(Whys &Known, uint32_t Why) const {
  constexpr size_t Most = 16;
  const Reason &R = Reasons[Why];
  if (Known.size() < Most && llvm::none_of(Known, [&](uint32_t Other) {
        const Reason &O = Reasons[Other];
        return Other == Why || (O.Line == R.Line && O.Object == R.Object && O.Text == R.Text && O.File == R.File);
      }))
    Known.push_back(Why);
}

/// \p T, or some bits of it, becomes text or a floating-point number, and may come back as any number that the program
/// reads, or makes of such.
void Solver::leaveAsNumber(uint32_t T, uint32_t Why) {
  const Token Each = G.token(T);
  if (Each.isHandle()) {
    LeftHandles.try_emplace(G.number(Each.whole()), Why);
    G.add(AnyNumber, Each.partial());
  } else if (MakesUpAddresses)
    escapeToken(T, Why);
  else if (Each.Is == Token::Kind::Memory)
    LeftObjects.insert({Each.Id, Why});
  else if (Each.Is == Token::Kind::Function)
    LeftFunctions.insert({Each.Id, Why});
}

/// What has left in parts may come back as addresses.
void Solver::letBack() {
  if (MakesUpAddresses)
    return;
  MakesUpAddresses = true;
  for (auto [Object, Why] : LeftObjects)
    Heap.escape(Object, Why);
  for (auto [Function, Why] : LeftFunctions)
    exposeFunction(Function, Why);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from a token at a node.

#include "solve/Solver.h"
#include "llvm/Support/ErrorHandling.h"
#include <numeric>

using namespace mpishm;
using namespace mpishm::ir;

/// Whether \p T is of what leaves as a number.
static bool counts(const Token &T, Leaves What) {
  switch (What) {
  case Leaves::All:
    return true;
  case Leaves::Handles:
    return T.isHandle();
  case Leaves::Addresses:
    return T.Is == Token::Kind::Memory;
  case Leaves::Requests:
    return T.Is == Token::Kind::Request || T.Is == Token::Kind::Message;
  }
  llvm_unreachable("it leaves nothing");
}

void Solver::apply(const Rule &R, uint32_t At, uint32_t T) {
  const Token Each = G.token(T);
  bool IsAnything = Each.Is == Token::Kind::Anything, IsNarrow = Each.Is == Token::Kind::Narrow;
  bool IsMadeUp = Each.Is == Token::Kind::Integer && Each.Id == MadeUp;
  bool IsFunction = Each.Is == Token::Kind::Function;
  if (Each.Is == Token::Kind::AnySource && R.Is != Rule::Kind::Convert)
    return; // its number does
  uint32_t Why = IsAnything ? G.whyAnything(At) : IsNarrow ? Each.Id : 0;
  switch (R.Is) {
  case Rule::Kind::Index:
  case Rule::Kind::Offset:
  case Rule::Kind::Part:
  case Rule::Kind::Member:
  case Rule::Kind::Convert:
  case Rule::Kind::Head:
  case Rule::Kind::ToAddress:
    if ((IsAnything || IsNarrow) && R.Is == Rule::Kind::ToAddress && !R.C)
      letBack();
    if (IsAnything && R.Is == Rule::Kind::Convert && R.A < 64 && R.B == 64)
      G.add(R.To, {Token::Kind::Narrow, Why, {}});
    else if (IsAnything || (IsNarrow && R.Is == Rule::Kind::Convert && R.B < 64))
      G.addAnything(R.To, Why);
    else if (R.Is == Rule::Kind::Index && (R.A == WideIndex || Each.isHandle()))
      derive(R.To, Each);
    else if (R.Is == Rule::Kind::Index)
      return;
    else if (R.Is == Rule::Kind::Offset || R.Is == Rule::Kind::Part)
      offset(R, T);
    else if (R.Is == Rule::Kind::Member)
      member(R, T);
    else if (R.Is == Rule::Kind::Head)
      G.add(R.To, Each.Is == Token::Kind::Memory ? Heap.head(Each, R.A) : Each);
    else
      convert(R, T);
    return;
  case Rule::Kind::MovedBy:
    if (!IsAnything)
      return movedBy(R, Each);
    letBack();
    return G.addAnything(R.To, Why);
  case Rule::Kind::Aligned:
    return IsAnything || IsNarrow ? G.addAnything(R.To, Why) : aligned(R, T);
  case Rule::Kind::VirtualEntry:
    return IsAnything || IsNarrow ? G.addAnything(R.To, Why) : virtualEntry(R, Each);
  case Rule::Kind::TableOf:
    return findTable(R.A, Each);
  case Rule::Kind::Escape:
    return escapeToken(T, R.A);
  case Rule::Kind::Lend:
    return Each.Is == Token::Kind::Memory ? lend(Each, R.B == 1, R.A) : escapeToken(T, R.A);
  case Rule::Kind::Extend:
    return extend(T, R.A);
  case Rule::Kind::Extension:
    return findExtension(R.A, Each);
  case Rule::Kind::EscapeOther:
    return Each.Is == Token::Kind::Memory ? void() : escapeToken(T, R.A);
  case Rule::Kind::LeaveAsNumber:
    return counts(Each, static_cast<Leaves>(R.B)) && !(Each.isPartial() && R.C) ? leaveAsNumber(T, R.A) : void();
  case Rule::Kind::InPlace:
  case Rule::Kind::HoldsOthers:
  case Rule::Kind::Datatype:
  case Rule::Kind::Count:
  case Rule::Kind::Carry:
  case Rule::Kind::Format:
    return applyModel(R, Each);
  case Rule::Kind::CallOf:
    if (Each.Is == Token::Kind::Memory)
      callOf(R.A, T);
    else if (IsAnything || IsNarrow)
      callUnknown(R.A, Why);
    else if (IsMadeUp)
      callMadeUp(R.A);
    return;
  case Rule::Kind::CallMadeUp:
    if (IsFunction && isOfTable(Each.Id))
      callFunction(R.A, Each.Id);
    return IsMadeUp ? callMadeUp(R.A) : void();
  case Rule::Kind::CallFor:
  case Rule::Kind::Call:
    if (IsFunction)
      R.Is == Rule::Kind::Call ? callFunction(R.A, Each.Id) : callFor(R.A, R.B, Each.Id);
    else if (IsAnything || IsNarrow)
      R.Is == Rule::Kind::Call ? callUnknown(R.A, Why) : callUnknown(R.A, Why, R.B);
    else if (IsMadeUp)
      callMadeUp(R.A);
    return;
  case Rule::Kind::Invoke:
    if (IsFunction && Invoked.insert({R.A, Each.Id}).second)
      invoke(R.A, Each.Id);
    else if ((IsAnything || IsNarrow) && !Callbacks[R.A].IsTrusted)
      for (uint32_t A : std::vector<uint32_t>(Callbacks[R.A].Arguments))
        escape(A, Callbacks[R.A].Why);
    return;
  case Rule::Kind::CopyCounted:
  case Rule::Kind::FillCounted:
  case Rule::Kind::ReadCounted:
    return doCounted(R, Each);
  case Rule::Kind::Binary:
    return;
  default:
    if (Each.Is == Token::Kind::Memory)
      applyToMemory(R, Each);
    else if (IsAnything || IsNarrow)
      applyToAnything(R, Why);
    else if (IsMadeUp)
      applyToMadeUp(R, At);
    else if (R.Is == Rule::Kind::Load && Each.isHandle())
      G.add(R.To, Each.partial()); // what a table holds at a place that was computed from a handle tells of it
  }
}

void Solver::applyToMemory(const Rule &R, const Token &T) {
  const bool IsOfWidth = R.Is == Rule::Kind::Load || R.Is == Rule::Kind::Store;
  if (!Heap.isWithin(T, IsOfWidth ? R.A : 1))
    return;
  uint32_t Number = G.number(T);
  switch (R.Is) {
  case Rule::Kind::Load:
    if (Heap[T.Id].Table)
      return loadFromTable(R, T);
    return G.addCopy(Heap.loaded(T, R.A, static_cast<Access>(R.C)), R.To);
  case Rule::Kind::LoadElement: {
    Token Element = T;
    Element.Where = normalised({T.Where.Offset, std::gcd(T.Where.Stride, R.A), Lowest, Highest});
    return G.addCopy(Heap.loaded(Element, R.A), R.To);
  }
  case Rule::Kind::Store:
    if (uint32_t To = Heap.stored(T, R.A, static_cast<Access>(R.C)); To != NoNode)
      G.addCopy(R.Other, To);
    return;
  case Rule::Kind::Fill:
    if (R.Other == Zero)
      return Heap.setZero(T.Id);
    return Heap.fill(T, R.A, R.Other, R.C);
  case Rule::Kind::Contents:
    if (R.B && !Heap[T.Id].ReadOnly)
      return;
    return Heap.contents(T, R.A, R.To, R.C);
  case Rule::Kind::StreamText: // what code out of sight has of it is seen by that code only
    Heap.fill(T, Unknown, R.Other);
    return Heap.contents(T, Unknown, R.To);
  case Rule::Kind::CopyFrom:
    return Heap.copyFrom(R.A, Number);
  case Rule::Kind::CopyTo:
    return Heap.copyTo(R.A, Number);
  default:
    return;
  }
}

/// An address that is made of a number: may be that of memory which the program can see, if the number was made of some
/// of its bits. What has only told branches the way cannot be followed; see whyWrittenAnywhere.
void Solver::applyToMadeUp(const Rule &R, uint32_t At) {
  letBack();
  if (R.Is == Rule::Kind::Store || R.Is == Rule::Kind::Fill || R.Is == Rule::Kind::StreamText ||
      R.Is == Rule::Kind::CopyTo)
    WrittenAt = std::min(WrittenAt, At);
  applyToAnything(R, 0); // Reasons[0] tells
}

/// An address that code out of sight has made, of memory that it has.
void Solver::applyToAnything(const Rule &R, uint32_t Why) {
  switch (R.Is) {
  case Rule::Kind::Load:
  case Rule::Kind::LoadElement:
  case Rule::Kind::Contents:
    return G.addAnything(R.To, Why);
  case Rule::Kind::Store:
  case Rule::Kind::Fill:
    G.addDerived(R.Other, StoredOutside);
    return escape(R.Other, Why);
  case Rule::Kind::CopyFrom: { // Other is where it is copied to
    uint32_t Any = G.newNode();
    G.addAnything(Any, Why);
    return fill(R.Other, Any, R.B);
  }
  case Rule::Kind::CopyTo: { // Other is where it is copied from
    uint32_t Contents = G.newNode();
    escape(Contents, Why);
    G.addCopy(Contents, StoredOutside);
    return G.addRule(R.Other, {Rule::Kind::Contents, Contents, NoNode, NoNode, R.B});
  }
  default:
    return;
  }
}

/// Some of \p Object begins as what \p From is, which has the type of what is there.
void Solver::initialise(const Function &Code, const Constraint &C, uint32_t Object, uint32_t From) {
  auto Literal = Code.Literals.find(C.From);
  if (C.C > 8 && Literal != Code.Literals.end() && Literal->second == 0)
    return Heap.setZero(Object);
  bool IsInteger = C.C == 2 || C.C == 4 || C.C == 8;
  Access As = Code.IsPointer[C.From]    ? Access::Pointer
              : Code.IsFloating[C.From] ? Access::Floating
              : IsInteger               ? Access::Integer
                                        : Access::Any;
  Heap.initialise(Object, C.B, C.C, From, As);
}

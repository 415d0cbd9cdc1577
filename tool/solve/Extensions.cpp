// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that a library calls back: of classes of the program's that are derived from one of the library's, to which
// the library has a pointer or reference of that type. It cannot name what the program's class adds, and copies no
// objects with virtual functions as bytes: so it reads and writes its own part, and calls the virtual functions with
// the object. All else in the object stays what the program makes of it, which reaches it by no address from elsewhere
// (lower/SystemParts.h) where all of its code is read.

#include "link/Classes.h"
#include "solve/Solver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

static constexpr int64_t PointerSize = 8;

/// Code out of sight has \p T as the address of an object of a class of its own: of which kind, tells the table of
/// virtual functions there. An object that is a part of another leads to that one, too.
void Solver::extend(uint32_t T, uint32_t Why) {
  const Token Address = G.token(T);
  const bool IsObject = !HasUnread && Address.Is == Token::Kind::Memory && !Heap[Address.Id].Escaped &&
                        !Heap[Address.Id].Table && Address.Where == Region{0, 0} && Heap[Address.Id].Size != Unknown;
  if (!IsObject)
    return escapeToken(T, Why);
  auto [It, New] = ExtensionAt.try_emplace(T, Extensions.size());
  if (!New)
    return;
  const uint32_t Number = It->second, Table = G.newNode();
  Extensions.push_back({Address, Table, Why});
  G.addCopy(Heap.loaded(Address, PointerSize), Table);
  G.addRule(Table, {Rule::Kind::Extension, NoNode, NoNode, NoNode, Number});
}

/// The extended object \p Number may have \p Table, the address of one. While an object is made, it has those of its
/// bases one after the other; and before, there may be a zero.
void Solver::findExtension(uint32_t Number, const Token &Table) {
  Extended &Object = Extensions[Number];
  if (Table == Token{Token::Kind::Integer, 0, {0, 0}} || Heap[Object.Address.Id].Escaped)
    return;
  const auto Variable = VariableOf.find(Table.Id);
  const bool IsTable = Table.Is == Token::Kind::Memory && Table.Where.isExact() && Variable != VariableOf.end();
  const SystemPart Known = IsTable ? systemPart(P, Variable->second, Table.Where.Offset) : SystemPart();
  if (!Known.Part)
    return escapeMemory(Object.Address.Id, Object.Why);
  if (!Object.Tables.insert(Table.Id).second)
    return;
  Object.IsWhole |= Known.Size == Heap[Object.Address.Id].Size;
  const Extended Copy = Object; // what follows may add others
  giveAsLibrarys(Copy, Known.Part);
  if (P.Variables[Variable->second].IsDefined)
    callFunctionsOf(Copy, Table.Id);
}

/// The first \p Part bytes are the library's, and what reaches the object by an address that comes from there reaches
/// no more: where the program makes that address one of a larger class, all of such is in \p Part.
void Solver::giveAsLibrarys(const Extended &Object, int64_t Part) {
  Token Behind = Object.Address;
  Behind.Where.Offset += PointerSize;
  if (Part > PointerSize) {
    const uint32_t Contents = G.newNode(), Any = G.newNode();
    escape(Contents, Object.Why);
    G.addAnything(Any, Object.Why);
    Heap.contents(Behind, Part - PointerSize, Contents);
    Heap.fill(Behind, Part - PointerSize, Any);
  }
  LentObjects.insert(Object.Address.Id);
}

/// The library calls the functions of the object \p Table with whatever it has, but the object.
void Solver::callFunctionsOf(const Extended &Object, uint32_t Table) {
  const uint32_t Address = G.newNode(), Functions = G.newNode(), Result = G.newNode();
  G.add(Address, Object.Address);
  escape(Result, Object.Why);
  callBack(Functions, {Address}, Result, Object.Why);
  Callbacks.back().OfObject = true;
  Heap.contents({Token::Kind::Memory, Table, {0, 1}}, Unknown, Functions);
}

/// What has no table at all was made in a way that is not followed; or the object is a part of another, or one of
/// several. False when there is nothing new.
bool Solver::settleExtensions() {
  bool Any = false;
  for (size_t Number = 0; Number < Extensions.size(); ++Number) {
    const Extended &Object = Extensions[Number];
    if (Object.IsWhole || Heap[Object.Address.Id].Escaped)
      continue;
    escapeMemory(Object.Address.Id, Object.Why);
    Any = true;
  }
  return Any;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions without bodies are made of: memory of their own, what lies at an offset, and what they tell of.

#include "solve/Solver.h"

using namespace mpishm;
using namespace mpishm::ir;

/// The address of the text that strings hold in themselves: one for all. In the strings' memory it would lie beside
/// its own address, in a record of the program's, and what is read as text anywhere in that would be made of addresses.
/// The languages permit no other ways to it: a string is no record that may be copied as bytes.
uint32_t Solver::stringText() {
  if (StringText == NoNode) {
    StringText = G.newNode();
    G.add(StringText, {Token::Kind::Memory, Heap.newObject("text of a string", Unknown, 0), {0, 0}});
    fill(StringText, AnyNumber, Unknown);
  }
  return StringText;
}

/// A number becomes text, or goes to a library that may tell of it again: \p Counts of it, or some bits of that, where
/// it may be read.
void Solver::showNumber(uint32_t Number, uint32_t Why, Leaves Counts) {
  G.addRule(Number, {Rule::Kind::LeaveAsNumber, NoNode, NoNode, NoNode, Why, static_cast<int64_t>(Counts)});
}

/// Bytes go to a file or another process, from where they may be read again.
void Solver::goOut(uint32_t Bytes, uint32_t Why) {
  uint32_t Parts = G.newNode();
  G.addDerived(Bytes, Parts);
  showNumber(Parts, Why);
  G.addDerived(Parts, Written);
}

/// The address \p Offset bytes behind \p Address, or any multiple of \p Each further on.
uint32_t Solver::placeAt(uint32_t Address, int64_t Offset, int64_t Each) {
  uint32_t Place = G.newNode();
  G.addRule(Address, {Rule::Kind::Offset, Place, NoNode, NoNode, Offset, Each, Each ? Unknown : 0});
  return Place;
}

/// The 8 bytes there, see placeAt, may be \p What.
void Solver::storeAt(uint32_t Address, int64_t Offset, uint32_t What) {
  G.addRule(placeAt(Address, Offset), {Rule::Kind::Store, NoNode, What, NoNode, 8});
}

/// What \p Bytes bytes there hold.
uint32_t Solver::loadFrom(uint32_t Address, int64_t Offset, int64_t Each, int64_t Bytes) {
  uint32_t Loaded = G.newNode();
  G.addRule(placeAt(Address, Offset, Each), {Rule::Kind::Load, Loaded, NoNode, NoNode, Bytes});
  return Loaded;
}

/// A node with the address of new memory that holds \p Contents.
uint32_t Solver::newMemory(std::string Name, uint32_t Contents) {
  uint32_t Address = G.newNode();
  G.add(Address, {Token::Kind::Memory, Heap.newObject(std::move(Name), Unknown, 0), {0, 1}});
  fill(Address, Contents, Unknown);
  return Address;
}

/// The same of text and numbers, and what \p Addresses has.
uint32_t Solver::newPlainMemory(std::string Name, uint32_t Addresses) {
  uint32_t Address = newMemory(std::move(Name), AnyNumber);
  if (Addresses != NoNode)
    fill(Address, Addresses, Unknown);
  return Address;
}

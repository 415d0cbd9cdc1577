// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the libraries of C++ and their classes.
//
// Virtual tables and type information that the libraries of C++ have. What stands in them is not in sight, but the C++
// ABI says of what kind it is: numbers, among them the offsets of virtual bases, addresses of such tables and of names,
// and functions of the library, which a row of LibraryCxx.def describes.

#include "libraries/Names.h"
#include "models/LibraryModels.h"

using namespace mpishm;
using namespace mpishm::ir;

/// The row of the table \p V, or null where it is none of a library's, or none that is known.
const LibraryRow *LibraryModels::tableOf(const LinkedVariable &V) {
  bool IsTable = llvm::StringRef(V.Name).starts_with("_ZTV") || llvm::StringRef(V.Name).starts_with("_ZTI") ||
                 llvm::StringRef(V.Name).starts_with("_ZTT");
  return IsTable && !V.IsDefined && !V.IsInternal ? findLibraryRow(V.Name) : nullptr;
}

bool LibraryModels::addTable(uint32_t Object, const LibraryRow *Row) {
  if (!Row)
    return false;
  uint32_t Contents = G.newNode();
  G.addCopy(AnyNumber, Contents);
  G.add(Contents, {Token::Kind::Memory, Object, {0, 1}});
  G.add(Contents, {Token::Kind::Function, static_cast<uint32_t>(P.Functions.size() + Tables.size()), {}});
  Heap.fill({Token::Kind::Memory, Object, {0, 1}}, Unknown, Contents);
  Heap[Object].ReadOnly = true;
  Heap[Object].Table = Tables.size();
  Tables.push_back(Row);
  return true;
}

/// Whether \p V is a table of numbers that a library has and nobody writes. If so its \p Object holds such.
bool LibraryModels::addNumbers(uint32_t Object, const LinkedVariable &V) {
  const LibraryRow *Row = V.IsDefined || !V.IsConstant ? nullptr : findLibraryRow(V.Name);
  if (!Row || Row->Effects != "N")
    return false;
  for (int64_t Width : {1, 2, 4, 8})
    G.addCopy(AnyNumber, Heap.stored({Token::Kind::Memory, Object, {0, Width}}, Width));
  return true;
}

void LibraryModels::loadFromTable(const Rule &R, const Token &T) {
  if (R.B) // an address
    G.addCopy(Heap.loaded({Token::Kind::Memory, T.Id, {0, 1}}, 1), R.To);
  else
    G.addCopy(AnyNumber, R.To);
}

/// The call of a virtual function in the table \p Index: of an object of the library's, or of what derives from it.
void LibraryModels::callTable(const CallPlace &At, uint32_t Index) {
  const LibraryRow &Row = *Tables[Index];
  bool IsAddress = At.What->Result != NoNode && Instances[At.In].Of.Code->IsPointer[At.What->Result];
  std::string Effects = Row.Effects.str();
  if (!IsAddress)
    Effects.front() = 'n';
  applyEffects(At, "a virtual function of an object of the library", Effects); // Row has mangled names
}

/// The address of an object, or table, of the library's class \p Type, as its name is mangled.
uint32_t LibraryModels::objectOf(llvm::StringRef Type) {
  auto [It, New] = LibraryObjects.try_emplace(Type.str(), NoNode);
  if (!New)
    return It->second;
  const LibraryRow *Row = findLibraryRow("_ZTV" + Type.str());
  if (!Row)
    return NoNode;
  uint32_t Object = Heap.newObject("an object of a library", Unknown, 0), Address = It->second = G.newNode();
  addTable(Object, Row);
  G.add(Address, {Token::Kind::Memory, Object, {0, 1}});
  return Address;
}

/// An exception of the library's: the address of its table, and that of its text.
void LibraryModels::writeException(uint32_t Address) {
  storeAt(Address, 0, objectOf("St9exception"));
  storeAt(Address, 8, libraryText());
}

/// What is caught may be an exception of the library's; what is thrown by code that is not known, see callUnknown.
void LibraryModels::addLibraryException() {
  if (LibraryException != NoNode)
    return;
  uint32_t Contents = G.newNode();
  LibraryException = G.newNode();
  G.add(LibraryException, {Token::Kind::Memory, Heap.newObject("an exception of a library", Unknown, 0), {0, 0}});
  writeException(LibraryException);
  G.add(Contents, {Token::Kind::Memory, libraryMemory(), {0, 1}});
  G.addCopy(AnyNumber, Contents);
  fill(placeAt(LibraryException, 16), Contents, Unknown);
  G.addCopy(LibraryException, Exceptions);
}

std::optional<llvm::StringRef> LibraryModels::facetOf(llvm::StringRef Name) {
  bool IsFacet = Name.consume_front("_ZSt9use_facetI") && Name.consume_back("ERKT_RKSt6locale");
  return IsFacet && findLibraryRow("_ZTV" + Name.str()) ? std::optional(Name) : std::nullopt;
}

/// The part of a locale that a program asks for. False where it is of a class that is not known.
bool LibraryModels::callFacet(const CallPlace &At, llvm::StringRef Name) {
  std::optional<llvm::StringRef> Class = facetOf(Name);
  if (Class)
    G.addCopy(objectOf(*Class), result(At));
  return Class.has_value();
}

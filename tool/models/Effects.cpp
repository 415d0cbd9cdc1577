// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the letters of Library.def do.

#include "models/LibraryModels.h"

using namespace mpishm;
using namespace mpishm::ir;

/// How many bytes are written by a letter that says it.
static int64_t bytesOf(char Effect) {
  switch (Effect) {
  case 'i':
    return 4;
  case 'l':
  case 'a':
  case 'z':
    return 8;
  case 'q':
  case 'y':
    return 16;
  default:
    return Unknown;
  }
}

/// A std::string: the address of its text, in the string itself or elsewhere, its length, and room.
void LibraryModels::writeString(uint32_t Address) {
  uint32_t Text = G.newNode();
  G.addRule(Address, {Rule::Kind::Load, Text, NoNode, NoNode, 8});
  fill(Text, AnyNumber, Unknown);
  G.addRule(Address, {Rule::Kind::Store, NoNode, stringText(), NoNode, 8});
  fill(placeAt(Address, 8), AnyNumber, 24);
}

void LibraryModels::applyEffect(const CallPlace &At, unsigned Index, char Effect, uint32_t Why) {
  uint32_t Argument = argument(At, Index);
  switch (Effect) {
  case 'n':
  case 'i':
  case 'l':
  case 'q':
    return isPointer(At, Index) ? fill(Argument, AnyNumber, bytesOf(Effect)) : void();
  case 'a':
    letBack();
    [[fallthrough]];
  case 'z':
  case 'y':
  case 'x': {
    uint32_t Any = G.newNode();
    G.addAnything(Any, Why);
    return fill(Argument, Any, bytesOf(Effect));
  }
  case 'L':
    return G.addRule(Argument, {Rule::Kind::Store, NoNode, libraryFiles(), NoNode, 8});
  case 'S':
    return writeString(Argument);
  case 'E':
    return writeException(Argument);
  case 'C':
    return useLocale(Argument);
  case 'I':
    return makeStream(Argument, isPointer(At, Index + 1) ? argument(At, Index + 1) : G.newNode());
  case 'K':
    return storeAt(Argument, BufferOfStream, argument(At, Index + 1));
  case 'F':
    return makeFileBuffer(Argument);
  case 'J':
    return useStream(Argument, Why);
  case 'B': {
    uint32_t Text = G.newNode();
    G.addDerived(argument(At, Index + 1), Text);
    return setText(Argument, Text);
  }
  case 'w':
  case 'W':
  case 'u':
  case 'b': {
    uint32_t Contents = G.newNode();
    goOut(Contents, Why);
    if (Effect == 'W')
      return exchangeElements(At, Index, Contents, NoNode);
    if (Effect == 'w')
      return bindCount(argument(At, Index + 1), {Rule::Kind::ReadCounted, Argument, Contents, NoNode, 1});
    return contents(Argument, Contents, Effect == 'u' ? 8 : Unknown);
  }
  case 'm': {
    uint32_t Contents = G.newNode();
    goOut(Contents, Why);
    contents(Argument, Contents, Unknown);
    fill(Argument, Written, Unknown);
    return G.addRule(Argument, {Rule::Kind::Lend, NoNode, NoNode, NoNode, Why, 1});
  }
  case 'v':
    fill(Argument, typedAddresses(), Unknown);
    return fill(Argument, Written, Unknown);
  case 'r':
    return fill(Argument, Written, Unknown);
  case 'R':
    return exchangeElements(At, Index, NoNode, Written);
  case 'c':
    return isPointer(At, Index) ? fill(Argument, Written, 1) : goOut(Argument, Why);
  case 'p':
    return showNumber(Argument, Why);
  case 'd':
    return G.addRule(Argument, {Rule::Kind::Lend, NoNode, NoNode, NoNode, Why, 1});
  case 'f': {
    uint32_t Result = G.newNode();
    escape(Result, Why);
    return callBack(Argument, {}, Result, Why);
  }
  case 'g':
  case 'h':
    return callRecord(Argument, Effect == 'h', Why);
  case 'D':
    return G.addRule(arrayOf(Argument), {Rule::Kind::Lend, NoNode, NoNode, NoNode, Why, 1});
  case 'V':
  case 'U':
    return writeView(Argument, Effect == 'U' ? arrayOf(argument(At, Index + 1)) : argument(At, Index + 1));
  case '.': // no function gives back the address that a length was made from, but it may tell of a number
    if (!isPointer(At, Index))
      showNumber(Argument, Why, Leaves::Handles);
    return;
  case '8': {
    uint32_t Number = G.newNode();
    showNumber(Number, Why, Leaves::Handles);
    return contents(Argument, Number, 8);
  }
  case 'o':
  case 't':
    return;
  case 'M':
    letBack();
    [[fallthrough]];
  default: // 'e', and what no table should say
    return escape(Argument, Why);
  }
}

/// The function of GSL's record at \p Record is called, with what stands there for it: of a gsl_function, or, where it
/// \p IsSystem, of a gsl_odeiv2_system, whose arrays are of numbers. (GSL 2: gsl_math.h, gsl_odeiv2.h)
void LibraryModels::callRecord(uint32_t Record, bool IsSystem, uint32_t Why) {
  if (!IsSystem)
    return callBack(loadFrom(Record, 0), {AnyNumber, loadFrom(Record, 8)}, NoNode, Why);
  uint32_t Array = newPlainMemory("an array of a library"), Parameters = loadFrom(Record, 24);
  callBack(loadFrom(Record, 0), {AnyNumber, Array, Array, Parameters}, NoNode, Why);
  callBack(loadFrom(Record, 8), {AnyNumber, Array, Array, Array, Parameters}, NoNode, Why);
}

/// Offsets of the array's address in a gsl_vector, after two numbers, and a gsl_matrix, after three; in the end the
/// larger one's size. (GSL 2: gsl_vector_double.h, gsl_matrix_double.h)
enum Vector : int64_t { ArrayOfVector = 16, ArrayOfMatrix = 24, EndOfMatrix = 48 };

/// The address of the numbers of the vector or matrix at \p Record.
uint32_t LibraryModels::arrayOf(uint32_t Record) {
  uint32_t Array = loadFrom(Record, ArrayOfVector);
  G.addCopy(loadFrom(Record, ArrayOfMatrix), Array);
  return Array;
}

/// A vector or matrix with the numbers at \p Array.
void LibraryModels::writeView(uint32_t View, uint32_t Array) {
  fill(View, LibraryNumber, EndOfMatrix);
  storeAt(View, ArrayOfVector, Array);
  storeAt(View, ArrayOfMatrix, Array);
}

/// An object of the library's, of which nothing else is known.
uint32_t LibraryModels::libraryMemory() {
  if (!LibraryMemory) {
    LibraryMemory = Heap.newObject("memory of a library", Unknown, 0);
    Heap.escape(*LibraryMemory, reason("is the library's own"));
  }
  return *LibraryMemory;
}

/// What a library that is told the types of what it reads may write there beside numbers: nothing, or addresses of its
/// own memory, once there may be such a type.
uint32_t LibraryModels::typedAddresses() {
  if (TypedAddresses == NoNode)
    TypedAddresses = G.newNode();
  return TypedAddresses;
}

/// Where the addresses go of text and numbers of the library's.
uint32_t LibraryModels::libraryText() {
  if (LibraryText == NoNode)
    LibraryText = newPlainMemory("text of a library");
  return LibraryText;
}

/// The same of records and arrays, in which addresses of the library's text and records are, too.
uint32_t LibraryModels::libraryRecords() {
  if (LibraryRecords == NoNode) {
    LibraryRecords = newPlainMemory("a record of a library", libraryText());
    fill(LibraryRecords, LibraryRecords, Unknown);
  }
  return LibraryRecords;
}

/// What the result \p Letter is the address of: one for all of its kind.
uint32_t LibraryModels::librarysOwn(char Letter) {
  switch (Letter) {
  case 's':
  case 'y':
    return libraryText();
  case 'L':
    return libraryFiles();
  case 'V':
    if (Vectors == NoNode) {
      Vectors = newMemory("a vector or matrix of a library", LibraryNumber);
      fill(Vectors, newPlainMemory("the numbers of vectors and matrices"), Unknown);
    }
    return Vectors;
  default:
    return libraryRecords();
  }
}

bool LibraryModels::applyEffects(const CallPlace &At, llvm::StringRef Name, llvm::StringRef Effects) {
  const bool Keeps = Effects.front() == 's' || !Effects.contains('d'); // a plan keeps the arrays that it is made from
  uint32_t Why =
      reason(At, "is handed to '" + Name.str() + "', which " + (Keeps ? "keeps it" : "may read and write it"));
  for (unsigned I = 0; I < At.What->Arguments.size() && Effects.size() > 1; ++I) {
    char Effect = Effects[std::min<size_t>(I + 1, Effects.size() - 1)];
    const bool GoesOut = llvm::StringRef("wWbu").contains(Effect);
    applyEffect(At, I, Effect, GoesOut ? reason(At, "is in bytes that '" + Name.str() + "' writes out") : Why);
  }
  uint32_t Result = result(At);
  switch (Effects.front()) {
  case '0':
    break;
  case 'n':
    G.addCopy(AnyNumber, Result);
    break;
  case 'T':
    G.addCopy(AnyNumber, Result);
    G.add(typedAddresses(), {Token::Kind::Memory, libraryMemory(), {0, 1}});
    break;
  case 'm':
    letBack();
    G.addAnything(Result, reason(At, "comes from '" + Name.str() + "'"));
    break;
  case 'c':
    G.addCopy(AnyNumber, Result);
    G.addDerived(Written, Result);
    break;
  case '1':
  case '2':
  case '3':
    G.addCopy(argument(At, Effects.front() - '1'), Result);
    break;
  case 'i':
  case 'j':
  case 'k':
    G.addDerived(argument(At, Effects.front() - 'i'), Result);
    G.addInteger(Result, 0); // when there is no such place
    break;
  case 'C': {
    uint32_t Address = newPlainMemory("a locale");
    useLocale(Address);
    G.addCopy(Address, Result);
    break;
  }
  case 'B':
    G.addCopy(loadFrom(argument(At, 0), BufferOfStream), Result);
    break;
  case 'y':
    for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
      G.addDerived(argument(At, I), Result);
    [[fallthrough]];
  case 's':
  case 'R':
  case 'L':
  case 'V':
    G.addInteger(Result, 0);
    G.addCopy(librarysOwn(Effects.front()), Result);
    break;
  case 'v': // no pointer that is called for a result leads to a function without one, see fits
    if (At.What->Result == NoNode || (Effects.front() == 'v' && !At.What->Callee))
      break;
    [[fallthrough]];
  default: // 'x', and what no table should say
    G.addAnything(Result, reason(At, "comes from '" + Name.str() + "'"));
    break;
  }
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the libraries of C and C++. Programs contain parts of the latter's functions, since these are templates,
// so that what leads from one object to another lies where libstdc++'s ABI says: at the offset of each member.

#include "models/LibraryModels.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {

/// Offsets in a std::streambuf, and its size.
enum Buffer : int64_t { TextOfBuffer = 8, LocaleOfBuffer = 56, RestOfBuffer = 64 };

/// Offsets in a std::ios, a virtual base of all streams; in the end its size.
enum Stream : int64_t {
  OwnWords = 64,
  Words = 200,
  LocaleOfStream = 208,
  Tied = 216, // and BufferOfStream
  Characters = 240,
  PutsNumbers = 248,
  GetsNumbers = 256,
  EndOfStream = 264
};

constexpr int64_t EndOfFileBuffer = 240;

} // namespace

/// Where the addresses go of the text of streams: what is put there goes to a file or may be read again.
uint32_t LibraryModels::streamText() {
  if (StreamText == NoNode) {
    Token Place{Token::Kind::Memory, Heap.newObject("the text of a stream", Unknown, 0), {0, 1}};
    uint32_t Contents = G.newNode();
    StreamText = G.newNode();
    G.add(StreamText, Place);
    Heap.fill(Place, Unknown, AnyNumber);
    Heap.fill(Place, Unknown, Written);
    G.addRule(StreamText, {Rule::Kind::Contents, Contents, NoNode, NoNode, Unknown});
    goOut(Contents, reason("is written to a stream"));
  }
  return StreamText;
}

/// Where the addresses go of what programs get from the library of C and only hand back to it, a FILE or a DIR, say.
/// What the system's headers read there for them, as getc_unlocked does, are numbers, and where the text is. All are
/// one.
uint32_t LibraryModels::libraryFiles() {
  if (LibraryFiles == NoNode) {
    LibraryFiles = newMemory("a file of a library", LibraryNumber);
    fill(LibraryFiles, LibraryFiles, Unknown);
    fill(LibraryFiles, streamText(), Unknown);
  }
  return LibraryFiles;
}

/// The streams of C that are open when the program begins. False where \p V is none of them.
bool LibraryModels::addFile(uint32_t Object, const LinkedVariable &V) {
  const bool IsFile = V.Name == "stdin" || V.Name == "stdout" || V.Name == "stderr";
  if (!IsFile || V.IsDefined || V.IsInternal)
    return false;
  Heap.initialise(Object, 0, 8, libraryFiles());
  return true;
}

/// The six addresses of a std::streambuf's text, behind that of its table.
void LibraryModels::setText(uint32_t Address, uint32_t Text) {
  fill(placeAt(Address, TextOfBuffer), Text, LocaleOfBuffer - TextOfBuffer);
}

/// Streams write and read through virtual functions, which may be the program's; and, without these, where the text
/// lies, which may be memory that a class of the program's gives to setp and setg.
void LibraryModels::useStream(uint32_t Address, uint32_t Why) {
  uint32_t Table = G.newNode(), Function = G.newNode(), Given = G.newNode(), Text = G.newNode(), Read = G.newNode();
  for (int64_t Offset = TextOfBuffer; Offset < LocaleOfBuffer; Offset += 8)
    G.addDerived(loadFrom(Address, Offset), Text);
  G.addRule(Text, {Rule::Kind::StreamText, Read, Written, NoNode});
  goOut(Read, Why);
  setText(Address, streamText());
  G.addRule(Address, {Rule::Kind::Load, Table, NoNode, NoNode, 8, 1});
  G.addRule(Table, {Rule::Kind::Contents, Function, NoNode, NoNode, Unknown, 1});
  G.addCopy(streamText(), Given);
  G.addCopy(Written, Given);
  G.addCopy(AnyNumber, Given);
  callBack(Function, {Address, Given, Given, Given}, NoNode, Why);
  Callbacks.back().OfStream = true;
}

/// Where all locales are that streams and the program have: the library's, and those that the program has made. A facet
/// of the program's escapes when it becomes part of one, and so does that locale.
uint32_t LibraryModels::locales() {
  if (Locales == NoNode) {
    Locales = newPlainMemory("a locale of a library", objectOf("St5ctypeIcE"));
    fill(Locales, Locales, Unknown);
  }
  return Locales;
}

/// A std::locale, which is the address of a record of the library's.
void LibraryModels::useLocale(uint32_t Address) {
  G.addRule(Address, {Rule::Kind::Load, locales(), NoNode, NoNode, 8});
  G.addRule(Address, {Rule::Kind::Store, NoNode, locales(), NoNode, 8});
}

/// A std::ios, whose text the std::streambuf at \p Buffer holds.
void LibraryModels::makeStream(uint32_t Address, uint32_t Buffer) {
  fill(placeAt(Address, 8), LibraryNumber, EndOfStream - 8);
  storeAt(Address, Words, placeAt(Address, OwnWords));
  storeAt(Address, LocaleOfStream, locales());
  storeAt(Address, BufferOfStream, Buffer);
  storeAt(Address, Characters, objectOf("St5ctypeIcE"));
  for (int64_t Offset : {int64_t(0), int64_t(Tied), int64_t(PutsNumbers), int64_t(GetsNumbers)})
    storeAt(Address, Offset, objectOf("So"));
}

/// What std::ios::copyfmt copies, which is all but the buffer; that is taken for copied, too.
void LibraryModels::copyFormat(uint32_t To, uint32_t From) { copyMemory(To, From, EndOfStream); }

/// A std::filebuf.
void LibraryModels::makeFileBuffer(uint32_t Address) {
  uint32_t Rest = placeAt(Address, RestOfBuffer);
  storeAt(Address, 0, objectOf("So"));
  setText(Address, streamText());
  storeAt(Address, LocaleOfBuffer, locales());
  fill(Rest, streamText(), EndOfFileBuffer - RestOfBuffer);
  fill(Rest, LibraryNumber, EndOfFileBuffer - RestOfBuffer);
}

/// std::cout and the like, which begin with no more than 16 bytes of their own. False where \p V is none of them.
bool LibraryModels::addStream(uint32_t Object, const LinkedVariable &V) {
  bool IsInput = V.Name == "_ZSt3cin";
  bool IsStream = V.Name == "_ZSt4cout" || V.Name == "_ZSt4cerr" || V.Name == "_ZSt4clog" || IsInput;
  if (!IsStream || V.IsDefined || V.IsInternal)
    return false;
  uint32_t Table = G.newNode(), Base = G.newNode();
  G.add(Table, {Token::Kind::Memory, Object, {0, 0}});
  storeAt(Table, 0, objectOf("So"));
  G.add(Base, {Token::Kind::Memory, Object, {IsInput ? 16 : 8, 0}});
  makeStream(Base, objectOf("So"));
  return true;
}

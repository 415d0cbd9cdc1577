// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that write and read text by a format.

#include "models/LibraryModels.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {

/// What a format says of one argument.
struct Conversion {
  char What = 'd';    ///< the conversion's letter; '[' for a set of characters
  int64_t Bytes = 4;  ///< of the number that it is of; with text: how many there may be, or Unknown
  bool Makes = false; ///< memory is made for what is read
};

/// Where a function has its format, and what follows.
struct Form {
  llvm::StringLiteral Name;
  unsigned Format;
  enum { Out, ToMemory, ToBounded, ToNew, In } Way;
  bool IsList = false; ///< one argument follows, the address of a list
};

} // namespace

static constexpr Form Forms[] = {
    {"printf", 0, Form::Out},
    {"fprintf", 1, Form::Out},
    {"dprintf", 1, Form::Out},
    {"gzprintf", 1, Form::Out},
    {"syslog", 1, Form::Out},
    {"warn", 0, Form::Out},
    {"warnx", 0, Form::Out},
    {"err", 1, Form::Out},
    {"errx", 1, Form::Out},
    {"error", 2, Form::Out},
    {"_ZSt24__throw_out_of_range_fmtPKcz", 0, Form::Out},
    {"sprintf", 1, Form::ToMemory},
    {"snprintf", 2, Form::ToBounded},
    {"asprintf", 1, Form::ToNew},
    {"vprintf", 0, Form::Out, true},
    {"vfprintf", 1, Form::Out, true},
    {"vdprintf", 1, Form::Out, true},
    {"gzvprintf", 1, Form::Out, true},
    {"vsyslog", 1, Form::Out, true},
    {"vsprintf", 1, Form::ToMemory, true},
    {"vsnprintf", 2, Form::ToBounded, true},
    {"vasprintf", 1, Form::ToNew, true},
    {"__printf_chk", 1, Form::Out},
    {"__fprintf_chk", 2, Form::Out},
    {"__dprintf_chk", 2, Form::Out},
    {"__syslog_chk", 2, Form::Out},
    {"__sprintf_chk", 3, Form::ToMemory},
    {"__snprintf_chk", 4, Form::ToBounded},
    {"__asprintf_chk", 2, Form::ToNew},
    {"__vprintf_chk", 1, Form::Out, true},
    {"__vfprintf_chk", 2, Form::Out, true},
    {"__vdprintf_chk", 2, Form::Out, true},
    {"__vsyslog_chk", 2, Form::Out, true},
    {"__vsprintf_chk", 3, Form::ToMemory, true},
    {"__vsnprintf_chk", 4, Form::ToBounded, true},
    {"__vasprintf_chk", 2, Form::ToNew, true},
    {"scanf", 0, Form::In},
    {"fscanf", 1, Form::In},
    {"sscanf", 1, Form::In},
    {"vscanf", 0, Form::In, true},
    {"vfscanf", 1, Form::In, true},
    {"vsscanf", 1, Form::In, true},
    // Formats of wide characters are not read.
    {"wprintf", 0, Form::Out},
    {"fwprintf", 1, Form::Out},
    {"swprintf", 2, Form::ToMemory},
    {"vwprintf", 0, Form::Out, true},
    {"vfwprintf", 1, Form::Out, true},
    {"vswprintf", 2, Form::ToMemory, true},
    {"__wprintf_chk", 1, Form::Out},
    {"__fwprintf_chk", 2, Form::Out},
    {"__swprintf_chk", 4, Form::ToMemory},
    {"__vwprintf_chk", 1, Form::Out, true},
    {"__vfwprintf_chk", 2, Form::Out, true},
    {"__vswprintf_chk", 4, Form::ToMemory, true},
    {"wscanf", 0, Form::In},
    {"fwscanf", 1, Form::In},
    {"swscanf", 1, Form::In},
    {"vwscanf", 0, Form::In, true},
    {"vfwscanf", 1, Form::In, true},
    {"vswscanf", 1, Form::In, true},
};

static const Form *formOf(llvm::StringRef Name) {
  for (const Form &F : Forms)
    if (F.Name == Name)
      return &F;
  return nullptr;
}

/// The length that stands before a conversion's letter, in bytes of an integer; those of the letter's own are 4.
static int64_t takeLength(llvm::StringRef &Text) {
  if (Text.consume_front("hh"))
    return 1;
  if (Text.consume_front("h"))
    return 2;
  if (Text.consume_front("L"))
    return 16;
  for (const char *Long : {"ll", "l", "q", "j", "z", "Z", "t"})
    if (Text.consume_front(Long))
      return 8;
  return 4;
}

/// What printf converts; nothing when the format is not one whose arguments come in order.
static std::optional<std::vector<Conversion>> printed(llvm::StringRef Text) {
  std::vector<Conversion> Result;
  while (!(Text = Text.drop_until([](char C) { return C == '%'; })).empty()) {
    Text = Text.drop_front();
    if (Text.consume_front("%"))
      continue;
    Text = Text.ltrim("-+ #0'I");
    for (bool Point : {false, true}) {
      if (Point && !Text.consume_front("."))
        continue;
      if (Text.consume_front("*"))
        Result.push_back({});
      Text = Text.drop_while(llvm::isDigit);
    }
    Conversion C;
    C.Bytes = takeLength(Text);
    if (Text.empty() || !llvm::StringRef("diouxXeEfFgGaAcsCSpnm").contains(Text.front()))
      return std::nullopt;
    C.What = Text.front();
    Text = Text.drop_front();
    if (C.What != 'm')
      Result.push_back(C);
  }
  return Result;
}

/// Whether \p Format, or what stands in it from somewhere on, prints or reads addresses, or writes where those lead to
/// that it prints. Characters may be the bytes of addresses.
bool LibraryModels::usesAddresses(llvm::StringRef Format) const {
  while (!(Format = Format.drop_until([](char C) { return C == '%'; })).empty()) {
    Format = Format.drop_front();
    llvm::StringRef Rest = Format.ltrim("-+ #'I.*$0123456789hlLqjzZt");
    if (!Rest.empty() && llvm::StringRef("pnmcC").contains(Rest.front()))
      return true;
  }
  return false;
}

/// What scanf converts and stores.
static std::optional<std::vector<Conversion>> scanned(llvm::StringRef Text) {
  std::vector<Conversion> Result;
  while (!(Text = Text.drop_until([](char C) { return C == '%'; })).empty()) {
    Text = Text.drop_front();
    if (Text.consume_front("%"))
      continue;
    bool Stored = !Text.consume_front("*");
    Conversion C;
    C.Makes = Text.consume_front("m");
    uint64_t Width = 0;
    bool Bounded = !Text.consumeInteger(10, Width);
    C.Makes |= Text.consume_front("m");
    int64_t Length = takeLength(Text);
    if (Text.empty() || !llvm::StringRef("diouxXeEfFgGaAcsCSpn[").contains(Text.front()))
      return std::nullopt;
    C.What = Text.front();
    Text = Text.drop_front();
    if (C.What == '[') {
      Text.consume_front("^");
      Text.consume_front("]");
      Text = Text.drop_until([](char Each) { return Each == ']'; }).drop_front(Text.empty() ? 0 : 1);
    }
    bool IsText = llvm::StringRef("csCS[").contains(C.What);
    C.Bytes = !IsText ? Length : Bounded && Length == 4 ? static_cast<int64_t>(Width) + 1 : Unknown;
    if (Stored)
      Result.push_back(C);
  }
  return Result;
}

/// The text of the argument \p Index, when that is a constant string.
std::optional<llvm::StringRef> LibraryModels::formatOf(const CallPlace &At, unsigned Index) const {
  const Symbol *S = symbolOf(At, Index);
  return S && S->HasText ? std::optional<llvm::StringRef>(S->Text) : std::nullopt;
}

/// What scanf and relatives read are numbers and text, unless the format has addresses, or is not known.
void LibraryModels::scan(const CallPlace &At, llvm::StringRef Name, unsigned Format, bool IsList) {
  uint32_t Why = reason(At, "is read by '" + Name.str() + "'");
  G.addCopy(AnyNumber, result(At));
  auto ReadAll = [&](uint32_t Where) {
    fill(Where, AnyNumber, Unknown);
    G.addRule(argument(At, Format), {Rule::Kind::Format, NoNode, Where, NoNode, Why, 0, 1});
  };
  if (IsList && Format + 1 < At.What->Arguments.size())
    return ReadAll(contentsOfList(argument(At, Format + 1)));
  std::optional<llvm::StringRef> Text = formatOf(At, Format);
  if (!Text) { // handed in, or put together
    for (unsigned I = Format + 1; I < At.What->Arguments.size(); ++I)
      ReadAll(argument(At, I));
    return;
  }
  std::optional<std::vector<Conversion>> All = scanned(*Text);
  if (!All)
    letBack();
  for (unsigned I = Format + 1; I < At.What->Arguments.size(); ++I) {
    const Conversion *C = All && I - Format - 1 < All->size() ? &(*All)[I - Format - 1] : nullptr;
    if (!C)
      applyEffect(At, I, 'x', Why);
    else if (C->What == 'p')
      applyEffect(At, I, 'a', Why);
    else if (C->Makes)
      storeMade(argument(At, I), "memory of " + Name.str());
    else
      fill(argument(At, I), AnyNumber, C->Bytes);
    if (C && !C->Makes && (C->What == 'c' || C->What == 'C')) // which may have gone out before
      fill(argument(At, I), Written, C->Bytes);
  }
}

/// What a list of arguments has, in parts.
uint32_t LibraryModels::contentsOfList(uint32_t List) {
  uint32_t Arguments = G.newNode(), Each = G.newNode();
  G.addRule(List, {Rule::Kind::Contents, Arguments, NoNode, NoNode, Unknown});
  G.addRule(Arguments, {Rule::Kind::Contents, Each, NoNode, NoNode, Unknown});
  return Each;
}

/// A format that is not known may print addresses as numbers, and write numbers where they lead to, or print bytes,
/// which then are at To, or go out; or it may read addresses.
void LibraryModels::useAnyFormat(const Rule &R) {
  if (!AnyFormats.insert({R.Other, R.C}).second)
    return;
  if (R.C) {
    letBack();
    uint32_t Any = G.newNode();
    G.addAnything(Any, R.A);
    return fill(R.Other, Any, Unknown);
  }
  fill(R.Other, AnyNumber, 8);
  showNumber(R.Other, R.A, Leaves::Addresses);
  putOut(R.Other, R.To, R.A);
}

/// Bytes that are printed: into \p Bytes, or out of sight where that is none.
void LibraryModels::putOut(uint32_t From, uint32_t Bytes, uint32_t Why) {
  Bytes == NoNode ? goOut(From, Why) : G.addDerived(From, Bytes);
}

/// Of a number in the list that is an address, the call that made the list has told.
void LibraryModels::printList(const CallPlace &At, unsigned Format, uint32_t Bytes, uint32_t Why) {
  uint32_t Each = contentsOfList(argument(At, Format + 1));
  G.addRule(argument(At, Format), {Rule::Kind::Format, Bytes, Each, NoNode, Why, 0, 0});
  showNumber(Each, Why, Leaves::Handles);
}

/// GNU's C library calls functions of the program for letters of formats that it registers, C's own among them, with
/// the addresses of what is printed.
bool LibraryModels::printsByFunctions() const {
  return P.function("register_printf_specifier") || P.function("register_printf_function");
}

/// What printf and relatives are given: numbers go out; of addresses, those that the format prints as such. Characters
/// do so as bytes, or into \p Bytes, which is what then is in memory of the program's.
void LibraryModels::print(const CallPlace &At, unsigned Format, bool IsList, uint32_t Bytes) {
  uint32_t Why = reason(At, "is printed");
  if (printsByFunctions())
    for (unsigned I = Format + 1; I < At.What->Arguments.size(); ++I)
      escape(argument(At, I), Why);
  G.addCopy(AnyNumber, result(At));
  if (IsList && Format + 1 < At.What->Arguments.size())
    return printList(At, Format, Bytes, Why);
  std::optional<std::vector<Conversion>> All;
  if (std::optional<llvm::StringRef> Text = formatOf(At, Format))
    All = printed(*Text);
  for (unsigned I = Format + 1; I < At.What->Arguments.size(); ++I) {
    const Conversion *C = All && I - Format - 1 < All->size() ? &(*All)[I - Format - 1] : nullptr;
    bool IsText = C && (C->What == 's' || C->What == 'S');
    if (C && C->What == 'n')
      fill(argument(At, I), AnyNumber, C->Bytes);
    else if (C && C->What == 'c')
      putOut(argument(At, I), Bytes, Why);
    else if (C && !IsText)
      applyEffect(At, I, 'p', Why);
    if (C)
      continue;
    G.addRule(argument(At, Format), {Rule::Kind::Format, Bytes, argument(At, I), NoNode, Why, 0, 0});
    if (!isPointer(At, I))
      applyEffect(At, I, 'p', Why);
  }
}

/// Puts the address of new memory, with text in it, where \p Address is of; what has that address.
uint32_t LibraryModels::storeMade(uint32_t Address, std::string Name) {
  uint32_t Made = G.newNode();
  G.add(Made, {Token::Kind::Memory, Heap.newObject(std::move(Name), Unknown, 0), {0, 0}});
  fill(Made, AnyNumber, Unknown);
  G.addRule(Address, {Rule::Kind::Store, NoNode, Made, NoNode, 8});
  return Made;
}

bool LibraryModels::hasFormat(llvm::StringRef Name) { return formOf(Name) != nullptr; }

/// False when \p Name has no format.
bool LibraryModels::callFormatted(const CallPlace &At, llvm::StringRef Name) {
  const Form *F = formOf(Name);
  if (!F)
    return false;
  if (F->Way == Form::In) {
    scan(At, Name, F->Format, F->IsList);
    return true;
  }
  uint32_t Bytes = NoNode;
  if (F->Way != Form::Out) {
    Bytes = G.newNode();
    G.addCopy(AnyNumber, Bytes);
    bool IsNew = F->Way == Form::ToNew;
    uint32_t Text = IsNew ? storeMade(argument(At, 0), "memory of " + Name.str()) : argument(At, 0);
    fill(Text, Bytes, F->Way == Form::ToBounded ? literal(At, 1).value_or(Unknown) : Unknown);
  }
  print(At, F->Format, F->IsList, Bytes);
  return true;
}

void LibraryModels::applyModel(const Rule &R, const Token &T) {
  if (T.Is != Token::Kind::Memory || !Texts || T.Id != *Texts) // those use no such addresses
    useAnyFormat(R);
}

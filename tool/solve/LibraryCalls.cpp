// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the system's libraries, which have no bodies here.

#include "solve/Analysis.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {
struct Row {
  llvm::StringLiteral Name, Effects;
};
} // namespace

static constexpr Row Table[] = {
#define LIBRARY(Name, Effects) {Name, Effects},
#include "solve/Library.def"
};

/// Whether \p Name is one that \p Pattern stands for: '?' is any character, a '*' any text.
static bool matches(llvm::StringRef Name, llvm::StringRef Pattern) {
  while (!Pattern.empty() && Pattern.front() != '*') {
    if (Name.empty() || (Pattern.front() != '?' && Pattern.front() != Name.front()))
      return false;
    Name = Name.drop_front();
    Pattern = Pattern.drop_front();
  }
  if (Pattern.empty())
    return Name.empty();
  return Name.ends_with(Pattern.drop_front());
}

static const Row *find(llvm::StringRef Name) {
  for (const Row &R : Table)
    if (matches(Name, R.Name))
      return &R;
  return nullptr;
}

bool Analysis::isKnownLibrary(llvm::StringRef Name) { return find(Name) != nullptr; }

void Analysis::applyEffect(const CallPlace &At, unsigned Index, char Effect, uint32_t Why) {
  uint32_t Argument = argument(At, Index);
  switch (Effect) {
  case 'n':
    return isPointer(At, Index) ? fill(Argument, AnyNumber, Unknown) : void();
  case 'i':
    return fill(Argument, AnyNumber, 4);
  case 'l':
    return fill(Argument, AnyNumber, 8);
  case 'z':
  case 'x': {
    uint32_t Any = G.newNode();
    G.addAnything(Any, Why);
    return fill(Argument, Any, Effect == 'z' ? 8 : Unknown);
  }
  case 't':
  case 'w': {
    uint32_t Contents = G.newNode();
    G.addRule(Contents, {Effect == 't' ? Rule::Kind::EscapeWhole : Rule::Kind::Escape, NoNode, NoNode, NoNode, Why, 1});
    int64_t Length = Effect == 'w' ? literal(At, Index + 1).value_or(Unknown) : Unknown;
    return G.addRule(Argument, {Rule::Kind::Contents, Contents, NoNode, NoNode, Length});
  }
  case 'p':
    return isPointer(At, Index) ? void() : G.addRule(Argument, {Rule::Kind::EscapeWhole, NoNode, NoNode, NoNode, Why});
  case 'e':
    return escape(Argument, Why);
  default:
    return;
  }
}

bool Analysis::applyEffects(const CallPlace &At, llvm::StringRef Name, llvm::StringRef Effects) {
  uint32_t Why = reason(At, "is handed to '" + Name.str() + "', which keeps it");
  for (unsigned I = 0; I < At.What->Arguments.size() && Effects.size() > 1; ++I)
    applyEffect(At, I, Effects[std::min<size_t>(I + 1, Effects.size() - 1)], Why);
  uint32_t Result = result(At);
  switch (Effects.front()) {
  case 'n':
    G.addAnyInteger(Result);
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
    break;
  case 'x':
    G.addAnything(Result, reason(At, "comes from '" + Name.str() + "'"));
    break;
  default:
    break;
  }
  return true;
}

namespace {
enum class Special {
  None,
  Allocate,
  AllocateSecond,
  AllocateZero,
  AllocateThrough,
  Reallocate,
  Duplicate,
  Copy,
  CopyEnd,
  Fill,
  Parse,
  Print,
  Scan,
  Sort,
  Search,
  Thread,
  Join,
  Parallel,
  StartThread,
  AtExit,
  AtExitOf,
  Throw,
  Catch
};
} // namespace

static Special specialOf(llvm::StringRef Name) {
  if (Name.starts_with("_Znwm") || Name.starts_with("_Znam"))
    return Special::Allocate;
  return llvm::StringSwitch<Special>(Name)
      .Cases("malloc", "valloc", "__cxa_allocate_exception", "MPISHM_Malloc", Special::Allocate)
      .Cases("aligned_alloc", "memalign", "MPISHM_Aligned_alloc", Special::AllocateSecond)
      .Cases("calloc", "MPISHM_Calloc", Special::AllocateZero)
      .Cases("posix_memalign", "MPISHM_Posix_memalign", Special::AllocateThrough)
      .Cases("realloc", "reallocarray", "MPISHM_Realloc", Special::Reallocate)
      .Cases("strdup", "__strdup", "strndup", Special::Duplicate)
      .Cases("memcpy", "memmove", "__memcpy_chk", "__memmove_chk", Special::Copy)
      .Cases("strcpy", "strncpy", "strcat", "strncat", "__strcpy_chk", "__strncpy_chk", "__strcat_chk", Special::Copy)
      .Cases("mempcpy", "stpcpy", "stpncpy", Special::CopyEnd)
      .Cases("memset", "__memset_chk", Special::Fill)
      .Cases("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "__isoc23_strtol", Special::Parse)
      .Cases("printf", "fprintf", "dprintf", "sprintf", "snprintf", Special::Print)
      .Cases("vprintf", "vfprintf", "vdprintf", "vsprintf", "vsnprintf", Special::Print)
      .Cases("__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk", Special::Print)
      .Cases("__vprintf_chk", "__vfprintf_chk", "__vsprintf_chk", "__vsnprintf_chk", Special::Print)
      .Cases("scanf", "fscanf", "sscanf", "__isoc99_scanf", "__isoc99_fscanf", "__isoc99_sscanf", Special::Scan)
      .Cases("__isoc23_scanf", "__isoc23_fscanf", "__isoc23_sscanf", Special::Scan)
      .Case("qsort", Special::Sort)
      .Case("bsearch", Special::Search)
      .Case("pthread_create", Special::Thread)
      .Case("pthread_join", Special::Join)
      .Case("__kmpc_fork_call", Special::Parallel)
      .StartsWith("_ZNSt6thread15_M_start_thread", Special::StartThread)
      .Case("atexit", Special::AtExit)
      .Case("__cxa_atexit", Special::AtExitOf)
      .Case("__cxa_throw", Special::Throw)
      .Cases("__cxa_begin_catch", "__cxa_get_exception_ptr", Special::Catch)
      .Default(Special::None);
}

/// Memory that is made: whose address goes to the result, or through the first argument.
void Analysis::allocate(const CallPlace &At, llvm::StringRef Name, std::optional<unsigned> SizeFrom, bool Through) {
  int64_t Size = SizeFrom ? literal(At, *SizeFrom).value_or(Unknown) : Unknown;
  Token Fresh{Token::Kind::Memory, newHeap(At, Name.starts_with("_Zn") ? "new" : Name, Size), {0, 0}};
  if (!Through)
    return G.add(result(At), Fresh);
  uint32_t Address = G.newNode();
  G.add(Address, Fresh);
  G.addRule(argument(At, 0), {Rule::Kind::Store, NoNode, Address, NoNode, 8});
  G.addAnyInteger(result(At));
}

/// Functions that are called back by the system.
void Analysis::callLater(const CallPlace &At, llvm::StringRef Name) {
  uint32_t Why = reason(At, "is handed to '" + Name.str() + "'");
  if (Name == "atexit")
    return callBack(argument(At, 0), {}, NoNode, Why);
  if (Name == "__cxa_atexit")
    return callBack(argument(At, 0), {argument(At, 1)}, NoNode, Why);
  if (Name == "pthread_create") {
    fill(argument(At, 0), AnyNumber, 8);
    uint32_t Result = G.newNode();
    escape(Result, Why); // pthread_join hands it to whoever asks
    return callBack(argument(At, 2), {argument(At, 3)}, Result, Why);
  }
  uint32_t Thread = G.newNode(); // addresses of the thread's numbers
  G.add(Thread, {Token::Kind::Memory, Heap.newObject("a thread's number", 4, 0), {0, 0}});
  fill(Thread, AnyNumber, 4);
  std::vector<uint32_t> Arguments{Thread, Thread};
  for (unsigned I = 3; I < At.What->Arguments.size(); ++I)
    Arguments.push_back(argument(At, I));
  callBack(argument(At, 2), std::move(Arguments), NoNode, Why);
}

/// std::thread hands an object over, whose third virtual function, after two destructors, runs.
void Analysis::startThread(const CallPlace &At) {
  uint32_t State = G.newNode(), Table = G.newNode(), Entry = G.newNode(), Run = G.newNode();
  G.addRule(argument(At, 1), {Rule::Kind::Load, State, NoNode, NoNode, 8});
  G.addRule(State, {Rule::Kind::Load, Table, NoNode, NoNode, 8});
  G.addRule(Table, {Rule::Kind::Offset, Entry, NoNode, NoNode, 16, 0, 0});
  G.addRule(Entry, {Rule::Kind::Load, Run, NoNode, NoNode, 8});
  callBack(Run, {State}, NoNode, reason(At, "is handed to a thread that is not known"));
  fill(argument(At, 0), AnyNumber, 8);
}

/// qsort and bsearch compare and move elements of an array.
void Analysis::sort(const CallPlace &At, bool Searches) {
  uint32_t Element = G.newNode(), Array = argument(At, Searches ? 1 : 0);
  uint32_t Why = reason(At, "is compared by a function that is not known");
  G.addDerived(Array, Element);
  if (!Searches) {
    callBack(argument(At, 3), {Element, Element}, NoNode, Why);
    return copyMemory(Element, Element, Unknown);
  }
  callBack(argument(At, 4), {argument(At, 0), Element}, NoNode, Why);
  G.addCopy(Element, result(At));
}

bool Analysis::callSpecial(const CallPlace &At, llvm::StringRef Name) {
  switch (specialOf(Name)) {
  case Special::None:
    return false;
  case Special::Allocate:
    allocate(At, Name, 0);
    return true;
  case Special::AllocateSecond:
    allocate(At, Name, 1);
    return true;
  case Special::AllocateZero:
    allocate(At, Name, std::nullopt);
    fill(result(At), Zero, Unknown);
    return true;
  case Special::AllocateThrough:
    allocate(At, Name, 2, /*Through=*/true);
    return true;
  case Special::Reallocate:
  case Special::Duplicate:
    allocate(At, Name, std::nullopt);
    copyMemory(result(At), argument(At, 0), Unknown);
    return true;
  case Special::Copy:
  case Special::CopyEnd: {
    copyMemory(argument(At, 0), argument(At, 1), Name.contains("mem") ? literal(At, 2).value_or(Unknown) : Unknown);
    bool End = specialOf(Name) == Special::CopyEnd;
    End ? G.addDerived(argument(At, 0), result(At)) : G.addCopy(argument(At, 0), result(At));
    return true;
  }
  case Special::Fill:
    fill(argument(At, 0), literal(At, 1) == 0 ? Zero : argument(At, 1), literal(At, 2).value_or(Unknown));
    G.addCopy(argument(At, 0), result(At));
    return true;
  case Special::Parse: {
    applyEffects(At, Name, "nt.");
    uint32_t End = G.newNode();
    G.addDerived(argument(At, 0), End);
    G.addRule(argument(At, 1), {Rule::Kind::Store, NoNode, End, NoNode, 8});
    return true;
  }
  case Special::Print:
    print(At, Name);
    return true;
  case Special::Scan:
    scan(At, Name);
    return true;
  case Special::Sort:
  case Special::Search:
    sort(At, specialOf(Name) == Special::Search);
    return true;
  case Special::Join:
    applyEffects(At, Name, "n.x");
    return true;
  case Special::StartThread:
    startThread(At);
    return true;
  case Special::Thread:
  case Special::Parallel:
  case Special::AtExit:
  case Special::AtExitOf:
    callLater(At, Name);
    G.addAnyInteger(result(At));
    return true;
  case Special::Throw:
    G.addCopy(argument(At, 0), Exceptions);
    callBack(argument(At, 2), {argument(At, 0)}, NoNode, reason(At, "is thrown"));
    return true;
  case Special::Catch: // what is thrown, by its address
    G.addCopy(argument(At, 0), result(At));
    return true;
  }
  return false;
}

/// False when nothing is known of \p Name.
bool Analysis::callLibrary(const CallPlace &At, llvm::StringRef Name) {
  if (callSpecial(At, Name) || callNodes(At, Name))
    return true;
  if (const Row *R = find(Name))
    return applyEffects(At, Name, R->Effects);
  // A function of numbers alone.
  const Function &Code = *Instances[At.In].Of.Code;
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
    if (!isFloating(At, I))
      return false;
  if (At.What->Arguments.empty() || At.What->Result == NoNode || !Code.IsFloating[At.What->Result])
    return false;
  G.addAnyInteger(result(At));
  return true;
}

/// The text of the first argument that is a constant string, but the one where printing goes to.
std::optional<llvm::StringRef> Analysis::formatOf(const CallPlace &At, unsigned From) const {
  for (unsigned I = From; I < At.What->Arguments.size(); ++I)
    if (const Symbol *S = symbolOf(At, I); S && S->HasText)
      return S->Text;
  return std::nullopt;
}

/// What scanf and relatives read are numbers, unless the format has addresses, or is not known.
void Analysis::scan(const CallPlace &At, llvm::StringRef Name) {
  unsigned First = Name.contains("fscanf") || Name.contains("sscanf") ? 2 : 1;
  std::optional<llvm::StringRef> Format = formatOf(At, First - 1);
  uint32_t Why = reason(At, "is read by '" + Name.str() + "'");
  for (unsigned I = First; I < At.What->Arguments.size(); ++I)
    applyEffect(At, I, Format && !Format->contains("%p") ? 'n' : 'x', Why);
  G.addAnyInteger(result(At));
}

/// What printf and relatives are given: numbers go out; of addresses, those that the format prints as such.
void Analysis::print(const CallPlace &At, llvm::StringRef Name) {
  uint32_t Why = reason(At, "is printed");
  bool ToMemory = Name.contains("sprintf") || Name.contains("snprintf");
  std::optional<llvm::StringRef> Format = formatOf(At, ToMemory ? 1 : 0);
  bool Addresses = !Format || Format->contains("%p") || Format->contains("%n") || Name.contains("vprintf") ||
                   Name.contains("vfprintf") || Name.contains("vsnprintf") || Name.contains("vsprintf");
  for (unsigned I = ToMemory ? 1 : 0; I < At.What->Arguments.size(); ++I)
    applyEffect(At, I, Addresses ? 'e' : isPointer(At, I) ? 't' : 'p', Why);
  if (ToMemory)
    fill(argument(At, 0), AnyNumber, Unknown);
  G.addAnyInteger(result(At));
}

/// The parts of red-black trees and lists that the library of C++ has: they follow and set links between nodes.
bool Analysis::callNodes(const CallPlace &At, llvm::StringRef Name) {
  llvm::ArrayRef<int64_t> Links;
  static constexpr int64_t TreeLinks[] = {8, 16, 24}, ListLinks[] = {0, 8};
  bool Sets = !Name.starts_with("_ZSt18_Rb_tree_");
  if (Name.starts_with("_ZSt18_Rb_tree_increment") || Name.starts_with("_ZSt18_Rb_tree_decrement") ||
      Name.starts_with("_ZSt29_Rb_tree_insert_and_rebalance") || Name.starts_with("_ZSt28_Rb_tree_rebalance_for_erase"))
    Links = TreeLinks;
  else if (Name.starts_with("_ZNSt8__detail15_List_node_base"))
    Links = ListLinks;
  else
    return false;
  uint32_t Nodes = G.newNode();
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
    if (isPointer(At, I))
      G.addCopy(argument(At, I), Nodes);
  for (int64_t Link : Links) {
    uint32_t Place = G.newNode();
    G.addRule(Nodes, {Rule::Kind::Offset, Place, NoNode, NoNode, Link, 0, 0});
    G.addRule(Place, {Rule::Kind::Load, Nodes, NoNode, NoNode, 8});
    if (Sets)
      G.addRule(Place, {Rule::Kind::Store, NoNode, Nodes, NoNode, 8});
  }
  if (Sets && Links.size() == 3) // the colour
    G.addRule(Nodes, {Rule::Kind::Store, NoNode, AnyNumber, NoNode, 4});
  G.addCopy(Nodes, result(At));
  return true;
}

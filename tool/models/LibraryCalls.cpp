// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the system's libraries, which have no bodies here.

#include "libraries/Names.h"
#include "models/LibraryModels.h"
#include "llvm/ADT/StringSwitch.h"
#include <sys/syscall.h>

using namespace mpishm;
using namespace mpishm::ir;

namespace {
enum class Special {
  None,
  Allocate,
  AllocateSecond,
  AllocateMany,
  AllocateZero,
  AllocateThrough,
  Reallocate,
  Duplicate,
  Copy,
  CopyEnd,
  Fill,
  CopyBack,
  CopyText,
  CopyFormat,
  Turn,
  Clear,
  Split,
  SplitOff,
  SplitOn,
  PutEnvironment,
  Parse,
  Sort,
  SortWith,
  Search,
  SearchFirst,
  Name,
  Thread,
  MakeKey,
  KeepForThread,
  KeptForThread,
  StartThread,
  AtExit,
  AtExitOf,
  OnExit,
  Throw,
  Catch
};
} // namespace

/// The forms of operator new that the library has: of one and of many, aligned, and without exceptions.
static bool isNew(llvm::StringRef Name) {
  if (!Name.consume_front("_Znwm") && !Name.consume_front("_Znam"))
    return false;
  Name.consume_front("St11align_val_t");
  Name.consume_front("RKSt9nothrow_t");
  return Name.empty();
}

static Special specialOf(llvm::StringRef Name) {
  if (isNew(Name))
    return Special::Allocate;
  return llvm::StringSwitch<Special>(Name)
      .Cases("malloc", "valloc", "pvalloc", "__cxa_allocate_exception", "MPISHM_Malloc", Special::Allocate)
      .Cases("fftw_malloc", "fftwf_malloc", "fftwl_malloc", "fftwq_malloc", Special::Allocate)
      .Cases("fftw_alloc_real", "fftwf_alloc_real", "fftwl_alloc_real", "fftwq_alloc_real", Special::AllocateMany)
      .Cases("fftw_alloc_complex", "fftwf_alloc_complex", "fftwl_alloc_complex", "fftwq_alloc_complex",
             Special::AllocateMany)
      .Cases("aligned_alloc", "memalign", "MPISHM_Aligned_alloc", "MPISHM_Window_allocate", Special::AllocateSecond)
      .Cases("calloc", "MPISHM_Calloc", Special::AllocateZero)
      .Cases("posix_memalign", "MPISHM_Posix_memalign", Special::AllocateThrough)
      .Cases("realloc", "reallocarray", "MPISHM_Realloc", Special::Reallocate)
      .Cases("strdup", "strndup", "wcsdup", Special::Duplicate)
      .Cases("memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat", Special::Copy)
      .Cases("wmemcpy", "wmemmove", "wcscpy", "wcsncpy", "wcscat", "wcsncat", Special::Copy)
      .Cases("mempcpy", "stpcpy", "stpncpy", "memccpy", "wmempcpy", "wcpcpy", Special::CopyEnd)
      .Cases("strlcpy", "strlcat", Special::CopyText)
      .Case("bcopy", Special::CopyBack)
      .Case("_ZNSt9basic_iosIcSt11char_traitsIcEE7copyfmtERKS2_", Special::CopyFormat)
      .Case("swab", Special::Turn)
      .Cases("memset", "wmemset", Special::Fill)
      .Cases("bzero", "explicit_bzero", Special::Clear)
      .Cases("strtok_r", "wcstok", Special::Split)
      .Case("strsep", Special::SplitOff)
      .Case("strtok", Special::SplitOn)
      .Case("putenv", Special::PutEnvironment)
      .Cases("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold", Special::Parse)
      .Cases("strtoimax", "strtoumax", "strtoq", "strtouq", Special::Parse)
      .Cases("strtol_l", "strtoul_l", "strtoll_l", "strtoull_l", "strtod_l", "strtof_l", "strtold_l", Special::Parse)
      .Cases("wcstol", "wcstoul", "wcstoll", "wcstoull", "wcstod", "wcstof", "wcstold", Special::Parse)
      .Case("qsort", Special::Sort)
      .Case("qsort_r", Special::SortWith)
      .Case("bsearch", Special::Search)
      .Case("lfind", Special::SearchFirst)
      .Cases("dlsym", "dlvsym", Special::Name)
      .Cases("pthread_create", "thrd_create", Special::Thread)
      .Cases("pthread_key_create", "tss_create", Special::MakeKey)
      .Cases("pthread_setspecific", "tss_set", Special::KeepForThread)
      .Cases("pthread_getspecific", "tss_get", Special::KeptForThread)
      .Case("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
            Special::StartThread)
      .Case("atexit", Special::AtExit)
      .Cases("__cxa_atexit", "__cxa_thread_atexit", "__cxa_thread_atexit_impl", Special::AtExitOf)
      .Case("on_exit", Special::OnExit)
      .Case("__cxa_throw", Special::Throw)
      .Cases("__cxa_begin_catch", "__cxa_get_exception_ptr", Special::Catch)
      .Default(Special::None);
}

/// Memory that is made: whose address goes to the result, or through the first argument. There may be more of it than
/// was asked for, which some functions say.
void LibraryModels::allocate(const CallPlace &At, llvm::StringRef Name, std::optional<unsigned> SizeFrom,
                             bool Through) {
  const bool IsMore = Name == "pvalloc" || (!Name.starts_with("_Zn") && P.function("malloc_usable_size"));
  int64_t Size = SizeFrom && !IsMore ? literal(At, *SizeFrom).value_or(Unknown) : Unknown;
  Token Fresh{Token::Kind::Memory, newHeap(At, Name.starts_with("_Zn") ? "new" : Name, Size), {0, 0}};
  if (!Through)
    return G.add(result(At), Fresh);
  uint32_t Address = G.newNode();
  G.add(Address, Fresh);
  G.addRule(argument(At, 0), {Rule::Kind::Store, NoNode, Address, NoNode, 8});
  G.addCopy(AnyNumber, result(At));
}

/// Functions that are called back by the system.
void LibraryModels::callLater(const CallPlace &At, llvm::StringRef Name) {
  uint32_t Why = reason(At, "is handed to '" + Name.str() + "'");
  if (Name == "atexit")
    return callBack(argument(At, 0), {}, NoNode, Why);
  if (Name.starts_with("__cxa_"))
    return callBack(argument(At, 0), {argument(At, 1)}, NoNode, Why);
  if (Name == "on_exit")
    return callBack(argument(At, 0), {AnyNumber, argument(At, 1)}, NoNode, Why);
  fill(argument(At, 0), AnyNumber, 8);
  uint32_t Result = G.newNode();
  escape(Result, Why); // pthread_join hands it to whoever asks
  unsigned Start = Name == "thrd_create" ? 1 : 2;
  callBack(argument(At, Start), {argument(At, Start + 1)}, Result, Why);
}

/// std::thread hands an object over, whose third virtual function, after two destructors, runs.
void LibraryModels::startThread(const CallPlace &At) {
  uint32_t State = G.newNode(), Table = G.newNode();
  G.addRule(argument(At, 1), {Rule::Kind::Load, State, NoNode, NoNode, 8});
  G.addRule(State, {Rule::Kind::Load, Table, NoNode, NoNode, 8});
  callBack(loadFrom(Table, 16), {State}, NoNode, reason(At, "is handed to a thread that is not known"));
  fill(argument(At, 0), AnyNumber, 8);
}

/// std::call_once leaves what it calls in variables of a thread, where __once_proxy, which it hands to pthread_once,
/// finds it. False where \p V is none of them.
bool LibraryModels::addOnce(uint32_t Object, const LinkedVariable &V) {
  const bool IsFunction = V.Name == "_ZSt11__once_call";
  if ((!IsFunction && V.Name != "_ZSt15__once_callable") || V.IsDefined || V.IsInternal)
    return false;
  if (IsFunction) {
    const uint32_t Function = G.newNode();
    callBack(Function, {}, NoNode, reason("is called once"));
    Heap.contents({Token::Kind::Memory, Object, {0, 0}}, 8, Function);
  }
  return true;
}

/// Functions that compare elements of an array, and move them; with a further argument for who compares.
void LibraryModels::sort(const CallPlace &At, bool With) {
  uint32_t Element = G.newNode();
  G.addDerived(argument(At, 0), Element);
  std::vector<uint32_t> Arguments{Element, Element};
  if (With)
    Arguments.push_back(argument(At, 4));
  callBack(argument(At, 3), std::move(Arguments), NoNode, reason(At, "is compared by a function that is not known"));
  copyMemory(Element, Element, Unknown);
}

/// Functions that look for something like the first argument in an array.
void LibraryModels::search(const CallPlace &At) {
  uint32_t Element = G.newNode();
  G.addDerived(argument(At, 1), Element);
  callBack(argument(At, 4), {argument(At, 0), Element}, NoNode,
           reason(At, "is compared by a function that is not known"));
  G.addCopy(Element, result(At));
}

/// strtok_r and strsep: the place up to which a text was read is kept where the argument \p Kept points to.
void LibraryModels::split(const CallPlace &At, unsigned Kept) {
  uint32_t Text = G.newNode();
  if (Kept > 0)
    G.addDerived(argument(At, 0), Text);
  G.addRule(argument(At, Kept), {Rule::Kind::Load, Text, NoNode, NoNode, 8});
  uint32_t Rest = G.newNode();
  G.addDerived(Text, Rest);
  G.addInteger(Rest, 0);
  G.addRule(argument(At, Kept), {Rule::Kind::Store, NoNode, Rest, NoNode, 8});
  G.addCopy(Rest, result(At));
}

/// A function or variable that is found by its name: the one of that name, or else any.
void LibraryModels::findByName(const CallPlace &At) {
  uint32_t Why = reason(At, "may be found by its name");
  const Symbol *Text = symbolOf(At, 1);
  bool Known = Text && Text->HasText;
  for (uint32_t I = 0; I < P.Functions.size(); ++I)
    if (!P.Functions[I].IsInternal && !P.Functions[I].Bodies.empty() && (!Known || P.Functions[I].Name == Text->Text))
      exposeFunction(I, Why);
  for (uint32_t I = 0; I < P.Variables.size(); ++I)
    if (!P.Variables[I].IsInternal && (!Known || P.Variables[I].Name == Text->Text))
      Heap.escape(variable(I), Why);
  G.addAnything(result(At), reason(At, "is found by its name"));
}

bool LibraryModels::callSpecial(const CallPlace &At, llvm::StringRef Name) {
  switch (specialOf(Name)) {
  case Special::None:
    return false;
  case Special::Allocate:
    allocate(At, Name, 0);
    return true;
  case Special::AllocateSecond:
    allocate(At, Name, 1);
    return true;
  case Special::AllocateMany:
    allocate(At, Name, std::nullopt);
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
    bool IsBytes = Name == "memcpy" || Name == "memmove" || Name == "mempcpy";
    IsBytes ? copyCounted(At, 0, 1, 2) : copyMemory(argument(At, 0), argument(At, 1), Unknown);
    bool End = specialOf(Name) == Special::CopyEnd;
    End ? G.addDerived(argument(At, 0), result(At)) : G.addCopy(argument(At, 0), result(At));
    if (Name == "memccpy")
      G.addInteger(result(At), 0);
    return true;
  }
  case Special::CopyText:
    copyMemory(argument(At, 0), argument(At, 1), Unknown);
    G.addCopy(AnyNumber, result(At));
    return true;
  case Special::CopyFormat:
    copyFormat(argument(At, 0), argument(At, 1));
    G.addCopy(argument(At, 0), result(At));
    return true;
  case Special::CopyBack:
    copyCounted(At, 1, 0, 2);
    return true;
  case Special::Turn: {
    uint32_t Bytes = G.newNode();
    G.addRule(argument(At, 0), {Rule::Kind::Contents, Bytes, NoNode, NoNode, Unknown});
    fill(argument(At, 1), Bytes, Unknown);
    return true;
  }
  case Special::Clear:
    fillCounted(argument(At, 0), Zero, argument(At, 1));
    return true;
  case Special::Fill: {
    uint32_t Byte = literal(At, 1) == 0 ? Zero : argument(At, 1);
    Name == "memset" ? fillCounted(argument(At, 0), Byte, argument(At, 2)) : fill(argument(At, 0), Byte, Unknown);
    G.addCopy(argument(At, 0), result(At));
    return true;
  }
  case Special::Parse: {
    applyEffects(At, Name, "nt.");
    uint32_t End = G.newNode();
    G.addDerived(argument(At, 0), End);
    G.addRule(argument(At, 1), {Rule::Kind::Store, NoNode, End, NoNode, 8});
    return true;
  }
  case Special::Sort:
  case Special::SortWith:
    sort(At, specialOf(Name) == Special::SortWith);
    return true;
  case Special::Search:
  case Special::SearchFirst:
    search(At);
    return true;
  case Special::Split:
    split(At, 2);
    return true;
  case Special::SplitOff:
    split(At, 0);
    return true;
  case Special::SplitOn: // the text that it goes on with is kept
    G.addDerived(argument(At, 0), Split);
    G.addCopy(Split, result(At));
    return true;
  case Special::PutEnvironment: // getenv gives it back, also to code out of sight, see handOver; other processes get it
    G.addCopy(argument(At, 0), libraryText());
    G.addCopy(argument(At, 0), InEnvironment);
    return applyEffects(At, Name, "nb");
  case Special::Name:
    findByName(At);
    return true;
  case Special::StartThread:
    startThread(At);
    return true;
  case Special::MakeKey: // what threads keep under any key is one: their ends hand it to a function, if there is one
    fill(argument(At, 0), AnyNumber, 4);
    callBack(argument(At, 1), {KeptByThreads}, NoNode, reason(At, "is handed to '" + Name.str() + "'"));
    G.addCopy(AnyNumber, result(At));
    return true;
  case Special::KeepForThread:
    G.addCopy(argument(At, 1), KeptByThreads);
    G.addCopy(AnyNumber, result(At));
    return true;
  case Special::KeptForThread:
    G.addCopy(KeptByThreads, result(At));
    return true;
  case Special::Thread:
  case Special::AtExit:
  case Special::AtExitOf:
  case Special::OnExit:
    callLater(At, Name);
    G.addCopy(AnyNumber, result(At));
    return true;
  case Special::Throw:
    G.addCopy(argument(At, 0), Exceptions);
    // Who catches a pointer gets it itself, everyone else the address of what is thrown.
    G.addRule(argument(At, 0), {Rule::Kind::Load, Exceptions, NoNode, NoNode, 8});
    callBack(argument(At, 2), {argument(At, 0)}, NoNode, reason(At, "is thrown"));
    return true;
  case Special::Catch: // what is thrown, by its address
    G.addCopy(argument(At, 0), result(At));
    return true;
  }
  return false;
}

/// Where the links are in the nodes that a part of a container of the library of C++ is given; nowhere for others.
static llvm::ArrayRef<int64_t> linksOf(llvm::StringRef Name) {
  static constexpr int64_t TreeLinks[] = {8, 16, 24}, ListLinks[] = {0, 8};
  for (const char *Of : {"_ZSt18_Rb_tree_increment", "_ZSt18_Rb_tree_decrement", "_ZSt29_Rb_tree_insert_and_rebalance",
                         "_ZSt28_Rb_tree_rebalance_for_erase"})
    if (Name.starts_with(Of))
      return TreeLinks;
  return Name.starts_with("_ZNSt8__detail15_List_node_base") ? llvm::ArrayRef<int64_t>(ListLinks)
                                                             : llvm::ArrayRef<int64_t>();
}

/// A function that takes and returns nothing but floating-point numbers: it keeps none of them.
bool LibraryModels::callFloating(const CallPlace &At) {
  const Function &Code = *Instances[At.In].Of.Code;
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
    if (!isFloating(At, I))
      return false;
  if (At.What->Arguments.empty() || At.What->Result == NoNode || !Code.IsFloating[At.What->Result])
    return false;
  G.addCopy(AnyNumber, result(At));
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I) {
    showNumber(argument(At, I), reason(At, "is handed on as a floating-point number"));
    G.addDerived(argument(At, I), result(At));
  }
  return true;
}

/// Whether \p Name is what other units call before they use a variable that each thread has for itself, and the
/// variable is defined in a unit that was read: where no unit has such a function, there is nothing to do before.
bool LibraryModels::isStartOfOwnVariable(llvm::StringRef Name) const {
  if (!Name.consume_front("_ZTH"))
    return false;
  llvm::StringRef Plain = Name; // of a variable outside namespaces, the name of which is not mangled
  Plain = Plain.ltrim("0123456789");
  auto IsDefined = [&](llvm::StringRef Variable) {
    auto It = P.External.find(Variable);
    return It != P.External.end() && !It->second.IsFunction && P.Variables[It->second.Index].IsDefined;
  };
  return IsDefined("_Z" + Name.str()) || IsDefined(Plain);
}

/// A call of the kernel by its number, as of what older libraries have no function for. False when it is none, or of
/// another number.
bool LibraryModels::callKernel(const CallPlace &At, llvm::StringRef Name) {
  static constexpr std::pair<int64_t, llvm::StringLiteral> Functions[] = {
      {SYS_getpid, "getpid"}, {SYS_gettid, "gettid"}, {SYS_getcpu, "getcpu"}, {SYS_sched_yield, "sched_yield"}};
  if (Name != "syscall")
    return false;
  for (const auto &[Number, Function] : Functions)
    if (const LibraryRow *R = findLibraryRow(Function); R && literal(At, 0) == Number)
      return applyEffects(At, Function, R->Effects.substr(0, 1).str() + "." + R->Effects.substr(1).str());
  return false;
}

/// Whether the program defines a function that BLAS and LAPACK may call in the place of their own, as one that tells of
/// errors.
bool LibraryModels::definesLinear() {
  if (!DefinesLinear)
    DefinesLinear = llvm::any_of(P.Functions, [](const LinkedFunction &F) {
      const LibraryRow *R = F.IsInternal || F.Bodies.empty() ? nullptr : findLibraryRow(F.Name);
      return R && R->IsLinear;
    });
  return *DefinesLinear;
}

/// False when nothing is known of \p Function.
bool LibraryModels::callLibrary(const CallPlace &At, llvm::StringRef Function) {
  if (isStartOfOwnVariable(Function))
    return true;
  llvm::StringRef Name = canonicalName(Function);
  noteRelease(At, Name);
  if (callSpecial(At, Name) || callFormatted(At, Name) || callNodes(At, Name) || callOpenMp(At, Name) ||
      callFacet(At, Name) || callOptions(At, Name) || callArgp(At, Name) || callKernel(At, Name))
    return true;
  const LibraryRow *R = findLibraryRow(Name);
  if (!R || (R->IsExact && At.What->Arguments.size() + 1 != R->Effects.size()) || (R->IsLinear && definesLinear()))
    return callFloating(At);
  return applyEffects(At, Name, R->Effects);
}

bool LibraryModels::isModelled(llvm::StringRef Function) {
  llvm::StringRef Name = canonicalName(Function);
  return specialOf(Name) != Special::None || hasFormat(Name) || isOpenMp(Name) || !linksOf(Name).empty() ||
         facetOf(Name) || isArgp(Name) || findLibraryRow(Name);
}

bool LibraryModels::makesMemory(llvm::StringRef Function) {
  switch (specialOf(canonicalName(Function))) {
  case Special::Allocate:
  case Special::AllocateSecond:
  case Special::AllocateMany:
  case Special::AllocateZero:
  case Special::AllocateThrough:
  case Special::Reallocate:
  case Special::Duplicate:
    return true;
  default:
    return canonicalName(Function) == "MPI_Alloc_mem";
  }
}

/// Whether a library's function that is called back does nothing with what it is given.
bool LibraryModels::isHarmless(llvm::StringRef Name) {
  const LibraryRow *R = findLibraryRow(canonicalName(Name));
  return R && llvm::StringRef("v0n").contains(R->Effects.front()) &&
         R->Effects.drop_front().find_first_not_of(".o") == llvm::StringRef::npos;
}

/// The parts of red-black trees and lists that the library of C++ has: they follow and set links between nodes.
bool LibraryModels::callNodes(const CallPlace &At, llvm::StringRef Name) {
  llvm::ArrayRef<int64_t> Links = linksOf(Name);
  if (Links.empty())
    return false;
  bool Sets = !Name.starts_with("_ZSt18_Rb_tree_");
  uint32_t Nodes = G.newNode();
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
    if (isPointer(At, I))
      G.addCopy(argument(At, I), Nodes);
  for (int64_t Link : Links) {
    uint32_t Place = placeAt(Nodes, Link);
    G.addRule(Place, {Rule::Kind::Load, Nodes, NoNode, NoNode, 8});
    if (Sets)
      G.addRule(Place, {Rule::Kind::Store, NoNode, Nodes, NoNode, 8});
  }
  if (Sets && Links.size() == 3) // the colour
    G.addRule(Nodes, {Rule::Kind::Store, NoNode, AnyNumber, NoNode, 4});
  G.addCopy(Nodes, result(At));
  return true;
}

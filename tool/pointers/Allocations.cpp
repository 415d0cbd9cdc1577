// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Allocations.h"
#include "mpi/Functions.h"
#include "syntax/Callees.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

static constexpr MemoryRow Table[] = {
    {"malloc", "MPISHM_Malloc", MemoryRow::Result::Value, {}},
    {"calloc", "MPISHM_Calloc", MemoryRow::Result::Value, {}},
    {"realloc", "MPISHM_Realloc", MemoryRow::Result::Value, 0},
    {"aligned_alloc", "MPISHM_Aligned_alloc", MemoryRow::Result::Value, {}},
    {"posix_memalign", "MPISHM_Posix_memalign", MemoryRow::Result::FirstArgument, {}},
    {"free", "MPISHM_Free", MemoryRow::Result::None, 0},
    {"reallocarray", "", MemoryRow::Result::Value, 0},
    {"memalign", "", MemoryRow::Result::Value, {}},
    {"valloc", "", MemoryRow::Result::Value, {}},
    {"pvalloc", "", MemoryRow::Result::Value, {}},
    {"strdup", "", MemoryRow::Result::Value, {}},
    {"strndup", "", MemoryRow::Result::Value, {}},
    {"alloca", "", MemoryRow::Result::Value, {}},
    {"__builtin_alloca", "", MemoryRow::Result::Value, {}},
    {"_mm_malloc", "", MemoryRow::Result::Value, {}},
    {"_mm_free", "", MemoryRow::Result::None, 0},
    {"mmap", "", MemoryRow::Result::Value, {}},
    {"munmap", "", MemoryRow::Result::None, 0},
    {"MPI_Alloc_mem", "", MemoryRow::Result::None, {}}, // a matter of its own: Decider::mayMoveMemory
};

static llvm::StringRef withoutBuiltin(llvm::StringRef Name) {
  Name.consume_front("__builtin_");
  if (Name.consume_front("__"))
    Name.consume_back("_chk");
  return Name;
}

/// True for functions outside of classes and of namespaces but \p Name.
static bool isIn(const FunctionDecl *F, llvm::StringRef Name) {
  const DeclContext *Context = F->getDeclContext()->getRedeclContext();
  const auto *Namespace = dyn_cast<NamespaceDecl>(Context);
  return Name.empty() ? Context->isTranslationUnit() : Namespace && Namespace->getName() == Name;
}

bool mpishm::isOfRuntime(const FunctionDecl *F) {
  return F->getIdentifier() && (isIn(F, "mpishm") || (isIn(F, "") && F->getName().starts_with("MPISHM_")));
}

const MemoryRow *mpishm::memoryRowOf(const FunctionDecl *F, const Places &Where) {
  if (!F || !F->getIdentifier() || !(Where.isLibrary(F->getLocation()) || F->getBuiltinID()))
    return nullptr;
  if (!isIn(F, "") && !isIn(F, "std") && !isIn(F, "mpishm"))
    return nullptr;
  const auto *Row = llvm::find_if(Table, [&](const MemoryRow &R) {
    return R.Name == F->getName() || (!R.New.empty() && R.New == F->getName()) ||
           ("__builtin_" + R.Name).str() == F->getName();
  });
  return Row == std::end(Table) ? nullptr : Row;
}

bool mpishm::mayForkUntold(const FunctionDecl *F, const Places &Where) {
  if (!F->getIdentifier() || !isIn(F, "") || F->hasBody())
    return false;
  // A program may have a function of its own in another file that is called so, and those of the system it may declare.
  bool Clones = F->getName() == "clone" && (Where.isLibrary(F->getLocation()) || F->isVariadic());
  return Clones || llvm::is_contained({"_Fork", "__clone", "__clone2", "clone3", "syscall"}, F->getName());
}

bool mpishm::isOtherThanFork(const CallExpr *Call, const ASTContext &Context) {
  const FunctionDecl *F = Call->getDirectCallee();
  const Expr *Number = Call->getNumArgs() ? Call->getArg(0) : nullptr;
  Expr::EvalResult Known;
  if (!F || !F->getIdentifier() || F->getName() != "syscall" || !Number || Number->isValueDependent() ||
      !Number->EvaluateAsInt(Known, Context))
    return false;
  constexpr int64_t Clone3 = 435; // the same for all processors
  llvm::SmallVector<int64_t, 4> Forks;
  switch (Context.getTargetInfo().getTriple().getArch()) {
  case llvm::Triple::x86_64:
    Forks = {56, 57, 58, Clone3}; // clone, fork, vfork
    break;
  case llvm::Triple::aarch64:
  case llvm::Triple::riscv64:
    Forks = {220, Clone3};
    break;
  default:
    return false;
  }
  return !llvm::is_contained(Forks, Known.Val.getInt().getExtValue());
}

bool mpishm::isMemoryName(llvm::StringRef Name) {
  return llvm::any_of(Table, [&](const MemoryRow &R) { return R.Name == Name; });
}

bool mpishm::isNameOfEdits(llvm::StringRef Name) {
  return Name == "mpishm" || Name == "MPISHM_To_window" || Name == "MPISHM_TO_WINDOW" ||
         Name == "MPISHM_Delete_array" || llvm::is_contained({"MPISHM_AND", "MPISHM_ARRAY", "MPISHM_STATIC"}, Name) ||
         llvm::any_of(Table, [&](const MemoryRow &R) { return !R.New.empty() && R.New == Name; });
}

/// Functions of MPI that keep a pointer which they are given, or hand one out that they were given. The memory of
/// windows is followed (PointerReader::windowCall).
static bool mpiKeeps(llvm::StringRef Name) {
  if (const FunctionInfo *Row = findFunction(Name); Row && isOneSided(Row->Kind))
    return false;
  Name.consume_front("P");
  Name.consume_front("MPI_");
  // A window may itself be an address; of the rest there is none to keep.
  constexpr llvm::StringLiteral Asked[] = {"Win_get_group", "Win_get_info", "Win_set_info",
                                           "Win_get_name",  "Win_set_name", "Win_get_errhandler"};
  if (llvm::is_contained(Asked, Name))
    return false;
  return Name.contains("attr") || Name.starts_with("Attr_") || Name.starts_with("Buffer_") ||
         Name.contains("_buffer") || Name.starts_with("Grequest_") || Name.starts_with("Win_") ||
         Name.starts_with("T_") || Name.starts_with("Register_");
}

/// Of the C library: functions that look at, or fill, the memory that they are given, and keep no pointer to it.
static const llvm::StringSet<> &lookingFunctions() {
  static const llvm::StringSet<> Names = {
      "memset",         "bzero",          "memcmp",       "bcmp",        "strlen",        "strnlen",
      "strcmp",         "strncmp",        "strspn",       "strcspn",     "strcoll",       "strcasecmp",
      "strncasecmp",    "printf",         "fprintf",      "sprintf",     "snprintf",      "dprintf",
      "vprintf",        "vfprintf",       "vsprintf",     "vsnprintf",   "puts",          "fputs",
      "putc",           "fputc",          "putchar",      "getc",        "fgetc",         "ungetc",
      "fread",          "fwrite",         "scanf",        "fscanf",      "sscanf",        "perror",
      "remove",         "rename",         "fopen",        "fclose",      "fflush",        "fseek",
      "ftell",          "rewind",         "feof",         "ferror",      "atoi",          "atol",
      "atoll",          "atof",           "read",         "write",       "pread",         "pwrite",
      "send",           "recv",           "frexp",        "frexpf",      "modf",          "modff",
      "sincos",         "sincosf",        "remquo",       "nan",         "time",          "ctime",
      "gettimeofday",   "clock_gettime",  "clock_getres", "getrusage",   "gethostname",   "uname",
      "system",         "getenv",         "setenv",       "access",      "stat",          "mkdir",
      "unlink",         "srand48",        "erand48",      "nrand48",     "rand_r",        "abort",
      "exit",           "omp_get_wtime",  "prefetch",     "object_size", "__assert_fail", "getopt",
      "fputs_unlocked", "fwrite_unlocked"};
  return Names;
}

/// An instruction of the processor (`_mm256_loadu_pd`): the compiler's headers say which processors have it, which they
/// do not of functions beside these (`_mm_malloc`).
static bool isInstruction(const FunctionDecl *F) {
  if (F->getBuiltinID())
    return F->getName().starts_with("__builtin_ia32_") || F->getName().starts_with("_mm_");
  return F->getName().starts_with("_mm") && F->hasAttr<AlwaysInlineAttr>() && F->hasAttr<TargetAttr>();
}

/// Whether \p F is as the C library declares it: not in all of them the function that it calls has the same place.
static bool callsAt(const FunctionDecl *F, unsigned Index, unsigned Parameters) {
  return F->isExternC() && F->getNumParams() == Parameters && !F->isVariadic() &&
         F->getParamDecl(Index)->getType()->isFunctionPointerType();
}

Keeping mpishm::keepingOf(const FunctionDecl *F, const Places &Where) {
  if (!F || !F->getIdentifier() || !(Where.isLibrary(F->getLocation()) || F->getBuiltinID()))
    return Keeping::Unknown;
  if (llvm::StringRef Mpi = mpiNameOf(F); !Mpi.empty())
    return mpiKeeps(Mpi) ? Keeping::Unknown : Keeping::Nothing;
  llvm::StringRef Name = withoutBuiltin(F->getName());
  if (lookingFunctions().contains(Name) || lookingFunctions().contains(F->getName()))
    return Keeping::Nothing;
  if (isInstruction(F))
    return Keeping::Computes;
  if (F->getBuiltinID() && F->getName().starts_with("__sync_"))
    return Keeping::Exchanges;
  if (Name == "qsort" || Name == "qsort_r")
    return callsAt(F, 3, Name == "qsort" ? 4 : 5) ? Keeping::Sorts : Keeping::Unknown;
  if (Name == "bsearch")
    return callsAt(F, 4, 5) ? Keeping::Searches : Keeping::Unknown;
  if (Name == "pthread_create" || Name == "thrd_create")
    return callsAt(F, Name == "pthread_create" ? 2 : 1, Name == "pthread_create" ? 4 : 3) ? Keeping::Starts
                                                                                          : Keeping::Unknown;
  return llvm::StringSwitch<Keeping>(Name)
      .Cases("memcpy", "memmove", "mempcpy", "memccpy", Keeping::Copies)
      .Cases("strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy", Keeping::ReturnsFirst)
      .Cases("memchr", "memrchr", "strchr", "strrchr", "strstr", "strpbrk", "fgets", Keeping::ReturnsFirst)
      .Cases("localtime", "gmtime", "mktime", "asctime", "strftime", Keeping::Nothing)
      .Cases("mbstowcs", "wcstombs", "wcslen", "wcscmp", "wcsncmp", Keeping::Nothing)
      .Cases("wprintf", "fwprintf", "swprintf", "fputws", "fputwc", Keeping::Nothing)
      .Cases("MPISHM_Packing_begin", "MPISHM_Place_arrays", Keeping::Nothing)
      .Cases("va_start", "va_end", "va_copy", Keeping::Nothing)
      .Cases("MPISHM_Packing_buffer", "MPISHM_Packing_place", Keeping::ReturnsFirst)
      .Cases("assume_aligned", "expect", "launder", "getcwd", Keeping::ReturnsFirst)
      .Cases("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold", Keeping::PointsInto)
      .Cases("strtok", "strtok_r", "__strtok_r", "strsep", "__strsep", Keeping::Splits)
      .Default(Keeping::Unknown);
}

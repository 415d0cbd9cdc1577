// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <vector>

using namespace mpishm;
using namespace mpishm::ir;

static constexpr LibraryRow Table[] = {
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/Library.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibrarySeldom.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryThreads.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryMath.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryCxx.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryFftw.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryGsl.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryGslMatrices.def"
#define LIBRARY(Name, Effects) {Name, Effects},
#include "libraries/LibraryHdf5.def"
#define LIBRARY(Name, Effects) {Name, Effects, /*IsExact=*/false, /*IsLinear=*/true},
#include "libraries/LibraryLinear.def"
#define LIBRARY(Name, Effects) {Name, Effects, /*IsExact=*/false, /*IsLinear=*/true},
#include "libraries/LibraryLapacke.def"
#define LIBRARY(Name, Effects) {Name, Effects, /*IsExact=*/true},
#include "libraries/LibraryZlib.def"
#define LIBRARY(Name, Effects) {Name, Effects, /*IsExact=*/true},
#include "libraries/LibraryUuid.def"
};

llvm::ArrayRef<LibraryRow> mpishm::ir::libraryRows() { return Table; }

bool mpishm::ir::matches(llvm::StringRef Name, llvm::StringRef Pattern) {
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

const LibraryRow *mpishm::ir::findLibraryRow(llvm::StringRef Name) {
  struct Index {
    llvm::StringMap<const LibraryRow *> Exact;
    std::vector<const LibraryRow *> Patterns;
    Index() {
      for (const LibraryRow &R : Table)
        if (R.Name.contains('*') || R.Name.contains('?'))
          Patterns.push_back(&R);
        else
          Exact.try_emplace(R.Name, &R);
    }
  };
  static const Index Rows;
  if (auto It = Rows.Exact.find(Name); It != Rows.Exact.end())
    return It->second;
  for (const LibraryRow *R : Rows.Patterns)
    if (matches(Name, R->Name))
      return R;
  return nullptr;
}

/// With large files, under these names and 64.
static const llvm::StringSet<> &largeFile() {
  static const llvm::StringSet<> Names{"open",    "openat",    "creat",           "fopen",        "freopen",
                                       "tmpfile", "fseeko",    "ftello",          "fgetpos",      "fsetpos",
                                       "lseek",   "pread",     "pwrite",          "stat",         "lstat",
                                       "fstat",   "fstatat",   "__xstat",         "__lxstat",     "__fxstat",
                                       "statfs",  "statvfs",   "fstatvfs",        "truncate",     "lockf",
                                       "mmap",    "ftruncate", "readdir",         "mkstemp",      "sendfile",
                                       "glob",    "globfree",  "getrlimit",       "fcntl",        "setrlimit",
                                       "fstatfs", "fallocate", "posix_fallocate", "posix_fadvise"};
  return Names;
}

/// With checked lengths, as __NAME_chk, whose further arguments stand behind.
static const llvm::StringSet<> &checked() {
  static const llvm::StringSet<> Names{
      "memcpy",   "memmove",  "mempcpy",     "memset",   "explicit_bzero", "strcpy",  "strncpy", "stpcpy",
      "stpncpy",  "strcat",   "strncat",     "strlcpy",  "strlcat",        "read",    "pread",   "getcwd",
      "realpath", "readlink", "longjmp",     "poll",     "wcscpy",         "wcsncpy", "wcscat",  "wmemcpy",
      "wmemmove", "wmemset",  "gethostname", "mbstowcs", "wcstombs",       "wcpcpy",  "pread64"};
  return Names;
}

/// With an underscore or two, as headers of the C library call its own.
static const llvm::StringSet<> &underscored() {
  static const llvm::StringSet<> Names{"strdup",  "strndup",   "strtok_r", "stpcpy",
                                       "mempcpy", "rawmemchr", "strsep",   "memcpy"};
  return Names;
}

llvm::StringRef mpishm::ir::canonicalName(llvm::StringRef Name) {
  llvm::StringRef Plain = Name;
  if (Plain.consume_front("__isoc99_") || Plain.consume_front("__isoc23_"))
    return Plain;
  if (Plain.consume_front("__libc_") &&
      (Plain == "malloc" || Plain == "calloc" || Plain == "realloc" || Plain == "free" || Plain == "memalign"))
    return Plain;
  Plain = Name;
  if (Plain.consume_front("__") && Plain.consume_back("_chk") && checked().contains(Plain))
    return canonicalName(Plain);
  Plain = Name;
  if (Plain.consume_front("__") && underscored().contains(Plain))
    return Plain;
  Plain = Name;
  if (Plain.consume_back("_unlocked") && findLibraryRow(Plain))
    return Plain;
  Plain = Name;
  return Plain.consume_back("64") && largeFile().contains(Plain) ? Plain : Name;
}

std::string mpishm::ir::plainName(llvm::StringRef Name) {
  std::string Mangled = Name.str(); // which the parts are read from
  llvm::ItaniumPartialDemangler Parts;
  if (Parts.partialDemangle(Mangled.c_str()))
    return Mangled;
  auto Text = [&](char *(llvm::ItaniumPartialDemangler::*Get)(char *, size_t *) const) {
    char *Made = (Parts.*Get)(nullptr, nullptr);
    std::string Result = Made ? Made : "";
    std::free(Made);
    return Result;
  };
  using D = llvm::ItaniumPartialDemangler;
  if (!Parts.isFunction())
    return Text(&D::finishDemangle);
  std::string Scope = Text(&D::getFunctionDeclContextName), Base = Text(&D::getFunctionBaseName);
  return Scope.empty() ? Base : Scope + "::" + Base;
}

/// \p Name with the arguments of templates left out where they are long: "Solver<...>::run".
static std::string withoutLongArguments(const std::string &Name) {
  constexpr size_t Long = 30;
  std::string Result;
  for (size_t I = 0; I < Name.size(); ++I) {
    Result += Name[I];
    if (Name[I] != '<' || I == 0 || !llvm::isAlnum(Name[I - 1]))
      continue;
    size_t End = I + 1;
    for (size_t Depth = 1; End < Name.size(); ++End) {
      Depth += (Name[End] == '<') - (Name[End] == '>');
      if (Depth == 0)
        break;
    }
    if (End == Name.size()) // an operator's name is among them
      return Name;
    if (End - I > Long) {
      Result += "...";
      I = End - 1;
    }
  }
  return Result;
}

std::string mpishm::ir::withPlainNames(llvm::StringRef Text) {
  std::string Result;
  auto IsOfName = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; };
  while (!Text.empty()) {
    llvm::StringRef Word = Text.take_while(IsOfName);
    if (Word.empty())
      Word = Text.take_front();
    Result += Word.starts_with("_Z") ? withoutLongArguments(plainName(Word)) : Word.str();
    Text = Text.drop_front(Word.size());
  }
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of small sources, parsed with the MPI library of this machine and with one whose handles are pointers.

#ifndef MPISHM_TEST_UNIT_COLLECT_FIXTURE_H
#define MPISHM_TEST_UNIT_COLLECT_FIXTURE_H

#include "collect/Collect.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace mpishm::test {

/// A folder that goes when the test ends.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  /// Writes \p Name and gives its path.
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const;
  std::string path() const { return std::string(Path); }

private:
  llvm::SmallString<128> Path;
};

/// A database whose commands are given.
class Commands : public clang::tooling::CompilationDatabase {
public:
  void add(const std::string &Directory, const std::string &File, std::vector<std::string> Line) {
    All.emplace_back(Directory, File, std::move(Line), "");
  }
  std::vector<clang::tooling::CompileCommand> getCompileCommands(llvm::StringRef File) const override;

private:
  std::vector<clang::tooling::CompileCommand> All;
};

/// What one source says.
class Facts {
public:
  UnitFacts Unit;
  std::string Errors; ///< empty when it compiled

  /// True when some line of the dump begins with \p Start (places are at the lines' ends).
  bool has(llvm::StringRef Start) const;
  std::string dump() const;
};

enum class Language { C, Cxx };

/// The facts of \p Code with the MPI library of this machine: it is put behind `#include <mpi.h>`.
Facts collect(Language L, llvm::StringRef Code, std::vector<std::string> Flags = {});

/// Tests that must come out the same whatever the MPI library's handles are.
enum class Library { Installed, Pointers };
class AnyLibrary : public testing::TestWithParam<Library> {
protected:
  Facts collect(Language L, llvm::StringRef Code, const std::vector<std::string> &Flags = {});
};

} // namespace mpishm::test

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The message classes of small programs, as text.

#ifndef MPISHM_TEST_UNIT_SOLVE_FIXTURE_H
#define MPISHM_TEST_UNIT_SOLVE_FIXTURE_H

#include "classes/Classes.h"
#include "extract/Extract.h"
#include "lower/Fixture.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm::test {

class ProgramTest : public testing::Test {
protected:
  /// Adds a unit: \p Text stands behind `#include <mpi.h>`, which is its first line.
  void add(llvm::StringRef Name, llvm::StringRef Text, std::vector<std::string> Flags = {}) {
    std::optional<LoweredUnit> U = Files.lower(Name, "#include <mpi.h>\n" + Text.str(), std::move(Flags));
    ASSERT_TRUE(U) << Files.Errors;
    Units.push_back(ir::extract(*U));
  }
  /// The classes of the program that the units are.
  std::string classes(const ir::ClassesOptions &Options = {}) {
    std::vector<const ir::Unit *> All;
    for (const ir::Unit &U : Units)
      All.push_back(&U);
    std::string Result;
    llvm::raw_string_ostream Out(Result);
    dump(ir::findClasses(All, Options), Out);
    return Result;
  }
  /// Of a program of one unit.
  std::string classesOf(llvm::StringRef Name, llvm::StringRef Text) {
    Units.clear();
    add(Name, Text);
    return classes();
  }
  static bool has(llvm::StringRef Dump, llvm::StringRef Text) { return Dump.contains(Text); }

  /// The class in \p Dump that a call of \p Function is in.
  static std::string classWith(llvm::StringRef Dump, llvm::StringRef Function) {
    llvm::SmallVector<llvm::StringRef> Classes;
    Dump.split(Classes, "\nclass ");
    for (llvm::StringRef Class : Classes)
      if (Class.contains((" " + Function).str()))
        return Class.str();
    return "";
  }

  Sources Files;
  std::vector<ir::Unit> Units;
};

} // namespace mpishm::test

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR of small sources.

#ifndef MPISHM_TEST_UNIT_LOWER_FIXTURE_H
#define MPISHM_TEST_UNIT_LOWER_FIXTURE_H

#include "lower/Lower.h"
#include "llvm/ADT/SmallString.h"
#include "gtest/gtest.h"

namespace mpishm::test {

/// Files of one test, in memory's place: a folder that goes when the test ends.
class Sources {
public:
  Sources();
  ~Sources();
  Sources(const Sources &) = delete;
  Sources &operator=(const Sources &) = delete;
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const;
  std::string folder() const { return Path.str().str(); }

  /// What the compiler is run with, in that folder, for \p Text as a source called \p Name.
  std::optional<std::vector<std::string>> command(llvm::StringRef Name, llvm::StringRef Text,
                                                  std::vector<std::string> Flags = {}) const;

  /// The IR of \p Text, as a source called \p Name, compiled with \p Flags by the MPI compiler of this machine.
  std::optional<LoweredUnit> lower(llvm::StringRef Name, llvm::StringRef Text, std::vector<std::string> Flags = {});
  std::string Errors;

private:
  llvm::SmallString<128> Path;
  Lowering Units;
};

/// "LINE:FUNCTION" of the sites that \p U calls, in order and each once, a function's name followed by '!' where a
/// function of MPI is called or used without a mark.
std::vector<std::string> callsIn(const LoweredUnit &U);

} // namespace mpishm::test

#endif

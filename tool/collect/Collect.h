// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage `collect`: from source files to facts.

#ifndef MPISHM_TOOL_COLLECT_COLLECT_H
#define MPISHM_TOOL_COLLECT_COLLECT_H

#include "constraints/Constraints.h"
#include "facts/Facts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace clang::tooling {
class CompilationDatabase;
}
namespace llvm {
class raw_ostream;
}

namespace mpishm {

struct CollectOptions {
  unsigned Jobs = 0; ///< units parsed at a time; 0: one for each core
  std::string Cache; ///< folder that keeps facts from one run to the next (Cache.h); empty: none
  /// When set, called before each unit is parsed, from any thread but by one at a time: its number, from 1, how many
  /// there are, and its file.
  std::function<void(unsigned Number, unsigned All, llvm::StringRef File)> Progress;
  /// When set, called in the same way with what the compiler says of a unit that does not compile, as soon as it does.
  std::function<void(llvm::StringRef Errors)> Failed;
  /// When set, gets the constraints of each unit whose facts are returned, in the same order.
  std::vector<ir::Unit> *Code = nullptr;
  std::vector<UnitSources> *Sources = nullptr; ///< when set, gets one for each unit
  /// When set, gets the real paths of the files that units which are left out consist of, the system's apart.
  std::vector<std::string> *UnreadFiles = nullptr;
};

/// The facts of the units of \p Sources: one for each command that \p Database has for a source, in the order given
/// whatever Jobs is. Units that have nothing to do with MPI, nor with those that have (see Scan.h), are left out
/// unread. When a unit cannot be read, does not compile or has no command, Clang's own errors go to \p Errors (of the
/// first ten such units) and the result is an error that names the first one. Keeps no AST.
llvm::Expected<std::vector<UnitFacts>> collectFacts(const clang::tooling::CompilationDatabase &Database,
                                                    llvm::ArrayRef<std::string> Sources, const CollectOptions &Options,
                                                    llvm::raw_ostream &Errors);

/// Prints \p Facts for people and tests, one line each.
void dumpFacts(const UnitFacts &Facts, llvm::raw_ostream &Out);

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of conditionals by which compilers tell themselves apart. The program's own compiler, which need not be
// Clang, may take another branch than the tool does with the same command.

#ifndef MPISHM_TOOL_READINGS_COMPILERBRANCHES_H
#define MPISHM_TOOL_READINGS_COMPILERBRANCHES_H

#include "syntax/Places.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <utility>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace mpishm {

/// A file of the program's own that the unit has read, and what stands in it.
using FileText = std::pair<clang::FileID, llvm::StringRef>;
/// All of them.
std::vector<FileText> textsOfProgram(const Places &Where);

class CompilerBranches {
public:
  /// Of the unit that \p PP has read.
  explicit CompilerBranches(const clang::Preprocessor &PP);
  /// Learns from the directives of \p Texts, in whatever order they need, which macros follow from the compiler, since
  /// they are defined under such a condition or by such a macro.
  void learnAll(llvm::ArrayRef<FileText> Texts);
  /// The offsets in \p Text of directives that begin a branch which is such a one: #if, #elif, #else and relatives.
  llvm::DenseSet<unsigned> in(llvm::StringRef Text) const;

private:
  /// False: nothing new.
  bool learn(llvm::StringRef Text);
  bool tells(llvm::StringRef Name) const;
  bool tellsIn(llvm::StringRef Condition) const;

  llvm::StringSet<> Defines; ///< names that headers, sources or the command define
  llvm::StringSet<> Macros;  ///< that follow from the compiler
};

} // namespace mpishm

#endif

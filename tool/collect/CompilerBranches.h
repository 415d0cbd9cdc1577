// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of conditionals by which compilers tell themselves apart. The program's own compiler, which need not be
// Clang, may take another branch than the tool does with the same command.

#ifndef MPISHM_TOOL_COLLECT_COMPILERBRANCHES_H
#define MPISHM_TOOL_COLLECT_COMPILERBRANCHES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace mpishm {

class CompilerBranches {
public:
  /// Learns from the directives of \p Text which macros follow from the compiler, since they are defined under such a
  /// condition or by such a macro. Once for each file, and again where others may be needed for it. False: nothing new.
  bool learn(llvm::StringRef Text);
  /// The offsets in \p Text of directives that begin a branch which is such a one: #if, #elif, #else and relatives.
  llvm::DenseSet<unsigned> in(llvm::StringRef Text) const;

private:
  bool tells(llvm::StringRef Name) const;
  bool tellsIn(llvm::StringRef Condition) const;

  llvm::StringSet<> Macros;
};

} // namespace mpishm

#endif

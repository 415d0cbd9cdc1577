// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are made of the number of a line, so that each is another. Compilers count the lines of a macro's call in
// different ways.

#ifndef MPISHM_TOOL_READINGS_PASTEDNAMES_H
#define MPISHM_TOOL_READINGS_PASTEDNAMES_H

#include "readings/Readings.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace mpishm {

/// Of two texts of tokens, the stretches that differ.
struct Difference {
  size_t First, Last;             ///< of Clang's: [First, Last)
  size_t OthersFirst, OthersLast; ///< of the other's
};

/// Of names that differ, those that are only other names: both readings have them nowhere but where they are declared,
/// and in the same call of a macro behind that. They are found once somebody asks.
class PastedNames {
public:
  PastedNames(llvm::ArrayRef<ReadToken> Clangs, llvm::ArrayRef<ReadToken> Others, llvm::ArrayRef<Difference> Differ,
              const LiteralUses &Literals, const Places &Where)
      : Clangs(Clangs), Others(Others), Differ(Differ), Literals(Literals), Where(Where) {}
  /// Whether \p Here, a token of Clang's, and \p There are such.
  bool are(const ReadToken &Here, const ReadToken &There);

private:
  /// The call of a macro that is being read.
  struct Call {
    clang::SourceLocation At; ///< invalid outside of calls, and where nothing is known
    int Depth = 0;            ///< of parentheses, brackets and braces
    llvm::DenseMap<llvm::StringRef, llvm::StringRef> ByOurs, ByTheirs; ///< what it declares for all that follows in it
  };
  void read();
  void enterCall(clang::SourceLocation Loc);
  void readName(const ReadToken &Ours, llvm::StringRef Theirs, bool IsQualified);
  bool declare(llvm::StringRef Ours, llvm::StringRef Theirs);

  llvm::ArrayRef<ReadToken> Clangs, Others;
  llvm::ArrayRef<Difference> Differ;
  const LiteralUses &Literals;
  const Places &Where;
  Call In;
  llvm::DenseSet<llvm::StringRef> UsedHere, UsedThere; ///< elsewhere, too
  bool IsRead = false;
};

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program does more with the number of a line than to tell it. An edit must not move such a line.

#ifndef MPISHM_TOOL_READINGS_LINES_H
#define MPISHM_TOOL_READINGS_LINES_H

#include "syntax/Places.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace mpishm {

/// What a name that a macro pastes is declared as: that of a class or enumeration, of an enumerator that is found
/// beside its enumeration, or of another type or a variable.
enum class PastedAs { Tag, Enumerator, Other };

/// Which numbers and texts are only told: handed to a function that prints or an output stream, or beside `__FILE__`,
/// as in messages and sums of texts, numbers also where a function of the unit that is given them does no more with
/// them; or returned by a function, so that the analysis knows no more of one than that it is a text.
struct LiteralUses {
  std::vector<Place> LinesThatCount;          ///< where `__LINE__` in the program is not, nor in text; sorted
  llvm::DenseSet<clang::SourceLocation> Told; ///< where tokens that are stand, in files and macros
  /// The same of texts that a function of the program is handed by their address, or that a variable has at first which
  /// may have others, or is only handed on: the analysis knows of one how long it is, and no more. Of names of
  /// functions the former.
  llvm::DenseSet<clang::SourceLocation> Handed;
  /// Where macros paste the names of what they declare, unless another unit can name that.
  llvm::DenseMap<clang::SourceLocation, PastedAs> Pasted;
};
LiteralUses findLiteralUses(clang::ASTContext &Context, const Places &Where);

} // namespace mpishm

#endif

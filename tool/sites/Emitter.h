// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the facts of one unit down, each once.

#ifndef MPISHM_TOOL_SITES_EMITTER_H
#define MPISHM_TOOL_SITES_EMITTER_H

#include "facts/Facts.h"
#include "syntax/Places.h"
#include "llvm/ADT/StringSet.h"

namespace mpishm {

/// Not thread-safe.
class Emitter {
public:
  Emitter(UnitFacts &Into, const Places &P) : Facts(Into), Where(P) {}

  void call(Call C);
  void use(llvm::StringRef Function, bool GoesRound, clang::SourceLocation Loc);
  void define(llvm::StringRef Function, clang::SourceLocation Loc, bool IsMacro);
  void libraryFunction(LibraryFunction F);
  void body(llvm::StringRef Id);
  void ownFunctionType(llvm::StringRef Id);
  void convertedFunctionType(llvm::StringRef Id);
  void functionPointer(const FunctionPointerOrigin &O);

private:
  UnitFacts &Facts;
  const Places &Where;
  llvm::StringSet<> LibraryFunctions, Bodies, OwnFunctionTypes, ConvertedFunctionTypes, FunctionPointers;
};

} // namespace mpishm

#endif

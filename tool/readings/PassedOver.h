// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program tells its compiler in words that Clang does not know, and so passes over.

#ifndef MPISHM_TOOL_READINGS_PASSEDOVER_H
#define MPISHM_TOOL_READINGS_PASSEDOVER_H

#include "readings/Readings.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace mpishm {

/// Attributes in \p Clangs, the tokens of the program's files, and pragmas in \p Own, what its own compiler has
/// preprocessed, that Clang does not know, and that are not known only to help compilers.
std::vector<Reading> findPassedOver(llvm::ArrayRef<ReadToken> Clangs, llvm::StringRef Own,
                                    const clang::ASTContext &Context, const Places &Where);

} // namespace mpishm

#endif

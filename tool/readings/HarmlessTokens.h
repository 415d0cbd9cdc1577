// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands among a program's tokens and makes no other program of it.

#ifndef MPISHM_TOOL_READINGS_HARMLESSTOKENS_H
#define MPISHM_TOOL_READINGS_HARMLESSTOKENS_H

#include "readings/Readings.h"
#include "llvm/ADT/ArrayRef.h"

namespace mpishm {

bool isNumber(const ReadToken &T);
bool isFloating(const ReadToken &T);
bool isWord(const ReadToken &T);
/// How many tokens of \p Value, which begins with a parenthesis, there are up to where that is closed.
size_t sizeOfGroup(llvm::ArrayRef<ReadToken> Value);

/// Takes out what only helps compilers, and makes of statements that do nothing empty ones.
void dropHarmless(std::vector<ReadToken> &All, const clang::LangOptions &Language);

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program may ask its compiler that each answers in its own way, or that an edit would change.

#ifndef MPISHM_TOOL_READINGS_OWNANSWERS_H
#define MPISHM_TOOL_READINGS_OWNANSWERS_H

#include "readings/Readings.h"
#include "llvm/ADT/ArrayRef.h"

namespace mpishm {

/// What of \p Tokens, Clang's of the program's files, asks for something that another compiler may answer otherwise,
/// but where the answer is only told, or a function's name that is only handed on (\p Literals).
std::vector<Reading> findOwnAnswers(llvm::ArrayRef<ReadToken> Tokens, const LiteralUses &Literals,
                                    clang::ASTContext &Context, const Places &Where);

/// True when they may ask for the number of a line other than by `__LINE__`: where a call stands, say.
bool asksForLines(llvm::ArrayRef<ReadToken> Tokens);

} // namespace mpishm

#endif

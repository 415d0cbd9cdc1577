// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_SYNTAX_WHOLECALLS_H
#define MPISHM_TOOL_SYNTAX_WHOLECALLS_H

#include "facts/PointerFacts.h"
#include "syntax/Places.h"
#include "clang/AST/Expr.h"

namespace mpishm {

/// Where \p Call stands as a whole, or, when it comes from a macro that adds parentheses and casts, \p Outer, which is
/// the call with these (may be null). None where the text cannot have another call around it: a part of a macro's body
/// or of its argument, a call that preprocessor directives cut.
std::optional<WholeCall> wholeCall(const clang::CallExpr *Call, const clang::Expr *Outer,
                                   const clang::FunctionDecl *Enclosing, const clang::LangOptions &Language,
                                   const Places &Where);

/// True when \p Text has a line in it that is a directive of the preprocessor.
bool hasDirective(llvm::StringRef Text);

} // namespace mpishm

#endif

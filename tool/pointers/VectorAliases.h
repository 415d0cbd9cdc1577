// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types of vectors: `using Numbers = std::vector<double>;`. What is declared by one of them has its type where
// that is written, as several variables of one declaration have.

#ifndef MPISHM_TOOL_POINTERS_VECTORALIASES_H
#define MPISHM_TOOL_POINTERS_VECTORALIASES_H

#include "clang/AST/Decl.h"
#include "clang/AST/TypeLoc.h"

namespace mpishm {

/// True for a name of a vector of numbers for which `std::vector<T>` is written, in a namespace: what is declared in a
/// class a template may find by its name alone.
bool isVectorAlias(const clang::TypedefNameDecl *D);

/// The name of such an alias, where \p Written is nothing more; or none.
clang::TypedefTypeLoc aliasWrittenIn(clang::TypeLoc Written);

} // namespace mpishm

#endif

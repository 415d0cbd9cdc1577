// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of declarations that are the same in every translation unit that sees them.

#ifndef MPISHM_TOOL_SYNTAX_IDS_H
#define MPISHM_TOOL_SYNTAX_IDS_H

#include "syntax/Places.h"
#include "clang/AST/Decl.h"
#include <string>

namespace mpishm {

/// The Id of \p D: its USR, those of instantiations being their template's where that is defined; what has no linkage
/// is told apart by where it stands.
std::string idOf(const clang::Decl *D, const Places &Where);

/// The Id that \p F, an instantiation, has in units that do not see its template's definition.
std::string instantiationId(const clang::FunctionDecl *F, const Places &Where);

/// The Id of calls through a pointer to a function of type \p Type.
std::string indirectId(clang::QualType FunctionType);

/// The function that \p F is an instantiation of, or its canonical declaration.
const clang::FunctionDecl *patternOf(const clang::FunctionDecl *F);

/// As a user would call it: "Halo::comm", "parameter 'comm' of exchange".
std::string nameOf(const clang::ValueDecl *D);

} // namespace mpishm

#endif

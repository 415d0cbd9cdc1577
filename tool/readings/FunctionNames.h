// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a C++ program hands `__PRETTY_FUNCTION__` on and looks at it nowhere else: compilers have other texts there.

#ifndef MPISHM_TOOL_READINGS_FUNCTIONNAMES_H
#define MPISHM_TOOL_READINGS_FUNCTIONNAMES_H

#include "syntax/Places.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace mpishm {

/// Whether nobody computes \p F before the program runs, nor as part of its caller.
bool runsAsItStands(const clang::FunctionDecl &F);

/// Where `__PRETTY_FUNCTION__` stands that is given by its address to a function of the program which runs as it
/// stands, or to such a constructor, also a library's (`std::string`): in all that is made of a template, too. Of such
/// a text the analysis knows no more than that it is one.
llvm::DenseSet<clang::SourceLocation> findHandedNames(clang::ASTContext &Context, const Places &Where);

} // namespace mpishm

#endif

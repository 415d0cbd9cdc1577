// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ties a call in LLVM IR to its site in the source. Before code is generated, each direct use of a function of MPI
// is pointed at a declaration of its own, `MPI_Isend.site17`: the callee then names the site through templates,
// inlining and linking, where lines and columns would be ambiguous. Any other use keeps the function itself.

#ifndef MPISHM_TOOL_LOWER_MARKS_H
#define MPISHM_TOOL_LOWER_MARKS_H

#include "facts/Place.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace mpishm {

class Places;

/// A direct use of a function of MPI, by the places that Call has too.
struct SiteMark {
  std::string Function; ///< as spelled: "MPI_Isend", "PMPI_Isend", "MPISHM_Isend"
  Place Name;           ///< Call::Name
  Place Token;          ///< Call::Token
};

/// Points the direct calls in all of \p Context, in instances of templates too, at declarations of their own, and
/// returns what these stand for, by their numbers. Uses of one name at one place share a declaration. To be called once
/// for a unit that has been parsed to its end. \p Header becomes the real path of the file that declares the first of
/// the functions.
std::vector<SiteMark> markSites(clang::ASTContext &Context, const Places &Where, std::string &Header);

/// The function that the callee \p Symbol is, without its mark.
llvm::StringRef functionOfSymbol(llvm::StringRef Symbol);

/// The number of the site that the callee \p Symbol names; nothing when it has no mark.
std::optional<unsigned> siteOfSymbol(llvm::StringRef Symbol);

} // namespace mpishm

#endif

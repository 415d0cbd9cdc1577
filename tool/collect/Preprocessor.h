// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the preprocessor sees of a unit.

#ifndef MPISHM_TOOL_COLLECT_PREPROCESSOR_H
#define MPISHM_TOOL_COLLECT_PREPROCESSOR_H

#include "syntax/Places.h"
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace mpishm {

/// Locations, not places: which headers are a library's is known at the end only.
struct Preprocessed {
  std::vector<std::pair<std::string, clang::SourceLocation>> Macros;     ///< definitions of names of MPI functions
  std::vector<clang::SourceLocation> Includes;                           ///< of mpi.h
  std::vector<std::pair<clang::SourceLocation, clang::FileID>> Bringers; ///< headers through which mpi.h comes
  std::vector<clang::FileID> BeganWithoutMpi, EndedWithoutMpi;
  std::vector<clang::SourceLocation> InMacros;     ///< names of MPI functions in macros' bodies
  std::vector<clang::SourceLocation> MemoryMacros; ///< definitions of malloc, new and relatives
  std::vector<clang::SourceLocation> EditMacros;   ///< of what edits say behind mpishm::
  std::vector<clang::SourceRange> Skipped;         ///< branches that were not taken, from '#' to '#'
  llvm::StringSet<> Undefined;                     ///< functions of MPI whose names an #undef ends
  bool HasLines = false;                           ///< `__LINE__` is used, other than by a system's macro
  SpecialNames Special;
  /// Names of MPI functions that a macro pasted together, and the definitions of macros that print them, or make other
  /// names of them.
  std::set<std::pair<std::string, clang::SourceLocation>> Remade;
  std::set<std::string> Folders; ///< UnitFacts::HeaderFolders
};

/// Callbacks that fill \p Into, which must outlive them.
std::unique_ptr<clang::PPCallbacks> watchPreprocessor(clang::Preprocessor &PP, Preprocessed &Into);

/// Adds to \p Facts, which has the unit's Readings, the names in the program's files, skipped and read, of functions
/// that decisions depend on.
void addMentions(const Preprocessed &Seen, const Places &Where, const clang::Preprocessor &PP, UnitFacts &Facts);

/// True when a name that stands in the program's files, outside of branches that were skipped, may be one of those that
/// mpi.h declares.
bool hasNamesOfMpi(const Preprocessed &Seen, const Places &Where, clang::Preprocessor &PP);

/// Adds to \p Facts, which has the unit's calls, the names that a macro prints, as tokens of the unit's own file.
void addNames(const Places &Where, const clang::LangOptions &Language, UnitFacts &Facts);

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From Clang's source locations to places in files, through macros.

#ifndef MPISHM_TOOL_SYNTAX_PLACES_H
#define MPISHM_TOOL_SYNTAX_PLACES_H

#include "facts/Facts.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace clang {
class FunctionDecl;
class LangOptions;
} // namespace clang

namespace mpishm {

/// Where the name of a call stands and whether it can be replaced there.
struct NamePlace {
  Place Where; ///< in a file: of the macro's expansion, when the name comes from a body
  Place Token; ///< where it is spelled
  Editability Edit = Editability::Editable;
  Place Cause;           ///< the macro's body or definition, for what is not editable
  std::string CauseName; ///< the macro's name
};

/// Names in arguments of which a macro makes a string, or another name: where they are spelled, and where that macro is
/// defined.
struct SpecialNames {
  llvm::DenseMap<clang::SourceLocation, clang::SourceLocation> Stringized, Pasted;
  llvm::DenseSet<clang::SourceLocation> Expanded; ///< of those made strings of: also after macros in them are expanded
};

/// Whether the file of \p Loc is the system's, or was included as such (-isystem); isSystemFile() goes by where it
/// lies. That a file of the program's says so of itself, as some do against warnings (`#pragma GCC system_header`),
/// does not make it so.
bool isInSystemFile(clang::SourceLocation Loc, const clang::SourceManager &SM);

/// Places of one translation unit. Not thread-safe.
class Places {
public:
  /// \p Names must outlive this.
  Places(const clang::SourceManager &Manager, const clang::LangOptions &Language, const SpecialNames &Names)
      : SM(Manager), Options(Language), Special(Names) {}

  /// The place in a file: of the text as written, or of the macro's expansion.
  Place at(clang::SourceLocation Loc) const;

  /// Where the name token at \p Loc stands, which is the text \p Name if it can be replaced. Comments that ask to keep
  /// it are not looked at.
  NamePlace ofName(clang::SourceLocation Loc, llvm::StringRef Name) const;

  /// Call::Host for a call whose name stands at \p At, in \p Enclosing (may be null).
  std::optional<Place> hostOf(const NamePlace &At, const clang::FunctionDecl *Enclosing) const;

  /// The macro whose *body* the text at \p Loc comes from, the innermost one; empty when it comes from none.
  llvm::StringRef macroOf(clang::SourceLocation Loc) const;

  /// Says that the headers below \p Directory belong to the MPI library.
  void setMpiDirectory(std::string Directory) { MpiDirectory = std::move(Directory); }

  /// True for headers of the system, of the MPI library, and our own: what stands there is not the program's. Also for
  /// files of which only the macros are taken (-imacros).
  bool isLibrary(clang::SourceLocation Loc) const;

  /// Real path of the file, symlinks resolved; empty when it is none on disk.
  llvm::StringRef fileOf(clang::FileID File) const;

  const clang::SourceManager &sources() const { return SM; }

private:
  bool isForMacrosOnly(clang::FileID File) const;

  const clang::SourceManager &SM;
  const clang::LangOptions &Options;
  const SpecialNames &Special;
  std::string MpiDirectory;
  mutable llvm::DenseMap<clang::FileID, std::string> Paths;
  mutable llvm::DenseMap<clang::FileID, bool> OnlyMacros;
};

} // namespace mpishm

#endif

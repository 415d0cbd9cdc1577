// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which translation units are read, and how they are compiled.

#ifndef MPISHM_TOOL_DRIVER_SOURCES_H
#define MPISHM_TOOL_DRIVER_SOURCES_H

#include "driver/Options.h"
#include "edit/Edit.h"
#include "program/Decisions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mpishm {

struct SourceSet {
  std::unique_ptr<clang::tooling::CompilationDatabase> Database;
  std::vector<std::string> Files; ///< to read, as the database knows them
  std::string Folder;             ///< real path of the database's folder
  std::string Root; ///< real path of the deepest folder that holds all Files and where they are configured
  std::vector<std::string> DatabaseFiles; ///< real path of the database, when it is a file
  llvm::StringMap<std::string> AsGiven;   ///< real paths of the sources that the user named, as he wrote them
  ProgramContext Context;
  std::vector<Finding> Remarks; ///< on sources that are skipped
};

/// The deepest folder that holds both folders.
std::string commonFolder(llvm::StringRef A, llvm::StringRef B);

/// A warning for each of \p Files that the build makes: one in a build folder of CMake or Meson where not all of the
/// program is, and one beside a template of its name and `.in`. With \p Copied they are edited in a copy of the
/// program.
std::vector<Finding> findGenerated(const std::vector<EditedFile> &Files, const SourceSet &Sources, bool Copied);

/// The sources of \p Units that are in such a build folder, and not among \p Files: a copy of the program has none.
std::vector<std::string> findMissing(llvm::ArrayRef<UnitSources> Units, llvm::ArrayRef<EditedFile> Files,
                                     const SourceSet &Sources);

/// A remark for each of \p Files that is a copy of a file in a folder above it which is not compiled itself. With
/// \p Edit that one is added to \p Files, with the same edits.
std::vector<Finding> findOriginals(std::vector<EditedFile> &Files, const SourceSet &Sources, bool Edit);

/// Finds the database and the sources that \p O asks for.
llvm::Expected<SourceSet> findSources(const Options &O);

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the program is compiled: its compilation database, or the flags of the command line.

#ifndef MPISHM_TOOL_DRIVER_DATABASE_H
#define MPISHM_TOOL_DRIVER_DATABASE_H

#include "driver/Options.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mpishm {

struct CommandSource {
  std::unique_ptr<clang::tooling::CompilationDatabase> Database;
  std::string Folder; ///< real path of the database's folder
  std::string File;   ///< real path of the database; empty when the flags were given
};

/// The real path, or the absolute one when there is no such file.
std::string realPathOf(llvm::StringRef Path);

/// Finds and reads the database that \p O asks for, cut down to the objects that it names.
llvm::Expected<CommandSource> openDatabase(const Options &O);

} // namespace mpishm

#endif

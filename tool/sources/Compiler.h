// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a command of the compilation database to one that Clang's library parses as the compiler would.

#ifndef MPISHM_TOOL_SOURCES_COMPILER_H
#define MPISHM_TOOL_SOURCES_COMPILER_H

#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mpishm {

/// The folder, in memory only, that has our mpishm.h for sources that include it already.
llvm::StringRef getVirtualIncludeDirectory();

/// The folder, in memory only, that leads to those of GCC's headers which Clang has not, and programs include: omp.h.
llvm::StringRef getGccIncludeDirectory();

/// The text of mpishm.h that the tool carries.
llvm::StringRef getRuntimeHeader();

/// The real file system with these folders on top, and what CMake precompiles as one of the program's own headers, for
/// the command \p Arguments. Has a working directory of its own, so each thread takes one.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(llvm::ArrayRef<std::string> Arguments);

/// Runs \p Action on the unit that \p Arguments, adjusted (see below), compile in \p Directory; where \p Instead is
/// given, that text stands in place of the file of its name. What is wrong goes to \p Errors; false: it does not
/// compile.
bool runOnUnit(const std::vector<std::string> &Arguments, const std::string &Directory,
               std::unique_ptr<clang::FrontendAction> Action, llvm::raw_ostream &Errors,
               std::optional<llvm::MemoryBufferRef> Instead = std::nullopt);

/// The folder with Clang's builtin headers: where the installation has put them, of the LLVM that the tool was built
/// with, or of the clang in PATH. An error when none of them has stddef.h.
llvm::Expected<std::string> findResourceDirectory();

/// \p Command without what stands before the compiler: launchers (ccache, say), and libtool with its options.
std::vector<std::string> dropLaunchers(std::vector<std::string> Command);

/// The file \p Name as \p Command means it: absolute, without dots.
std::string fileOf(const clang::tooling::CompileCommand &Command, llvm::StringRef Name);

/// Drops from \p Command what says which other files than an object it writes (`-aux-info FILE`, `-MF FILE`), and hands
/// what it hands to its preprocessor (`-Wp,-DA`) to the compiler.
void dropWritten(clang::tooling::CompileCommand &Command);

/// Drops from \p Command the sources other than its own, and its own if it names it again: some programs are made by
/// one command of all their sources (`mpicc a.c b.c -o program`), which is then in the database for each of them.
void dropOtherSources(clang::tooling::CompileCommand &Command);

/// \p Command, of Clang, with precompiled headers read as text: of what is in a file of Clang's, the preprocessor would
/// see nothing. Clang's driver looks for one beside each header that the command includes; the parser itself does not.
std::vector<std::string> withoutPrecompiled(const std::vector<std::string> &Command);

/// The first option of \p Command of which Clang's driver knows nothing, or knows that Clang cannot do it, and that may
/// be about the language (-f...), not only about optimisation; else empty.
std::string findOptionPassedOver(const clang::tooling::CompileCommand &Command);

/// Adjusts commands. Asks each MPI compiler wrapper once. Thread-safe.
class Compilers {
public:
  explicit Compilers(std::string Resources) : ResourceDirectory(std::move(Resources)) {}

  /// The arguments, from argv[0], for parsing the unit of \p Command only. An error when its MPI wrapper fails.
  llvm::Expected<std::vector<std::string>> adjust(const clang::tooling::CompileCommand &Command);

private:
  /// Compiling flags that a wrapper adds, or why it could not be asked.
  struct Answer {
    std::vector<std::string> Flags;
    std::string Error;
  };
  const Answer &ask(llvm::StringRef Wrapper, llvm::StringRef Directory);

  std::string ResourceDirectory;
  std::mutex Mutex;
  llvm::StringMap<Answer> Answers;
};

} // namespace mpishm

#endif

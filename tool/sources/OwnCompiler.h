// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of a command, which the tool's Clang stands in for, asked what it reads.

#ifndef MPISHM_TOOL_SOURCES_OWNCOMPILER_H
#define MPISHM_TOOL_SOURCES_OWNCOMPILER_H

#include "sources/TemporaryFolder.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <string>
#include <vector>

namespace mpishm {

/// What a compiler's preprocessor knows before it reads anything.
struct Predefined {
  std::vector<std::string> Definitions; ///< of macros, each as it stands after `#define `
  std::vector<std::string> Missing; ///< of what Clang's preprocessor answers (`__has_feature`), what this one does not
};

/// Asks compilers. Thread-safe.
class OwnCompilers {
public:
  OwnCompilers() = default;
  OwnCompilers(const OwnCompilers &) = delete;
  OwnCompilers &operator=(const OwnCompilers &) = delete;

  /// The source of \p Command after its own compiler has preprocessed it, with its line markers; our mpishm.h is there
  /// for who includes it. An error when the compiler is not here, or refuses.
  llvm::Expected<std::string> preprocess(const clang::tooling::CompileCommand &Command);

  /// What the preprocessor of \p Command's compiler has predefined, by that command. An error as above.
  llvm::Expected<Predefined> predefined(const clang::tooling::CompileCommand &Command);

  /// What its compiler says of its version, asked once; empty when it cannot be asked.
  const std::string &versionOf(const clang::tooling::CompileCommand &Command);

private:
  std::string headerFolder();
  llvm::Expected<std::string> preprocess(const clang::tooling::CompileCommand &Command,
                                         llvm::ArrayRef<std::string> More);

  std::mutex Mutex;
  llvm::StringMap<std::string> Versions; ///< by program
  TemporaryFolder Folder;                ///< has our mpishm.h, and the question below
};

} // namespace mpishm

#endif

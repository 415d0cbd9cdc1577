// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
///
/// \file
/// A folder of files that nobody else sees, for as long as its owner lives.

#ifndef MPISHM_TOOL_SOURCES_TEMPORARYFOLDER_H
#define MPISHM_TOOL_SOURCES_TEMPORARYFOLDER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <system_error>

namespace mpishm {

/// Made when it is asked for, where the system has temporary files, and removed by the destructor, or when a signal
/// ends the process (SIGHUP, SIGINT, SIGQUIT or SIGTERM; of several folders then the last that was made). Not
/// thread-safe.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() { remove(); }

  /// Makes the folder, once.
  std::error_code make();

  /// Puts a file with \p Text into the folder, which has been made.
  std::error_code add(llvm::StringRef Name, llvm::StringRef Text);

  /// Removes the folder with what is in it, if it has been made.
  void remove();

  /// Empty when it has not been made.
  const std::string &path() const { return Path; }

private:
  std::string Path;
};

} // namespace mpishm

#endif

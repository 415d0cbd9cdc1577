// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which units have nothing to do with MPI, found out without parsing them.
//
// Two units can only meet at a name with external linkage that both of them mention. So a unit need not be read when it
// does not include mpi.h, mentions no MPI name, and mentions none of the names that the units which are read declare.
// To mention means here that the characters stand anywhere in its files, be it in a comment, which errs on the safe
// side.

#ifndef MPISHM_TOOL_SOURCES_SCAN_H
#define MPISHM_TOOL_SOURCES_SCAN_H

#include "clang/Tooling/DependencyScanning/DependencyScanningService.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <string>
#include <vector>

namespace mpishm {

/// Hashes of names. That two names have the same one would only cause a unit to be read in vain.
using NameSet = llvm::DenseSet<uint64_t>;
uint64_t hashOfName(llvm::StringRef Name);

/// True for the headers of the system and its compilers, in which no unit of a program is declared.
bool isSystemFile(llvm::StringRef Path);

/// What stands in one file.
struct FileMentions {
  std::vector<uint64_t> Names; ///< each once
  bool MpiName = false;        ///< one that begins with MPI_, PMPI_ or MPISHM_
  bool Replaces = false;       ///< operator new or delete: by these units meet that mention no name of each other
  bool Pastes = false;         ///< it has ##, so that it may make names that do not stand in it
};

/// What is known of one unit.
struct UnitScan {
  bool MustRead = true;                    ///< it has to do with MPI, or could not be scanned
  bool Refused = false;                    ///< Clang's preprocessor refuses it, as where it lacks a header
  std::vector<const FileMentions *> Files; ///< its own, and those it includes; the system's headers apart
  std::vector<std::string> Paths;          ///< the same, and always all: absolute, as the compiler names them
  /// With the system's; empty where it is not known which all are.
  std::vector<std::string> AllPaths;
};

/// Scans units. Each header is read once for all of them.
class Scanner {
public:
  Scanner();

  /// Scans the unit of the command \p Arguments, run in \p Directory. Thread-safe.
  UnitScan scan(const std::vector<std::string> &Arguments, const std::string &Directory);

  /// For each of \p Units whether it mentions a name of \p Names.
  std::vector<bool> mentioning(const std::vector<const UnitScan *> &Units, const NameSet &Names) const;

private:
  const FileMentions *mentionsOf(const std::string &Path);
  const FileMentions *mentionsOfDefinitions(llvm::ArrayRef<std::string> Arguments);

  clang::tooling::dependencies::DependencyScanningService Service;
  std::mutex Mutex;
  llvm::StringMap<FileMentions> Files; ///< by path
};

} // namespace mpishm

#endif

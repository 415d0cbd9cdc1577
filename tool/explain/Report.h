// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told: every site left alone, why, and a summary.

#ifndef MPISHM_TOOL_EXPLAIN_REPORT_H
#define MPISHM_TOOL_EXPLAIN_REPORT_H

#include "match/Decisions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace mpishm {

/// How files are called in messages.
class PathNames {
public:
  /// \p AsGiven maps real paths to what the user wrote; \p Folder is the current directory (a real path). Files below
  /// it are called by their relative paths.
  PathNames(std::string Folder, llvm::StringMap<std::string> AsGiven);
  std::string nameOf(llvm::StringRef RealPath) const;

private:
  std::string Folder;
  llvm::StringMap<std::string> AsGiven;
};

/// Prints findings and summary in Clang's form. Reads source files to quote the line that a finding is about; a file
/// that cannot be read is not quoted. Not thread-safe.
class Report {
public:
  Report(const Decisions &D, const PathNames &Names, llvm::raw_ostream &Out) : D(D), Names(Names), Out(Out) {}

  /// Every finding, with the sites left alone because of it.
  void printFindings();

  /// Only the findings that are errors.
  void printErrors();

  /// One line: "rewrote N of M sites in K files; left L: 3 mpishm-wildcard-receive, ...".
  /// \p Files: how many files the edits touch; \p Verb: "rewrote" or "would rewrite".
  void printSummary(unsigned Files, llvm::StringRef Verb);

private:
  void printFinding(const Finding &F, llvm::ArrayRef<const Site *> Left);
  void printAt(const Place &Where, llvm::StringRef Level, llvm::StringRef Text, llvm::StringRef Id);
  void quote(const Place &Where);

  const Decisions &D;
  const PathNames &Names;
  llvm::raw_ostream &Out;
  llvm::StringMap<std::string> Contents;
};

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run of the rewritten program moved and how long it waited, as MPISHM_STATS=FILE.json wrote it
// (docs/reference.md), put beside the sites.

#ifndef MPISHM_TOOL_EXPLAIN_RUN_H
#define MPISHM_TOOL_EXPLAIN_RUN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpishm {

struct ReportData;

/// What went one way. The path is called as in the file: "eager", "window", ...
struct RunTally {
  uint64_t Messages = 0, Bytes = 0;
};
using RunTallies = std::map<std::string, RunTally>;

struct RunCounts {
  uint64_t Calls = 0;
  double Seconds = 0; ///< inside the calls, of all ranks together
  RunTallies Sent, Received;
};

struct RunCall : RunCounts {
  std::string Function; ///< "MPISHM_Isend"
  std::string Place;    ///< for people
  std::string File;     ///< as the compiler was given it; empty when not known
  uint32_t Line = 0;    ///< from 1, in the text that was compiled
  double MostSeconds = 0;
  unsigned MostRank = 0; ///< the rank that spent these
  /// Into ReportData::Sites, when it is one of them. (Completion calls are none.)
  std::optional<unsigned> Site;
};

struct RunData {
  std::string Library; ///< of MPI
  unsigned Ranks = 0, Nodes = 0;
  unsigned Reported = 0;     ///< less than Ranks when some did not reach MPI_Finalize
  double LongestSeconds = 0; ///< from attach to finalize, of the rank that took longest
  RunCounts Total;
  std::vector<RunCall> Calls; ///< most seconds first
};

/// Reads the file. Fails when it cannot be read, or is not what MPISHM_STATS writes.
llvm::Expected<RunData> readRun(llvm::StringRef FileName);

/// Finds the sites of \p Run's calls among those of \p Data, whose changes must have been added, and keeps it there. A
/// call is a site's when name, line and file name agree; of several files of that name it is the one that shares most
/// of the folders' names, since the run may have been of a copy.
void addRun(ReportData &Data, RunData Run);

/// The line of the changed text that line \p Line of the text before became, by the unified \p Diff of renames and
/// added includes.
uint32_t lineAfter(llvm::StringRef Diff, uint32_t Line);

/// What the path of that name is, for people.
llvm::StringRef describePath(llvm::StringRef Path);

} // namespace mpishm

#endif

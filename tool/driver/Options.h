// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line.

#ifndef MPISHM_TOOL_DRIVER_OPTIONS_H
#define MPISHM_TOOL_DRIVER_OPTIONS_H

#include "program/Decisions.h"
#include <optional>
#include <string>
#include <vector>

namespace mpishm {

/// Exit statuses.
enum Status : int {
  Done = 0,        ///< also when sites were left alone
  WouldChange = 1, ///< with --check
  Unusable = 2     ///< the input or the command line; nothing was written
};

struct Options {
  enum class Output { Diff, InPlace, Folder, Mirror, Check, Facts, Classes };
  Output What = Output::Diff;
  std::string Folder;               ///< for Output::Folder and Output::Mirror
  std::string Root;                 ///< what Output::Folder copies; empty: the deepest folder that will do
  std::string Database;             ///< -p; empty: search
  std::string Objects;              ///< file that lists the object files to which the database is cut down; empty: all
  std::string DependencyFile;       ///< for a rule on what the first of Reports depends on; empty: none
  std::vector<std::string> Sources; ///< empty: all of the database
  bool WholeProgram = false;        ///< Sources are a program by themselves, whatever else the database has
  bool OneJob = false;              ///< the programs of the database run in one MPI job
  std::vector<std::string> TrustedCalls;
  MoveBuffers Move = MoveBuffers::Messages;
  bool AllowChangedText = false; ///< rename calls although the program prints their text
  bool ExchangesOnly = false;    ///< leave blocking sends and receives that match only one another, and collectives
  Collectives Which = Collectives::All;
  OneSided Windows = OneSided::All;
  ZeroCopy Zero = ZeroCopy::Off;
  bool TrustCounts = false;   ///< loops that pack messages do not count to negative numbers
  bool Guarded = false;       ///< rewrite also what is not proved, for the net to guard
  bool EditOriginals = false; ///< edit also files that edited ones are copies of
  /// What stands after `--`, when that is there.
  std::optional<std::vector<std::string>> Flags;
  std::vector<std::string> Reports; ///< files, each with a suffix that writerFor knows
  std::string Statistics;           ///< of a run, for the .html among Reports; empty: none
  std::string Fixes;                ///< file for the edits as YAML; empty: none
  std::string Explain;              ///< a diagnostic's id: print its page and do nothing else; or a line of the program
  bool Undo = false;                ///< take the edits out of Sources again
  unsigned Jobs = 0;                ///< 0: one for each core
  std::string Cache;                ///< folder that keeps facts from one run to the next; empty: none
  bool Quiet = false;
  bool AllRemarks = false; ///< print each of them, not the first of each reason
};

/// Reads the command line. Prints what is wrong with it and returns nothing when it is unusable; ends the program after
/// --help and --version.
std::optional<Options> parseOptions(int Argc, const char **Argv);

} // namespace mpishm

#endif

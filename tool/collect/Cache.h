// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of units from an earlier run of the tool: a unit is parsed again only when something that its facts follow from
// is different.
//
// That is: the tool itself and its Clang; the command that Clang is given (which has the flags of the MPI compiler) and
// the folder it runs in; the version of the program's own compiler; and every file that Clang's dependency scanner
// finds the unit to read, the system's and those of __has_include too, in that order, by the name it has, the file that
// it leads to, and all that stands in it. The scanner runs each time, so that a new header which hides another one is
// seen. Dates count for nothing.

#ifndef MPISHM_TOOL_COLLECT_CACHE_H
#define MPISHM_TOOL_COLLECT_CACHE_H

#include "collect/Unit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <string>

namespace mpishm {

/// A folder with one file for each command, which holds the facts of its last run. Several processes may use it at the
/// same time; anything in it may be removed at any time. Thread-safe.
class FactsCache {
public:
  /// Makes \p Folder when it is not there.
  static llvm::Expected<std::unique_ptr<FactsCache>> open(llvm::StringRef Folder);

  /// The place of one unit's facts.
  struct Entry {
    std::string Path; ///< of the file; empty: this unit is not kept
    std::string Key;  ///< of all that the facts follow from
    llvm::ArrayRef<std::string> Files;
  };
  /// For the unit of the command \p Arguments, run in \p Directory, which reads \p Files, and whose own compiler is of
  /// the version \p Own. No files means that these are not known. They have to outlive the entry.
  Entry entryFor(llvm::ArrayRef<std::string> Arguments, llvm::StringRef Directory, llvm::StringRef Own,
                 llvm::ArrayRef<std::string> Files);

  /// Fills \p Known, its code too when it is to be \p WithCode. False when there is nothing with that key, or no code,
  /// or the file is damaged.
  bool read(const Entry &From, bool WithCode, UnitKnowledge &Known) const;

  /// Keeps it, unless one of the files has changed since entryFor looked at it. That this fails, as on a full disk,
  /// costs time only: nothing is left behind then.
  void write(const Entry &To, const UnitKnowledge &Known);

private:
  /// A file as it was when we first looked.
  struct State {
    std::string Text; ///< what the name leads to, and a hash of what stands there; empty: it cannot be read
    llvm::sys::TimePoint<> Time;
    uint64_t Size = 0;
  };
  explicit FactsCache(llvm::StringRef Where) : Folder(Where) {}
  const State &stateOf(const std::string &Path);

  std::string Folder;
  std::string Tool; ///< hash of this program, and Clang's version
  std::mutex Mutex;
  llvm::StringMap<State> States; ///< by path
};

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What another compiler's preprocessor has left of the program's files.

#ifndef MPISHM_TOOL_READINGS_OWNTEXT_H
#define MPISHM_TOOL_READINGS_OWNTEXT_H

#include "readings/Readings.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <string>
#include <vector>

namespace mpishm {

class OwnText {
public:
  /// A pragma: what stands after `#pragma`, and where as that compiler says.
  struct Pragma {
    std::string Text, File;
    unsigned Line;
  };

  OwnText(llvm::StringRef Preprocessed, const Places &Where);
  /// Their texts are this one's, and end with it.
  std::vector<ReadToken> tokens(const clang::LangOptions &Language);
  const std::vector<Pragma> &pragmas() const { return Pragmas; }

private:
  /// What is known of a file: whether it is the program's, and whether it says of itself that it is the system's, as
  /// some do against warnings. That tells nothing of the macros in it, then.
  struct Source {
    bool IsPrograms = false, ClaimsSystems = false;
  };
  Source sourceOf(llvm::StringRef Name, bool SaysSystem);
  void passLiterals(llvm::StringRef Line);
  bool addMarker(llvm::StringRef Line);
  llvm::StringRef nameOf(llvm::StringRef Written);

  std::string Folder;
  llvm::StringMap<Source> Known; ///< the files that Clang has read, by their real paths
  llvm::StringMap<Source> ByName;
  bool IsIn = false, IsSystems = false;
  std::string Text, File;
  std::string RawEnd; ///< what ends the raw string that the lines read so far end in, or empty
  unsigned Line = 0;
  std::deque<std::string> Cleaned; ///< names that are written in another way
  std::vector<Pragma> Pragmas;
  std::vector<size_t> Changes; ///< offsets at which the text begins, or ends, to be that of a macro of the system
};

} // namespace mpishm

#endif

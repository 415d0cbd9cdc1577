// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preprocessor directives of a file, without preprocessing it: what stands in which #if.

#ifndef MPISHM_TOOL_EDIT_DIRECTIVES_H
#define MPISHM_TOOL_EDIT_DIRECTIVES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mpishm {

/// A branch of a conditional: the lines between an #if, #elif or #else and the next of its kind.
struct Branch {
  static constexpr unsigned None = ~0u;
  uint32_t Begin = 0, End = 0; ///< offsets of the first byte after the opening directive, and of the closing one's '#'
  uint32_t After = 0;          ///< offset of the first byte after the line of the #endif
  unsigned First = 0;          ///< the first branch of the same conditional
  unsigned Parent = None;      ///< the branch around it, into FileDirectives::Branches
  bool Guard = false;          ///< an include guard: it is always entered
  /// The directives from the #if on that lead into this branch, one per line.
  std::vector<std::string> Opening;
};

/// An #include line.
struct IncludeLine {
  uint32_t Begin = 0, End = 0; ///< offsets of '#' and of the first byte after the directive's line
  std::string Name;            ///< what stands between the brackets or quotes
  unsigned Inside = Branch::None;
  bool FileScope = true; ///< outside all braces but those of extern "C"
};

/// A #define or #undef.
struct MacroChange {
  uint32_t Begin = 0, End = 0; ///< End: behind its last token
  std::string Name;
  bool Defines = true;
};

struct FileDirectives {
  std::vector<Branch> Branches;
  std::vector<IncludeLine> Includes;
  std::vector<MacroChange> Macros;

  /// The innermost branch around \p Offset, or Branch::None.
  unsigned branchAt(uint32_t Offset) const;
  /// True when \p Offset is in a #define.
  bool inMacro(uint32_t Offset) const;
  /// True when \p Inner is \p Outer or inside of it. Everything is inside Branch::None.
  bool isInside(unsigned Inner, unsigned Outer) const;
};

/// Reads the directives of \p Text, which must stay alive only during the call.
FileDirectives readDirectives(llvm::StringRef Text);

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where mpi.h is in sight, in this build and in others: names of the runtime are declared there and nowhere else.

#ifndef MPISHM_TOOL_EDIT_SIGHT_H
#define MPISHM_TOOL_EDIT_SIGHT_H

#include "edit/Directives.h"
#include "facts/Facts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace mpishm {

/// What the units say of mpi.h.
struct MpiSight {
  std::vector<Place> Includes;      ///< of mpi.h itself
  std::vector<MpiBringer> Bringers; ///< of headers through which it comes
  /// Files that began, or ended, without mpi.h in some unit.
  std::set<std::string> BeganWithout, EndedWithout;
  std::set<Place> Calls; ///< where names of MPI functions are spelled
  std::set<Place> Lines; ///< where the number of the line counts
  /// Every include of mpi.h is under a condition, so that there is a build without it.
  bool Optional = false;
  /// The directive of that condition, when there is one, which the commands alone decide, for all units alike.
  std::string Condition;
  /// Some line that brings mpi.h is under a condition, and the macros that each alone are such a condition.
  bool Conditional = false;
  std::set<std::string> Words;
};
MpiSight sightOf(llvm::ArrayRef<UnitFacts> Units);

/// An include line that brings mpi.h, in some unit.
struct MpiLine {
  const IncludeLine *Line = nullptr;
  bool Direct = false; ///< it includes mpi.h itself
  bool Always = false; ///< in every build in which the line is read
};

/// Answers that may need the program's headers, which are read once.
class Sights {
public:
  explicit Sights(const MpiSight &S) : Seen(S) {}

  /// Those of the file \p Path, of none when it cannot be read.
  const FileDirectives &directivesOf(const std::string &Path);

  const MpiSight &seen() const { return Seen; }

  /// The lines of \p File, whose path is \p Path, that bring mpi.h at file scope and end before \p Before.
  std::vector<MpiLine> lines(llvm::StringRef Path, const FileDirectives &File, uint32_t Before);

  /// True when mpi.h must be in sight wherever \p File is compiled: it calls MPI outside of its conditionals, has none
  /// of \p Lines, those that bring mpi.h, and none is under a condition elsewhere. (Where the condition does not hold,
  /// the program may have such functions itself.)
  bool needsMpi(llvm::StringRef Path, const FileDirectives &File, llvm::ArrayRef<MpiLine> Lines) const;

  /// True when \p Offset stands under a condition on a macro that mpi.h is included under, and on nothing instead.
  bool asksForMpi(const FileDirectives &File, uint32_t Offset) const;

  /// How a name of the runtime can be declared.
  enum class Shelter {
    Always,    ///< wherever the name is compiled, mpi.h is in sight, or can be
    Sometimes, ///< in this build, but in another it may not
    Never      ///< in this build there are units without
  };
  Shelter shelterOf(const Place &Name);

private:
  bool alwaysBrings(const std::string &Header);

  const MpiSight &Seen;
  llvm::StringMap<bool> Known;
  llvm::StringMap<FileDirectives> Files;
};

/// True when what stands at \p Offset is compiled only where the branch \p Inside is, since it stands in it or under
/// the same condition, or where another branch has included mpi.h.
bool isUnder(const FileDirectives &File, uint32_t Offset, unsigned Inside);

/// True when a macro that \p Lines name is defined or undefined in the file between \p Begin and \p End.
bool changesBetween(const FileDirectives &File, llvm::ArrayRef<std::string> Lines, uint32_t Begin, uint32_t End);

/// The directive that has \p Name, a name of the runtime that stands for one of the C library or of MPI, mean that one
/// where there is no mpi.h. Empty: it needs mpi.h.
std::string withoutMpi(llvm::StringRef Name);

/// Where \p Units have names of the C library, types, or loops that pack, that must not be edited since in some build
/// they may not be declared.
std::set<Place> findUnsheltered(llvm::ArrayRef<UnitFacts> Units, const MpiSight &Seen);

} // namespace mpishm

#endif

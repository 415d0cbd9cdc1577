// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which buffers move; one for each program.

#ifndef MPISHM_TOOL_BUFFERS_BUFFERDECIDER_H
#define MPISHM_TOOL_BUFFERS_BUFFERDECIDER_H

#include "buffers/Buffers.h"
#include "buffers/PointsTo.h"
#include "buffers/Releases.h"
#include "buffers/Vectors.h"
#include <map>
#include <optional>

namespace mpishm {

/// Bytes: of the shortest array that is worth its pages (what is sent of it at once travels by slots up to 4 KiB), and
/// of the longest that the runtime places (runtime/src/node/program_arrays.c).
inline constexpr uint64_t LeastArray = 8192, MostArray = uint64_t(64) << 20;

/// Why some memory stays private.
struct Obstacle {
  std::string Text;
  std::optional<Place> Where;
  std::string Root = {}; ///< of other memory, for which this one cannot move either; empty: none

  const std::string &root() const { return Root.empty() ? Text : Root; }
};

/// Not for others than Buffers.h, which says what is decided. BufferObstacles.cpp has what speaks against it.
class BufferDecider {
public:
  BufferDecider(const Program &Whole, const std::set<Place> &Rewritten, const ProgramContext &Around)
      : P(Whole), Facts(Whole.Pointers), Sites(Rewritten), Context(Around), Pointers(Whole, Whole.Pointers),
        Vectors(Whole.Pointers), Releases(Facts, Pointers, Around.Values) {}
  BufferDecisions run();

private:
  void indexCalls();
  void indexMessages();
  void addMaker(PointerNodeIndex Memory, const MemoryCall &Maker, const std::string &New);
  void indexSurroundable();
  const WholeCall *surroundable(const MemoryCall &C) const;
  void findUses();
  std::optional<Obstacle> toProgram() const;
  std::optional<Obstacle> toMemory() const;
  std::optional<Obstacle> toNameAt(const Place &At, const std::optional<Place> &Host) const;
  std::optional<Obstacle> byComputing(PointerNodeIndex Memory) const;
  std::optional<Obstacle> toEdit(const MemoryCall &C) const;
  std::optional<Obstacle> byEdit(PointerNodeIndex Memory);
  std::optional<Obstacle> byItself(PointerNodeIndex Memory);
  std::optional<Obstacle> byResizing(PointerNodeIndex Memory);
  std::optional<Obstacle> byOthers(PointerNodeIndex Memory);
  void findObstacles();
  bool movesTooMuch(PointerNodeIndex Memory);
  void decideToSurround();
  void move(PointerNodeIndex Memory);
  void followMoved();
  void rename(const MemoryCall &C, const std::string &New);
  void surround(const WholeCall &C);
  Buffer &add(const Place &Where, std::string What, const std::set<Place> &Calls);
  std::optional<Obstacle> toVectors(const VectorGroup &G);
  std::optional<Obstacle> toArray(const ArrayDeclaration &A) const;
  Rename &editOf(const Place &At, const std::string &Old, const std::string &New, const std::optional<Place> &Host);
  void placeArray(const ArrayDeclaration &A);
  void reportArray(PointerNodeIndex Array, Buffer &B);
  void reportVector(const VectorGroup &G, Buffer &B);
  void leave(Buffer &B, const std::string &Name, const Obstacle &Why);
  void report(PointerNodeIndex Storage, const std::set<Place> &Calls);
  void reportMemory(PointerNodeIndex Memory, const std::set<Place> &Calls);
  bool mayHold(const Place &Made, const std::set<Place> &Calls) const;

  /// A call that is edited to move some memory, and what it becomes.
  struct Maker {
    const MemoryCall *Call;
    std::string New;
  };

  const Program &P;
  const PointerFacts &Facts;
  const std::set<Place> &Sites;
  const ProgramContext &Context;
  PointsTo Pointers;
  VectorGroups Vectors;
  std::map<PointerNodeIndex, std::vector<Maker>> Makers;
  std::map<Place, std::set<PointerNodeIndex>> MovedBy; ///< all that moves when the name at this token is replaced
  std::map<PointerNodeIndex, std::set<Place>> Used;    ///< the calls that use the storage as a buffer
  std::map<PointerNodeIndex, Place> ComputedOn;        ///< where
  std::map<PointerNodeIndex, std::vector<const ArrayDeclaration *>> Arrays; ///< definitions
  std::map<Place, std::vector<const ArrayDeclaration *>> ArraysAt;          ///< by where their declaration ends
  std::map<PointerNodeIndex, Place> InWindows; ///< of windows that are left to MPI: the call that makes one
  ReleaseMap Releases;
  /// What LLVM IR shows of memory that is allocated there: the messages that may be in it.
  std::map<std::pair<std::string, unsigned>, std::set<Place>> Messages;
  std::set<Place> Ambiguous;                  ///< calls of several functions, in instances of a template
  std::map<Place, const MemoryCall *> Others; ///< calls of other functions by the same name in a macro
  std::map<PointerNodeIndex, Obstacle> Obstacles;
  std::map<PointerNodeIndex, const MemoryCall *> CallOf; ///< of an allocating function
  /// A call that another can be put around.
  struct Surrounding {
    const MemoryCall *Call = nullptr;
    const WholeCall *Whole = nullptr; ///< of Call
  };
  std::map<PointerNodeIndex, Surrounding>
      Surroundable;                      ///< memory that can be moved by a call around the one that makes it
  std::set<PointerNodeIndex> InWrappers; ///< what they make, as they see it
  std::set<PointerNodeIndex> Surrounded; ///< what of that is to be moved so
  std::set<PointerNodeIndex> Moved;
  std::map<Place, Rename> Renames;
  std::map<std::pair<Place, std::string>, Buffer> Buffers;
  std::map<std::pair<Place, std::string>, Finding> Reasons; ///< to leave buffers alone, by call and root
  BufferDecisions Result;
};

} // namespace mpishm

#endif

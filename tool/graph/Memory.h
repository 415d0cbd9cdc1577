// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What memory holds: objects, and in each the cells that are read or written, by offset and width.

#ifndef MPISHM_TOOL_GRAPH_MEMORY_H
#define MPISHM_TOOL_GRAPH_MEMORY_H

#include "graph/Graph.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace mpishm::ir {

/// Some bytes of an object, as the program accesses them. What is stored goes from Stored to Loaded of this cell and of
/// all that overlap it, but what is accessed as something else.
struct Cell {
  Region Where;
  int64_t Width = 1;
  Access As = Access::Any;
  uint32_t Stored = NoNode, Loaded = NoNode;
};

struct MemoryObject {
  std::string Name;
  uint32_t Line = 0;             ///< the owner's number for where it is made
  int64_t Size = Unknown;        ///< in bytes: nothing is accessed beyond
  bool ReadOnly = false;         ///< only its initial value is ever stored
  bool Known = false;            ///< ... which is in sight
  std::optional<uint32_t> Table; ///< of a library: the owner's number for what it holds
  bool Zero = false;             ///< may hold zeros that nobody stored
  bool Escaped = false;          ///< code out of sight may read and write it
  uint32_t WhyEscaped = 0;
  uint32_t Outside = NoNode; ///< into Cells: the one for all that is accessed since it has escaped
  std::vector<Cell> Cells;
  size_t OfMany = 0; ///< cells of more than one place
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t, Access>, uint32_t> Index;
  std::map<int64_t, uint32_t> Heads;                 ///< by kind, see Memory::head(): objects
  bool IsHead = false;                               ///< is among those of another
  std::vector<std::pair<uint32_t, uint32_t>> Copied; ///< memory copies that read it, and the tokens by which they do
};

class Memory {
public:
  class Client {
  public:
    virtual ~Client() = default;
    /// \p C, in the escaped object \p Object, is new or its object has just escaped.
    virtual void exposeCell(uint32_t Object, const Cell &C) = 0;
    /// \p Object has just escaped, in which is what the object \p Head stands for, see Memory::head().
    virtual void exposeHead(uint32_t Object, uint32_t Head) = 0;
  };

  Memory(Graph &All, Client &C) : G(All), Owner(C) {}

  uint32_t newObject(std::string Name, int64_t Size, uint32_t Line);
  MemoryObject &operator[](uint32_t Object) { return Objects[Object]; }
  const MemoryObject &operator[](uint32_t Object) const { return Objects[Object]; }
  size_t size() const { return Objects.size(); }

  /// Whether some of \p Width bytes at the address \p T may be in its object: the languages permit no other accesses.
  bool isWithin(const Token &T, int64_t Width) const;
  /// Whether an address at \p From, moved to \p To, is out of the object \p Object and goes on away from it. The
  /// languages permit none that is out of it; but programs count from one, and so have addresses before the first
  /// element, from which they come back.
  bool leadsAway(uint32_t Object, const Region &From, const Region &To) const;
  /// What a load of \p Width bytes at the address \p T gives.
  uint32_t loaded(const Token &T, int64_t Width, Access As = Access::Any);
  /// Where a store of \p Width bytes at the address \p T puts its value; NoNode when nobody can read it.
  uint32_t stored(const Token &T, int64_t Width, Access As = Access::Any);
  void initialise(uint32_t Object, int64_t Offset, int64_t Width, uint32_t From, Access As = Access::Any);
  /// In elements of \p Element bytes, unless that is 0: as many as nobody knows go no farther than the members of their
  /// type that lie side by side.
  void fill(const Token &T, int64_t Length, uint32_t From, int64_t Element = 0);
  void contents(const Token &T, int64_t Length, uint32_t To, int64_t Element = 0);
  void setZero(uint32_t Object);
  void escape(uint32_t Object, uint32_t Why);
  /// Where the head of a container is, of kind \p Kind (a mpishm::Head), that the address \p T is of. It is in an
  /// object of its own, apart from what is beside it, for all containers in one object: each where its container is,
  /// but farther from the others. Who goes from there to a node that is none finds nothing: the language does not
  /// permit that; nor has it other ways to a head, in a record that may not be copied as bytes, than by its container.
  /// So no container is in a head: what is taken for one there, as where a tree of trees is walked, has no other.
  Token head(const Token &T, int64_t Kind);

  uint32_t newCopy(int64_t Length);
  void copyFrom(uint32_t Copy, uint32_t T);
  void copyTo(uint32_t Copy, uint32_t T);
  /// Does what is due to the copies since new cells came up.
  bool settle();

private:
  struct CopyOf {
    int64_t Length;
    std::vector<uint32_t> From, To;                     ///< tokens
    std::optional<std::pair<uint32_t, uint32_t>> Parts; ///< the copies that it consists of, see divide
  };
  struct Due {
    uint32_t Copy, From, Object, Cell;
  };

  /// An object has so many cells; what else is accessed is wherever it may be, see anywhere().
  static constexpr size_t MostCells = 400;
  /// The same of known places, as the members of a large class are: these overlap nothing but what is accessed at many.
  static constexpr size_t MostMembers = 4000;
  /// The same where a cell would be for elements that are copied: these overlap in each object that they get to, so
  /// that there the edges would be as many as the square of them.
  static constexpr size_t MostWithElements = 50;

  uint32_t cell(uint32_t Object, Region Where, int64_t Width, Access As = Access::Any, size_t Most = MostMembers);
  static size_t mostCells(const MemoryObject &O, const Region &Where);
  uint32_t bytes(const Token &T, int64_t Length, int64_t Element);
  void relate(const Cell &A, const Cell &B);
  std::optional<std::pair<uint32_t, uint32_t>> divide(uint32_t Copy);
  void copyWhole(const CopyOf &C, uint32_t From, uint32_t To);
  void copyCell(const CopyOf &C, uint32_t From, uint32_t To, const Cell &Each);

  Graph &G;
  Client &Owner;
  std::deque<MemoryObject> Objects;
  std::vector<CopyOf> Copies;
  std::deque<Due> Later;
};

} // namespace mpishm::ir

#endif

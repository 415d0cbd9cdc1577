// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pointers may point to which storage: an inclusion-based points-to analysis of the whole program (Andersen
// 1994), which knows neither order nor callers, with one node for each field.
//
// Storage of a record that is only known by bytes (a pointer is read from it, or stored, other than as a member; it is
// used as two kinds of record) and the members of that record are made one. So are nodes that are copied to one
// another in a cycle, which have the same in the end.

#ifndef MPISHM_TOOL_BUFFERS_POINTSTO_H
#define MPISHM_TOOL_BUFFERS_POINTSTO_H

#include "program/Program.h"
#include "llvm/ADT/SparseBitVector.h"
#include <map>
#include <set>

namespace mpishm {

/// Why code that we do not see may have the address of some storage: "<Object> <What>".
struct OutsideMark {
  Place Where;
  std::string What;
};

class PointsTo {
public:
  using Node = PointerNodeIndex;
  using NodeSet = llvm::SparseBitVector<>;

  /// \p Facts are those of \p P.
  PointsTo(const Program &P, const PointerFacts &Facts);

  const NodeSet &of(Node N) const { return Sets[find(N)]; }

  /// Whether code that we do not see may have the address of \p Storage.
  bool isOutside(Node Storage) const { return of(OutsideNode).test(Storage); }
  /// Why; null when it may not, or when that comes from something that is out of sight as a whole.
  const OutsideMark *whyOutside(Node Storage) const;

  /// The functions that make fresh memory for each caller, and for each the Memory nodes of allocating functions that
  /// it may return, its own and those of wrappers that it calls.
  const std::map<std::string, std::set<Node>> &wrappers() const { return Wrappers; }

  /// The program is too large: nothing is known.
  bool gaveUp() const { return Steps > MostSteps; }

  struct CopyNode;

private:
  static constexpr uint64_t MostSteps = 20'000'000;

  size_t findHolders();
  void findWrappers();
  void addFacts();
  void compute(Node Value, const Place &Where, std::string What);
  void addEdge(Node From, Node To);
  Node find(Node N) const;
  bool waits(Node N) const { return OutsideWaits && find(N) == find(OutsideNode); }
  void merge(Node A, Node B);
  void collapse();
  void propagate();
  void step(Node N);
  void apply(Node N, const NodeSet &New);
  void addType(Node Storage, Node Record);
  void touch(Node Storage);
  void joinFields(Node Storage, Node Record);
  void leave(Node Storage);
  void escape(Node Value, const Place &Where, std::string What);
  void sortMarks();
  void explain();
  void push(Node N);

  const Program &P;
  const PointerFacts &Facts;
  mutable std::vector<Node> Parent;           ///< of nodes that have the same set: the union-find forest
  std::vector<std::pair<Node, Node>> Merging; ///< nodes that are to have the same set
  std::vector<NodeSet> Sets, Done, Edges;
  std::vector<std::vector<Node>> Loads, Stores, Views, Types;
  std::vector<bool> Touched, Left, Queued;
  std::vector<Node> Holder;               ///< of each storage: the node that has what is stored there; mostly itself
  bool OutsideWaits = true;               ///< nothing comes from there yet
  std::map<Node, std::set<Node>> Layouts; ///< the fields of each record
  std::vector<std::pair<Node, OutsideMark>> Marks, ReadMarks; ///< the latter for what is in what the node points to
  std::map<Node, const OutsideMark *> Why;
  std::map<std::string, std::set<Node>> Wrappers;
  std::vector<Node> Work;
  uint64_t Steps = 0, NextCollapse = 0;
};

} // namespace mpishm

#endif

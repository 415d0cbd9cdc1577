// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the pointer facts of one unit: numbers nodes, writes flows.

#ifndef MPISHM_TOOL_POINTERS_POINTERNODES_H
#define MPISHM_TOOL_POINTERS_POINTERNODES_H

#include "facts/Facts.h"
#include "syntax/Places.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace mpishm {

/// What of a type matters here.
bool isDataPointer(clang::QualType Type);   ///< a pointer to something other than a function
bool isStandardClass(clang::QualType Type); ///< a class of the standard library
bool isContainer(clang::QualType Type);     ///< one of these that owns its elements
/// The record of the program that a value of \p Type is, or that an array of it has; null for others.
const clang::RecordDecl *recordOf(clang::QualType Type, const Places &Where);
/// True when storage of \p Type may hold pointers that are followed in its own node.
bool holdsPointers(clang::QualType Type);

/// Not thread-safe; one for each unit. NoNode is accepted everywhere and does nothing.
class PointerNodes {
public:
  using Node = PointerNodeIndex;

  PointerNodes(PointerFacts &Into, const Places &P);

  Node value(); ///< a new one
  Node ofVariable(const clang::ValueDecl *D);
  Node elementsOf(const clang::ValueDecl *D); ///< of a container
  Node parameter(const clang::FunctionDecl *F, unsigned Position);
  Node further(const clang::FunctionDecl *F); ///< arguments that have no parameter of their own
  Node result(const clang::FunctionDecl *F);
  Node record(const clang::RecordDecl *R);
  Node named(llvm::StringRef Id, llvm::StringRef Name, PointerNode::Kind Kind = PointerNode::Kind::Variable);
  Node memory(clang::SourceLocation Loc, llvm::StringRef Name);
  /// Elements of \p Type are in the memory \p N.
  void setRecord(Node N, clang::QualType Type);

  void copy(Node To, Node From) { flow(PointerFlow::Kind::Copy, To, From); }
  void store(Node To, Node From) { flow(PointerFlow::Kind::Store, To, From); }
  void link(Node A, Node B);
  Node addressOf(Node N);
  Node loadOf(Node N);
  Node either(Node A, Node B); ///< a value that may be each

  PointerFacts &Facts;

private:
  void flow(PointerFlow::Kind What, Node To, Node From) {
    if (To != NoNode && From != NoNode && !(What == PointerFlow::Kind::Copy && To == From))
      Facts.Flows.push_back({What, To, From});
  }
  void addFields(const clang::RecordDecl *R, std::vector<Node> &Fields);
  void describe(Node N, const clang::ValueDecl *D);

  const Places &Where;
  llvm::StringMap<Node> Index;
  llvm::DenseMap<const clang::ValueDecl *, Node> OfDecl;
  llvm::DenseMap<const clang::RecordDecl *, Node> OfRecord;
};

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expressions say of pointers: which storage they name, what may be in it, where it goes.

#ifndef MPISHM_TOOL_POINTERS_POINTERS_H
#define MPISHM_TOOL_POINTERS_POINTERS_H

#include "mpi/Functions.h"
#include "pointers/Allocations.h"
#include "pointers/PointerNodes.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace mpishm {

/// Reads the expressions of one unit. Each is read once, whoever asks first. Not thread-safe.
class PointerReader {
public:
  using Node = PointerNodeIndex;

  PointerReader(clang::ASTContext &AST, const Places &P, PointerNodes &N) : Context(AST), Where(P), Nodes(N) {}

  /// The pointers that \p E may be: of a pointer, an array that decays, a reference's target; of an object of the
  /// standard library, what it holds. NoNode when it is none of these.
  Node value(const clang::Expr *E);
  /// Pointers to the storage that \p E, a glvalue, names.
  Node address(const clang::Expr *E);
  /// What the storage that \p E, a glvalue, names may hold.
  Node load(const clang::Expr *E);
  /// \p From may get into the storage that \p To names.
  void store(const clang::Expr *To, Node From);
  /// What initialises a variable, field, parameter or result of \p Type: an address for references, else a value.
  Node initial(clang::QualType Type, const clang::Expr *E);

  /// A call, for what it does to its arguments.
  void call(const clang::CallExpr *E);
  void construct(const clang::CXXConstructExpr *E);
  void release(const clang::CXXDeleteExpr *E);
  void addressTaken(const clang::DeclRefExpr *E);
  /// \p E, a conversion between pointers to functions.
  void functionCast(const clang::CastExpr *E);
  /// \p E, parentheses or a conversion; the outer ones come first.
  void outer(const clang::Expr *E);
  /// To be called when all is read.
  void finish();
  /// True when \p E is the name of a function that is called.
  bool isCalled(const clang::Expr *E) const { return Callees.contains(E); }
  void escape(const clang::Expr *E, const char *What);
  /// The pointers that \p E, an integer, is made of there.
  Node ofInteger(const clang::Expr *E);
  /// \p From, an integer, gets into the storage that \p To names.
  void storeInteger(const clang::Expr *To, const clang::Expr *From);
  /// What \p E points to holds goes where nobody can follow.
  void escapeContents(const clang::Expr *E, const char *What) { note(Nodes.loadOf(value(E)), What, E->getExprLoc()); }

  const clang::FunctionDecl *Enclosing = nullptr; ///< whose body is read

private:
  Node valueOf(const clang::Expr *E);
  Node addressOf(const clang::Expr *E);
  Node addressOfName(const clang::DeclRefExpr *E);
  Node addressOfMember(const clang::MemberExpr *E);
  Node ofCast(const clang::CastExpr *E);
  Node fromInteger(const clang::Expr *E);
  Node recordAround(const clang::Expr *E, clang::QualType To);
  Node ofBinary(const clang::BinaryOperator *E);
  Node ofNew(const clang::CXXNewExpr *E);
  Node unfollowed(const clang::Expr *E);
  Node contents(const clang::Expr *E);
  Node direct(const clang::Expr *E);
  Node ofField(const clang::MemberExpr *E);
  void view(Node Value, clang::QualType To, clang::QualType From);

  // PointerCalls.cpp
  Node ofCall(const clang::Expr *E);
  void mpiCall(const clang::CallExpr *E, const FunctionInfo &Info, const clang::DeclRefExpr *Name);
  void windowCall(const clang::CallExpr *E, const FunctionInfo &Info);
  Node directCall(const clang::CallExpr *E, const clang::FunctionDecl *F, const clang::DeclRefExpr *Name);
  Node chosenCall(const clang::CallExpr *E);
  Node indirectCall(const clang::CallExpr *E);
  Node memoryCall(const clang::CallExpr *E, const clang::FunctionDecl *F, const MemoryRow &Row);
  void otherOfName(const clang::CallExpr *E, const clang::FunctionDecl *F);
  Node toWindow(const clang::CallExpr *E, const clang::FunctionDecl *F);
  Node programCall(const clang::CallExpr *E, const clang::FunctionDecl *F);
  void pass(const clang::FunctionDecl *F, llvm::ArrayRef<const clang::Expr *> Arguments);
  void passOne(const PointerArgument &Base, clang::QualType Type, const clang::Expr *E);
  PointerArgument argumentOf(const clang::FunctionDecl *F, clang::SourceLocation Loc) const;
  MemoryCall memoryFact(const clang::Expr *E, const clang::Expr *Name, llvm::StringRef Function);
  void note(Node Value, const char *What, clang::SourceLocation Loc);

  // LibraryCalls.cpp
  Node instruction(const clang::CallExpr *E, Keeping How);
  Node callingCall(const clang::CallExpr *E, Keeping How);
  Node splittingCall(const clang::CallExpr *E);
  void callBack(const clang::Expr *Function, llvm::ArrayRef<Node> Given);
  Node knownCall(const clang::CallExpr *E, Keeping How);
  Node standardCall(const clang::Expr *E, llvm::ArrayRef<const clang::Expr *> Arguments);
  void giveTo(const clang::Expr *Callable, Node Pointers);

  clang::ASTContext &Context;
  const Places &Where;
  PointerNodes &Nodes;
  llvm::DenseMap<const clang::Expr *, Node> ValueCache, AddressCache, CallCache;
  llvm::DenseSet<const clang::Expr *> Callees;
  /// A call whose fact, in Results or else in Calls, is to be told where it stands as a whole.
  struct Making {
    const clang::CallExpr *Call;
    const clang::FunctionDecl *In;
    bool IsResult;
    size_t Index;
  };
  llvm::SmallVector<Making, 0> MakingCalls;
  llvm::DenseMap<const clang::CallExpr *, const clang::Expr *> OuterOf;
};

} // namespace mpishm

#endif

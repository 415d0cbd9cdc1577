// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the declarations and expressions of one unit say, as facts. The visitor calls it in the order of the source.

#ifndef MPISHM_TOOL_SITES_BUILDER_H
#define MPISHM_TOOL_SITES_BUILDER_H

#include "sites/Emitter.h"
#include "syntax/Types.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mpishm {

/// Not thread-safe; one for each unit.
class Builder {
public:
  Builder(clang::ASTContext &AST, const Places &P, Types &T, Emitter &E) : Context(AST), Where(P), Typing(T), Emit(E) {}

  // Functions.cpp: functions as such, and their names other than in calls.
  void function(const clang::FunctionDecl *F);
  void reference(const clang::DeclRefExpr *E);

  // Calls.cpp
  void call(const clang::CallExpr *E);
  void construct(const clang::CXXConstructExpr *E);

  // FunctionPointers.cpp
  void cast(const clang::CastExpr *E);
  void record(const clang::RecordDecl *D);
  void variable(const clang::VarDecl *D);
  void variadicArgument(const clang::VAArgExpr *E);

  /// The function whose body is being visited, for messages; null outside.
  const clang::FunctionDecl *Enclosing = nullptr;

private:
  void addressTaken(const clang::FunctionDecl *F);

  // MpiCalls.cpp
  void mpiCall(const clang::CallExpr *E, llvm::StringRef Spelled, const clang::DeclRefExpr *Name);
  void otherOfName(const clang::CallExpr *E, const clang::FunctionDecl *F);
  void cxxBinding(const clang::CallExpr *E, const clang::FunctionDecl *F);

  void otherCall(const clang::FunctionDecl *F, llvm::ArrayRef<const clang::Expr *> Arguments);
  void chosenCall(const clang::CallExpr *E, llvm::ArrayRef<const clang::DeclRefExpr *> Names);
  void indirectCall(const clang::CallExpr *E);
  void memoryCall(const clang::CallExpr *E, bool Copies);
  void untypedArgument(const clang::Expr *E, llvm::StringRef Callee);
  bool isGivenValues(const clang::FunctionDecl *F, llvm::ArrayRef<const clang::Expr *> Arguments);
  void addLibraryFunction(const clang::FunctionDecl *F);

  bool isOwnRecord(const clang::RecordDecl *Record) const;
  bool takesOwnRecord(const clang::FunctionProtoType *Prototype);
  bool isOverride(const clang::CastExpr *E);
  void openCalls(clang::QualType FunctionType);
  /// For the function pointers that \p Type is, or that are members of it.
  void openPointersIn(clang::QualType Type);
  void openFunction(const clang::FunctionDecl *F);
  void getPointers(const clang::NamedDecl *From, clang::QualType Type);
  void getPointersOf(const clang::FunctionDecl *F);
  void functionPointerCast(const clang::CastExpr *E);
  void recordCast(const clang::CastExpr *E, clang::QualType From, clang::QualType To);
  void readFunctionPointer(const clang::Expr *E);
  const std::vector<clang::QualType> &functionsOf(const clang::RecordDecl *Record);

  clang::ASTContext &Context;
  const Places &Where;
  Types &Typing;
  Emitter &Emit;
  llvm::SmallPtrSet<const clang::Expr *, 16> HarmlessCasts; ///< arguments of functions that only move memory
  llvm::SmallPtrSet<const clang::Expr *, 16> Callees;       ///< names that are called, not used as values
  llvm::DenseMap<const clang::RecordDecl *, std::vector<clang::QualType>> FunctionsOf;
};

} // namespace mpishm

#endif

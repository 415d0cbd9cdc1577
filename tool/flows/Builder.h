// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the statements and declarations of one unit say, as facts. The visitor calls it in the order of the source.

#ifndef MPISHM_TOOL_FLOWS_BUILDER_H
#define MPISHM_TOOL_FLOWS_BUILDER_H

#include "values/Values.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mpishm {

struct FunctionInfo;

/// Not thread-safe; one for each unit.
class Builder {
public:
  Builder(clang::ASTContext &AST, const Places &P, Types &T, Emitter &E)
      : Context(AST), Where(P), Typing(T), Emit(E), Reader(AST, P, T, E) {}

  // Flows.cpp: values that go from one place to another.
  void variable(const clang::VarDecl *D);
  void record(const clang::RecordDecl *D);
  void field(const clang::FieldDecl *D);
  void assignment(const clang::BinaryOperator *E);
  void step(const clang::UnaryOperator *E);
  void loop(const clang::ForStmt *Loop);
  void list(const clang::InitListExpr *E);
  void returned(const clang::FunctionDecl *From, const clang::Expr *Value);
  void memberInitializer(const clang::CXXCtorInitializer *Init);
  void lambda(const clang::LambdaExpr *E);
  void caught(const clang::CXXThrowExpr *E);

  // Casts.cpp
  void cast(const clang::CastExpr *E);

  // Functions.cpp: functions as such, and their names other than in calls.
  void function(const clang::FunctionDecl *F);
  void reference(const clang::DeclRefExpr *E);

  // FunctionPointers.cpp
  void variadicArgument(const clang::VAArgExpr *E);

  // Calls.cpp
  void call(const clang::CallExpr *E);
  void construct(const clang::CXXConstructExpr *E);
  void atomic(const clang::AtomicExpr *E);

  /// The function whose body is being visited, for messages; null outside.
  const clang::FunctionDecl *Enclosing = nullptr;

private:
  void flowInto(uint32_t To, const ValueType &ToType, const clang::Expr *From, clang::SourceLocation Loc = {});
  void store(const clang::Expr *To, const clang::Expr *From);
  void zeroFields(const clang::RecordDecl *Record, clang::SourceLocation Loc);
  void overwriteFields(clang::QualType Type, bool Handles, clang::SourceLocation Loc, llvm::StringRef Name);
  void keepWildcards(const clang::CastExpr *E);
  void functionCast(const clang::CastExpr *E);
  void functionPointerCast(const clang::CastExpr *E);
  void readFunctionPointer(const clang::Expr *E);
  void openCalls(clang::QualType FunctionType, Escape::Kind Which, clang::SourceLocation Loc, llvm::StringRef Name);
  /// For the function pointers that \p Type is, or that are members of it.
  void openPointersIn(clang::QualType Type, Escape::Kind Which, clang::SourceLocation Loc, llvm::StringRef Name);
  void openFunction(const clang::FunctionDecl *F, clang::SourceLocation Loc);
  bool isRequest(clang::QualType Type);
  bool takesRequest(clang::QualType FunctionType);
  const std::vector<clang::QualType> &functionsOf(const clang::RecordDecl *Record);
  bool isNull(const clang::CastExpr *E) const;
  bool isOverride(const clang::CastExpr *E);
  void recordCast(const clang::CastExpr *E, clang::QualType From, clang::QualType To);
  void mpiCall(const clang::CallExpr *E, const clang::FunctionDecl *F, llvm::StringRef Spelled);
  void recordMpiCall(const clang::CallExpr *E, llvm::StringRef Spelled);
  void otherOfName(const clang::CallExpr *E, const clang::FunctionDecl *F);
  void mpiArguments(const clang::CallExpr *E, const clang::FunctionDecl *F, const FunctionInfo *Row);
  void cxxBinding(const clang::CallExpr *E, const clang::FunctionDecl *F);
  void memoryCall(const clang::CallExpr *E, MemoryFunction Kind);
  void standardCall(const clang::Expr *E, llvm::ArrayRef<const clang::Expr *> Arguments, const Operands &Tied);
  void addMadeInPlace(const clang::Expr *E, llvm::SmallVectorImpl<const clang::ValueDecl *> &Targets);
  bool takesOwnRecord(const clang::FunctionProtoType *Prototype);
  void indirectCall(const clang::CallExpr *E);
  void userCall(const clang::FunctionDecl *F, llvm::ArrayRef<const clang::Expr *> Arguments);
  void untypedArgument(const clang::Expr *E, llvm::StringRef Callee);
  bool bytesArgument(const clang::FunctionDecl *F, unsigned Index, const clang::Expr *E);
  bool bytesResult(const clang::CastExpr *E, clang::QualType To);
  void passRecord(const clang::FunctionDecl *F, llvm::StringRef Position, const clang::Expr *E);
  void explicitInstantiation(const clang::FunctionDecl *F);
  /// A function that is given arguments: for messages and for what they may do to them.
  struct Callee {
    std::string Id, Name, Header;
  };
  Callee calleeOf(const clang::FunctionDecl *F) const;
  void pass(const Callee &To, uint32_t Parameter, clang::QualType Type, const clang::Expr *E);
  void passFields(const Callee &To, llvm::StringRef Position, clang::QualType Type, clang::SourceLocation Loc);
  void passFunctionPointers(const clang::FunctionDecl *F, llvm::StringRef Position, clang::QualType Type,
                            clang::SourceLocation Loc);
  void passCallsThrough(const Callee &To, llvm::StringRef Position, clang::QualType FunctionType,
                        clang::SourceLocation Loc);
  void addressTaken(const clang::FunctionDecl *F, clang::SourceLocation Loc);
  void unknownCaller(const clang::FunctionDecl *F, clang::SourceLocation Loc);

  clang::ASTContext &Context;
  const Places &Where;
  Types &Typing;
  Emitter &Emit;
  Values Reader;
  llvm::SmallPtrSet<const clang::Expr *, 16> HarmlessCasts; ///< arguments of functions that only move memory
  llvm::SmallPtrSet<const clang::Expr *, 16> CountedSteps;  ///< of loops whose counters' values are known
  llvm::DenseMap<const clang::RecordDecl *, std::vector<clang::QualType>> FunctionsOf;
  llvm::SmallPtrSet<const clang::Expr *, 16> Callees; ///< names that are called, not used as values
};

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values an expression may have.

#ifndef MPISHM_TOOL_VALUES_VALUES_H
#define MPISHM_TOOL_VALUES_VALUES_H

#include "syntax/Callees.h"
#include "values/Emitter.h"
#include "clang/AST/ExprCXX.h"

namespace mpishm {

/// True for the constants that are recognised where they are written: MPI_COMM_WORLD, MPI_ANY_TAG, ...
bool isMpiConstant(llvm::StringRef Name);

/// True for MPI_ANY_SOURCE and MPI_ANY_TAG as written.
bool isWildcard(const Operand &O);

using Functions = llvm::SmallVector<const clang::FunctionDecl *, 2>;

/// What the standard library may call when it is given \p E: a function, or the call operators of a closure or function
/// object, each instantiation of a generic one.
Functions callablesOf(const clang::Expr *E);

/// Reads expressions of one unit. Emits no flows. Not thread-safe.
class Values {
public:
  Values(const clang::ASTContext &AST, const Places &P, Types &T, Emitter &E)
      : Context(AST), Where(P), Typing(T), Emit(E) {}

  /// The values of \p E, which may also be an address, an array or a container of them. Empty when its type holds
  /// neither handles nor integers.
  Operands of(const clang::Expr *E);

  /// True when \p E is surely a handle: its type says so, or one of \p Found, its values.
  bool isHandle(const clang::Expr *E, const Operands &Found, Domain &Kind);

  /// The objects of \p Found only.
  static Operands objectsIn(const Operands &Found);

  /// The operands of \p E that a call of a standard library function ties together: no sizes and indices.
  /// \p Parameter is the type as declared; it may be null.
  void addTied(Operands &To, const clang::Expr *E, clang::QualType Parameter, bool WithIntegers);

  /// The arguments of a standard library call, the object that a method is called on included.
  Operands tiedBy(const clang::CallExpr *Call);
  Operands tiedBy(const clang::CXXConstructExpr *Construct);

  /// \p Found without what no handle can be: integers. Unknown when nothing is left.
  Operands asHandle(const Operands &Found);

private:
  Operands structural(const clang::Expr *E);
  Operands ofDeclaration(const clang::DeclRefExpr *E);
  Operands ofEnumerator(const clang::EnumConstantDecl *D);
  Operands ofMember(const clang::MemberExpr *E);
  Operands ofUnary(const clang::UnaryOperator *E);
  Operands ofBinary(const clang::BinaryOperator *E);
  Operands ofCall(const clang::CallExpr *E);
  Operands ofStandardCall(const clang::CallExpr *E);
  Operands ofMemory(const clang::CallExpr *E);
  Operands ofConstruct(const clang::CXXConstructExpr *E);
  Operands ofCast(const clang::CastExpr *E);
  Operands ofPointerCast(const clang::CastExpr *E, const ValueType &To);
  Operands ofList(const clang::InitListExpr *E);
  Operands arithmetic(const clang::Expr *E, std::initializer_list<const clang::Expr *> Parts);
  std::optional<Operand> ofSum(const clang::Expr *E);
  std::optional<Sum> writtenSum(const clang::Expr *E);
  std::optional<Sum> sumOf(const clang::Expr *E);
  Operands unknownOf(const ValueType &Type);
  Operands withMixed(Operands Found, const clang::Expr *From, const clang::Expr *E);
  bool ofConstant(const clang::Expr *E, Operands &Result);
  Operands tooDeep(const clang::Expr *E);

  const clang::ASTContext &Context;
  const Places &Where;
  Types &Typing;
  Emitter &Emit;
  /// People do not nest expressions so deeply, generators of sources do.
  static constexpr unsigned MaxDepth = 128;
  unsigned Depth = 0; ///< of the expression that is being read in the outermost one
  llvm::DenseMap<const clang::Expr *, std::optional<Sum>> Sums;
};

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Harmless.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

bool Harmless::areChildren(const Stmt *S) {
  return llvm::all_of(S->children(), [&](const Stmt *Child) { return !Child || is(Child); });
}

/// Whether \p To names a variable of the function that nothing else can change.
bool Harmless::mayWrite(const Expr *To) const {
  const auto *Name = dyn_cast<DeclRefExpr>(To->IgnoreParens());
  return Name && !Name->refersToEnclosingVariableOrCapture() && Uses::isOwn(Name->getDecl()) &&
         Name->getType()->isScalarType() && !Used.isHandedOn(Name->getDecl());
}

/// Whether \p D is the declaration of a number or a pointer.
bool Harmless::isVariable(const Decl *D) const {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && Uses::isOwn(V) && V->getType()->isScalarType() && !V->hasAttrs();
}

/// Whether \p F takes and returns nothing but floating-point numbers.
static bool isOfNumbers(const FunctionDecl *F) {
  return F->getReturnType()->isRealFloatingType() && !F->isVariadic() &&
         llvm::all_of(F->parameters(), [](const ParmVarDecl *D) { return D->getType()->isRealFloatingType(); });
}

/// A call of one function for sure.
bool Harmless::isCall(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  if (!F || !areChildren(E))
    return false;
  if (F->hasAttr<AlwaysInlineAttr>()) // which the compiled program has as a part of what calls it
    return false;
  if (F->getBuiltinID()) // which may be an instruction in the compiled program
    return isOfNumbers(F);
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && Method->isVirtual())
    return false;
  Calls.push_back(F);
  return true;
}

static bool keepsQuiet(CastKind Kind) {
  switch (Kind) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_BitCast:
  case CK_ArrayToPointerDecay:
  case CK_FunctionToPointerDecay:
  case CK_BuiltinFnToFnPtr:
  case CK_NullToPointer:
  case CK_PointerToBoolean:
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_FloatingCast:
  case CK_UncheckedDerivedToBase:
  case CK_DerivedToBase:
    return true;
  default:
    return false;
  }
}

bool Harmless::isExpression(const Expr *E) {
  if (E->getType().isVolatileQualified() || E->getType()->isAtomicType() || E->isTypeDependent())
    return false;
  if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Name->getDecl());
    return isa<EnumConstantDecl, FunctionDecl>(Name->getDecl()) || (V && V->getTLSKind() == VarDecl::TLS_None);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return keepsQuiet(Cast->getCastKind()) && areChildren(E);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    bool IsKnown = E == Store || !Binary->isAssignmentOp() || mayWrite(Binary->getLHS());
    return IsKnown && !Binary->isPtrMemOp() && areChildren(E);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    switch (Unary->getOpcode()) {
    case UO_Plus:
    case UO_Minus:
    case UO_Not:
    case UO_LNot:
    case UO_Deref:
      return areChildren(E);
    default:
      return Unary->isIncrementDecrementOp() && mayWrite(Unary->getSubExpr());
    }
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return isCall(Call);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return isa<FieldDecl, CXXMethodDecl>(Member->getMemberDecl()) && areChildren(E);
  return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr, UnaryExprOrTypeTraitExpr,
             CXXThisExpr, CXXNullPtrLiteralExpr>(E) ||
         (isa<ParenExpr, ArraySubscriptExpr, ConditionalOperator, ConstantExpr>(E) && areChildren(E));
}

bool Harmless::is(const Stmt *S) {
  if (const auto *E = dyn_cast<Expr>(S))
    return isExpression(E);
  if (const auto *Declares = dyn_cast<DeclStmt>(S))
    return llvm::all_of(Declares->decls(), [&](const Decl *D) { return isVariable(D); }) && areChildren(S);
  if (const auto *Loop = dyn_cast<ForStmt>(S); Loop && Loop->getConditionVariable())
    return false;
  if (const auto *If = dyn_cast<IfStmt>(S); If && If->isConsteval())
    return false;
  return isa<ForStmt, IfStmt, CompoundStmt, NullStmt>(S) && areChildren(S);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "values/Values.h"
#include "mpi/Functions.h"
#include "syntax/Expressions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

static Operand::Kind constantKind(llvm::StringRef Name) {
  return llvm::StringSwitch<Operand::Kind>(Name)
      .Case("MPI_COMM_WORLD", Operand::Kind::World)
      .Case("MPI_COMM_SELF", Operand::Kind::Self)
      .Cases("MPI_COMM_NULL", "MPI_REQUEST_NULL", Operand::Kind::Null)
      .Cases("MPI_MESSAGE_NULL", "MPI_MESSAGE_NO_PROC", Operand::Kind::Null)
      .Case("MPI_ANY_SOURCE", Operand::Kind::AnySource)
      .Case("MPI_ANY_TAG", Operand::Kind::AnyTag)
      .Case("MPI_PROC_NULL", Operand::Kind::ProcNull)
      .Default(Operand::Kind::Unknown);
}

bool mpishm::isMpiConstant(llvm::StringRef Name) { return constantKind(Name) != Operand::Kind::Unknown; }

bool mpishm::isWildcard(const Operand &O) {
  return O.Which == Operand::Kind::AnySource || O.Which == Operand::Kind::AnyTag;
}

Operands Values::objectsIn(const Operands &Found) {
  Operands Result;
  for (const Operand &O : Found)
    if (O.Which == Operand::Kind::Object)
      Result.push_back(O);
  return Result;
}

bool Values::isHandle(const Expr *E, const Operands &Found, Domain &Kind) {
  ValueType Type = Typing.classify(E->getType());
  if (Type.Handle) {
    Kind = Type.Kind;
    return true;
  }
  for (const Operand &O : Found) {
    if (O.Which == Operand::Kind::World || O.Which == Operand::Kind::Self) {
      Kind = Domain::Communicator;
      return true;
    }
    if (O.Which == Operand::Kind::Object && Emit.kindOf(O.ObjectIndex) != Domain::Integer) {
      Kind = Emit.kindOf(O.ObjectIndex);
      return true;
    }
  }
  return false;
}

/// What a value of \p Type is that comes from where we cannot look.
Operands Values::unknownOf(const ValueType &Type) {
  if (!Type.Tracked)
    return {};
  if (Type.Handle || Type.Raw)
    return {makeOperand(Operand::Kind::Unknown)};
  return {makeOperand(Operand::Kind::Computed), makeObject(Emit.escapedIntegers())};
}

/// What stands there may be anything, a wildcard, and any of the variables in it.
Operands Values::tooDeep(const Expr *E) {
  ValueType Type = Typing.classify(E->getType());
  if (!Type.Tracked)
    return {};
  Operands Result = {makeOperand(Operand::Kind::Unknown)};
  if (Type.isInteger())
    Result.append({makeOperand(Operand::Kind::AnySource), makeOperand(Operand::Kind::AnyTag)});
  llvm::SmallVector<const Stmt *, 16> Next = {E};
  while (!Next.empty()) {
    const Stmt *S = Next.pop_back_val();
    const auto *Reference = dyn_cast<DeclRefExpr>(S);
    const auto *Member = dyn_cast<MemberExpr>(S);
    const ValueDecl *D = Reference ? Reference->getDecl() : Member ? Member->getMemberDecl() : nullptr;
    if (D && isa<VarDecl, FieldDecl>(D) && Typing.classify(D->getType()).Tracked)
      addOperand(Result, makeObject(Emit.objectOf(D)));
    for (const Stmt *Child : S->children())
      if (Child)
        Next.push_back(Child);
  }
  return Result;
}

Operands Values::of(const Expr *E) {
  if (!E || E->getType().isNull() || E->isTypeDependent())
    return {};
  if (Depth == MaxDepth)
    return tooDeep(E);
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  if (llvm::StringRef Name = Where.macroOf(E, isMpiConstant); !Name.empty())
    return {makeOperand(constantKind(Name))};
  Operands Result = structural(E);
  if (Result.empty() && !E->getType()->isFunctionType())
    if (ValueType Type = Typing.classify(E->getType()); Type.Tracked && !Type.Container)
      return unknownOf(Type);
  return Result;
}

/// The expression whose value \p E has without doing anything to it, or null.
static const Expr *innerOf(const Expr *E) {
  if (const auto *X = dyn_cast<ArraySubscriptExpr>(E))
    return X->getBase();
  if (const auto *X = dyn_cast<CompoundLiteralExpr>(E))
    return X->getInitializer();
  if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
    return X->getSubExpr();
  if (const auto *X = dyn_cast<StmtExpr>(E))
    return X->getSubStmt()->body_empty() ? nullptr : dyn_cast<Expr>(X->getSubStmt()->body_back());
  return standsFor(E);
}

Operands Values::structural(const Expr *E) {
  if (const Expr *Inner = innerOf(E))
    return of(Inner);
  if (const auto *X = dyn_cast<CastExpr>(E))
    return ofCast(X);
  if (const auto *X = dyn_cast<DeclRefExpr>(E))
    return ofDeclaration(X);
  if (const auto *X = dyn_cast<MemberExpr>(E))
    return ofMember(X);
  if (const auto *X = dyn_cast<UnaryOperator>(E))
    return ofUnary(X);
  if (const auto *X = dyn_cast<BinaryOperator>(E))
    return ofBinary(X);
  if (const auto *X = dyn_cast<AbstractConditionalOperator>(E)) {
    Operands Result = of(X->getTrueExpr());
    addOperands(Result, of(X->getFalseExpr()));
    return Result;
  }
  if (const auto *X = dyn_cast<CallExpr>(E))
    return ofCall(X);
  if (const auto *X = dyn_cast<CXXConstructExpr>(E))
    return ofConstruct(X);
  if (const auto *X = dyn_cast<InitListExpr>(E))
    return ofList(X);
  if (const auto *X = dyn_cast<CXXNewExpr>(E))
    return X->getInitializer() ? of(X->getInitializer()) : Operands{makeOperand(Operand::Kind::Null)};
  if (const auto *X = dyn_cast<AtomicExpr>(E))
    return of(X->getPtr());
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return {Typing.classify(E->getType()).isInteger() ? makeConstant(0) : makeOperand(Operand::Kind::Null)};
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return {makeOperand(Operand::Kind::Null)};
  Operands Result;
  if (!ofConstant(E, Result) && E->getType()->isIntegralOrEnumerationType())
    Result = {makeOperand(Operand::Kind::Computed)};
  return Result;
}

/// An integer constant expression; only for forms that have no variable in them, which might hold a wildcard.
bool Values::ofConstant(const Expr *E, Operands &Result) {
  if (E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType())
    return false;
  Expr::EvalResult Value;
  if (!E->EvaluateAsInt(Value, Context, Expr::SE_NoSideEffects))
    return false;
  llvm::APSInt Integer = Value.Val.getInt();
  if (!Integer.isRepresentableByInt64())
    return false;
  Result = {makeConstant(Integer.getExtValue())};
  return true;
}

/// An enumerator may be a wildcard by its initialiser.
Operands Values::ofEnumerator(const EnumConstantDecl *D) {
  if (const Expr *Init = D->getInitExpr())
    return of(Init);
  if (!D->getInitVal().isRepresentableByInt64())
    return {makeOperand(Operand::Kind::Computed)};
  return {makeConstant(D->getInitVal().getExtValue())};
}

Operands Values::ofDeclaration(const DeclRefExpr *E) {
  const ValueDecl *D = E->getDecl();
  if (isMpiConstant(D->getName().empty() ? "" : D->getNameAsString()) &&
      D->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return {makeOperand(constantKind(D->getNameAsString()))};
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(D)) {
    return ofEnumerator(Enumerator);
  }
  if (const auto *Binding = dyn_cast<BindingDecl>(D)) {
    if (const VarDecl *Holding = Binding->getHoldingVar())
      return {makeObject(Emit.objectOf(Holding))};
    return of(Binding->getBinding());
  }
  if (isa<VarDecl>(D) && Typing.classify(D->getType()).Tracked)
    return {makeObject(Emit.objectOf(D))};
  return {};
}

Operands Values::ofMember(const MemberExpr *E) {
  const ValueDecl *D = E->getMemberDecl();
  if (const auto *Field = dyn_cast<FieldDecl>(D)) {
    // What MPI stores in a status is never a wildcard.
    llvm::StringRef Name = Field->getName();
    if (Field->getParent()->getName() == "MPI_Status" || Name == "MPI_SOURCE" || Name == "MPI_TAG" ||
        Name == "MPI_ERROR")
      return {makeOperand(Operand::Kind::Computed)};
    ValueType Type = Typing.classify(Field->getType());
    // Members of the standard library's records (pair's first) are their record.
    if (Types::isStandard(Field->getParent()))
      return withMixed(of(E->getBase()), E->getBase(), E);
    if (Type.Tracked)
      return {makeObject(Emit.objectOf(Field))};
    return {};
  }
  if (isa<VarDecl>(D) && Typing.classify(D->getType()).Tracked)
    return {makeObject(Emit.objectOf(D))};
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(D))
    return ofEnumerator(Enumerator);
  return {};
}

/// Arithmetic may give any value. The operands' objects stay in it: `0 + source` can still be a wildcard.
Operands Values::arithmetic(const Expr *E, std::initializer_list<const Expr *> Parts) {
  Operands All;
  for (const Expr *Part : Parts)
    addOperands(All, of(Part));
  Operands Result;
  bool Wildcard = llvm::any_of(All, isWildcard);
  // What is too deep is unknown, too: no work for each operator around it.
  bool Unknown = llvm::any_of(All, [](const Operand &O) { return O.Which == Operand::Kind::Unknown; });
  // All wildcards of all MPI libraries are negative, so that a constant which is not cannot be one.
  if (!Wildcard && !Unknown && ofConstant(E, Result) && (Result[0].Value >= 0 || objectsIn(All).empty()))
    return Result;
  if (!Wildcard && !Unknown)
    if (std::optional<Operand> S = ofSum(E))
      return {*S};
  Result = {makeOperand(Operand::Kind::Computed)};
  for (const Operand &O : All)
    if (O.Which == Operand::Kind::Object || O.Which == Operand::Kind::Unknown || isWildcard(O))
      addOperand(Result, O);
  return Result;
}

Operands Values::ofUnary(const UnaryOperator *E) {
  switch (E->getOpcode()) {
  case UO_AddrOf:
  case UO_Deref:
  case UO_Plus:
  case UO_Extension:
    return of(E->getSubExpr());
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Operands Result = of(E->getSubExpr());
    if (E->getType()->isIntegralOrEnumerationType())
      addOperand(Result, makeOperand(Operand::Kind::Computed));
    return Result;
  }
  case UO_Minus:
  case UO_Not:
    return arithmetic(E, {E->getSubExpr()});
  default:
    return {makeOperand(Operand::Kind::Computed)};
  }
}

Operands Values::ofBinary(const BinaryOperator *E) {
  if (E->getOpcode() == BO_Comma)
    return of(E->getRHS());
  if (E->isAssignmentOp())
    return of(E->getLHS());
  if (E->isComparisonOp() || E->isLogicalOp() || E->getOpcode() == BO_Cmp)
    return {makeOperand(Operand::Kind::Computed)};
  if (E->isPtrMemOp())
    return {}; // collect's caller turns an empty result into the unknown
  if (E->getType()->isAnyPointerType())
    return of(E->getLHS()->getType()->isAnyPointerType() ? E->getLHS() : E->getRHS());
  if (E->getLHS()->getType()->isAnyPointerType())
    return {makeOperand(Operand::Kind::Computed)}; // a difference
  return arithmetic(E, {E->getLHS(), E->getRHS()});
}

Operands Values::ofList(const InitListExpr *E) {
  if (E->getSemanticForm())
    E = E->getSemanticForm();
  Operands Result;
  if (E->getType()->isRecordType() && !Typing.classify(E->getType()).Tracked)
    return Result; // its fields get flows of their own
  for (const Expr *Init : E->inits())
    addOperands(Result, of(Init));
  if (E->hasArrayFiller())
    addOperands(Result, of(E->getArrayFiller()));
  if (E->getNumInits() == 0 && !E->hasArrayFiller())
    Result = {Typing.classify(E->getType()).isInteger() ? makeConstant(0) : makeOperand(Operand::Kind::Null)};
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/NamedCommunicator.h"
#include "mpi/Functions.h"
#include "syntax/Callees.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace mpishm;

static std::string textOf(const Expr *E, const ASTContext &Context) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E->IgnoreParenImpCasts()->printPretty(Out, nullptr, PrintingPolicy(Context.getLangOpts()));
  return Text;
}

NamedCommunicator::NamedCommunicator(const Expr *E, const FunctionDecl *F, ASTContext &Around) : Context(Around) {
  if (!E)
    return;
  Text = textOf(E, Context);
  Type = E->IgnoreParenImpCasts()->getType();
  IsOwn = true;
  addNames(E);
  IsOwn = IsOwn && F && F->getBody() && areOwn(F->getBody(), nullptr);
  if (const auto *M = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts()))
    Member = M->getMemberDecl();
}

void NamedCommunicator::addVariable(const DeclRefExpr *E) {
  const ValueDecl *D = E->getDecl();
  if (isa<EnumConstantDecl>(D))
    return;
  IsConstant = false;
  Names.insert(D);
  Declared += " " + D->getLocation().printToString(Context.getSourceManager());
  const auto *V = dyn_cast<VarDecl>(D);
  IsOwn &= V && V->hasLocalStorage() && V->getType()->isScalarType() && !E->refersToEnclosingVariableOrCapture();
  IsPointedTo |= !V || V->getType()->isReferenceType();
}

/// Adds what \p S, which is in the expression, says of where that is.
void NamedCommunicator::addNames(const Stmt *S) {
  if (const auto *E = dyn_cast<UnaryOperator>(S); E && E->getOpcode() == UO_AddrOf)
    return; // the same whatever becomes of what is there: MPI_COMM_WORLD with Open MPI
  if (const auto *Name = dyn_cast<DeclRefExpr>(S)) {
    addVariable(Name);
  } else if (const auto *Of = dyn_cast<MemberExpr>(S)) {
    IsConstant = IsOwn = false;
    IsPointedTo |= Of->isArrow();
    Names.insert(Of->getMemberDecl());
  } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(S)) {
    IsConstant = IsOwn = false;
    IsPointedTo |= !Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
  } else if (!isa<ParenExpr, IntegerLiteral, ImplicitCastExpr, ExplicitCastExpr, ConstantExpr>(S)) {
    IsConstant = IsOwn = false;
    IsPointedTo = true;
  }
  for (const Stmt *Child : S->children())
    if (Child)
      addNames(Child);
}

/// Whether \p E is a call that makes a communicator or gives one back, and keeps no address that it is given.
static bool makesOrFrees(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  const FunctionInfo *Row = F ? findFunction(mpiNameOf(F)) : nullptr;
  return Row && (Row->Kind == FunctionKind::Maker || Row->Name == "MPI_Comm_free");
}

/// Whether \p In, which stands in \p Around, does no more with the variables than to read them, to assign to them, and
/// to have communicators made there.
bool NamedCommunicator::areOwn(const Stmt *In, const Stmt *Around) const {
  if (isa<BlockExpr>(In))
    return false;
  if (const auto *E = dyn_cast<DeclRefExpr>(In); E && Names.contains(E->getDecl())) {
    const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Around);
    const auto *Assigns = dyn_cast_or_null<BinaryOperator>(Around); // in C++ that may be referred to, too
    return (Cast && Cast->getCastKind() == CK_LValueToRValue) ||
           (Assigns && Assigns->isAssignmentOp() && Assigns->getLHS() == E && !Context.getLangOpts().CPlusPlus);
  }
  const auto *Call = dyn_cast<CallExpr>(In);
  return llvm::all_of(In->children(), [&](const Stmt *Child) {
    const auto *Address = dyn_cast_or_null<UnaryOperator>(Child);
    const bool IsMade = Address && Address->getOpcode() == UO_AddrOf && isa<DeclRefExpr>(Address->getSubExpr());
    return !Child || (IsMade && Call && makesOrFrees(Call)) || areOwn(Child, In);
  });
}

/// Whether \p E is it, or a variable in it.
bool NamedCommunicator::isIt(const Expr *E) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return (Name && Names.contains(Name->getDecl())) || textOf(E, Context) == Text;
}

/// Whether what is accessed as \p T may be it: not what is declared by another name of a type, although MPI_Comm may be
/// int as that.
bool NamedCommunicator::mayBeOfType(QualType T) const {
  while (const ArrayType *A = Context.getAsArrayType(T))
    T = A->getElementType();
  const auto *Alias = T->getAs<TypedefType>(), *Own = Type->getAs<TypedefType>();
  const bool IsPlain = isa<BuiltinType>(T.getUnqualifiedType()) || (T->isPointerType() && !T->isVoidPointerType());
  return !IsPlain || T->isCharType() || T->isVoidType() || T->isDependentType() ||
         ((!Own || Alias) && Context.hasSameUnqualifiedType(T, Type));
}

/// Whether it may be, or be in, \p Place, to which something is written.
bool NamedCommunicator::mayBeIn(const Expr *Place) const {
  Place = Place->IgnoreParens();
  if (!mayBeOfType(Place->getType()))
    return false;
  while (const auto *Element = dyn_cast<ArraySubscriptExpr>(Place)) { // what is in an array is nowhere else
    const Expr *Array = Element->getBase()->IgnoreParenImpCasts();
    if (!Array->getType()->isArrayType())
      return true;
    Place = Array;
  }
  if (const auto *E = dyn_cast<DeclRefExpr>(Place)) {
    const auto *V = dyn_cast<VarDecl>(E->getDecl());
    const bool HasMembers = !Context.getBaseElementType(E->getType())->isScalarType();
    return !V || V->getType()->isReferenceType() || Names.contains(V) || (IsPointedTo && (!Member || HasMembers));
  }
  const auto *E = dyn_cast<MemberExpr>(Place);
  if (!E || !Context.getBaseElementType(E->getType())->isScalarType())
    return true;
  const auto IsOfUnion = [](const ValueDecl *D) {
    const auto *Field = dyn_cast_or_null<FieldDecl>(D);
    return !Field || Field->getParent()->isUnion();
  };
  return IsOfUnion(E->getMemberDecl()) || Names.contains(E->getMemberDecl()) ||
         (IsPointedTo && (!Member || IsOfUnion(Member)));
}

/// Whether who is given \p Argument may write to it.
bool NamedCommunicator::mayBeWrittenThrough(const Expr *Argument) const {
  while (const auto *Cast = dyn_cast<CastExpr>(Argument->IgnoreParens())) {
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return mayBeIn(Cast->getSubExpr());
    if (Cast->getCastKind() != CK_BitCast && Cast->getCastKind() != CK_NoOp)
      break;
    Argument = Cast->getSubExpr();
  }
  if (const auto *E = dyn_cast<UnaryOperator>(Argument->IgnoreParens()); E && E->getOpcode() == UO_AddrOf)
    return mayBeIn(E->getSubExpr());
  const bool IsNull = Argument->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull);
  const bool IsNumber = Argument->getType()->isArithmeticType() || Argument->isEvaluatable(Context);
  return !IsNull && !IsNumber &&
         (!Argument->getType()->isPointerType() || mayBeOfType(Argument->getType()->getPointeeType()));
}

bool NamedCommunicator::mayBeWrittenBy(const CallExpr *E) const {
  const FunctionDecl *F = E->getDirectCallee();
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    QualType Taken = F && I < F->getNumParams() ? F->getParamDecl(I)->getType() : E->getArg(I)->getType();
    const bool OnlyReads = Taken->isPointerType() && Taken->getPointeeType().isConstQualified();
    if (!OnlyReads && !Taken->isArithmeticType() && mayBeWrittenThrough(E->getArg(I)))
      return true;
  }
  return false;
}

bool NamedCommunicator::mayBeChangedBy(const Stmt *S) const {
  if (IsConstant)
    return false;
  const Expr *Written = nullptr;
  if (const auto *E = dyn_cast<BinaryOperator>(S); E && E->isAssignmentOp())
    Written = E->getLHS();
  if (const auto *E = dyn_cast<UnaryOperator>(S)) {
    if (E->getOpcode() == UO_AddrOf && isIt(E->getSubExpr()))
      return true;
    Written = E->isIncrementDecrementOp() ? E->getSubExpr() : nullptr;
  }
  if (Written)
    return isIt(Written) || (!IsOwn && mayBeIn(Written));
  const auto *Call = dyn_cast<CallExpr>(S);
  return !IsOwn && Call && mayBeWrittenBy(Call);
}

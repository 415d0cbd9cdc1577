// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisers, assignments, returns.

#include "flows/Builder.h"
#include "syntax/Expressions.h"

using namespace mpishm;
using namespace clang;

/// The value of \p From goes to object \p To.
void Builder::flowInto(uint32_t To, const ValueType &ToType, const Expr *From, SourceLocation Loc) {
  if (Loc.isInvalid())
    Loc = From->getExprLoc();
  Operands Values = Reader.of(From);
  ValueType FromType = Typing.classify(From->getType());
  Domain Kind = Domain::Integer;
  if (ToType.isInteger() && !ToType.Ambiguous && Reader.isHandle(From, Values, Kind)) {
    // Written as an integer, so no handle in a program for any MPI library, unless the value is written as a handle.
    if (FromType.Handle && !FromType.Mixed)
      Emit.escape(Escape::Kind::Cast, Kind, Values, Loc, From->getType().getAsString());
    Values = {makeOperand(Operand::Kind::Computed), makeObject(Emit.escapedIntegers())};
  }
  if (ToType.Handle)
    Values = Reader.asHandle(Values);
  bool Both = (ToType.Indirect || FromType.Indirect) && !ToType.Raw;
  Emit.flow(To, Values, Both, Loc);
}

void Builder::variable(const VarDecl *D) {
  if (D->getType()->isDependentType())
    return;
  ValueType Type = Typing.classify(D->getType());
  bool Definition = D->isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
  if (Definition && D->hasExternalFormalLinkage())
    if (Type.Tracked || Typing.recordIn(D->getType()) || !functionIn(D->getType()).isNull())
      Emit.body(mpishm::idOf(D, Where));
  bool Zero = Definition && D->hasGlobalStorage() && !isa<ParmVarDecl>(D);
  if (!Type.Tracked) {
    if (Zero && !D->getType()->isReferenceType())
      zeroFields(Typing.recordIn(D->getType()), D->getLocation());
    return;
  }
  if (isa<ParmVarDecl>(D)) // its default argument is used where calls leave it out
    return;
  uint32_t Object = Emit.objectOf(D);
  if (const Expr *Init = D->getInit())
    flowInto(Object, Type, Init);
  else if (Zero && Type.isInteger())
    Emit.flow(Object, makeConstant(0), false, D->getLocation());
}

/// The integers in a record that is made of zeros.
void Builder::zeroFields(const RecordDecl *Record, SourceLocation Loc) {
  if (!Record)
    return;
  for (const FieldDecl *Field : Typing.fieldsOf(Record, false))
    if (Typing.classify(Field->getType()).isInteger())
      Emit.flow(Emit.objectOf(Field), makeConstant(0), false, Loc);
}

/// The members of a union are one another.
void Builder::record(const RecordDecl *D) {
  if (!D->isUnion() || !D->isThisDeclarationADefinition() || D->isDependentContext() ||
      Where.isLibrary(D->getLocation()))
    return;
  for (const FieldDecl *Field : D->fields())
    openPointersIn(Field->getType(), Escape::Kind::Expression, Field->getLocation(), "union");
  for (const FieldDecl *Field : Typing.fieldsOf(D, false)) {
    ValueType Type = Typing.classify(Field->getType());
    uint32_t Object = Emit.objectOf(Field);
    if (Type.Handle || Type.Ambiguous) {
      Emit.flow(Object, makeOperand(Operand::Kind::Unknown), true, Field->getLocation());
      Emit.escape(Escape::Kind::Expression, Type.Kind, {makeObject(Object)}, Field->getLocation(), "union");
    } else {
      Emit.flow(Object, makeOperand(Operand::Kind::Computed), false, Field->getLocation());
      Emit.flow(Object, makeObject(Emit.escapedIntegers()), true, Field->getLocation());
    }
  }
}

void Builder::field(const FieldDecl *D) {
  ValueType Type = Typing.classify(D->getType());
  if (Type.Tracked && D->hasInClassInitializer() && D->getInClassInitializer() && !D->isInvalidDecl())
    flowInto(Emit.objectOf(D), Type, D->getInClassInitializer());
}

/// The value of \p From goes to the storage that \p To names.
void Builder::store(const Expr *To, const Expr *From) {
  ValueType Type = Typing.classify(To->getType());
  Operands Targets = Values::objectsIn(Reader.of(To));
  Operands Sources = Reader.of(From);
  if (Typing.classify(From->getType()).Handle) // handles are no integers, whatever the library makes them of
    llvm::erase_if(Targets, [&](const Operand &O) { return O.ObjectIndex == Emit.escapedIntegers(); });
  Domain Kind = Domain::Integer;
  bool TargetIsHandle = Reader.isHandle(To, Targets, Kind);
  for (const Operand &Target : Targets) {
    ValueType Into = Type;
    Into.Ambiguous |= TargetIsHandle; // `a[i]` of an array of handles whose typedef was lost
    flowInto(Target.ObjectIndex, Into, From);
  }
  if (Targets.empty() && Reader.isHandle(From, Sources, Kind))
    Emit.escape(Escape::Kind::Expression, Kind, Sources, To->getExprLoc(), "");
}

void Builder::assignment(const BinaryOperator *E) {
  if (E->getType()->isDependentType())
    return;
  if (!E->isCompoundAssignmentOp()) {
    store(E->getLHS(), E->getRHS());
    return;
  }
  if (E->getLHS()->getType()->isAnyPointerType()) // a pointer that moves on stays in its array
    return;
  Operands Sources = {makeOperand(Operand::Kind::Computed)};
  addOperands(Sources, Values::objectsIn(Reader.of(E->getRHS())));
  for (const Operand &Target : Values::objectsIn(Reader.of(E->getLHS())))
    Emit.flow(Target.ObjectIndex, Sources, false, E->getExprLoc());
}

void Builder::step(const UnaryOperator *E) {
  if (CountedSteps.contains(E) || !E->isIncrementDecrementOp() || !E->getType()->isIntegralOrEnumerationType())
    return;
  for (const Operand &Target : Values::objectsIn(Reader.of(E->getSubExpr())))
    Emit.flow(Target.ObjectIndex, makeOperand(Operand::Kind::Computed), false, E->getExprLoc());
}

/// Values of a braced list go to the record's fields; lists for arrays are values of what they initialise.
void Builder::list(const InitListExpr *E) {
  if (!E->isSemanticForm() && E->getSemanticForm())
    E = E->getSemanticForm();
  if (E->getType().isNull() || E->getType()->isDependentType())
    return;
  const auto *Type = E->getType()->getAs<RecordType>();
  if (!Type)
    return;
  const RecordDecl *Record = Type->getDecl();
  auto Initialize = [&](const FieldDecl *Field, const Expr *Init) {
    ValueType FieldType = Typing.classify(Field->getType());
    if (FieldType.Tracked)
      flowInto(Emit.objectOf(Field), FieldType, Init,
               Init->getExprLoc().isValid() ? Init->getExprLoc() : E->getBeginLoc());
    else if (isa<ImplicitValueInitExpr>(Init))
      zeroFields(Typing.recordIn(Field->getType()), E->getBeginLoc());
  };
  if (Types::isStandard(Record))
    return;
  if (Record->isUnion()) {
    if (const FieldDecl *Field = E->getInitializedFieldInUnion(); Field && E->getNumInits())
      Initialize(Field, E->getInit(0));
    return;
  }
  unsigned Index = 0;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    Index = Class->getNumBases();
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index >= E->getNumInits())
      break;
    Initialize(Field, E->getInit(Index++));
  }
}

void Builder::returned(const FunctionDecl *From, const Expr *Value) {
  if (!From || !Value)
    return;
  ValueType Type = Typing.classify(From->getReturnType());
  if (Type.Tracked)
    flowInto(Emit.result(From), Type, Value);
}

void Builder::memberInitializer(const CXXCtorInitializer *Init) {
  if (!Init->getInit())
    return;
  if (const FieldDecl *Field = Init->getAnyMember()) {
    ValueType Type = Typing.classify(Field->getType());
    if (Type.Tracked && !Init->getInit()->isTypeDependent())
      flowInto(Emit.objectOf(Field), Type, Init->getInit());
    else if (isa<ImplicitValueInitExpr>(Init->getInit()))
      zeroFields(Typing.recordIn(Field->getType()), Init->getSourceLocation());
    return;
  }
  // A base that is a container of the standard library.
  QualType Base = Init->getBaseClass() ? QualType(Init->getBaseClass(), 0) : QualType();
  ValueType Type = Typing.classify(Base);
  const auto *Constructor = dyn_cast_or_null<CXXConstructorDecl>(Enclosing);
  if (Type.Container && Constructor)
    flowInto(Emit.object(mpishm::idOf(Constructor->getParent(), Where) + "#base",
                         Constructor->getParent()->getNameAsString(), Type.Kind),
             Type, Init->getInit());
}

/// The captured variable and its copy in the closure are one object, so only captures with initialisers say anything.
void Builder::lambda(const LambdaExpr *E) {
  for (const LambdaCapture &Capture : E->captures())
    if (E->isInitCapture(&Capture))
      if (const auto *Variable = dyn_cast<VarDecl>(Capture.getCapturedVar()))
        variable(Variable);
}

/// Any of GCC's atomic builtins may move any operand to any other.
void Builder::atomic(const AtomicExpr *E) {
  Operands Tied;
  AtomicExpr *Node = const_cast<AtomicExpr *>(E);
  for (unsigned I = 0; I < E->getNumSubExprs(); ++I)
    if (const Expr *Sub = Node->getSubExprs()[I]; Sub != E->getOrder())
      addOperands(Tied, Reader.of(Sub));
  Emit.tie(Tied, E->getExprLoc());
  for (const Operand &O : Values::objectsIn(Tied))
    if (Emit.kindOf(O.ObjectIndex) == Domain::Integer)
      Emit.flow(O.ObjectIndex, makeOperand(Operand::Kind::Computed), false, E->getExprLoc());
}

void Builder::caught(const CXXThrowExpr *E) {
  if (!E->getSubExpr())
    return;
  Operands Thrown = Reader.of(E->getSubExpr());
  Domain Kind = Domain::Integer;
  if (Reader.isHandle(E->getSubExpr(), Thrown, Kind))
    Emit.escape(Escape::Kind::Expression, Kind, Thrown, E->getThrowLoc(), "throw");
  else if (Typing.classify(E->getSubExpr()->getType()).isInteger())
    Emit.flow(Emit.escapedIntegers(), Thrown, false, E->getThrowLoc());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Pointers.h"
#include "syntax/Callees.h"
#include "syntax/Expressions.h"
#include "syntax/Types.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace mpishm;
using namespace clang;
using Node = PointerNodeIndex;

/// The expression whose value \p E has, or whose storage it names, without doing anything to it; or null.
static const Expr *innerOf(const Expr *E) {
  if (const auto *X = dyn_cast<UnaryOperator>(E); X && X->getOpcode() == UO_Extension)
    return X->getSubExpr();
  if (const auto *X = dyn_cast<BinaryOperator>(E); X && X->getOpcode() == BO_Comma)
    return X->getRHS();
  return standsFor(E);
}

static bool isRelevant(QualType Type) {
  return !Type.isNull() && !Type->isDependentType() &&
         (isDataPointer(Type) || Type->isReferenceType() || Type->isArrayType() || isStandardClass(Type));
}

void PointerReader::note(Node Value, const char *What, SourceLocation Loc) {
  if (Value != NoNode)
    Nodes.Facts.Escapes.push_back({Value, What, Where.at(Loc)});
}

void PointerReader::escape(const Expr *E, const char *What) {
  if (isRelevant(E->getType()))
    note(value(E), What, E->getExprLoc());
  else if (const RecordDecl *R = recordOf(E->getType(), Where))
    note(Nodes.addressOf(Nodes.record(R)), What, E->getExprLoc());
}

/// A form of expression that is not known: its value may be anything, and what stands in it goes anywhere.
Node PointerReader::unfollowed(const Expr *E) {
  for (const Stmt *Child : E->children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      escape(Part, "is used here in a way that cannot be followed");
  return OutsideNode;
}

Node PointerReader::value(const Expr *E) {
  if (!E || E->isTypeDependent() || !isRelevant(E->getType()))
    return NoNode;
  auto It = ValueCache.find(E);
  if (It != ValueCache.end())
    return It->second;
  ValueCache[E] = NoNode;
  Node Result = valueOf(E);
  ValueCache[E] = Result;
  return Result;
}

Node PointerReader::valueOf(const Expr *E) {
  if (const Expr *Inner = innerOf(E))
    return value(Inner);
  if (E->isGLValue())
    return E->getType()->isArrayType() ? address(E) : load(E);
  if (const auto *X = dyn_cast<CastExpr>(E))
    return ofCast(X);
  if (const auto *X = dyn_cast<UnaryOperator>(E)) {
    if (X->getOpcode() == UO_AddrOf)
      return address(X->getSubExpr());
    return load(X->getSubExpr()); // ++ and --: a pointer that moves on stays in its memory
  }
  if (const auto *X = dyn_cast<BinaryOperator>(E))
    return ofBinary(X);
  if (const auto *X = dyn_cast<AbstractConditionalOperator>(E))
    return Nodes.either(value(X->getTrueExpr()), value(X->getFalseExpr()));
  if (isa<CallExpr, CXXConstructExpr>(E))
    return ofCall(E);
  if (const auto *X = dyn_cast<CXXNewExpr>(E))
    return ofNew(X);
  if (isa<CXXThisExpr>(E)) {
    const RecordDecl *R = recordOf(E->getType()->getPointeeType(), Where);
    return R ? Nodes.addressOf(Nodes.record(R)) : NoNode;
  }
  if (const auto *X = dyn_cast<InitListExpr>(E)) {
    if (X->getSemanticForm())
      X = X->getSemanticForm();
    Node Result = NoNode;
    for (const Expr *Init : X->inits())
      Result = Nodes.either(Result, value(Init));
    return Result;
  }
  if (const auto *X = dyn_cast<StmtExpr>(E))
    return X->getSubStmt()->body_empty() ? NoNode : value(dyn_cast<Expr>(X->getSubStmt()->body_back()));
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr, ImplicitValueInitExpr, CXXScalarValueInitExpr, StringLiteral,
          PredefinedExpr, LambdaExpr, IntegerLiteral, ArrayInitIndexExpr>(E))
    return NoNode;
  if (isa<VAArgExpr>(E)) // of a list that may be another function's, too
    return Nodes.either(OutsideNode, Enclosing ? Nodes.further(Enclosing) : NoNode);
  return unfollowed(E);
}

Node PointerReader::ofBinary(const BinaryOperator *E) {
  if (E->getOpcode() == BO_Assign)
    return value(E->getRHS());
  if (E->isAssignmentOp())
    return load(E->getLHS());
  if (E->isAdditiveOp())
    return value(isDataPointer(E->getLHS()->getType()) ? E->getLHS() : E->getRHS());
  return unfollowed(E);
}

/// Memory that is used as a record, but was not made as one.
void PointerReader::view(Node Value, QualType To, QualType From) {
  const RecordDecl *R = To->isAnyPointerType() ? recordOf(To->getPointeeType(), Where) : nullptr;
  if (!R || Value == NoNode || R == (From->isAnyPointerType() ? recordOf(From->getPointeeType(), Where) : nullptr))
    return;
  Nodes.Facts.Views.push_back({Value, Nodes.record(R)});
}

/// The record that a member is in whose address is converted to something else than a pointer to a pointer:
/// `free(&s->first)`.
Node PointerReader::recordAround(const Expr *E, QualType To) {
  const auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParens());
  const auto *Member = Address && Address->getOpcode() == UO_AddrOf
                           ? dyn_cast<MemberExpr>(Address->getSubExpr()->IgnoreParens())
                           : nullptr;
  if (!Member || !holdsPointers(Member->getType()) || !isDataPointer(To) || isDataPointer(To->getPointeeType()))
    return NoNode;
  return Member->isArrow() ? value(Member->getBase()) : address(Member->getBase());
}

/// What \p Of says of the addresses and variables that \p E is made of by what leads from one place of an object to
/// another: `((uintptr_t)p + 63) & ~63`.
template <typename F> static Node partsOfInteger(PointerNodes &Nodes, const Expr *E, F Of) {
  E = E->IgnoreParens();
  if (const auto *X = dyn_cast<CastExpr>(E); X && (X->getCastKind() == CK_IntegralCast || X->getCastKind() == CK_NoOp))
    return partsOfInteger(Nodes, X->getSubExpr(), Of);
  const auto *X = dyn_cast<BinaryOperator>(E);
  if (!X)
    return Of(E);
  if (!X->isAdditiveOp() && X->getOpcode() != BO_And && X->getOpcode() != BO_Or)
    return NoNode;
  return Nodes.either(partsOfInteger(Nodes, X->getLHS(), Of), partsOfInteger(Nodes, X->getRHS(), Of));
}

Node PointerReader::ofInteger(const Expr *E) {
  return partsOfInteger(Nodes, E, [&](const Expr *Part) {
    const auto *Cast = dyn_cast<CastExpr>(Part);
    return Cast && Cast->getCastKind() == CK_PointerToIntegral ? value(Cast->getSubExpr()) : NoNode;
  });
}

/// The pointer that is made of \p E. Where it is one of an integer that is kept somewhere, that may be anything, too.
Node PointerReader::fromInteger(const Expr *E) {
  if (Node Result = ofInteger(E); Result != NoNode)
    return Result;
  return Nodes.either(OutsideNode, partsOfInteger(Nodes, E, [&](const Expr *Part) {
                        const auto *Cast = dyn_cast<CastExpr>(Part);
                        return Cast && Cast->getCastKind() == CK_LValueToRValue ? direct(Cast->getSubExpr()) : NoNode;
                      }));
}

void PointerReader::storeInteger(const Expr *To, const Expr *From) {
  if (Node Address = ofInteger(From); Address != NoNode)
    if (Node Variable = direct(To); Variable != NoNode)
      Nodes.copy(Variable, Address);
}

Node PointerReader::ofCast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
  case CK_LValueToRValueBitCast:
    return load(Sub);
  case CK_ArrayToPointerDecay:
    return address(Sub);
  case CK_NullToPointer:
    return NoNode;
  case CK_IntegralToPointer: // (void *)0, MPI_BOTTOM, (void *)-1 are no memory
    return Sub->isEvaluatable(Context) ? NoNode : fromInteger(Sub);
  case CK_BitCast:
  case CK_ReinterpretMemberPointer: {
    Node Result = isRelevant(Sub->getType()) ? value(Sub) : OutsideNode;
    view(Result, E->getType(), Sub->getType());
    return Nodes.either(Result, recordAround(Sub, E->getType()));
  }
  case CK_NoOp:
  case CK_BaseToDerived:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_Dynamic:
  case CK_AddressSpaceConversion:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_AtomicToNonAtomic:
  case CK_NonAtomicToAtomic:
    return value(Sub);
  default:
    return unfollowed(E);
  }
}

Node PointerReader::ofNew(const CXXNewExpr *E) {
  const FunctionDecl *Operator = E->getOperatorNew();
  bool Window = Operator && Operator->getNumParams() > 1 &&
                Operator->getParamDecl(1)->getType().getAsString().find("mpishm::window_tag") != std::string::npos;
  if (E->getNumPlacementArgs() && Operator && Operator->isReservedGlobalPlacementOperator()) {
    Node Result = value(E->getPlacementArg(0));
    view(Result, E->getType(), QualType(Context.VoidPtrTy));
    return Result;
  }
  MemoryCall C = memoryFact(E, nullptr, E->isArray() ? "new[]" : "new");
  C.Makes = Nodes.memory(E->getBeginLoc(), C.Function);
  QualType Element = E->getAllocatedType();
  while (Element->isArrayType())
    Element = QualType(Element->getAsArrayTypeUnsafe()->getElementType());
  Nodes.setRecord(C.Makes, Element);
  Node Result = Nodes.addressOf(C.Makes);
  if (isContainer(Element)) // stands for its elements as well
    Nodes.store(Result, Result);
  if (const Expr *Init = E->getInitializer(); Init && isRelevant(Init->getType()))
    Nodes.store(Result, value(Init));
  C.Already = Window;
  if (!E->isArray())
    C.Unfit = "it is made by 'new' as one object";
  else if (Enclosing && mayBeConstant(Enclosing))
    C.Unfit = "it is made where a constant may be needed";
  else if (Element->isDependentType() || Element.isDestructedType() != QualType::DK_none)
    C.Unfit = "its elements have destructors";
  else if (!Operator || Operator->isCXXClassMember())
    C.Unfit = "its elements' class has an operator new of its own";
  else if (!Window && (E->getNumPlacementArgs() || E->isGlobalNew()))
    C.Unfit = "it is made by a form of 'new' that cannot be replaced";
  C.New = C.Unfit.empty() ? "new (mpishm::window)" : "";
  Nodes.Facts.Calls.push_back(std::move(C));
  return Result;
}

/// The node of the storage that \p E names, where that is one by itself: a variable, a field, their elements.
Node PointerReader::direct(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *X = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = X->getDecl();
    if (const auto *Binding = dyn_cast<BindingDecl>(D)) {
      if (Binding->getHoldingVar())
        return Binding->getHoldingVar()->getType()->isReferenceType() ? NoNode
                                                                      : Nodes.ofVariable(Binding->getHoldingVar());
      return Binding->getBinding() ? direct(Binding->getBinding()) : NoNode;
    }
    return isa<VarDecl>(D) && !D->getType()->isReferenceType() ? Nodes.ofVariable(D) : NoNode;
  }
  if (const auto *X = dyn_cast<MemberExpr>(E)) {
    const ValueDecl *D = X->getMemberDecl();
    if (isa<VarDecl>(D))
      return D->getType()->isReferenceType() ? NoNode : Nodes.ofVariable(D);
    return ofField(X);
  }
  if (const auto *X = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = X->getBase()->IgnoreParens();
    if (const auto *Decay = dyn_cast<CastExpr>(Base); Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
      return direct(Decay->getSubExpr());
  }
  return NoNode;
}

/// The node of a field of the program's; none for a reference, and for fields of the standard library.
Node PointerReader::ofField(const MemberExpr *E) {
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!Field || Field->getType()->isReferenceType() || Types::isStandard(Field->getParent()))
    return NoNode;
  return Nodes.ofVariable(Field);
}

Node PointerReader::address(const Expr *E) {
  auto It = AddressCache.find(E);
  if (It != AddressCache.end())
    return It->second;
  AddressCache[E] = NoNode;
  Node Result = addressOf(E);
  AddressCache[E] = Result;
  return Result;
}

Node PointerReader::addressOfName(const DeclRefExpr *E) {
  const ValueDecl *D = E->getDecl();
  if (const auto *Binding = dyn_cast<BindingDecl>(D); Binding && !Binding->getHoldingVar())
    return Binding->getBinding() ? address(Binding->getBinding()) : OutsideNode;
  if (const auto *Binding = dyn_cast<BindingDecl>(D))
    D = Binding->getHoldingVar();
  if (!isa<VarDecl>(D))
    return NoNode;
  Node Variable = Nodes.ofVariable(D);
  return D->getType()->isReferenceType() ? Variable : Nodes.addressOf(Variable);
}

Node PointerReader::addressOfMember(const MemberExpr *E) {
  if (isa<VarDecl>(E->getMemberDecl())) {
    Node Variable = Nodes.ofVariable(E->getMemberDecl());
    return E->getMemberDecl()->getType()->isReferenceType() ? Variable : Nodes.addressOf(Variable);
  }
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!Field)
    return NoNode;
  if (Field->getType()->isReferenceType())
    return Nodes.ofVariable(Field);
  // A pointer to a member is one into its record, and the other way round. What is read through a pointer to a member
  // that is a pointer itself is that member, not any of the record.
  const Expr *Base = E->getBase();
  Node Storage = ofField(E);
  if (Storage != NoNode && holdsPointers(Field->getType()))
    return Nodes.addressOf(Storage);
  Node Record = E->isArrow() ? value(Base) : address(Base);
  bool Own = Storage != NoNode && (Field->getType()->isArrayType() || recordOf(Field->getType(), Where));
  return Own ? Nodes.either(Record, Nodes.addressOf(Storage)) : Record;
}

Node PointerReader::addressOf(const Expr *E) {
  if (!E->isGLValue()) { // a temporary
    Node Storage = Nodes.value();
    Nodes.copy(Storage, value(E));
    if (const RecordDecl *R = recordOf(E->getType(), Where))
      return Nodes.addressOf(Nodes.record(R));
    return isStandardClass(E->getType()) ? Storage : Nodes.addressOf(Storage);
  }
  if (const Expr *Inner = innerOf(E))
    return address(Inner);
  if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
    return address(X->getSubExpr());
  if (const auto *X = dyn_cast<DeclRefExpr>(E))
    return addressOfName(X);
  if (const auto *X = dyn_cast<MemberExpr>(E))
    return addressOfMember(X);
  if (const auto *X = dyn_cast<ArraySubscriptExpr>(E))
    return value(X->getBase());
  if (const auto *X = dyn_cast<UnaryOperator>(E)) {
    if (X->getOpcode() == UO_Deref)
      return value(X->getSubExpr());
    return address(X->getSubExpr()); // ++p, __real z
  }
  if (const auto *X = dyn_cast<CastExpr>(E)) {
    Node Result = address(X->getSubExpr());
    if (X->getCastKind() == CK_LValueBitCast)
      view(Result, Context.getPointerType(X->getType()), Context.getPointerType(X->getSubExpr()->getType()));
    return Result;
  }
  if (const auto *X = dyn_cast<BinaryOperator>(E); X && X->isAssignmentOp())
    return address(X->getLHS());
  if (const auto *X = dyn_cast<AbstractConditionalOperator>(E))
    return Nodes.either(address(X->getTrueExpr()), address(X->getFalseExpr()));
  if (isa<CallExpr>(E))
    return ofCall(E);
  if (const auto *X = dyn_cast<CompoundLiteralExpr>(E))
    return address(X->getInitializer());
  if (isa<StringLiteral, PredefinedExpr, CXXTypeidExpr>(E))
    return NoNode;
  return unfollowed(E);
}

/// What an object of the standard library holds, of which only the address is known.
Node PointerReader::contents(const Expr *E) {
  Node At = isa<CallExpr>(E->IgnoreParenImpCasts()) ? address(E) : NoNode;
  return Nodes.either(At, Nodes.loadOf(address(E)));
}

Node PointerReader::load(const Expr *E) {
  QualType Type = E->getType();
  if (!isDataPointer(Type) && !isStandardClass(Type))
    return NoNode;
  if (const Expr *Inner = innerOf(E))
    return load(Inner);
  if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
    return value(X->getSubExpr());
  if (Node N = direct(E); N != NoNode)
    return N;
  if (const auto *X = dyn_cast<MemberExpr>(E))
    if (const auto *Field = dyn_cast<FieldDecl>(X->getMemberDecl()); Field && Types::isStandard(Field->getParent()))
      return X->isArrow() ? Nodes.either(value(X->getBase()), Nodes.loadOf(value(X->getBase())))
                          : value(X->getBase()); // pair's first is the pair
  if (const auto *X = dyn_cast<CastExpr>(E); X && X->getCastKind() != CK_LValueBitCast)
    return load(X->getSubExpr());
  return isStandardClass(Type) ? contents(E) : Nodes.loadOf(address(E));
}

void PointerReader::store(const Expr *To, Node From) {
  if (From == NoNode)
    return;
  if (const Expr *Inner = innerOf(To))
    return store(Inner, From);
  if (Node N = direct(To); N != NoNode)
    return Nodes.copy(N, From);
  if (const auto *X = dyn_cast<MemberExpr>(To))
    if (const auto *Field = dyn_cast<FieldDecl>(X->getMemberDecl());
        Field && Types::isStandard(Field->getParent()) && !X->isArrow() && X->getBase()->isGLValue())
      return store(X->getBase(), From);
  Nodes.store(address(To), From);
}

Node PointerReader::initial(QualType Type, const Expr *E) {
  if (!E || Type.isNull() || Type->isDependentType())
    return NoNode;
  if (Type->isReferenceType())
    return address(E);
  return value(E);
}

void PointerReader::outer(const Expr *E) {
  if (const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenCasts()))
    OuterOf.try_emplace(Call, E);
}

void PointerReader::finish() {
  for (const Making &M : MakingCalls) {
    MemoryCall &C = M.IsResult ? Nodes.Facts.Results[M.Index].As : Nodes.Facts.Calls[M.Index];
    C.Whole = wholeCall(M.Call, OuterOf.lookup(M.Call), M.In, Context.getLangOpts(), Where);
  }
}

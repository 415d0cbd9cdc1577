// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of calls and conversions, and what the standard library does to them.

#include "mpi/Functions.h"
#include "syntax/Expressions.h"
#include "values/Memory.h"
#include "values/Values.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

Functions mpishm::callablesOf(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Inner); Address && Address->getOpcode() == UO_AddrOf)
    Inner = Address->getSubExpr()->IgnoreParens();
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner); Construct && Construct->getNumArgs() == 1)
    Inner = Construct->getArg(0)->IgnoreParenImpCasts();
  Functions Found;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *F = dyn_cast<FunctionDecl>(Reference->getDecl())) {
      if (!Types::isStandard(F) && mpiNameOf(F).empty())
        Found.push_back(F);
      return Found;
    }
  const CXXRecordDecl *Record = Inner->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Types::isStandard(Record))
    return Found;
  for (const Decl *D : Record->decls()) {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(D); Method && Method->getOverloadedOperator() == OO_Call)
      Found.push_back(Method);
    else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      for (const FunctionDecl *F : Template->specializations())
        if (F->getOverloadedOperator() == OO_Call)
          Found.push_back(F);
  }
  return Found;
}

Operands Values::asHandle(const Operands &Found) {
  Operands Result;
  for (const Operand &O : Found)
    if (O.Which == Operand::Kind::Object ? O.ObjectIndex != Emit.escapedIntegers()
                                         : O.Which != Operand::Kind::Computed && O.Which != Operand::Kind::Constant)
      Result.push_back(O);
  // Elements that are made without a value are zeros where handles are integers.
  bool Zeros = llvm::all_of(Found, [](const Operand &O) { return O.Which == Operand::Kind::Constant && O.Value == 0; });
  if (Result.empty() && !Zeros)
    Result.push_back(makeOperand(Operand::Kind::Unknown));
  return Result;
}

/// Integers beside handles in one container are not in the container's object but among those that are not followed.
Operands Values::withMixed(Operands Found, const Expr *From, const Expr *E) {
  ValueType Type = Typing.classify(E->getType());
  if (From && Typing.classify(From->getType()).Mixed && Type.isInteger() && !Type.Container) {
    addOperand(Found, makeOperand(Operand::Kind::Computed));
    addOperand(Found, makeObject(Emit.escapedIntegers()));
  }
  return Found;
}

Operands Values::ofCall(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  ValueType Type = Typing.classify(E->getType());
  if (!F) {
    QualType Callee = E->getCallee()->IgnoreParenImpCasts()->getType();
    if (const auto *Member = dyn_cast<BinaryOperator>(E->getCallee()->IgnoreParenImpCasts());
        Member && Member->isPtrMemOp())
      Callee = Member->getRHS()->getType()->castAs<MemberPointerType>()->getPointeeType();
    else if (!Callee->getPointeeType().isNull())
      Callee = Callee->getPointeeType();
    if (!Type.Tracked || !Callee->isFunctionType())
      return {};
    return {makeObject(Emit.object(indirectId(Callee) + "#result", "result of a call through a pointer", Type.Kind))};
  }
  if (!mpiNameOf(F).empty())
    return Type.Handle ? unknownOf(Type) : Operands{makeOperand(Operand::Kind::Computed)};
  switch (memoryFunctionOf(F, Where)) {
  case MemoryFunction::Fresh:
  case MemoryFunction::Zeroed:
    return {makeOperand(Operand::Kind::Null)};
  case MemoryFunction::Resized: {
    Operands Result = {makeOperand(Operand::Kind::Null)};
    if (E->getNumArgs())
      addOperands(Result, of(E->getArg(0)->IgnoreImpCasts()));
    return Result;
  }
  default:
    break;
  }
  if (Types::isStandard(F))
    return ofStandardCall(E);
  if (!Type.Tracked)
    return {};
  if (F->getBuiltinID() && Type.isInteger() && Where.isLibrary(F->getLocation()))
    return {makeOperand(Operand::Kind::Computed)};
  return isMemory(F->getReturnType()) ? ofMemory(E) : Operands{makeObject(Emit.result(F))};
}

/// A layer of the program's over realloc gives back what it is given.
Operands Values::ofMemory(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  Operands Result = {makeObject(Emit.result(F))};
  for (unsigned I = 0; I < E->getNumArgs() && I < F->getNumParams() && !isa<CXXOperatorCallExpr>(E); ++I)
    if (isMemory(F->getParamDecl(I)->getType()))
      addOperands(Result, objectsIn(of(E->getArg(I)->IgnoreParenCasts())));
  return Result;
}

/// A function of the standard library gives back what it was given.
Operands Values::ofStandardCall(const CallExpr *E) {
  ValueType Type = Typing.classify(E->getType());
  if (!Type.Tracked && !E->getType()->isRecordType())
    return {};
  bool ByValue = Type.isInteger() && !Type.Indirect && !E->isGLValue();
  // Sizes, counts and distances; a handle is no wider or unsigned integer.
  if (ByValue && !Type.Ambiguous && !E->getType()->isSpecificBuiltinType(BuiltinType::Int))
    return {makeOperand(Operand::Kind::Computed)};
  Operands Result = tiedBy(E);
  if (ByValue)
    addOperand(Result, makeOperand(Operand::Kind::Computed));
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E))
    return withMixed(std::move(Result), Member->getImplicitObjectArgument(), E);
  return withMixed(std::move(Result), E->getNumArgs() ? E->getArg(0) : nullptr, E);
}

void Values::addTied(Operands &To, const Expr *E, QualType Parameter, bool WithIntegers) {
  for (const FunctionDecl *F : callablesOf(E)) {
    auto Add = [&](QualType Declared, uint32_t Object) {
      if (ValueType One = Typing.classify(Declared); One.Handle || One.Ambiguous || WithIntegers)
        addOperand(To, makeObject(Object));
    };
    for (unsigned I = 0; I < F->getNumParams(); ++I)
      if (ValueType One = Typing.classify(F->getParamDecl(I)->getType()); One.Tracked && !One.Raw)
        Add(F->getParamDecl(I)->getType(), Emit.parameter(F, I));
    if (ValueType One = Typing.classify(F->getReturnType()); One.Tracked && !One.Raw)
      Add(F->getReturnType(), Emit.result(F));
  }
  // A pointer to a function, other than one by its name.
  if (QualType Function = functionIn(E->IgnoreParenImpCasts()->getType()); !Function.isNull() && callablesOf(E).empty())
    for (auto [I, Declared] : llvm::enumerate(Function->castAs<FunctionProtoType>()->getParamTypes()))
      if (ValueType One = Typing.classify(Declared); One.Handle)
        addOperand(To, makeObject(Emit.calledParameter(Function, I, One.Kind)));
  ValueType Type = Typing.classify(E->IgnoreParenImpCasts()->getType());
  if (Type.isInteger() && !Type.Indirect && !Type.Container) {
    // Not what is counted or indexed with.
    QualType P = Parameter.isNull() ? QualType() : Parameter.getNonReferenceType();
    if (!P.isNull() && P->isIntegerType() && !P->isSpecificBuiltinType(BuiltinType::Int) && !P->isEnumeralType())
      return;
    if (!WithIntegers && !Type.Ambiguous)
      return;
  }
  addOperands(To, of(E));
}

/// The type of the keys of \p Container, when it is a map that is written with keys which are surely no handles; else
/// null.
static QualType integerKey(const Expr *Container, Types &Typing) {
  const auto *Written = Container->getType().getNonReferenceType()->getAs<TemplateSpecializationType>();
  const TemplateDecl *Template = Written ? Written->getTemplateName().getAsTemplateDecl() : nullptr;
  if (!Template || !Types::isStandard(Template->getTemplatedDecl()) || !Template->getName().ends_with("map"))
    return {};
  llvm::ArrayRef<TemplateArgument> Arguments = Written->template_arguments();
  if (Arguments.size() < 2 || Arguments[0].getKind() != TemplateArgument::Type)
    return {};
  ValueType Key = Typing.classify(Arguments[0].getAsType());
  return Key.isInteger() && !Key.Ambiguous ? Arguments[0].getAsType().getCanonicalType() : QualType();
}

Operands Values::tiedBy(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  llvm::SmallVector<std::pair<const Expr *, QualType>, 4> Parts;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    Parts.push_back({Member->getImplicitObjectArgument(), QualType()});
  bool ObjectFirst = isa<CXXOperatorCallExpr>(Call) && Method && !Method->isStatic();
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    unsigned Index = I - (ObjectFirst ? 1 : 0);
    bool Declared = F && !(ObjectFirst && I == 0) && Index < F->getNumParams();
    Parts.push_back({Call->getArg(I), Declared ? F->getParamDecl(Index)->getType() : QualType()});
  }
  // Keys of a map of handles are no handles: where a handle is involved, what is surely an integer stays apart.
  bool Handles =
      llvm::any_of(Parts, [&](const auto &P) { return P.first && Typing.classify(P.first->getType()).Handle; });
  QualType Key = Handles && Parts.front().first ? integerKey(Parts.front().first, Typing) : QualType();
  auto IsKey = [&](QualType Type) {
    return !Key.isNull() && !Type.isNull() && Key == Type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  };
  Operands Result;
  for (auto [Part, Type] : Parts)
    if (Part && !IsKey(Type))
      addTied(Result, Part, Type, !Handles);
  return Result;
}

Operands Values::tiedBy(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *F = Construct->getConstructor();
  bool Handles = Typing.classify(Construct->getType()).Handle;
  Operands Result;
  for (unsigned I = 0; I < Construct->getNumArgs(); ++I)
    addTied(Result, Construct->getArg(I), I < F->getNumParams() ? F->getParamDecl(I)->getType() : QualType(), !Handles);
  return Result;
}

Operands Values::ofConstruct(const CXXConstructExpr *E) {
  ValueType Type = Typing.classify(E->getType());
  if (!Type.Tracked)
    return {};
  Operands Result = tiedBy(E);
  if (Type.isInteger())
    addOperand(Result, makeConstant(0)); // elements that are made without a value
  return Result;
}

Operands Values::ofCast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  ValueType To = Typing.classify(E->getType()), From = Typing.classify(Sub->getType());
  // A constant is no request, whatever handles are in this MPI library: programs mark with one what is under way.
  if (Operands Constant; To.Handle && !To.Indirect && To.Kind != Domain::Communicator && !From.Handle &&
                         isa<ExplicitCastExpr>(E) && ofConstant(Sub, Constant))
    return {makeOperand(Operand::Kind::Null)};
  switch (E->getCastKind()) {
  case CK_NullToPointer:
    return {makeOperand(Operand::Kind::Null)};
  case CK_ToVoid:
    return {};
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
  case CK_PointerToIntegral:
    return {makeOperand(Operand::Kind::Computed)};
  case CK_FloatingToIntegral:
  case CK_IntegralToPointer:
    return unknownOf(To);
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
    // A record of the program that is a container: one object for all of its kind.
    if (To.Container && !From.Tracked)
      if (const RecordDecl *Record = Typing.recordIn(Sub->getType()))
        return {makeObject(Emit.object(mpishm::idOf(Record, Where) + "#base", Record->getNameAsString(), To.Kind))};
    return of(Sub);
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_AddressSpaceConversion:
  case CK_ReinterpretMemberPointer:
    return ofPointerCast(E, To);
  default:
    break;
  }
  Operands Result = of(Sub);
  if (!isa<ExplicitCastExpr>(E))
    return Result;
  // Where handles are integers, a conversion shows in the written types only.
  Domain Kind = Domain::Integer;
  bool WasHandle = isHandle(Sub, Result, Kind);
  if (To.Handle && !WasHandle && From.Tracked && !From.Ambiguous && !From.Raw)
    return unknownOf(To);
  if (To.isInteger() && !To.Ambiguous && WasHandle)
    return unknownOf(To);
  return Result;
}

Operands Values::ofPointerCast(const CastExpr *E, const ValueType &To) {
  const Expr *Sub = E->getSubExpr();
  ValueType From = Typing.classify(Sub->getType());
  if (!To.Tracked)
    return {};
  if (const auto *Call = dyn_cast<CallExpr>(Sub->IgnoreParenCasts()); Call && !To.isInteger())
    if (const FunctionDecl *F = Call->getDirectCallee();
        F && isBytePointer(F->getReturnType()) && !Where.isLibrary(F->getLocation()))
      return ofMemory(Call);
  if (From.Raw) {
    Operands Result = of(Sub);
    if (!To.isInteger())
      return Result;
    // Memory of any origin, seen as integers. What a function has just made holds none yet.
    return isa<CallExpr>(Sub->IgnoreParenCasts()) ? Operands{makeOperand(Operand::Kind::Computed)} : unknownOf(To);
  }
  Operands Result = of(Sub);
  Domain Kind = Domain::Integer;
  bool WasHandle = isHandle(Sub, Result, Kind);
  if (To.Handle && From.Handle && To.Kind == From.Kind)
    return Result;
  if (To.Raw)
    return Sub->isNullPointerConstant(const_cast<ASTContext &>(Context), Expr::NPC_NeverValueDependent)
               ? Operands{makeOperand(Operand::Kind::Null)}
               : unknownOf(To);
  if (To.isInteger() && From.isInteger() && !WasHandle)
    return Result;
  return unknownOf(To);
}

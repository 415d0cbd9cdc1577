// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions through which values leave, or enter, what collect follows.

#include "flows/Builder.h"
#include "values/Memory.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// A macro by which some MPI libraries define their conversions between C and Fortran handles.
static bool isConversionMacro(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("MPI_Comm_c2f", "MPI_Comm_f2c", "MPI_Request_c2f", "MPI_Request_f2c", true)
      .Cases("MPI_Message_c2f", "MPI_Message_f2c", "PMPI_Message_c2f", "PMPI_Message_f2c", true)
      .Cases("PMPI_Comm_c2f", "PMPI_Comm_f2c", "PMPI_Request_c2f", "PMPI_Request_f2c", true)
      .Default(false);
}

void Builder::cast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  keepWildcards(E);
  if (E->getType()->isDependentType() || Sub->getType()->isDependentType() || HarmlessCasts.contains(E))
    return;
  functionPointerCast(E);
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
  case CK_ToVoid:
  case CK_ArrayToPointerDecay:
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
  case CK_NullToPointer:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_FunctionToPointerDecay:
    return;
  case CK_NoOp:
  case CK_IntegralCast:
    if (!isa<ExplicitCastExpr>(E))
      return;
    break;
  default:
    break;
  }
  if (!Where.macroOf(E, isMpiConstant).empty()) // how the library spells a constant is its own affair
    return;
  ValueType To = Typing.classify(E->getType()), From = Typing.classify(Sub->getType());
  if (E->getCastKind() == CK_BitCast && E->getType()->isFunctionPointerType() && !isNull(E))
    functionCast(E);
  Operands Values = Reader.of(Sub);
  Domain Kind = Domain::Integer;
  bool WasHandle = Reader.isHandle(Sub, Values, Kind);
  if (WasHandle && !(To.Handle && To.Kind == Kind) && !To.Ambiguous) {
    llvm::StringRef Macro = Where.macroOf(E, isConversionMacro);
    Emit.escape(Macro.empty() ? Escape::Kind::Cast : Escape::Kind::LeakingMpi, Kind, Values, E->getExprLoc(),
                Macro.empty() ? E->getType().getAsString() : Macro.str());
    return;
  }
  if (bytesResult(E, E->getType()))
    return;
  if (From.isInteger() && From.Indirect && !To.isInteger() && !WasHandle && E->getType()->isAnyPointerType()) {
    // Whoever has the bytes may read and write the integers.
    if (From.Ambiguous)
      Emit.escape(Escape::Kind::Cast, Domain::Integer, Values, E->getExprLoc(), E->getType().getAsString());
    for (const Operand &O : Values::objectsIn(Values)) {
      Emit.flow(O.ObjectIndex, makeOperand(Operand::Kind::Computed), false, E->getExprLoc());
      Emit.flow(Emit.escapedIntegers(), O, true, E->getExprLoc());
    }
    return;
  }
  recordCast(E, Sub->getType(), E->getType());
}

/// An integer that goes into a type which is not followed: a char, a double.
void Builder::keepWildcards(const CastExpr *E) {
  if (E->getCastKind() != CK_IntegralCast && E->getCastKind() != CK_IntegralToFloating)
    return;
  ValueType From = Typing.classify(E->getSubExpr()->getType());
  if (!From.isInteger() || Typing.classify(E->getType()).Tracked)
    return;
  for (const Operand &O : Reader.of(E->getSubExpr()))
    if (O.Which == Operand::Kind::Object || isWildcard(O))
      Emit.flow(Emit.escapedIntegers(), O, false, E->getExprLoc());
}

/// A function pointer of another type: whoever calls it may be any code, and may be given any function.
void Builder::functionCast(const CastExpr *E) {
  QualType Type = E->getType()->getPointeeType();
  const auto *Prototype = Type->getAs<FunctionProtoType>();
  for (unsigned I = 0; Prototype && I < Prototype->getNumParams(); ++I) {
    ValueType Parameter = Typing.classify(Prototype->getParamType(I));
    if (!Parameter.Tracked || Parameter.Raw)
      continue;
    uint32_t Object = Emit.calledParameter(Type, I, Parameter.Kind);
    if (Parameter.isInteger())
      Emit.flow(Emit.escapedIntegers(), makeObject(Object), Parameter.Indirect, E->getExprLoc());
    Emit.escape(Escape::Kind::Cast, Parameter.Kind, {makeObject(Object)}, E->getExprLoc(), E->getType().getAsString());
  }
}

/// What a function of the program gives as a pointer to characters becomes memory of handles or records: it comes from
/// a layer over malloc, maybe. False when \p E is no such cast.
bool Builder::bytesResult(const CastExpr *E, QualType To) {
  const auto *Call = dyn_cast<CallExpr>(E->getSubExpr()->IgnoreParenCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || E->getCastKind() != CK_BitCast || !isBytePointer(F->getReturnType()) || !To->isPointerType() ||
      Where.isLibrary(F->getLocation()))
    return false;
  uint32_t Result = Emit.result(F);
  auto Come = [&](Domain Kind) {
    Emit.escape(Escape::Kind::Cast, Kind, {makeObject(Result)}, E->getExprLoc(), To.getAsString(), Emit.idOf(Result));
  };
  if (ValueType Type = Typing.classify(To); Type.Handle || Type.Ambiguous) {
    Come(Type.Kind);
    return true;
  }
  const RecordDecl *Record = Typing.recordIn(To);
  if (!Record || Where.isLibrary(Record->getLocation()))
    return false;
  zeroFields(Record, E->getExprLoc());
  overwriteFields(QualType(Record->getTypeForDecl(), 0), false, E->getExprLoc(), "");
  for (const FieldDecl *Field : Typing.fieldsOf(Record, false))
    if (ValueType Type = Typing.classify(Field->getType()); !Type.isInteger()) {
      Emit.flow(Emit.objectOf(Field), makeObject(Result), true, E->getExprLoc());
      Come(Type.Kind);
    }
  return true;
}

/// True when \p Inner is the first member of \p Outer, or of its first member: C's way to derive a record.
static bool beginsWith(QualType Outer, QualType Inner, const ASTContext &Context) {
  while (const auto *Record = Outer->getAs<RecordType>()) {
    const RecordDecl *D = Record->getDecl()->getDefinition();
    if (!D || D->isUnion() || D->field_empty())
      return false;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(D); Class && (Class->getNumBases() || Class->isDynamicClass()))
      return false;
    Outer = D->field_begin()->getType();
    if (Context.hasSameUnqualifiedType(Outer, Inner))
      return true;
  }
  return false;
}

/// A record that nobody can look into: its pointers carry those of others, as pointers to void do.
static bool isOpaque(QualType Type) {
  const auto *Record = Type->getAs<RecordType>();
  return Type->isVoidType() || (Record && !Record->getDecl()->getDefinition());
}

/// Pointers to records as pointers to something else: the bytes of their members may change.
void Builder::recordCast(const CastExpr *E, QualType From, QualType To) {
  if (E->getCastKind() != CK_BitCast && E->getCastKind() != CK_LValueBitCast)
    return;
  if (From->isFunctionPointerType() || To->isFunctionPointerType())
    return;
  QualType FromPointee = From->isAnyPointerType() ? From->getPointeeType() : From;
  QualType ToPointee = To->isAnyPointerType() || To->isReferenceType() ? To->getPointeeType() : To;
  if (Context.hasSameUnqualifiedType(FromPointee, ToPointee))
    return;
  if (beginsWith(FromPointee, ToPointee, Context) || beginsWith(ToPointee, FromPointee, Context))
    return;
  const Expr *Sub = E->getSubExpr()->IgnoreParenCasts();
  // What a function has just made is memory, not a record of another type.
  if (FromPointee->isVoidType() && isa<CallExpr>(Sub)) {
    const auto *Call = llvm::cast<CallExpr>(Sub);
    if (memoryFunctionOf(Call->getDirectCallee(), Where) != MemoryFunction::Fresh)
      zeroFields(Typing.recordIn(ToPointee), E->getExprLoc());
    return;
  }
  bool Untyped = isOpaque(FromPointee) || isOpaque(ToPointee);
  std::string Name = E->getType().getAsString();
  for (QualType Pointee : {FromPointee, ToPointee})
    if (Pointee->isRecordType())
      overwriteFields(Pointee, !Untyped, E->getExprLoc(), Name);
}

void Builder::overwriteFields(QualType Type, bool Handles, SourceLocation Loc, llvm::StringRef Name) {
  const RecordDecl *Record = Typing.recordIn(Type);
  if (!Record || Where.isLibrary(Record->getLocation()))
    return;
  if (Handles)
    openPointersIn(Type, Escape::Kind::Cast, Loc, Name);
  for (const FieldDecl *Field : Typing.fieldsOf(Record, false)) {
    ValueType FieldType = Typing.classify(Field->getType());
    // What an indirect member points to is not in the record.
    if (FieldType.isInteger()) {
      Emit.flow(Emit.objectOf(Field), makeOperand(Operand::Kind::Computed), false, Loc);
    } else if (Handles) {
      uint32_t Object = Emit.objectOf(Field);
      Emit.flow(Object, makeOperand(Operand::Kind::Unknown), true, Loc);
      Emit.escape(Escape::Kind::Cast, FieldType.Kind, {makeObject(Object)}, Loc, Name);
    }
  }
}

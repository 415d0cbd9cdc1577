// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests, and records, that are handed to functions called through pointers. A call through a pointer may reach every
// function of the pointer's type of which the program takes the address: Functions.cpp ties those together. That is all
// as long as no such pointer comes from, or goes to, where nobody can follow; what is found here says where one does.

#include "flows/Builder.h"
#include "syntax/Expressions.h"

using namespace mpishm;
using namespace clang;

bool Builder::isRequest(QualType Type) {
  ValueType Value = Typing.classify(Type);
  return Value.Handle && Value.Kind == Domain::Request;
}

bool Builder::takesRequest(QualType FunctionType) {
  return llvm::any_of(FunctionType->castAs<FunctionProtoType>()->getParamTypes(),
                      [&](QualType T) { return isRequest(T); });
}

/// The types of functions that can be called by whoever has \p Record.
const std::vector<QualType> &Builder::functionsOf(const RecordDecl *Record) {
  auto [It, IsNew] = FunctionsOf.try_emplace(Record);
  if (!IsNew)
    return It->second;
  std::vector<QualType> Found;
  llvm::SmallPtrSet<const RecordDecl *, 8> Seen = {Record};
  llvm::SmallVector<const RecordDecl *, 8> Work = {Record};
  while (!Work.empty())
    for (const FieldDecl *Field : Work.pop_back_val()->fields()) {
      if (QualType Type = functionIn(Field->getType()); !Type.isNull()) {
        Found.push_back(Type);
      } else if (const RecordDecl *Inner = Typing.recordIn(Field->getType());
                 Inner && !Where.isLibrary(Inner->getLocation()) && Seen.insert(Inner).second) {
        Work.push_back(Inner);
      }
    }
  return FunctionsOf[Record] = std::move(Found);
}

/// Calls through pointers to \p FunctionType may be calls of functions that we do not see, and functions of that type
/// may be called from anywhere.
void Builder::openCalls(QualType FunctionType, Escape::Kind Which, SourceLocation Loc, llvm::StringRef Name) {
  const auto *Prototype = FunctionType.isNull() ? nullptr : FunctionType->getAs<FunctionProtoType>();
  if (Prototype)
    Emit.convertedFunctionType(indirectId(FunctionType));
  for (unsigned I = 0; Prototype && I < Prototype->getNumParams(); ++I)
    if (isRequest(Prototype->getParamType(I)))
      Emit.escape(Which, Domain::Request, {makeObject(Emit.calledParameter(FunctionType, I, Domain::Request))}, Loc,
                  Name);
}

void Builder::openPointersIn(QualType Type, Escape::Kind Which, SourceLocation Loc, llvm::StringRef Name) {
  openCalls(functionIn(Type), Which, Loc, Name);
  if (const RecordDecl *Record = Typing.recordIn(Type); Record && !Where.isLibrary(Record->getLocation()))
    for (QualType Function : functionsOf(Record))
      openCalls(Function, Which, Loc, Name);
}

/// Function pointers in \p Type, in the records that it points to as well, go to, or come from, \p F.
void Builder::passFunctionPointers(const FunctionDecl *F, llvm::StringRef Position, QualType Type, SourceLocation Loc) {
  if (QualType Function = functionIn(Type); !Function.isNull()) {
    passCallsThrough(calleeOf(F), Position, Function, Loc);
    return;
  }
  const RecordDecl *Record = Typing.recordIn(Type);
  if (!Record || Where.isLibrary(Record->getLocation()))
    return;
  for (const FieldDecl *Field : Record->fields())
    if (QualType Function = functionIn(Field->getType()); !Function.isNull())
      passCallsThrough(calleeOf(F), Position, Function, Loc);
  for (QualType Function : functionsOf(Record))
    if (takesRequest(Function))
      passCallsThrough(calleeOf(F), Position, Function, Loc);
}

bool Builder::isNull(const CastExpr *E) const {
  return E->getSubExpr()->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull);
}

/// True when a function of the program, given by its name, becomes one of another type that takes a record of the
/// program: C's way to override functions of a record that others are derived from. What is called through the other
/// type is no more than such functions.
bool Builder::isOverride(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Sub); Address && Address->getOpcode() == UO_AddrOf)
    Sub = Address->getSubExpr()->IgnoreParens();
  const auto *Name = dyn_cast<DeclRefExpr>(Sub);
  const auto *F = Name ? dyn_cast<FunctionDecl>(Name->getDecl()) : nullptr;
  if (!F || E->getCastKind() != CK_BitCast || Where.isLibrary(F->getLocation()) ||
      !E->getType()->isFunctionPointerType())
    return false;
  const auto *Is = E->getType()->getPointeeType()->getAs<FunctionProtoType>();
  return Is && F->getType()->isFunctionProtoType() && takesOwnRecord(Is) &&
         llvm::none_of(Is->param_types(), [&](QualType T) { return isRequest(T); });
}

/// A conversion of a pointer to a function from or to another type. (What calls through the new type do, see
/// functionCast.)
void Builder::functionPointerCast(const CastExpr *E) {
  switch (E->getCastKind()) {
  case CK_FunctionToPointerDecay:
  case CK_ArrayToPointerDecay:
  case CK_NullToPointer:
  case CK_PointerToBoolean:
  case CK_ToVoid:
    return;
  case CK_LValueToRValue:
    if (E->getType()->isFunctionPointerType())
      readFunctionPointer(E->getSubExpr());
    return;
  default:
    break;
  }
  const Expr *Sub = E->getSubExpr();
  QualType From = functionIn(Sub->getType()), To = functionIn(E->getType());
  if (From.isNull() ? To.isNull() : !To.isNull() && indirectId(From) == indirectId(To))
    return;
  if (const auto *Call = dyn_cast<CallExpr>(Sub->IgnoreParenCasts());
      Call && memoryFunctionOf(Call->getDirectCallee(), Where) == MemoryFunction::Fresh)
    return;
  if (isNull(E))
    return;
  if (isOverride(E)) {
    const auto *Was = From->castAs<FunctionProtoType>(), *Is = To->castAs<FunctionProtoType>();
    for (auto [WasParameter, IsParameter] : llvm::zip(Was->param_types(), Is->param_types()))
      recordCast(E, WasParameter, IsParameter);
    return;
  }
  for (QualType Type : {From, To})
    openCalls(Type, Escape::Kind::Cast, E->getExprLoc(), E->getType().getAsString());
}

/// The value of \p E, an lvalue, is a pointer to a function: a variable or a library's member may hold one that is not
/// the program's.
void Builder::readFunctionPointer(const Expr *E) {
  QualType Type = functionIn(E->getType());
  const ValueDecl *Named = nullptr;
  for (E = E->IgnoreParenCasts(); !Named;) {
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Element->getBase()->IgnoreParenCasts();
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Where.isLibrary(Member->getMemberDecl()->getLocation()))
        Named = Member->getMemberDecl();
      E = Member->getBase()->IgnoreParenCasts();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr()->IgnoreParenCasts();
    } else if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      Named = Reference->getDecl();
    } else {
      return;
    }
  }
  if (Where.isLibrary(Named->getLocation())) {
    openCalls(Type, Escape::Kind::Expression, E->getExprLoc(), "");
    return;
  }
  const auto *Variable = dyn_cast<VarDecl>(Named);
  if (!Variable || !Variable->hasExternalFormalLinkage() || Variable->hasDefinition(Context))
    return;
  // Whether another unit has the definition is for match to find out.
  passCallsThrough({mpishm::idOf(Variable, Where), Variable->getQualifiedNameAsString(), ""}, "variable", Type,
                   E->getExprLoc());
}

/// A function whose address is taken, but not one that calls of its type can be tied to.
void Builder::openFunction(const FunctionDecl *F, SourceLocation Loc) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  bool IsMember = Method && !Method->isStatic() && !Method->getParent()->isLambda(); // an override may be called
  if (IsMember || Where.isLibrary(F->getLocation()) || Types::isStandard(F))
    openCalls(F->getType(), Escape::Kind::Expression, Loc, F->getNameAsString());
}

void Builder::variadicArgument(const VAArgExpr *E) {
  openPointersIn(E->getType(), Escape::Kind::Expression, E->getExprLoc(), "");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that are handed to functions called through pointers. A call through a pointer may reach every function of
// the pointer's type of which the program takes the address: Functions.cpp ties those together. That is all as long as
// no such pointer comes from, or goes to, where nobody can follow; what is found here says where one does.

#include "collect/Builder.h"
#include "collect/Expressions.h"

using namespace mpishm;
using namespace clang;

bool Builder::isRequest(QualType Type) {
  ValueType Value = Typing.classify(Type);
  return Value.Handle && Value.Kind == Domain::Request;
}

/// The types of functions with a request among their parameters that can be called by whoever has \p Record.
const std::vector<QualType> &Builder::requestFunctionsOf(const RecordDecl *Record) {
  auto [It, IsNew] = RequestFunctions.try_emplace(Record);
  if (!IsNew)
    return It->second;
  std::vector<QualType> Found;
  llvm::SmallPtrSet<const RecordDecl *, 8> Seen = {Record};
  llvm::SmallVector<const RecordDecl *, 8> Work = {Record};
  while (!Work.empty())
    for (const FieldDecl *Field : Work.pop_back_val()->fields()) {
      if (QualType Type = functionIn(Field->getType()); !Type.isNull()) {
        if (llvm::any_of(Type->castAs<FunctionProtoType>()->getParamTypes(), [&](QualType T) { return isRequest(T); }))
          Found.push_back(Type);
      } else if (const RecordDecl *Inner = Typing.recordIn(Field->getType());
                 Inner && !Where.isLibrary(Inner->getLocation()) && Seen.insert(Inner).second) {
        Work.push_back(Inner);
      }
    }
  return RequestFunctions[Record] = std::move(Found);
}

/// Calls through pointers to \p FunctionType may be calls of functions that we do not see, and functions of that type
/// may be called from anywhere.
void Builder::openCalls(QualType FunctionType, Escape::Kind Which, SourceLocation Loc, llvm::StringRef Name) {
  const auto *Prototype = FunctionType.isNull() ? nullptr : FunctionType->getAs<FunctionProtoType>();
  for (unsigned I = 0; Prototype && I < Prototype->getNumParams(); ++I)
    if (isRequest(Prototype->getParamType(I)))
      Emit.escape(Which, Domain::Request, {makeObject(Emit.calledParameter(FunctionType, I, Domain::Request))}, Loc,
                  Name);
}

void Builder::openPointersIn(QualType Type, Escape::Kind Which, SourceLocation Loc, llvm::StringRef Name) {
  openCalls(functionIn(Type), Which, Loc, Name);
  if (const RecordDecl *Record = Typing.recordIn(Type); Record && !Where.isLibrary(Record->getLocation()))
    for (QualType Function : requestFunctionsOf(Record))
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
  for (QualType Function : requestFunctionsOf(Record))
    passCallsThrough(calleeOf(F), Position, Function, Loc);
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

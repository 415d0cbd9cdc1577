// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call through a pointer may reach every function of the pointer's type of which the program takes the address
// (Functions.cpp). That is all as long as no such pointer comes from, or goes to, where nobody can follow; what is
// found here says where one does.

#include "sites/Builder.h"
#include "syntax/Callees.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"

using namespace mpishm;
using namespace clang;

bool Builder::isOwnRecord(const RecordDecl *Record) const { return Record && !Where.isLibrary(Record->getLocation()); }

bool Builder::takesOwnRecord(const FunctionProtoType *Prototype) {
  return llvm::any_of(Prototype->param_types(), [&](QualType T) { return isOwnRecord(Typing.recordIn(T)); });
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
                 isOwnRecord(Inner) && Seen.insert(Inner).second) {
        Work.push_back(Inner);
      }
    }
  return FunctionsOf[Record] = std::move(Found);
}

/// Calls through pointers to \p FunctionType may be calls of functions that we do not see, and functions of that type
/// may be called from anywhere.
void Builder::openCalls(QualType FunctionType) {
  if (!FunctionType.isNull() && FunctionType->getAs<FunctionProtoType>())
    Emit.convertedFunctionType(indirectId(FunctionType));
}

void Builder::openPointersIn(QualType Type) {
  openCalls(functionIn(Type));
  if (const RecordDecl *Record = Typing.recordIn(Type); isOwnRecord(Record))
    for (QualType Function : functionsOf(Record))
      openCalls(Function);
}

/// The members of a union are one another.
void Builder::record(const RecordDecl *D) {
  if (!D->isUnion() || !D->isThisDeclarationADefinition() || D->isDependentContext() || !isOwnRecord(D))
    return;
  for (const FieldDecl *Field : D->fields())
    openPointersIn(Field->getType());
}

/// Who defines a variable with pointers to functions has all that is stored there in sight.
void Builder::variable(const VarDecl *D) {
  if (D->getType()->isDependentType() || !D->hasExternalFormalLinkage() ||
      D->isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
    return;
  const RecordDecl *Record = Typing.recordIn(D->getType());
  if (!functionIn(D->getType()).isNull() || (isOwnRecord(Record) && !functionsOf(Record).empty()))
    Emit.body(mpishm::idOf(D, Where));
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
         llvm::none_of(Is->param_types(), [&](QualType T) { return Typing.classify(T).Request; });
}

void Builder::cast(const CastExpr *E) {
  const Expr *Sub = E->getSubExpr();
  if (E->getType()->isDependentType() || Sub->getType()->isDependentType() || HarmlessCasts.contains(E))
    return;
  functionPointerCast(E);
  recordCast(E, Sub->getType(), E->getType());
}

static bool isNull(const CastExpr *E, ASTContext &Context) {
  return E->getSubExpr()->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull);
}

/// A conversion of a pointer to a function from or to another type.
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
  if (isNull(E, Context))
    return;
  if (isOverride(E)) {
    const auto *Was = From->castAs<FunctionProtoType>(), *Is = To->castAs<FunctionProtoType>();
    for (auto [WasParameter, IsParameter] : llvm::zip(Was->param_types(), Is->param_types()))
      recordCast(E, WasParameter, IsParameter);
    return;
  }
  for (QualType Type : {From, To})
    openCalls(Type);
}

/// The value of \p E, an lvalue, is a pointer to a function: a variable that no unit defines, or a library's member,
/// may hold one that is not the program's.
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
  if (Where.isLibrary(Named->getLocation()))
    openCalls(Type);
  else if (const auto *Variable = dyn_cast<VarDecl>(Named); Variable && Variable->hasExternalFormalLinkage())
    getPointers(Variable, Type); // another unit may define it, or none
}

/// Pointers to functions that \p Type is, or that are in what it leads to, may be what \p From makes them.
void Builder::getPointers(const NamedDecl *From, QualType Type) {
  auto Get = [&](QualType Function) {
    if (!Function.isNull())
      Emit.functionPointer({mpishm::idOf(From, Where), indirectId(Function)});
  };
  Get(functionIn(Type));
  if (const RecordDecl *Record = Typing.recordIn(Type); isOwnRecord(Record))
    for (QualType Function : functionsOf(Record))
      Get(Function);
}

/// What \p F returns, or writes where its arguments point to.
void Builder::getPointersOf(const FunctionDecl *F) {
  if (F->hasBody())
    return;
  getPointers(F, F->getReturnType());
  for (const ParmVarDecl *P : F->parameters()) {
    QualType Type = P->getType();
    if (Type->isReferenceType() || Type->isPointerType())
      if (QualType To = Type->getPointeeType(); !To->isFunctionType() && !To.isConstQualified())
        getPointers(F, To);
  }
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && !Method->isStatic())
    getPointers(F, Context.getRecordType(Method->getParent()));
}

/// A function whose address is taken, but not one that calls of its type can be tied to.
void Builder::openFunction(const FunctionDecl *F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  bool IsMember = Method && !Method->isStatic() && !Method->getParent()->isLambda(); // an override may be called
  if (IsMember || Where.isLibrary(F->getLocation()) || Types::isStandard(F))
    openCalls(F->getType());
}

void Builder::variadicArgument(const VAArgExpr *E) { openPointersIn(E->getType()); }

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
  if (isOpaque(FromPointee) || isOpaque(ToPointee))
    return;
  for (QualType Pointee : {FromPointee, ToPointee})
    if (Pointee->isRecordType())
      openPointersIn(Pointee);
}

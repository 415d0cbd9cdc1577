// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors/VectorReader.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"
#include "syntax/Keep.h"
#include "syntax/WholeCalls.h"
#include "vectors/VectorForms.h"
#include "vectors/VectorTypes.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

static constexpr const char *WrittenElsewhere = "has a type that is written elsewhere";
static constexpr const char *Incomplete = "has elements of a record that is not defined here";
static constexpr const char *DependsOnType = "is used here in a way that depends on its type";

std::string VectorReader::vectorNamed(const Expr *E) const {
  E = bare(E);
  if (const Expr *Nest = nestOf(E))
    return vectorNamed(Nest);
  const ValueDecl *D = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    D = Reference->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(E))
    D = Member->getMemberDecl();
  else if (const auto *Call = dyn_cast<CallExpr>(E))
    D = resultOf(Call);
  else if (TypeLoc Written = typeOfTemporary(E))
    return idOfTemporary(Written);
  bool Changeable = D && (isa<FunctionDecl>(D) || Iterators.contains(D) ||
                          (isa<VarDecl, FieldDecl>(D) && vectorIn(D->getType()) && isChangeable(D)));
  return Changeable ? idOfVector(D) : "";
}

/// True for a variable that no other language, no compiler and no template can tell by its type.
static bool isPlain(const VarDecl *D) {
  return !D->isExternC() && !D->isConstexpr() && !D->isLocalExternDecl() && !isa<VarTemplateSpecializationDecl>(D) &&
         D->getTemplateSpecializationKind() == TSK_Undeclared && !D->getDeclContext()->isDependentContext() &&
         hasPlainAttributes(D);
}

bool VectorReader::isChangeable(const ValueDecl *D) const {
  if (const auto *P = dyn_cast<ParmVarDecl>(D))
    return functionOf(P);
  const auto *Variable = dyn_cast<VarDecl>(D);
  if (Variable && (Variable->hasLocalStorage() || Variable->isStaticLocal()))
    return hasPlainAttributes(Variable);
  return !Variable || llvm::all_of(Variable->redecls(),
                                   [&](const VarDecl *R) { return isPlain(R) && !Where.isLibrary(R->getLocation()); });
}

/// One for all instances of a template that it stands in.
std::string VectorReader::idOfTemporary(TypeLoc Written) const {
  Place At = Where.at(Written.getEndLoc());
  return "temporary:" + At.File + ":" + std::to_string(At.Offset);
}

std::string VectorReader::idOfVector(const ValueDecl *D) const {
  return (isa<FunctionDecl>(D) ? "result:" : "") + mpishm::idOf(D, Where);
}

void VectorReader::use(const Expr *E, const ValueDecl *D) {
  // All of a function that has an instance is seen there; of a class only the members that are used.
  const auto *F = dyn_cast<FunctionDecl>(D);
  const auto *Method = dyn_cast<CXXMethodDecl>(D->getDeclContext());
  bool Local = !isa<FieldDecl>(D) && D->getDeclContext()->isDependentContext() &&
               !(isa<ParmVarDecl>(D) && Method && Method->isVirtual());
  bool Seen = InPattern && (F ? E->isTypeDependent() : Local);
  bool Vector = vectorIn(F ? F->getReturnType() : D->getType());
  if ((Vector || Iterators.contains(D)) && !Seen && !isImplicit() && !Types::isStandard(D))
    Uses.push_back({E, D});
}

void VectorReader::misuse(std::string Id, const char *What, SourceLocation Loc) {
  Facts.VectorMisuses.push_back({std::move(Id), What, Where.at(Loc)});
}

void VectorReader::misuse(const ValueDecl *D, const char *What, SourceLocation Loc) {
  misuse(idOfVector(D), What, Loc);
}

/// What has \p Id and stands at \p Loc, in \p Around, may be a vector of numbers in another instance of a template, or
/// in another unit.
void VectorReader::otherElements(std::string Id, const DeclContext *Around, SourceLocation Loc) {
  const SourceManager &SM = Where.sources();
  bool Elsewhere = SM.getFileID(SM.getFileLoc(Loc)) != SM.getMainFileID();
  for (const DeclContext *In = Around; In && !Elsewhere; In = In->getParent()) {
    const auto *F = dyn_cast<FunctionDecl>(In);
    const auto *Class = dyn_cast<CXXRecordDecl>(In);
    Elsewhere = (F && F->isTemplateInstantiation()) || (Class && Class->getTemplateInstantiationPattern());
  }
  if (Elsewhere)
    misuse(std::move(Id), OtherElements, Loc);
}

/// \p A and \p B have one type. Both have to be declared in this unit, else they keep it.
void VectorReader::link(std::string A, std::string B, SourceLocation Loc) {
  if (A == B)
    return;
  Linked.try_emplace(A, Loc);
  Linked.try_emplace(B, Loc);
  Facts.VectorLinks.push_back({std::move(A), std::move(B)});
}

/// The vector of \p Id is made of elements, if \p OfElements, or of \p Other, if that is not null.
void VectorReader::made(const std::string &Id, const Expr *Other, bool OfElements, SourceLocation Loc) {
  if (std::string Named = Other ? vectorNamed(Other) : ""; !Named.empty()) {
    allow(Other);
    link(Id, Named, Loc);
  } else if (!OfElements) {
    return misuse(Id, "is made of another one", Loc);
  }
  if (isConstant())
    misuse(Id, "is made where a constant may be needed", Loc);
}

/// \p D is initialised by \p Init: with elements, or with another vector that is named there.
void VectorReader::made(const ValueDecl *D, const Expr *Init, SourceLocation Loc) {
  const Expr *Other = vectorCopied(Init);
  bool Unknown = isNest(D->getType()) && isa_and_nonnull<ParenListExpr>(Init); // in a template: of what, none says yet
  made(idOfVector(D), Other ? Other : elementRepeated(Init), makesOfElements(Init) && !Unknown, Loc);
}

/// \p Vectors have one type, and no more is seen of it. Nothing when they are not all known.
void VectorReader::allowAll(llvm::ArrayRef<const Expr *> Vectors) {
  llvm::SmallVector<std::string, 4> Ids;
  for (const Expr *E : Vectors)
    if (Ids.push_back(E ? vectorNamed(E) : ""); Ids.back().empty())
      return;
  for (auto [E, Id] : llvm::zip(Vectors, Ids)) {
    allow(E);
    link(Ids.front(), Id, E->getExprLoc());
  }
}

/// The vectors of all \p Iterators have one type. What gave the iterators is asked for them, and keeps none.
void VectorReader::allowIterators(llvm::ArrayRef<const Expr *> Iterators) {
  llvm::SmallVector<const Expr *, 4> Vectors;
  for (const Expr *E : Iterators) {
    Vectors.push_back(flatVectorOf(E));
    Discarded.insert(withoutConversions(E));
  }
  allowAll(Vectors);
}

/// True for `auto`, of which no concept asks anything.
static bool isPlainAuto(TypeLoc Type) {
  auto Automatic = Type.getAs<AutoTypeLoc>();
  return Automatic && !Automatic.isConstrained();
}

/// True for a variable of a class that what it is made of tells.
bool VectorReader::isAutomaticObject(const VarDecl *D) const {
  const TypeSourceInfo *Written = D->getTypeSourceInfo();
  return D->getInit() && Written && !isa<ParmVarDecl>(D) && !D->isInitCapture() && D->getType()->isRecordType() &&
         isPlainAuto(Written->getTypeLoc().getUnqualifiedLoc());
}

/// \p D may have the type of the iterator of a vector or nest that it is made of.
void VectorReader::iterator(const VarDecl *D) {
  if (!isAutomaticObject(D))
    return;
  if (const Expr *Nest = nestOfIterator(D->getInit()))
    return iterateNest(D, Nest);
  const Expr *Vector = flatVectorOf(D->getInit());
  std::string Named = Vector ? vectorNamed(Vector) : "";
  if (Named.empty())
    return;
  Iterators.insert(D);
  Declared.insert(idOfVector(D));
  allowIterators({D->getInit()});
  link(idOfVector(D), Named, D->getLocation());
}

/// \p E calls the member function \p Name of \p Object, a vector, which exchanges or moves its elements.
void VectorReader::change(const CXXMemberCallExpr *E, const Expr *Object, llvm::StringRef Name) {
  if (Name == "swap" && E->getNumArgs() == 1)
    return allowAll({Object, E->getArg(0)->IgnoreParenImpCasts()});
  // They give back an iterator.
  if (!changesAtIterator(Name) || !Discarded.contains(E))
    return;
  llvm::SmallVector<const Expr *, 3> Vectors = {Object};
  for (unsigned I = 0; I < (Name == "erase" ? E->getNumArgs() : 1); ++I) {
    Vectors.push_back(flatVectorOf(E->getArg(I)));
    Discarded.insert(withoutConversions(E->getArg(I)));
  }
  allowAll(Vectors);
}

/// \p E calls the standard library's operator for \p A and, if that is not null, \p B: vectors, or iterators.
void VectorReader::operate(const CXXOperatorCallExpr *E, const Expr *A, const Expr *B) {
  OverloadedOperatorKind Operator = E->getOperator();
  bool Compares = isOfTwoVectors(Operator);
  // What they give back has a type of its own, too.
  if ((Operator == OO_Equal || movesIterator(E)) && !Discarded.contains(E))
    return;
  if (nestOfIterator(A))
    return operateInNest(E, A, B);
  if (movesIterator(E) || (!B && (Operator == OO_Star || Operator == OO_Arrow))) { // ++i, *v.begin(), i->x
    allowIterators({A});
  } else if (!B) {
    return;
  } else if (Compares && vectorIn(A->getType()) && vectorIn(B->getType())) {
    allowAll({A, handedOn(B)});
  } else if (Operator == OO_Equal && isFlat(A->getType())) { // v = {1, 2}
    const FunctionDecl *F = E->getDirectCallee();
    if (isElementList(F->getParamDecl(F->getNumParams() - 1)->getType()))
      allow(A);
  } else if (Operator == OO_Minus || Compares) { // v.end() - v.begin()
    allowIterators({A, B});
  }
}

/// \p E follows iterators; those for which \p Pattern, its template, has one parameter must be of one type.
void VectorReader::follow(const CallExpr *E, const FunctionDecl *Pattern) {
  llvm::MapVector<const clang::Type *, llvm::SmallVector<const Expr *, 2>> ByType;
  for (unsigned I = 0; I < E->getNumArgs() && I < Pattern->getNumParams(); ++I) {
    QualType Type = Pattern->getParamDecl(I)->getType().getNonReferenceType().getCanonicalType();
    if (isa<TemplateTypeParmType>(Type))
      ByType[Type.getTypePtr()].push_back(flatVectorOf(E->getArg(I)));
  }
  for (const auto &[Type, Vectors] : ByType)
    allowAll(Vectors);
}

/// The member \p Field is initialised by \p Init.
void VectorReader::member(const FieldDecl *Field, const Expr *Init, SourceLocation Loc) {
  if (Field->getType()->isReferenceType())
    refer(Field, Init, Loc);
  else
    made(Field, Init, Loc);
}

/// The members of \p R, and its bases before them, are initialised by \p Inits.
void VectorReader::madeInOrder(const RecordDecl *R, llvm::ArrayRef<Expr *> Inits, SourceLocation Loc) {
  if (Types::isStandard(R))
    return;
  unsigned Index = isa<CXXRecordDecl>(R) ? cast<CXXRecordDecl>(R)->getNumBases() : 0;
  for (const FieldDecl *Field : R->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index >= Inits.size())
      break;
    const Expr *Init = Inits[Index++];
    if (vectorIn(Field->getType()))
      member(Field, Init, Loc);
  }
}

static bool isOfAggregate(const FieldDecl *Field) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  return !Class || Class->isAggregate();
}

/// The standard library is given \p Given to make or change an object of \p Class. Since C++20 it may make a record of
/// them that has no constructor, member by member, as `optional<Record>(in_place, vector)` does.
void VectorReader::madeByLibrary(QualType Class, llvm::ArrayRef<TemplateArgument> Arguments,
                                 llvm::ArrayRef<const Expr *> Given, SourceLocation Loc) {
  if (!Context.getLangOpts().CPlusPlus20 ||
      llvm::none_of(Given, [](const Expr *E) { return mentionsVector(E->IgnoreImplicit()->getType()); }))
    return;
  auto Mark = [&](const FieldDecl *Field) {
    if (isOfAggregate(Field))
      misuse(Field, "may be made of another one by the standard library", Loc);
  };
  eachVectorIn(Class, Mark);
  eachType(Arguments, [&](QualType Type) { eachVectorIn(Type, Mark); });
}

/// A record and a vector are among the \p Arguments of \p Template, which may ask whether one can be made of the other.
void VectorReader::beside(const NamedDecl *Template, llvm::ArrayRef<TemplateArgument> Arguments, SourceLocation Loc) {
  bool Standard = Types::isStandard(Template);
  llvm::SmallVector<const FieldDecl *, 4> Members;
  bool Vector = false;
  eachType(Arguments, [&](QualType Type) {
    Vector |= mentionsVector(Type);
    eachVectorIn(Type, [&](const FieldDecl *Field) {
      if (isOfAggregate(Field))
        Members.push_back(Field);
    });
  });
  if (!Vector)
    return;
  eachType(Arguments, [&](QualType Type) { keepConstructors(Type, Loc); });
  if (Standard && !(Template->getIdentifier() && Template->getName().contains("constructible")))
    return;
  for (const FieldDecl *Field : Members)
    if (Standard)
      misuse(Field, "is looked at by a template that depends on its type", Loc);
    else
      Besides.push_back({Field, Loc});
}

/// \p D, a reference, is declared to be what \p Init names: then both have one type.
void VectorReader::refer(const ValueDecl *D, const Expr *Init, SourceLocation Loc) {
  std::string Named = Init ? vectorNamed(Init) : "";
  if (Named.empty())
    return misuse(D, "refers to another that is not named there", Loc);
  allow(Init);
  link(idOfVector(D), Named, Loc);
}

/// The type that is written for \p D, or for what it refers to; of a function, for its result. None for one whose own
/// type has a name.
static TypeLoc writtenFor(const DeclaratorDecl *D) {
  TypeLoc Written = D->getTypeSourceInfo()->getTypeLoc();
  if (isa<FunctionDecl>(D)) {
    auto Function = Written.getAsAdjusted<FunctionTypeLoc>();
    if (!Function)
      return {};
    Written = Function.getReturnLoc();
  }
  Written = Written.getUnqualifiedLoc();
  auto Reference = Written.getAs<ReferenceTypeLoc>();
  return Reference ? Reference.getPointeeLoc().getUnqualifiedLoc() : Written;
}

/// The variables that one `auto` declares have one type.
void VectorReader::automatic(const VarDecl *D) {
  auto Written = D->getTypeSourceInfo() ? writtenFor(D).getAs<AutoTypeLoc>() : AutoTypeLoc();
  if (!Written)
    return;
  const VarDecl *First = Automatics.try_emplace(Written.getNameLoc(), D).first->second;
  if (First != D && (vectorIn(D->getType()) || Iterators.contains(D) || Iterators.contains(First)))
    link(idOfVector(First), idOfVector(D), D->getLocation());
}

WrittenVector VectorReader::vectorWrittenFor(const DeclaratorDecl *D) const {
  TypeLoc Written = writtenFor(D);
  return Written ? writtenIn(Written) : WrittenVector();
}

std::string VectorReader::idOfWritten(SourceLocation Angle) const {
  Place At = Where.at(Angle);
  return "at:" + At.File + ":" + std::to_string(At.Offset);
}

static const Expr *initializerOf(const DeclaratorDecl *D) {
  const auto *Variable = dyn_cast<VarDecl>(D);
  return Variable ? Variable->getInit() : nullptr;
}

/// The name of all members of records that are of the type of \p Vector.
static std::string inRecords(const ClassTemplateSpecializationDecl *Vector) {
  return "in records:" + elementOfVector(Vector).getCanonicalType().getAsString();
}

/// True for a conversion whose result is the object that it was before, or none.
static bool keepsObject(CastKind Kind) {
  switch (Kind) {
  case CK_NoOp:
  case CK_LValueToRValue:
  case CK_ArrayToPointerDecay:
  case CK_NullToPointer:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
  case CK_Dynamic:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
    return true;
  default:
    return false;
  }
}

/// What was an address of something else is taken for one of a vector: that may be a member, at the start of its record
/// or where an offset tells. (A variable is seen where its address is taken.)
void VectorReader::view(const CastExpr *E) {
  QualType Type = E->getType();
  const ClassTemplateSpecializationDecl *Vector = vectorIn(Type->isAnyPointerType() ? Type->getPointeeType() : Type);
  if (Vector && !keepsObject(E->getCastKind()) && ownerOfAllocator(Vector) == "std")
    misuse(inRecords(Vector), "may be where another address is converted to one of its type", E->getExprLoc());
}

/// \p Written is \p D, or what it is an instance of.
void VectorReader::declare(const DeclaratorDecl *D, const DeclaratorDecl *Written) {
  const auto *F = dyn_cast<FunctionDecl>(D);
  if (holdsHandles(vectorWrittenFor(Written)))
    return;
  QualType Own = F ? F->getReturnType() : D->getType();
  const ClassTemplateSpecializationDecl *Vector = vectorIn(Own);
  VectorDeclaration V;
  V.Id = idOfVector(D);
  V.Name = "'" + nameOf(D) + "'";
  V.Where = Where.at(Written->getLocation());
  if (!F && !D->getType()->isReferenceType())
    V.Elements = Elements(D);
  V.Already = ownerOfAllocator(Vector) == "mpishm";
  if (isa<FieldDecl>(D))
    V.InRecords = inRecords(Vector);
  if (const auto *P = dyn_cast<ParmVarDecl>(D))
    describe(P, V);
  else if (F)
    describe(F, V);
  TypeLoc Type = writtenFor(Written);
  bool Automatic = isPlainAuto(Type) && (V.Elements == NoNode || vectorCopied(initializerOf(D)));
  SourceRange Whole(Written->getBeginLoc(), F ? Type.getEndLoc() : Written->getEndLoc());
  if (!write(Type, depthOf(Own), Whole, V) && !Automatic && !V.Already) {
    misuse(D, WrittenElsewhere, Written->getLocation());
    // The argument of a template may be a vector in this instance, and a number in another one.
    if (WrittenVector Nest = vectorWrittenFor(Written); Nest && isNest(Own))
      misuse(idOfWritten(Nest.Innermost.getRAngleLoc()), WrittenElsewhere, Written->getLocation());
  }
  if (!knowsElements(Vector))
    misuse(D, Incomplete, Written->getLocation());
  Declared.insert(V.Shared);
  Declared.insert(V.Id);
  Facts.Vectors.push_back(std::move(V));
}

/// \p E makes a temporary vector of numbers, of \p Type. It may be moved from as any other; here it is said of what it
/// is made.
void VectorReader::temporary(const Expr *E, TypeLoc Type) {
  VectorDeclaration V;
  V.Id = idOfTemporary(Type);
  V.Name = "a temporary";
  V.Where = Where.at(E->getExprLoc());
  const ClassTemplateSpecializationDecl *Vector = vectorIn(E->getType());
  V.Already = ownerOfAllocator(Vector) == "mpishm";
  if (!write(Type, depthOf(E->getType()), E->getSourceRange(), V) && !V.Already)
    misuse(V.Id, WrittenElsewhere, E->getExprLoc());
  if (!knowsElements(Vector))
    misuse(V.Id, Incomplete, E->getExprLoc());
  const Expr *Other = vectorConverted(E);
  made(V.Id, Other ? Other : elementRepeated(E), isTemporaryOfElements(E), E->getExprLoc());
  Unnamed.push_back({E, V.Id});
  Declared.insert(V.Id);
  Facts.Vectors.push_back(std::move(V));
}

/// Says in \p V where \p Type, of as many vectors as \p Depth says, in the declaration or expression \p Whole, can get
/// another argument. False where it cannot.
bool VectorReader::write(TypeLoc Type, unsigned Depth, SourceRange Whole, VectorDeclaration &V) {
  const SourceManager &SM = Where.sources();
  WrittenVector Written = writtenIn(Type);
  if (!Written || Written.Depth != Depth)
    return false;
  SourceLocation Angle = Written.angle(SM);
  DeclaredAt.insert(Written.Innermost.getRAngleLoc());
  std::string Argument = writtenArgument(Written.Innermost, SM, Context.getLangOpts());
  if (!Written.Plain || V.Already || Angle.isInvalid() || Argument.empty() || Where.isLibrary(Angle))
    return false;
  llvm::SaveAndRestore<const FunctionDecl *> Inside(Enclosing, Enclosing);
  for (TypedefTypeLoc Alias : Written.Aliases) {
    plainMention(Alias);
    Whole = Alias.getTypedefNameDecl()->getSourceRange();
    Enclosing = nullptr;
  }
  V.Angle = Where.at(Angle);
  V.Argument = std::move(Argument);
  NamePlace At;
  At.Where = At.Token = *V.Angle;
  V.Host = Where.hostOf(At, Enclosing);
  V.Kept = keptBy(Whole.getEnd(), Whole.getBegin(), Enclosing, Where);
  return true;
}

void VectorReader::finish() {
  finishFunctions();
  finishAliases();
  for (const Use &U : Uses)
    if (!Allowed.contains(U.E))
      misuse(U.Of, DependsOnType, U.E->getExprLoc());
  for (const auto &[E, Id] : Unnamed)
    if (!Allowed.contains(E))
      misuse(Id, DependsOnType, E->getExprLoc());
  for (const auto &Each : Linked)
    if (!Declared.contains(Each.first()))
      misuse(Each.first().str(), WrittenElsewhere, Each.second);
  for (const ValueDecl *Field : Members)
    if (Field->getIdentifier() && LookedAt.contains(Field->getName()))
      misuse(Field, "has a name of which a template may look at the type", Field->getLocation());
  if (MakesUnseen)
    for (const Beside &B : Besides)
      misuse(B.Field, "is looked at by a template that depends on its type", B.Loc);
  for (const auto &[Angle, D] : Others)
    if (DeclaredAt.contains(Angle))
      Facts.VectorMisuses.push_back(
          {idOfWritten(Angle), "has its type from a declaration that declares more, '" + D->getNameAsString() + "'",
           Where.at(D->getLocation())});
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are parameters or results: all declarations of a function, and all that it is handed for them or gives
// back, have one type. Only plain functions are known, which nothing but their calls can tell by their type.

#include "syntax/Ids.h"
#include "syntax/SyntaxVisitor.h"
#include "syntax/Types.h"
#include "vectors/VectorForms.h"
#include "vectors/VectorReader.h"
#include "vectors/VectorTypes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

static constexpr const char *NotPlain = "belongs to a function whose type has to stay";

/// Attributes that say nothing of the symbol or the type.
static bool isPlain(const Attr *A) {
  return isa<UnusedAttr, WarnUnusedResultAttr, AlwaysInlineAttr, NoInlineAttr, HotAttr, ColdAttr, OverrideAttr,
             FinalAttr>(A);
}

/// True for what is called by its name. A constructor that is called without a name, with a vector for an object of its
/// class, is none: a template may ask whether that can be.
static bool isNamed(const FunctionDecl *F) {
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
    return Constructor->isExplicit() || F->getMinRequiredArguments() > 1;
  return F->getDeclName().isIdentifier();
}

/// True for a function that is no operator, and not C's; whose symbol and type nobody can tell.
static bool isPlain(const FunctionDecl *F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  return isNamed(F) && !(Method && Method->getParent()->isLambda()) && !F->isExternC() && !F->isMain() &&
         !F->isVariadic() && !F->isConstexpr() && !F->isDeleted() && !F->isLocalExternDecl() && !F->getBuiltinID() &&
         !F->getTrailingRequiresClause() && !isa_and_nonnull<CoroutineBodyStmt>(F->getBody()) &&
         llvm::all_of(F->attrs(), [](const Attr *A) { return isPlain(A); });
}

/// True when \p F, an instance of a template, is one of many that its template makes: its own type is written nowhere.
/// That of a member is written when it is instantiated by its name, and then its class is not. One that is declared to
/// be instantiated elsewhere may come from a library.
static bool isMadeByTemplate(const FunctionDecl *F) {
  TemplateSpecializationKind Kind = F->getTemplateSpecializationKind();
  const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(F->getDeclContext());
  bool WithClass = F->getTemplatedKind() == FunctionDecl::TK_MemberSpecialization && Class &&
                   Class->getSpecializationKind() == TSK_ExplicitInstantiationDefinition;
  return Kind == TSK_ImplicitInstantiation || (WithClass && Kind == TSK_ExplicitInstantiationDefinition);
}

static bool isOfKnownKind(const FunctionDecl *F) {
  switch (F->getTemplatedKind()) {
  case FunctionDecl::TK_NonTemplate:
  case FunctionDecl::TK_FunctionTemplate:
    return !F->isDependentContext() || !F->getFriendObjectKind();
  case FunctionDecl::TK_MemberSpecialization:
  case FunctionDecl::TK_FunctionTemplateSpecialization:
    return !F->getFriendObjectKind() && isMadeByTemplate(F);
  default:
    return false;
  }
}

/// Where the type of \p F is written: its declarations, and those of its template.
static llvm::SmallVector<const FunctionDecl *, 4> declarationsOf(const FunctionDecl *F) {
  llvm::SmallVector<const FunctionDecl *, 4> Heads = {F};
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    Heads.push_back(Pattern);
  if (const FunctionTemplateDecl *Template = F->getPrimaryTemplate())
    Heads.push_back(Template->getTemplatedDecl());
  if (const FunctionDecl *Member = F->getInstantiatedFromMemberFunction())
    Heads.push_back(Member);
  llvm::SmallVector<const FunctionDecl *, 4> Result;
  for (const FunctionDecl *Head : Heads)
    for (const FunctionDecl *R : Head->redecls())
      if (!llvm::is_contained(Result, R))
        Result.push_back(R);
  return Result;
}

/// A class whose arguments follow from those of its constructors by what the program says.
static bool isDeduced(const FunctionDecl *F) {
  const auto *Class = isa<CXXConstructorDecl>(F) ? cast<CXXRecordDecl>(F->getDeclContext()) : nullptr;
  const CXXRecordDecl *Pattern = Class ? Class->getTemplateInstantiationPattern() : nullptr;
  ClassTemplateDecl *Template = Class ? (Pattern ? Pattern : Class)->getDescribedClassTemplate() : nullptr;
  if (!Template)
    return false;
  DeclarationName Guide = F->getASTContext().DeclarationNames.getCXXDeductionGuideName(Template);
  return llvm::any_of(Template->getDeclContext()->getRedeclContext()->lookup(Guide),
                      [](const NamedDecl *D) { return !D->isImplicit(); });
}

/// The function that \p P is a parameter of, and not of a type in its declaration.
static const FunctionDecl *ownerOf(const ParmVarDecl *P) {
  const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
  unsigned Position = P->getFunctionScopeIndex();
  bool Owns = F && Position < F->getNumParams() && F->getParamDecl(Position) == P && P->getFunctionScopeDepth() == 0;
  return Owns ? F : nullptr;
}

const FunctionDecl *VectorReader::functionOf(const ParmVarDecl *P) const {
  const FunctionDecl *F = ownerOf(P);
  if (!F || !isOurs(F))
    return nullptr;
  unsigned Position = P->getFunctionScopeIndex();
  bool Given = llvm::none_of(declarationsOf(F), [&](const FunctionDecl *R) {
    const ParmVarDecl *Same = R->getParamDecl(Position);
    return Same->hasDefaultArg() || Same->isParameterPack();
  });
  return Given ? F : nullptr;
}

static bool isWritten(const FunctionDecl *F) {
  const TypeSourceInfo *Type = F->getTypeSourceInfo();
  return Type && Type->getTypeLoc().getAsAdjusted<FunctionTypeLoc>();
}

bool VectorReader::isOurs(const FunctionDecl *F) const {
  return !Types::isStandard(F) && isOfKnownKind(F) && !isDeduced(F) &&
         llvm::all_of(declarationsOf(F), [&](const FunctionDecl *R) {
           return isPlain(R) && isWritten(R) && R->getNumParams() == F->getNumParams() &&
                  !Where.isLibrary(R->getLocation());
         });
}

/// The function whose result, a vector whose type may change, \p E is; or null.
const FunctionDecl *VectorReader::resultOf(const CallExpr *E) const {
  const FunctionDecl *F = E->getDirectCallee();
  return F && vectorIn(F->getReturnType()) && isOurs(F) ? F : nullptr;
}

std::string VectorReader::parameterId(const FunctionDecl *F, unsigned Position) const {
  return "parameter:" + mpishm::idOf(F, Where) + "#" + std::to_string(Position);
}

/// Also true for what only the classes derived from its own define.
static bool isDefined(const FunctionDecl *F) {
  return llvm::any_of(declarationsOf(F), [](const FunctionDecl *R) { return R->isDefined() || R->isPureVirtual(); });
}

void VectorReader::describe(const ParmVarDecl *P, VectorDeclaration &V) const {
  const auto *F = cast<FunctionDecl>(P->getDeclContext());
  V.Shared = parameterId(F, P->getFunctionScopeIndex());
  V.Name = nameOf(P);
  V.Defined = isDefined(F);
}

void VectorReader::describe(const FunctionDecl *F, VectorDeclaration &V) const {
  V.Shared = V.Id;
  V.Name = "the result of " + F->getQualifiedNameAsString();
  V.Defined = isDefined(F);
}

/// Also for other units, which may see no reason themselves.
void VectorReader::keepParameter(const FunctionDecl *F, unsigned Position, const char *Why, SourceLocation Loc) {
  misuse(parameterId(F, Position), Why, Loc);
}

void VectorReader::keepParameters(const FunctionDecl *F, const char *Why, SourceLocation Loc) {
  for (const ParmVarDecl *P : F->parameters())
    if (vectorIn(P->getType()))
      keepParameter(F, P->getFunctionScopeIndex(), Why, Loc);
}

/// The types of \p F have to stay: of its parameters, and of its result.
void VectorReader::keepFunction(const FunctionDecl *F, const char *Why, SourceLocation Loc) {
  keepParameters(F, Why, Loc);
  if (vectorIn(F->getReturnType()))
    misuse(F, Why, Loc);
}

/// Those of all functions with vectors for which \p Keeps holds.
void VectorReader::keepFunctions(llvm::function_ref<bool(const FunctionDecl *)> Keeps, const char *Why) {
  for (const ParmVarDecl *P : Parameters)
    if (Keeps(cast<FunctionDecl>(P->getDeclContext())))
      misuse(P, Why, P->getLocation());
  for (const FunctionDecl *F : Results)
    if (Keeps(F))
      misuse(F, Why, F->getLocation());
}

/// A template may ask whether an object of \p Class can be made of a vector, or make one.
void VectorReader::keepConstructors(QualType Class, SourceLocation Loc) {
  eachClassIn(Class, [&](const CXXRecordDecl *C) {
    for (const CXXConstructorDecl *F : C->ctors())
      keepParameters(F, "is a constructor's at which a template may look", Loc);
  });
}

/// A guide of the program's tells by the types of what an object is made of which class that is.
void VectorReader::guide(const CXXDeductionGuideDecl *Guide) {
  if (Guide->isImplicit())
    return;
  const auto *Class = dyn_cast<ClassTemplateDecl>(Guide->getDeducedTemplate());
  if (!Class || Types::isStandard(Class))
    return;
  constexpr const char *Why = "is of a class that a deduction guide tells by its type";
  for (const ClassTemplateSpecializationDecl *Each : Class->specializations()) {
    for (const CXXConstructorDecl *F : Each->ctors())
      keepParameters(F, Why, Guide->getLocation());
    for (const FieldDecl *Field : Each->fields())
      if (Each->hasDefinition() && Each->isAggregate() && vectorIn(Field->getType()))
        misuse(Field, Why, Guide->getLocation());
  }
}

/// The types that are written in a template for \p D, a parameter or a result of an instance of it, have to stay, also
/// those of other instances.
void VectorReader::keepWritten(const DeclaratorDecl *D, const char *Why) {
  const auto *P = dyn_cast<ParmVarDecl>(D);
  const FunctionDecl *F = P ? ownerOf(P) : cast<FunctionDecl>(D);
  if (!F || F->getTemplatedKind() == FunctionDecl::TK_NonTemplate)
    return;
  for (const FunctionDecl *R : declarationsOf(F)) {
    if (!R->getTypeSourceInfo() || (P && P->getFunctionScopeIndex() >= R->getNumParams()))
      continue;
    const DeclaratorDecl *Written = P ? cast<DeclaratorDecl>(R->getParamDecl(P->getFunctionScopeIndex())) : R;
    if (WrittenVector Vector = vectorWrittenFor(Written))
      misuse(idOfWritten(Vector.Innermost.getRAngleLoc()), Why, D->getLocation());
  }
}

/// \p P is a vector of numbers. All declarations of its function are described, also those that nobody comes to.
void VectorReader::parameter(const ParmVarDecl *P) {
  const FunctionDecl *F = functionOf(P);
  unsigned Position = P->getFunctionScopeIndex();
  if (!F) {
    if (const FunctionDecl *Owner = ownerOf(P))
      keepParameter(Owner, Position, NotPlain, P->getLocation());
    return keepWritten(P, NotPlain);
  }
  if (!Described.insert(parameterId(F, Position)).second)
    return;
  Parameters.push_back(P);
  llvm::SaveAndRestore<const FunctionDecl *> Outside(Enclosing, nullptr);
  for (const FunctionDecl *R : declarationsOf(F))
    declare(R->isDependentContext() ? P : R->getParamDecl(Position), R->getParamDecl(Position));
}

/// \p P has other elements in this instance of its function than numbers, or is none of a vector's type.
void VectorReader::otherParameter(const ParmVarDecl *P) {
  const FunctionDecl *F = ownerOf(P);
  if (F && F->isTemplateInstantiation())
    keepWritten(P, OtherElements);
}

void VectorReader::otherResult(const FunctionDecl *F) {
  if (F->isTemplateInstantiation())
    keepWritten(F, OtherElements);
}

/// What overrides another has its type.
void VectorReader::overriding(const CXXMethodDecl *F) {
  for (const CXXMethodDecl *Other : F->overridden_methods()) {
    for (const ParmVarDecl *P : F->parameters())
      if (unsigned Position = P->getFunctionScopeIndex(); vectorIn(P->getType()))
        link(parameterId(F, Position), parameterId(Other, Position), P->getLocation());
    if (vectorIn(F->getReturnType()))
      link(idOfVector(F), idOfVector(Other), F->getLocation());
  }
}

/// \p F is called with \p Arguments. Those for vectors name others, or elements of a new one.
void VectorReader::hand(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments) {
  // A class may have the constructors of another one.
  for (const auto *C = dyn_cast<CXXConstructorDecl>(F); C; C = C->getInheritedConstructor().getConstructor())
    F = C;
  for (const ParmVarDecl *P : F->parameters()) {
    unsigned Position = P->getFunctionScopeIndex();
    if (!vectorIn(P->getType()) || Position >= Arguments.size())
      continue;
    if (!functionOf(P)) {
      keepParameter(F, Position, NotPlain, Arguments[Position]->getExprLoc());
      continue;
    }
    const Expr *Argument = Arguments[Position];
    const Expr *Given = vectorGiven(Argument);
    if (std::string Named = vectorNamed(Given); !Named.empty()) {
      allow(Given);
      link(Named, parameterId(F, Position), Argument->getExprLoc());
    } else if (!makesOfElements(Argument)) {
      keepParameter(F, Position, "is handed something here that has its own type", Argument->getExprLoc());
    }
  }
}

/// The operands of the return statements of a function whose body is \p Body, and not of what is defined in it.
static llvm::SmallVector<const Expr *, 4> returnedIn(const Stmt *Body) {
  llvm::SmallVector<const Expr *, 4> Result;
  llvm::SmallVector<const Stmt *, 32> Work = {Body};
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    if (!S || isa<LambdaExpr, BlockExpr>(S))
      continue;
    if (const auto *Return = dyn_cast<ReturnStmt>(S); Return && Return->getRetValue())
      Result.push_back(Return->getRetValue());
    llvm::append_range(Work, S->children());
  }
  return Result;
}

/// What \p F, an instance that nobody calls, gives back of its object by its template has its type all the same: who
/// calls it one day should find it so.
void VectorReader::uninstantiated(const FunctionDecl *F) {
  const FunctionDecl *Pattern = F->isDefined() ? nullptr : F->getTemplateInstantiationPattern();
  if (!Pattern || !Pattern->doesThisDeclarationHaveABody())
    return;
  for (const Expr *E : returnedIn(Pattern->getBody()))
    if (const auto *Member = dyn_cast<MemberExpr>(bare(E)); Member && isa<FieldDecl>(Member->getMemberDecl()))
      link(idOfVector(F), idOfVector(Member->getMemberDecl()), F->getLocation());
}

/// \p F gives back a vector of numbers. As for parameter(). A template of which all is known but what it is a template
/// of is compiled, too.
void VectorReader::result(const FunctionDecl *F) {
  if (!isOurs(F)) {
    misuse(F, NotPlain, F->getLocation());
    return keepWritten(F, NotPlain);
  }
  if (F->doesThisDeclarationHaveABody())
    for (const Expr *E : returnedIn(F->getBody()))
      if (!E->isTypeDependent())
        returned(F, E);
  if (InPattern || !Described.insert(idOfVector(F)).second)
    return;
  Results.push_back(F);
  uninstantiated(F);
  llvm::SaveAndRestore<const FunctionDecl *> Outside(Enclosing, nullptr);
  for (const FunctionDecl *R : declarationsOf(F))
    declare(R->isDependentContext() ? F : R, R);
}

void VectorReader::returned(const FunctionDecl *F, const Expr *E) {
  if (F->getReturnType()->isReferenceType())
    refer(F, E, E->getExprLoc());
  else
    made(F, E, E->getExprLoc());
}

/// \p E calls \p F, which is not the standard library's.
void VectorReader::call(const CallExpr *E, const FunctionDecl *F) {
  Callees.insert(E->getCallee()->IgnoreParenImpCasts());
  hand(F, llvm::ArrayRef(E->getArgs(), E->getNumArgs()));
  if (!vectorIn(F->getReturnType()))
    return;
  if (!isOurs(F))
    misuse(F, NotPlain, E->getExprLoc());
  else if (!Discarded.contains(E))
    use(E, F);
}

namespace {

/// Finds what the standard library constructs.
class Constructions : public SyntaxVisitor {
public:
  explicit Constructions(llvm::function_ref<void(const CXXConstructExpr *)> F) : Each(F) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    if (!Types::isStandard(E->getConstructor()->getParent()))
      Each(E);
    return true;
  }

private:
  llvm::function_ref<void(const CXXConstructExpr *)> Each;
};

} // namespace

/// Constructors that the standard library calls, `emplace_back` for example, get what it was given, of whatever type.
void VectorReader::finishConstructors() {
  if (llvm::none_of(Parameters, [](const ParmVarDecl *P) { return isa<CXXConstructorDecl>(P->getDeclContext()); }))
    return;
  auto Keep = [&](const CXXConstructExpr *E) {
    keepParameters(E->getConstructor(), "is handed something by the standard library", E->getExprLoc());
  };
  Constructions Search(Keep);
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(D))
      if (Namespace->getName() == "std" || Namespace->getName() == "__gnu_cxx")
        Search.TraverseDecl(D);
}

static bool hasVectors(const FunctionDecl *F) {
  return vectorIn(F->getReturnType()) ||
         llvm::any_of(F->parameters(), [](const ParmVarDecl *P) { return vectorIn(P->getType()); });
}

void VectorReader::name(const Expr *E, const FunctionDecl *F) {
  if (hasVectors(F))
    Namings.push_back({E, F});
}

/// What \p F is called for the linker; of a constructor, which has several names, what is in each of them.
static std::string symbolOf(const FunctionDecl *F, MangleContext &Mangler) {
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
    return Constructor->getParent()->getNameAsString() + "C";
  std::string Symbol;
  llvm::raw_string_ostream Stream(Symbol);
  if (!F->isDependentContext() && Mangler.shouldMangleDeclName(F))
    Mangler.mangleName(F, Stream);
  return Symbol;
}

/// Assembly code, or an alias, names a function as the linker does, which is by its type.
void VectorReader::finishSymbols() {
  llvm::erase_if(Assembly, [](llvm::StringRef Text) { return !Text.contains("_Z"); });
  if (Assembly.empty())
    return;
  std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
  auto IsNamed = [&](const FunctionDecl *F) {
    std::string Symbol = symbolOf(F, *Mangler);
    return !Symbol.empty() && llvm::any_of(Assembly, [&](llvm::StringRef Text) { return Text.contains(Symbol); });
  };
  keepFunctions(IsNamed, "belongs to a function that assembly code or an alias names");
}

/// A program asks what \p Type is called: that of a class or closure in a function has the function's type in it.
void VectorReader::tell(QualType Type, SourceLocation Loc) {
  eachClassIn(Type, [&](const CXXRecordDecl *Class) {
    for (const DeclContext *In = Class; In; In = In->getParent())
      if (const auto *F = dyn_cast<FunctionDecl>(In))
        keepFunction(F, "belongs to a function in which a class is asked for its name", Loc);
  });
}

/// A function that is named and not called there may be called from anywhere, by its type; and a template's signature
/// may ask what can be called.
void VectorReader::finishFunctions() {
  finishConstructors();
  finishSymbols();
  for (const Naming &N : Namings)
    if (!Callees.contains(N.E))
      keepFunction(N.Of, "belongs to a function whose address is taken", N.E->getExprLoc());
  auto MayLookAt = [&](const FunctionDecl *F) {
    return isa<CXXConstructorDecl>(F) ? MakesUnseen : LookedAt.contains(F->getName());
  };
  keepFunctions(MayLookAt, "belongs to a function at which a template may look");
}

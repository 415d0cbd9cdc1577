// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Vectors.h"
#include "pointers/VectorForms.h"
#include "syntax/Ids.h"
#include "syntax/Keep.h"
#include "syntax/ProgramVisitor.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

/// What \p E names, when that is a variable or member of the program's; null for a parameter, whose type nobody
/// changes.
static const ValueDecl *declarationOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const ValueDecl *D = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    D = Reference->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(E))
    D = Member->getMemberDecl();
  return D && isa<VarDecl, FieldDecl>(D) && !isa<ParmVarDecl>(D) ? D : nullptr;
}

namespace {

class VectorVisitor : public ProgramVisitor<VectorVisitor> {
public:
  VectorVisitor(ASTContext &AST, const Places &P, Types &T, PointerNodes &N)
      : ProgramVisitor(P, T), Context(AST), Nodes(N) {}

  void enter(const FunctionDecl *F) { Enclosing = F; }
  void finish();

  /// Also templates of which there are no instances: a compiler reads in them what depends on no argument; and the
  /// instances of a library's.
  bool TraverseDecl(Decl *D) {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    if (F && F->isTemplateInstantiation() && !Types::isStandard(F) && isOfLibrary(D, Where, Typing))
      return RecursiveASTVisitor::TraverseDecl(D);
    const auto *Inside = dyn_cast_or_null<DeclContext>(D);
    if (!Inside || !isa<FunctionDecl, CXXRecordDecl>(Inside) || !Inside->isDependentContext() ||
        isOfLibrary(D, Where, Typing))
      return ProgramVisitor::TraverseDecl(D);
    llvm::SaveAndRestore<bool> Pattern(InPattern, true);
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  // What of a template is looked at without leaving an instance of it: all but the bodies of functions.
  bool TraverseTypeLoc(TypeLoc Loc) {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    return RecursiveASTVisitor::TraverseTypeLoc(Loc);
  }
  bool TraverseConceptDecl(ConceptDecl *D) {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    return RecursiveASTVisitor::TraverseConceptDecl(D);
  }
  bool TraverseRequiresExpr(RequiresExpr *E) {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    return RecursiveASTVisitor::TraverseRequiresExpr(E);
  }
  bool TraverseCompoundStmt(CompoundStmt *S) {
    llvm::SaveAndRestore<bool> Body(InBody, true);
    return RecursiveASTVisitor::TraverseCompoundStmt(S);
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *E) {
    look(E->getMember());
    return true;
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *E) {
    look(E->getDeclName());
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *) {
    MakesUnseen |= InSignature && !InBody;
    return true;
  }

  // What has to be a constant.
  bool TraverseStaticAssertDecl(StaticAssertDecl *D) {
    llvm::SaveAndRestore<bool> Constant(InConstant, true);
    return RecursiveASTVisitor::TraverseStaticAssertDecl(D);
  }
  bool TraverseConstantExpr(ConstantExpr *E) {
    llvm::SaveAndRestore<bool> Constant(InConstant, true);
    return RecursiveASTVisitor::TraverseConstantExpr(E);
  }
  bool TraverseVarDecl(VarDecl *D) {
    llvm::SaveAndRestore<bool> Constant(InConstant, InConstant || D->isConstexpr());
    return RecursiveASTVisitor::TraverseVarDecl(D);
  }

  bool VisitVarDecl(VarDecl *D) {
    if (InPattern || D->isImplicit() || isa<ParmVarDecl>(D) || !isVector(D->getType()))
      return true;
    if (!vectorIn(D->getType())) {
      otherElements(D);
      return true;
    }
    declare(D);
    if (!D->hasLocalStorage() && !D->isStaticLocal())
      misuse(D, "is neither a local variable nor a member", D->getLocation());
    else if (D->isExceptionVariable())
      misuse(D, "is what is thrown elsewhere", D->getLocation());
    else if (D->getType()->isReferenceType())
      refer(D, D->getInit());
    else
      made(D, D->getInit(), D->getLocation());
    return true;
  }
  bool VisitFieldDecl(FieldDecl *D) {
    if (D->isImplicit() || D->getParent()->isLambda() || D->getParent()->isDependentContext() ||
        !isVector(D->getType()))
      return true;
    if (!vectorIn(D->getType())) {
      otherElements(D);
      return true;
    }
    declare(D);
    Fields.push_back(D);
    if (D->getType()->isReferenceType())
      misuse(D, "is a member that refers to another", D->getLocation());
    else if (const Expr *Init = D->getInClassInitializer()) // null where no constructor of an instance uses it
      made(D, Init, D->getLocation());
    return true;
  }
  /// Other declarators may stand behind one type: `std::vector<double> v, *p, f();`
  bool VisitDeclaratorDecl(DeclaratorDecl *D) {
    bool Variable = isa<VarDecl, FieldDecl>(D);
    QualType Type = D->getType().getNonReferenceType();
    bool Itself = Variable && (InPattern ? !Type->isAnyPointerType() && !Type->isArrayType() && !Type->isFunctionType()
                                         : isVector(Type));
    if (Itself || isa<ParmVarDecl>(D) || D->isImplicit() || !D->getTypeSourceInfo())
      return true;
    if (auto Written = vectorWrittenIn(D->getTypeSourceInfo()->getTypeLoc(), Where.sources()))
      Others.push_back({Written.getRAngleLoc(), D});
    return true;
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (const FieldDecl *Field = Init->getAnyMember(); Field && vectorIn(Field->getType()) && !isImplicit())
      made(Field, Init->getInit(), Init->getSourceLocation());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitInitListExpr(InitListExpr *E) {
    const InitListExpr *Semantic = E->isSemanticForm() || !E->getSemanticForm() ? E : E->getSemanticForm();
    const RecordDecl *R = E->getType().isNull() ? nullptr : E->getType()->getAsRecordDecl();
    if (R && R->isUnion() && Semantic->getNumInits()) {
      if (const FieldDecl *Field = Semantic->getInitializedFieldInUnion(); Field && vectorIn(Field->getType()))
        made(Field, Semantic->getInit(0), E->getExprLoc());
    } else if (R) {
      madeInOrder(R, Semantic->inits(), E->getExprLoc());
    }
    return true;
  }
  bool VisitCXXParenListInitExpr(CXXParenListInitExpr *E) {
    if (const RecordDecl *R = E->getType()->getAsRecordDecl())
      madeInOrder(R, E->getInitExprs(), E->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    if (isConstant() && !isImplicit())
      eachVectorIn(E->getType(), [&](const FieldDecl *Field) {
        misuse(Field, "is made where a constant may be needed", E->getExprLoc());
      });
    if (Types::isStandard(E->getConstructor()->getParent()))
      madeByLibrary(E->getType(), {}, llvm::ArrayRef(E->getArgs(), E->getNumArgs()), E->getExprLoc());
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (isa<VarDecl, FieldDecl>(E->getDecl()) && !E->getDecl()->isImplicit() && !isa<ParmVarDecl>(E->getDecl()))
      use(E, E->getDecl());
    const ValueDecl *D = E->getDecl();
    const TemplateArgumentList *Arguments = nullptr;
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      Arguments = F->getTemplateSpecializationArgs();
    else if (const auto *Variable = dyn_cast<VarTemplateSpecializationDecl>(D))
      Arguments = &Variable->getTemplateArgs();
    if (Arguments)
      beside(D, Arguments->asArray(), E->getExprLoc());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Loc) {
    const TemplateSpecializationType *Type = Loc.getTypePtr();
    if (const TemplateDecl *Template = Type->getTemplateName().getAsTemplateDecl())
      beside(Template, Type->template_arguments(), Loc.getTemplateNameLoc());
    return true;
  }
  bool VisitConceptSpecializationExpr(ConceptSpecializationExpr *E) {
    beside(E->getNamedConcept(), E->getTemplateArguments(), E->getExprLoc());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    if (isa<FieldDecl, VarDecl>(E->getMemberDecl()))
      use(E, E->getMemberDecl());
    return true;
  }

  // In templates: v[i], v.size() where it is not known yet what is called.
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    allow(E->getBase());
    return true;
  }
  bool VisitUnresolvedMemberExpr(UnresolvedMemberExpr *E) {
    look(E->getMemberName());
    if (!E->isImplicitAccess() && !E->getQualifier() && E->getMemberName().isIdentifier() &&
        isPlainMember(E->getMemberName().getAsIdentifierInfo()->getName()))
      allow(E->getBase());
    return true;
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    llvm::StringRef Name;
    if (const Expr *Object = objectOf(E, Name); Object && isPlainMember(Name))
      allow(Object);
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    if (E->getOperator() == OO_Subscript)
      allow(E->getArg(0));
    else if (!F || !Types::isStandard(F))
      return true;
    else if (E->getOperator() == OO_Star) // *v.begin()
      allowAll({vectorOfIterator(E->getArg(0))});
    else if (E->getOperator() == OO_Minus && E->getNumArgs() == 2) // v.end() - v.begin()
      allowAll({vectorOfIterator(E->getArg(0)), vectorOfIterator(E->getArg(1))});
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    if (!F || !Types::isStandard(F))
      return true;
    // Iterators that a function gives back may be kept in variables of their type.
    QualType Result = E->getType();
    bool Ends = Result->isVoidType() || Result->isArithmeticType() || Discarded.contains(E);
    if (Ends && onlyFollowsIterators(E))
      follow(E, F->getPrimaryTemplate()->getTemplatedDecl());
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E); Member && Member->getImplicitObjectArgument())
      Result = Member->getImplicitObjectArgument()->getType();
    else if (isa<CXXOperatorCallExpr>(E))
      Result = E->getArg(0)->getType();
    const TemplateArgumentList *Arguments = F->getTemplateSpecializationArgs();
    madeByLibrary(Result, Arguments ? Arguments->asArray() : llvm::ArrayRef<TemplateArgument>(),
                  llvm::ArrayRef(E->getArgs(), E->getNumArgs()), E->getExprLoc());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    for (auto [Capture, Init] : llvm::zip(E->captures(), E->capture_inits()))
      if (Init && Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef && !E->isInitCapture(&Capture))
        allow(Init);
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    allow(S->getRangeInit());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *S) {
    for (const Stmt *Child : S->body())
      if (const auto *E = dyn_cast<Expr>(Child))
        Discarded.insert(E->IgnoreImplicit());
    return true;
  }

private:
  /// Functions that the compiler writes do to all members alike, whatever their types.
  bool isImplicit() const { return Enclosing && (Enclosing->isImplicit() || Enclosing->isDefaulted()); }

  void allow(const Expr *E) { Allowed.insert(E->IgnoreParenImpCasts()); }
  void allowAll(llvm::ArrayRef<const Expr *> Vectors);
  void follow(const CallExpr *E, const FunctionDecl *Pattern);

  /// In a template something of the name \p Name is looked at, of a type that depends on its arguments.
  void look(DeclarationName Name) {
    if (InSignature && !InBody && Name.isIdentifier())
      LookedAt.insert(Name.getAsIdentifierInfo()->getName());
  }
  /// True where a call may be evaluated by the compiler, which cannot allocate in a window.
  bool isConstant() const {
    return Context.getLangOpts().CPlusPlus20 && (InConstant || (Enclosing && mayBeConstant(Enclosing)));
  }
  void use(const Expr *E, const ValueDecl *D) {
    // All of a function that has an instance is seen there; of a class only the members that are used.
    bool Seen = InPattern && !isa<FieldDecl>(D) && D->getDeclContext()->isDependentContext();
    if (vectorIn(D->getType()) && !Seen && !isImplicit() && !Types::isStandard(D))
      Uses.push_back({E, D});
  }
  void misuse(const ValueDecl *D, const char *What, SourceLocation Loc) {
    Nodes.Facts.VectorMisuses.push_back({mpishm::idOf(D, Where), What, Where.at(Loc)});
  }
  /// \p D may be an instance of what is a vector of numbers in another one, or in another unit.
  void otherElements(const DeclaratorDecl *D) {
    const SourceManager &SM = Where.sources();
    bool Elsewhere = SM.getFileID(SM.getFileLoc(D->getLocation())) != SM.getMainFileID();
    for (const DeclContext *In = D->getDeclContext(); In && !Elsewhere; In = In->getParent()) {
      const auto *F = dyn_cast<FunctionDecl>(In);
      const auto *Class = dyn_cast<CXXRecordDecl>(In);
      Elsewhere = (F && F->isTemplateInstantiation()) || (Class && Class->getTemplateInstantiationPattern());
    }
    if (Elsewhere)
      misuse(D, "has elements elsewhere that are no numbers", D->getLocation());
  }

  /// \p D is initialised by \p Init: with elements, and not with another vector.
  void made(const ValueDecl *D, const Expr *Init, SourceLocation Loc) {
    if (!makesOfElements(Init))
      misuse(D, "is made of another one", Loc);
    else if (isConstant())
      misuse(D, "is made where a constant may be needed", Loc);
  }
  void madeInOrder(const RecordDecl *R, llvm::ArrayRef<Expr *> Inits, SourceLocation Loc);
  void madeByLibrary(QualType Class, llvm::ArrayRef<TemplateArgument> Arguments, llvm::ArrayRef<const Expr *> Given,
                     SourceLocation Loc);
  void beside(const NamedDecl *Template, llvm::ArrayRef<TemplateArgument> Arguments, SourceLocation Loc);
  void refer(const VarDecl *D, const Expr *Init);
  void declare(const DeclaratorDecl *D);

  struct Use {
    const Expr *E;
    const ValueDecl *Of;
  };
  struct Beside {
    const FieldDecl *Field;
    SourceLocation Loc;
  };
  ASTContext &Context;
  PointerNodes &Nodes;
  const FunctionDecl *Enclosing = nullptr;
  bool InPattern = false; ///< of a template
  bool InSignature = false, InBody = false, InConstant = false;
  bool MakesUnseen = false;    ///< in a signature, an object of a type that depends on a template's arguments
  llvm::StringSet<> LookedAt;  ///< names of members, there
  std::vector<Beside> Besides; ///< members of records that are a template's argument with a vector
  std::vector<const FieldDecl *> Fields;
  llvm::DenseSet<SourceLocation> DeclaredAt; ///< the brackets that close their types
  std::vector<std::pair<SourceLocation, const DeclaratorDecl *>> Others;
  std::vector<Use> Uses;
  llvm::DenseSet<const Expr *> Allowed, Discarded;
};

} // namespace

/// \p Vectors have one type, and no more is seen of it. Nothing when they are not all known.
void VectorVisitor::allowAll(llvm::ArrayRef<const Expr *> Vectors) {
  if (llvm::any_of(Vectors, [](const Expr *E) { return !E || !declarationOf(E); }))
    return;
  for (const Expr *E : Vectors) {
    allow(E);
    const ValueDecl *First = declarationOf(Vectors.front()), *Other = declarationOf(E);
    if (First != Other)
      Nodes.Facts.VectorLinks.push_back({mpishm::idOf(First, Where), mpishm::idOf(Other, Where)});
  }
}

/// \p E follows iterators; those for which \p Pattern, its template, has one parameter must be of one type.
void VectorVisitor::follow(const CallExpr *E, const FunctionDecl *Pattern) {
  llvm::MapVector<const clang::Type *, llvm::SmallVector<const Expr *, 2>> ByType;
  for (unsigned I = 0; I < E->getNumArgs() && I < Pattern->getNumParams(); ++I) {
    QualType Type = Pattern->getParamDecl(I)->getType().getNonReferenceType().getCanonicalType();
    if (isa<TemplateTypeParmType>(Type))
      ByType[Type.getTypePtr()].push_back(vectorOfIterator(E->getArg(I)));
  }
  for (const auto &[Type, Vectors] : ByType)
    allowAll(Vectors);
}

/// The members of \p R, and its bases before them, are initialised by \p Inits.
void VectorVisitor::madeInOrder(const RecordDecl *R, llvm::ArrayRef<Expr *> Inits, SourceLocation Loc) {
  if (Types::isStandard(R))
    return;
  unsigned Index = isa<CXXRecordDecl>(R) ? cast<CXXRecordDecl>(R)->getNumBases() : 0;
  for (const FieldDecl *Field : R->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index >= Inits.size())
      break;
    const Expr *Init = Inits[Index++];
    if (!vectorIn(Field->getType()))
      continue;
    made(Field, Init, Loc);
  }
}

static bool isOfAggregate(const FieldDecl *Field) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  return !Class || Class->isAggregate();
}

/// The standard library is given \p Given to make or change an object of \p Class. Since C++20 it may make a record of
/// them that has no constructor, member by member, as `optional<Record>(in_place, vector)` does.
void VectorVisitor::madeByLibrary(QualType Class, llvm::ArrayRef<TemplateArgument> Arguments,
                                  llvm::ArrayRef<const Expr *> Given, SourceLocation Loc) {
  if (!Context.getLangOpts().CPlusPlus20 ||
      llvm::none_of(Given, [](const Expr *E) { return mentionsVector(E->IgnoreImplicit()->getType()); }))
    return;
  auto Mark = [&](const FieldDecl *Field) {
    if (isOfAggregate(Field))
      misuse(Field, "may be made of another one by the standard library", Loc);
  };
  eachVectorIn(Class, Mark);
  for (const TemplateArgument &A : Arguments)
    if (A.getKind() == TemplateArgument::Type)
      eachVectorIn(A.getAsType(), Mark);
}

/// A record and a vector are among the \p Arguments of \p Template, which may ask whether one can be made of the other.
void VectorVisitor::beside(const NamedDecl *Template, llvm::ArrayRef<TemplateArgument> Arguments, SourceLocation Loc) {
  bool Standard = Types::isStandard(Template);
  if (Standard && !(Template->getIdentifier() && Template->getName().contains("constructible")))
    return;
  llvm::SmallVector<const FieldDecl *, 4> Members;
  bool Vector = false;
  auto Look = [&](const TemplateArgument &A) {
    if (A.getKind() != TemplateArgument::Type)
      return;
    Vector |= mentionsVector(A.getAsType());
    eachVectorIn(A.getAsType(), [&](const FieldDecl *Field) {
      if (isOfAggregate(Field))
        Members.push_back(Field);
    });
  };
  for (const TemplateArgument &A : Arguments)
    if (A.getKind() == TemplateArgument::Pack)
      llvm::for_each(A.pack_elements(), Look);
    else
      Look(A);
  if (!Vector)
    return;
  for (const FieldDecl *Field : Members)
    if (Standard)
      misuse(Field, "is looked at by a template that depends on its type", Loc);
    else
      Besides.push_back({Field, Loc});
}

/// \p D, a reference, is declared to be what \p Init names: then both have one type.
void VectorVisitor::refer(const VarDecl *D, const Expr *Init) {
  const ValueDecl *Named = Init ? declarationOf(Init) : nullptr;
  if (!Named)
    return misuse(D, "refers to another that is not named there", D->getLocation());
  allow(Init);
  Nodes.Facts.VectorLinks.push_back({mpishm::idOf(D, Where), mpishm::idOf(Named, Where)});
}

void VectorVisitor::declare(const DeclaratorDecl *D) {
  const ClassTemplateSpecializationDecl *Vector = vectorIn(D->getType());
  VectorDeclaration V;
  V.Id = mpishm::idOf(D, Where);
  V.Name = nameOf(D);
  V.Where = Where.at(D->getLocation());
  if (!D->getType()->isReferenceType())
    V.Elements = Nodes.elementsOf(D);
  V.Already = ownerOfAllocator(Vector) == "mpishm";
  TypeLoc Written = D->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  if (auto Reference = Written.getAs<ReferenceTypeLoc>())
    Written = Reference.getPointeeLoc().getUnqualifiedLoc();
  const SourceManager &SM = Where.sources();
  auto Template = vectorWrittenIn(Written, SM);
  if (Template)
    DeclaredAt.insert(Template.getRAngleLoc());
  if (Template && Template.getNumArgs() == 1 && ownerOfAllocator(Vector) == "std") {
    SourceLocation Angle = Template.getRAngleLoc();
    auto Argument = CharSourceRange::getTokenRange(Template.getArgLoc(0).getSourceRange());
    if (Angle.isMacroID() || Argument.getBegin().isMacroID() || Argument.getEnd().isMacroID() ||
        Where.isLibrary(Angle) ||
        hasDirective(Lexer::getSourceText(CharSourceRange::getTokenRange(Template.getSourceRange()), SM,
                                          Context.getLangOpts()))) {
      misuse(D, "has a type that is written elsewhere", D->getLocation());
    } else {
      V.Angle = Where.at(Angle);
      V.Argument = Lexer::getSourceText(Argument, SM, Context.getLangOpts()).str();
      NamePlace At;
      At.Where = At.Token = *V.Angle;
      V.Host = Where.hostOf(At, Enclosing);
      V.Kept = keptBy(D->getEndLoc(), D->getBeginLoc(), Enclosing, Where);
    }
  } else if (!Written.getAs<AutoTypeLoc>() || V.Elements != NoNode) {
    if (!V.Already)
      misuse(D, "has a type that is written elsewhere", D->getLocation());
  }
  Nodes.Facts.Vectors.push_back(std::move(V));
}

void VectorVisitor::finish() {
  for (const Use &U : Uses)
    if (!Allowed.contains(U.E))
      misuse(U.Of, "is used here in a way that depends on its type", U.E->getExprLoc());
  for (const FieldDecl *Field : Fields)
    if (Field->getIdentifier() && LookedAt.contains(Field->getName()))
      misuse(Field, "has a name of which a template may look at the type", Field->getLocation());
  if (MakesUnseen)
    for (const Beside &B : Besides)
      misuse(B.Field, "is looked at by a template that depends on its type", B.Loc);
  for (const auto &[Angle, D] : Others)
    if (DeclaredAt.contains(Angle)) {
      Place At = Where.at(Angle);
      Nodes.Facts.VectorMisuses.push_back(
          {"at:" + At.File + ":" + std::to_string(At.Offset),
           "has its type from a declaration that declares more, '" + D->getNameAsString() + "'",
           Where.at(D->getLocation())});
    }
}

void mpishm::collectVectors(ASTContext &Context, const Places &Where, Types &Typing, PointerNodes &Nodes) {
  VectorVisitor Visitor(Context, Where, Typing, Nodes);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
  Visitor.finish();
}

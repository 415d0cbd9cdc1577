// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Vectors.h"
#include "collect/Ids.h"
#include "collect/Keep.h"
#include "collect/ProgramVisitor.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// The std::vector of numbers that \p Type is, or refers to; null for others. vector<bool> has no elements.
static const ClassTemplateSpecializationDecl *vectorIn(QualType Type) {
  if (Type.isNull() || Type->isDependentType())
    return nullptr;
  const auto *Class =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !Types::isStandard(Class) || Class->getName() != "vector" || Class->getTemplateArgs().size() != 2)
    return nullptr;
  QualType Element = Class->getTemplateArgs()[0].getAsType();
  return Element->isArithmeticType() && !Element->isBooleanType() ? Class : nullptr;
}

/// "std" or "mpishm": whose allocator it has; empty for another's.
static llvm::StringRef ownerOfAllocator(const ClassTemplateSpecializationDecl *Vector) {
  const auto *Allocator = Vector->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl();
  if (!Allocator || !Allocator->getIdentifier() || Allocator->getName() != "allocator")
    return "";
  const auto *In = dyn_cast<NamespaceDecl>(Allocator->getDeclContext()->getRedeclContext());
  while (In && In->isInlineNamespace())
    In = dyn_cast<NamespaceDecl>(In->getParent());
  return In && (In->getName() == "std" || In->getName() == "mpishm") ? In->getName() : "";
}

/// Member functions whose types do not name the vector's.
static bool isPlainMember(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("at", "data", "front", "back", "size", "empty", "capacity", "max_size", true)
      .Cases("resize", "reserve", "clear", "push_back", "pop_back", "shrink_to_fit", "assign", "emplace_back", true)
      .Default(false);
}
static bool isIterator(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name).Cases("begin", "end", "cbegin", "cend", true).Default(false);
}

static llvm::StringRef nameOfMember(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *F = Call->getMethodDecl();
  return F && F->getIdentifier() ? F->getName() : "";
}

namespace {

class VectorVisitor : public ProgramVisitor<VectorVisitor> {
public:
  VectorVisitor(ASTContext &AST, const Places &P, Types &T, PointerNodes &N)
      : ProgramVisitor(P, T), Context(AST), Nodes(N) {}

  void enter(const FunctionDecl *F) { Enclosing = F; }
  void finish();

  /// Also templates of which there are no instances: a compiler reads in them what depends on no argument.
  bool TraverseDecl(Decl *D) {
    const auto *Inside = dyn_cast_or_null<DeclContext>(D);
    if (!Inside || !isa<FunctionDecl, CXXRecordDecl>(Inside) || !Inside->isDependentContext() ||
        isOfLibrary(D, Where, Typing))
      return ProgramVisitor::TraverseDecl(D);
    bool Before = InPattern;
    InPattern = true;
    bool Result = RecursiveASTVisitor::TraverseDecl(D);
    InPattern = Before;
    return Result;
  }

  bool VisitVarDecl(VarDecl *D) {
    if (InPattern || D->isImplicit() || isa<ParmVarDecl>(D) || !vectorIn(D->getType()))
      return true;
    declare(D);
    if (!D->hasLocalStorage() && !D->isStaticLocal())
      misuse(D, "is neither a local variable nor a member", D->getLocation());
    if (D->getType()->isReferenceType())
      refer(D, D->getInit());
    else
      made(D, D->getInit(), D->getLocation());
    return true;
  }
  bool VisitFieldDecl(FieldDecl *D) {
    if (D->isImplicit() || D->getParent()->isLambda() || D->getParent()->isDependentContext() ||
        !vectorIn(D->getType()))
      return true;
    declare(D);
    if (D->getType()->isReferenceType())
      misuse(D, "is a member that refers to another", D->getLocation());
    else if (D->hasInClassInitializer())
      made(D, D->getInClassInitializer(), D->getLocation());
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (const FieldDecl *Field = Init->getAnyMember();
        Field && !InPattern && vectorIn(Field->getType()) && !isImplicit())
      made(Field, Init->getInit(), Init->getSourceLocation());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitInitListExpr(InitListExpr *E) {
    const InitListExpr *Semantic = E->isSemanticForm() || !E->getSemanticForm() ? E : E->getSemanticForm();
    const RecordDecl *R = E->getType().isNull() ? nullptr : E->getType()->getAsRecordDecl();
    if (R && !InPattern && !R->isUnion() && !Types::isStandard(R)) {
      unsigned Index = isa<CXXRecordDecl>(R) ? cast<CXXRecordDecl>(R)->getNumBases() : 0;
      for (const FieldDecl *Field : R->fields())
        if (!Field->isUnnamedBitField() && Index < Semantic->getNumInits())
          if (const Expr *Init = Semantic->getInit(Index++); vectorIn(Field->getType()))
            made(Field, Init, E->getExprLoc());
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (isa<VarDecl, FieldDecl>(E->getDecl()) && !E->getDecl()->isImplicit() && !isa<ParmVarDecl>(E->getDecl()))
      use(E, E->getDecl());
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
    if (!E->isImplicitAccess() && E->getMemberName().isIdentifier() &&
        isPlainMember(E->getMemberName().getAsIdentifierInfo()->getName()))
      allow(E->getBase());
    return true;
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    if (isPlainMember(nameOfMember(E)))
      allow(E->getImplicitObjectArgument());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    if (E->getOperator() == OO_Subscript)
      allow(E->getArg(0));
    else if (E->getOperator() == OO_Star) // *v.begin()
      allowIterator(E->getArg(0));
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    QualType Result = E->getType();
    // Iterators that a function gives back may be kept in variables of their type.
    bool Ends = Result->isVoidType() || Result->isArithmeticType() || Discarded.contains(E);
    if (F && Types::isStandard(F) && Ends && !isa<CXXOperatorCallExpr>(E))
      for (const Expr *Argument : E->arguments())
        allowIterator(Argument);
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
  void allowIterator(const Expr *E) {
    E = E->IgnoreImplicit();
    if (const auto *Copy = dyn_cast<CXXConstructExpr>(E); Copy && Copy->getNumArgs() == 1)
      return allowIterator(Copy->getArg(0));
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E); Call && isIterator(nameOfMember(Call)))
      return allow(Call->getImplicitObjectArgument());
    const auto *Sum = dyn_cast<CXXOperatorCallExpr>(E);
    if (Sum && (Sum->getOperator() == OO_Plus || Sum->getOperator() == OO_Minus) && Sum->getNumArgs() == 2)
      for (const Expr *Part : Sum->arguments())
        allowIterator(Part);
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

  /// \p D is initialised by \p Init: with elements, and not with another vector.
  void made(const ValueDecl *D, const Expr *Init, SourceLocation Loc) {
    const Expr *E = Init ? Init->IgnoreImplicit() : nullptr;
    if (const auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(E))
      E = Default->getExpr()->IgnoreImplicit();
    const auto *Made = dyn_cast_or_null<CXXConstructExpr>(E);
    bool Plain = !Init || isa<ImplicitValueInitExpr>(E) ||
                 (Made && !isa<CXXTemporaryObjectExpr>(Made) && !Made->getConstructor()->isCopyOrMoveConstructor() &&
                  llvm::none_of(Made->arguments(), [](const Expr *A) { return vectorIn(A->getType()) != nullptr; }));
    if (const auto *List = dyn_cast_or_null<InitListExpr>(E); List && List->getNumInits() == 0)
      Plain = true;
    if (!Plain)
      misuse(D, "is made of another one", Loc);
  }
  void refer(const VarDecl *D, const Expr *Init);
  void declare(const DeclaratorDecl *D);

  struct Use {
    const Expr *E;
    const ValueDecl *Of;
  };
  ASTContext &Context;
  PointerNodes &Nodes;
  const FunctionDecl *Enclosing = nullptr;
  bool InPattern = false; ///< of a template
  std::vector<Use> Uses;
  llvm::DenseSet<const Expr *> Allowed, Discarded;
};

} // namespace

/// \p D, a reference, is declared to be what \p Init names: then both have one type.
void VectorVisitor::refer(const VarDecl *D, const Expr *Init) {
  const Expr *E = Init ? Init->IgnoreParenImpCasts() : nullptr;
  const ValueDecl *Named = nullptr;
  if (const auto *Reference = dyn_cast_or_null<DeclRefExpr>(E))
    Named = Reference->getDecl();
  else if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
    Named = Member->getMemberDecl();
  if (!Named || isa<ParmVarDecl>(Named) || !isa<VarDecl, FieldDecl>(Named))
    return misuse(D, "refers to another that is not named there", D->getLocation());
  allow(E);
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
  if (auto Elaborated = Written.getAs<ElaboratedTypeLoc>())
    Written = Elaborated.getNamedTypeLoc();
  const SourceManager &SM = Where.sources();
  if (auto Template = Written.getAs<TemplateSpecializationTypeLoc>();
      Template && Template.getNumArgs() == 1 && ownerOfAllocator(Vector) == "std") {
    SourceLocation Angle = Template.getRAngleLoc();
    auto Argument = CharSourceRange::getTokenRange(Template.getArgLoc(0).getSourceRange());
    if (Angle.isMacroID() || Argument.getBegin().isMacroID() || Argument.getEnd().isMacroID() ||
        Where.isLibrary(Angle)) {
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
}

void mpishm::collectVectors(ASTContext &Context, const Places &Where, Types &Typing, PointerNodes &Nodes) {
  VectorVisitor Visitor(Context, Where, Typing, Nodes);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
  Visitor.finish();
}

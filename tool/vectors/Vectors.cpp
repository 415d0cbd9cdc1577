// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors/Vectors.h"
#include "syntax/ProgramVisitor.h"
#include "vectors/VectorForms.h"
#include "vectors/VectorReader.h"
#include "vectors/VectorTypes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Tells the reader what it comes to, and where that stands.
class VectorVisitor : public ProgramVisitor, public VectorReader {
public:
  VectorVisitor(ASTContext &AST, const Places &P, Types &T, PointerFacts &Into, ElementsOf Of)
      : ProgramVisitor(P, T), VectorReader(AST, P, Into, Of) {}
  using ProgramVisitor::Where;

  void enter(const FunctionDecl *F) override { Enclosing = F; }

  /// Also templates of which there are no instances: a compiler reads in them what depends on no argument; and the
  /// instances of a library's. NOLINTBEGIN(bugprone-parent-virtual-call): ProgramVisitor goes by them.
  bool TraverseDecl(Decl *D) override {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    if (F && F->isTemplateInstantiation() && !Types::isStandard(F) && isOfLibrary(D, Where, Typing))
      return SyntaxVisitor::TraverseDecl(D);
    const auto *Inside = dyn_cast_or_null<DeclContext>(D);
    if (!Inside || !isa<FunctionDecl, CXXRecordDecl>(Inside) || !Inside->isDependentContext() ||
        isOfLibrary(D, Where, Typing))
      return ProgramVisitor::TraverseDecl(D);
    llvm::SaveAndRestore<bool> Pattern(InPattern, true);
    return SyntaxVisitor::TraverseDecl(D);
  }
  // NOLINTEND(bugprone-parent-virtual-call)

  // What of a template is looked at without leaving an instance of it: all but the bodies of functions, and what is
  // initialised.
  bool TraverseTypeLoc(TypeLoc Loc) override {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    mention(Loc);
    return SyntaxVisitor::TraverseTypeLoc(Loc);
  }
  bool TraverseConceptDecl(ConceptDecl *D) override {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    return SyntaxVisitor::TraverseConceptDecl(D);
  }
  bool TraverseRequiresExpr(RequiresExpr *E) override {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    return SyntaxVisitor::TraverseRequiresExpr(E);
  }
  bool TraverseCompoundStmt(CompoundStmt *S) override {
    llvm::SaveAndRestore<bool> Body(InBody, true);
    return SyntaxVisitor::TraverseCompoundStmt(S);
  }
  bool VisitTemplateDecl(TemplateDecl *D) override {
    return !D->getTemplateParameters() || lookThrough(D->getTemplateParameters()->getRequiresClause());
  }
  bool VisitClassTemplatePartialSpecializationDecl(ClassTemplatePartialSpecializationDecl *D) override {
    return lookThrough(D->getTemplateParameters()->getRequiresClause());
  }
  bool VisitVarTemplatePartialSpecializationDecl(VarTemplatePartialSpecializationDecl *D) override {
    return lookThrough(D->getTemplateParameters()->getRequiresClause());
  }
  bool VisitCXXConstructorDecl(CXXConstructorDecl *F) override { return lookThrough(explicitOf(F)); }
  bool VisitCXXConversionDecl(CXXConversionDecl *F) override { return lookThrough(explicitOf(F)); }
  bool VisitCXXDeductionGuideDecl(CXXDeductionGuideDecl *F) override {
    guide(F);
    return lookThrough(explicitOf(F));
  }

  // What tells a function by its type, which its symbol has in it.
  bool VisitDecl(Decl *D) override {
    if (const auto *Alias = D->getAttr<AliasAttr>())
      Assembly.push_back(Alias->getAliasee());
    if (const auto *Weak = D->getAttr<WeakRefAttr>())
      Assembly.push_back(Weak->getAliasee());
    if (const auto *Label = D->getAttr<AsmLabelAttr>())
      Assembly.push_back(Label->getLabel());
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *D) override {
    Assembly.push_back(D->getAsmString()->getString());
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *S) override {
    Assembly.push_back(S->getAsmString()->getString());
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *E) override {
    look(E->getMember());
    return true;
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *E) override {
    look(E->getDeclName());
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *) override {
    MakesUnseen |= InSignature && !InBody;
    return true;
  }

  // What has to be a constant.
  bool TraverseStaticAssertDecl(StaticAssertDecl *D) override {
    llvm::SaveAndRestore<bool> Constant(InConstant, true);
    return SyntaxVisitor::TraverseStaticAssertDecl(D);
  }
  bool TraverseConstantExpr(ConstantExpr *E) override {
    llvm::SaveAndRestore<bool> Constant(InConstant, true);
    return SyntaxVisitor::TraverseConstantExpr(E);
  }
  bool TraverseVarDecl(VarDecl *D) override {
    llvm::SaveAndRestore<bool> Constant(InConstant, InConstant || D->isConstexpr());
    return SyntaxVisitor::TraverseVarDecl(D);
  }

  bool VisitVarDecl(VarDecl *D) override {
    // What has a name of an element's own is no variable.
    if (InPattern || D->isImplicit() || isa<DecompositionDecl>(D))
      return true;
    iterator(D);
    automatic(D);
    if (!isVector(D->getType()))
      return true;
    const auto *P = dyn_cast<ParmVarDecl>(D);
    if (!vectorIn(D->getType())) {
      otherElements(idOfVector(D), D->getDeclContext(), D->getLocation());
      if (P)
        otherParameter(P);
      return true;
    }
    if (P) {
      parameter(P);
      return true;
    }
    declare(D);
    if (D->hasLinkage())
      Members.push_back(D);
    if (!isChangeable(D))
      misuse(D, "is a variable whose type has to stay", D->getLocation());
    else if (D->isExceptionVariable())
      misuse(D, "is what is thrown elsewhere", D->getLocation());
    else if (D->getType()->isReferenceType())
      refer(D, D->getInit(), D->getLocation());
    else
      made(D, D->getInit(), D->getLocation());
    return true;
  }
  /// What `get` gives for `auto [a, b] = object;` is bound to a variable whose type `tuple_element` says.
  bool VisitBindingDecl(BindingDecl *D) override {
    return !D->getHoldingVar() || TraverseStmt(D->getHoldingVar()->getInit());
  }
  bool VisitCXXTypeidExpr(CXXTypeidExpr *E) override {
    tell(E->isTypeOperand() ? E->getTypeOperandSourceInfo()->getType() : E->getExprOperand()->getType(),
         E->getExprLoc());
    return true;
  }
  bool VisitTypedefNameDecl(TypedefNameDecl *D) override {
    alias(D);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *D) override {
    lookThrough(D->getTrailingRequiresClause());
    instantiate(D);
    if (D->isImplicit())
      return true;
    if (vectorIn(D->getReturnType()))
      result(D);
    else if (isVector(D->getReturnType()))
      otherResult(D);
    if (const auto *Method = dyn_cast<CXXMethodDecl>(D))
      overriding(Method);
    return true;
  }
  bool VisitFieldDecl(FieldDecl *D) override {
    if (D->isImplicit() || D->getParent()->isLambda() || D->getParent()->isDependentContext() ||
        !isVector(D->getType()))
      return true;
    if (!vectorIn(D->getType())) {
      otherElements(idOfVector(D), D->getDeclContext(), D->getLocation());
      return true;
    }
    declare(D);
    Members.push_back(D);
    if (const Expr *Init = D->getInClassInitializer()) // null where no constructor of an instance uses it
      member(D, Init, D->getLocation());
    return true;
  }
  /// Other declarators may stand behind one type: `std::vector<double> v, *p, f();`
  bool VisitDeclaratorDecl(DeclaratorDecl *D) override {
    if (const auto *F = dyn_cast<FunctionDecl>(D); F && F->getTypeSourceInfo() && vectorWrittenFor(F) && isOurs(F))
      return true;
    bool Variable = isa<VarDecl, FieldDecl>(D);
    QualType Type = D->getType().getNonReferenceType();
    bool Itself = Variable && (InPattern ? !Type->isAnyPointerType() && !Type->isFunctionType() : isVector(Type));
    if (Itself || isa<ParmVarDecl>(D) || D->isImplicit() || !D->getTypeSourceInfo())
      return true;
    if (WrittenVector Written = writtenIn(D->getTypeSourceInfo()->getTypeLoc()))
      Others.push_back({Written.Innermost.getRAngleLoc(), D});
    return true;
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) override {
    if (const FieldDecl *Field = Init->getAnyMember(); Field && vectorIn(Field->getType()) && !isImplicit())
      member(Field, Init->getInit(), Init->getSourceLocation());
    return SyntaxVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitInitListExpr(InitListExpr *E) override {
    const InitListExpr *Semantic = E->isSemanticForm() || !E->getSemanticForm() ? E : E->getSemanticForm();
    const RecordDecl *R = E->getType().isNull() ? nullptr : E->getType()->getAsRecordDecl();
    if (R && R->isUnion() && Semantic->getNumInits()) {
      if (const FieldDecl *Field = Semantic->getInitializedFieldInUnion(); Field && vectorIn(Field->getType()))
        member(Field, Semantic->getInit(0), E->getExprLoc());
    } else if (R) {
      madeInOrder(R, Semantic->inits(), E->getExprLoc());
    }
    return true;
  }
  bool VisitCXXParenListInitExpr(CXXParenListInitExpr *E) override {
    if (const RecordDecl *R = E->getType()->getAsRecordDecl())
      madeInOrder(R, E->getInitExprs(), E->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    if (isConstant() && !isImplicit())
      eachVectorIn(E->getType(), [&](const FieldDecl *Field) {
        misuse(Field, "is made where a constant may be needed", E->getExprLoc());
      });
    if (isVector(E->getType()) && E->getNumArgs() >= 2 && E->getConstructor()->getPrimaryTemplate())
      allowIterators({E->getArg(0), E->getArg(1)});
    if (!Types::isStandard(E->getConstructor()->getParent()))
      hand(E->getConstructor(), llvm::ArrayRef(E->getArgs(), E->getNumArgs()));
    else
      madeByLibrary(E->getType(), {}, llvm::ArrayRef(E->getArgs(), E->getNumArgs()), E->getExprLoc());
    return true;
  }

  bool VisitCXXTemporaryObjectExpr(CXXTemporaryObjectExpr *E) override {
    makeTemporary(E, E->getTypeSourceInfo());
    return true;
  }
  bool VisitCXXFunctionalCastExpr(CXXFunctionalCastExpr *E) override {
    makeTemporary(E, E->getTypeInfoAsWritten());
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (isa<VarDecl, FieldDecl>(E->getDecl()) && !E->getDecl()->isImplicit() && isChangeable(E->getDecl()))
      use(E, E->getDecl());
    inPair(E);
    const ValueDecl *D = E->getDecl();
    if (InPattern)
      look(D->getDeclName());
    const TemplateArgumentList *Arguments = nullptr;
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      name(E, F);
      Arguments = F->getTemplateSpecializationArgs();
    }
    if (const auto *Variable = dyn_cast<VarTemplateSpecializationDecl>(D))
      Arguments = &Variable->getTemplateArgs();
    if (Arguments)
      beside(D, Arguments->asArray(), E->getExprLoc());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Loc) override {
    const TemplateSpecializationType *Type = Loc.getTypePtr();
    if (const TemplateDecl *Template = Type->getTemplateName().getAsTemplateDecl())
      beside(Template, Type->template_arguments(), Loc.getTemplateNameLoc());
    return true;
  }
  bool VisitConceptSpecializationExpr(ConceptSpecializationExpr *E) override {
    beside(E->getNamedConcept(), E->getTemplateArguments(), E->getExprLoc());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    if (InPattern)
      look(E->getMemberDecl()->getDeclName());
    inPair(E);
    if (isa<FieldDecl, VarDecl>(E->getMemberDecl()))
      use(E, E->getMemberDecl());
    else if (const auto *F = dyn_cast<FunctionDecl>(E->getMemberDecl()))
      name(E, F);
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *E) override {
    look(E->getName());
    return true;
  }

  /// Of an array; and in templates v[i] where it is not known yet what is called.
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) override {
    subscript(E, E->getBase());
    return true;
  }
  // In templates: v.size() where it is not known yet what is called.
  bool VisitUnresolvedMemberExpr(UnresolvedMemberExpr *E) override {
    look(E->getMemberName());
    if (!E->isImplicitAccess() && !E->getQualifier() && E->getMemberName().isIdentifier() &&
        isPlainMember(E->getMemberName().getAsIdentifierInfo()->getName()) && !isNest(E->getBase()->getType()))
      allow(E->getBase());
    return true;
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) override {
    llvm::StringRef Name;
    const Expr *Object = objectOf(E, Name);
    QualType Type = Object ? Object->getType() : QualType();
    if (Object && isNest(Type))
      call(E, Object, Name);
    else if (Object && isPlainMember(Name) && !(Type->isAnyPointerType() && isNest(Type->getPointeeType())))
      allow(Object);
    else if (Object && vectorIn(Object->getType()))
      change(E, Object, Name);
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    if (E->getOperator() == OO_Subscript)
      subscript(E, E->getArg(0));
    else if (isStandard(F) && E->getNumArgs() && E->getNumArgs() <= 2)
      operate(E, E->getArg(0), E->getNumArgs() == 2 ? E->getArg(1) : nullptr);
    return true;
  }
  bool VisitCXXRewrittenBinaryOperator(CXXRewrittenBinaryOperator *E) override {
    CXXRewrittenBinaryOperator::DecomposedForm Form = E->getDecomposedForm();
    const auto *Inner = dyn_cast<CXXOperatorCallExpr>(Form.InnerBinOp->IgnoreImplicit());
    if (Inner && isStandard(Inner->getDirectCallee()))
      operate(Inner, Form.LHS, Form.RHS);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    if (F && !Types::isStandard(F) && !isa<CXXOperatorCallExpr>(E))
      call(E, F);
    if (!F || !Types::isStandard(F))
      return true;
    // Iterators that a function gives back may be kept in variables of their type.
    QualType Result = E->getType();
    bool Ends = Result->isVoidType() || Result->isArithmeticType() || Discarded.contains(E);
    if (Ends && isStandard(F) && onlyFollowsIterators(E))
      follow(E, F->getPrimaryTemplate()->getTemplatedDecl());
    else if (isStandard(F) && swapsItsArguments(E))
      allowAll({E->getArg(0), E->getArg(1)});
    else if (isStandard(F) && measuresItsArgument(E))
      allow(E->getArg(0));
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E); Member && Member->getImplicitObjectArgument())
      Result = Member->getImplicitObjectArgument()->getType();
    else if (isa<CXXOperatorCallExpr>(E))
      Result = E->getArg(0)->getType();
    const TemplateArgumentList *Arguments = F->getTemplateSpecializationArgs();
    madeByLibrary(Result, Arguments ? Arguments->asArray() : llvm::ArrayRef<TemplateArgument>(),
                  llvm::ArrayRef(E->getArgs(), E->getNumArgs()), E->getExprLoc());
    return true;
  }
  bool VisitCastExpr(CastExpr *E) override {
    view(E);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) override {
    for (auto [Capture, Init] : llvm::zip(E->captures(), E->capture_inits()))
      if (Init && Capture.capturesVariable() && !E->isInitCapture(&Capture)) {
        // What is in the closure has the type of the variable, and is named as that.
        const Expr *Copied = Capture.getCaptureKind() == LCK_ByCopy ? vectorCopied(Init) : Init;
        if (Copied)
          allow(Copied);
      }
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) override {
    if (isNest(S->getRangeInit()->getType()))
      loop(S);
    else
      allow(S->getRangeInit());
    discard(S->getBody());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *S) override {
    for (const Stmt *Child : S->body())
      discard(Child);
    return true;
  }
  bool VisitForStmt(ForStmt *S) override {
    discard(S->getInc());
    discard(S->getBody());
    return true;
  }
  bool VisitIfStmt(IfStmt *S) override {
    discard(S->getThen());
    discard(S->getElse());
    return true;
  }
  bool VisitWhileStmt(WhileStmt *S) override {
    discard(S->getBody());
    return true;
  }
  bool VisitSwitchCase(SwitchCase *S) override {
    discard(S->getSubStmt());
    return true;
  }

private:
  /// Of `explicit(...)`, which Clang's visitor leaves out.
  static Expr *explicitOf(FunctionDecl *F) { return ExplicitSpecifier::getFromDecl(F).getExpr(); }
  /// \p E, if there is one, is what a template asks.
  bool lookThrough(Expr *E) {
    llvm::SaveAndRestore<bool> Signature(InSignature, true);
    return TraverseStmt(E);
  }

  void makeTemporary(const Expr *E, const TypeSourceInfo *Written) {
    if (InPattern || !isVector(E->getType()))
      return;
    if (TypeLoc Type = typeOfTemporary(E))
      temporary(E, Type);
    else
      otherElements(idOfTemporary(Written->getTypeLoc()), Enclosing, E->getExprLoc());
  }
};

} // namespace

void mpishm::collectVectors(ASTContext &Context, const Places &Where, Types &Typing, PointerFacts &Facts,
                            ElementsOf Elements) {
  VectorVisitor Visitor(Context, Where, Typing, Facts, Elements);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
  Visitor.finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/PointerVisitor.h"
#include "pointers/Allocations.h"
#include "pointers/Arrays.h"
#include "pointers/Computations.h"
#include "pointers/Pointers.h"
#include "pointers/Wrappers.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"
#include "syntax/ProgramVisitor.h"
#include "vectors/Vectors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace mpishm;
using namespace clang;

namespace {

class PointerVisitor : public ProgramVisitor {
public:
  PointerVisitor(ASTContext &AST, const Places &P, Types &T, PointerFacts &Facts)
      : ProgramVisitor(P, T), Context(AST), Nodes(Facts, P), Reader(AST, P, Nodes), Computing(P, Reader, Facts) {}

  void enter(const FunctionDecl *F) override { Reader.Enclosing = F; }

  bool VisitVarDecl(VarDecl *D) override {
    if (isa<ParmVarDecl>(D) || D->getType()->isDependentType())
      return true;
    if (const RecordDecl *R = recordOf(D->getType(), Where)) {
      Nodes.record(R);
      if (!isDefinition(D))
        return true;
      Nodes.Facts.Defined.push_back(idOf(D, Where));
    }
    if (D->getType()->isIntegerType())
      integer(D);
    if (!holdsPointers(D->getType()) && !D->getType()->isArrayType())
      return true;
    PointerNodeIndex Variable = Nodes.ofVariable(D);
    if (isDefinition(D))
      Nodes.Facts.Defined.push_back(Nodes.Facts.Nodes[Variable].Id);
    Nodes.copy(Variable, Reader.initial(D->getType(), D->getInit()));
    if (const auto *Attribute = D->getAttr<CleanupAttr>())
      Nodes.Facts.Arguments.push_back(cleanup(Attribute->getFunctionDecl(), Variable, D->getLocation()));
    return true;
  }
  bool VisitBindingDecl(BindingDecl *D) override { return !D->getHoldingVar() || VisitVarDecl(D->getHoldingVar()); }
  bool VisitRecordDecl(RecordDecl *D) override {
    if (D->isUnion() && D->isThisDeclarationADefinition() && !D->isDependentContext())
      Nodes.record(D);
    return true;
  }
  bool VisitFieldDecl(FieldDecl *D) override {
    const Expr *Init = D->getInClassInitializer(); // null where no constructor of an instance uses it
    if (!D->getParent()->isDependentContext() && Init)
      initialize(D, Init);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (!F->isDependentContext())
      function(F);
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) override {
    if (const FieldDecl *Field = Init->getAnyMember(); Field && Init->getInit())
      initialize(Field, Init->getInit());
    return SyntaxVisitor::TraverseConstructorInitializer(Init);
  }
  bool VisitLambdaExpr(LambdaExpr *E) override {
    for (const LambdaCapture &Capture : E->captures())
      if (E->isInitCapture(&Capture))
        VisitVarDecl(cast<VarDecl>(Capture.getCapturedVar()));
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) override {
    if (E->getType()->isDependentType())
      return true;
    if (E->getOpcode() == BO_Assign && (isDataPointer(E->getType()) || isStandardClass(E->getType())))
      Reader.store(E->getLHS(), Reader.value(E->getRHS()));
    if (E->getOpcode() == BO_Assign && E->getType()->isIntegerType())
      Reader.storeInteger(E->getLHS(), E->getRHS());
    Computing.binary(E);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) override {
    Computing.step(E);
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) override {
    list(E);
    return true;
  }
  bool VisitCXXParenListInitExpr(CXXParenListInitExpr *E) override {
    fields(E->getType(), E->getInitializedFieldInUnion(), E->getInitExprs());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) override {
    const FunctionDecl *F = Reader.Enclosing;
    if (F && S->getRetValue() && holdsPointers(F->getReturnType()))
      Nodes.copy(Nodes.result(F), Reader.initial(F->getReturnType(), S->getRetValue()));
    return true;
  }
  bool VisitParenExpr(ParenExpr *E) override {
    Reader.outer(E);
    return true;
  }
  bool VisitCastExpr(CastExpr *E) override {
    Reader.outer(E);
    conversion(E);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    if (isOtherThanFork(E, Context))
      Harmless.insert(calledName(E));
    Reader.call(E);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    Reader.construct(E);
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *E) override {
    Reader.value(E);
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *E) override {
    if (!E->getArgument()->isTypeDependent())
      Reader.release(E);
    return true;
  }
  bool VisitAtomicExpr(AtomicExpr *E) override {
    QualType Held = E->isTypeDependent() ? QualType() : E->getValueType();
    if (Held.isNull() || Held->isArithmeticType() || Held->isEnumeralType())
      return true;
    for (Expr *Part : llvm::make_range(E->getSubExprs(), E->getSubExprs() + E->getNumSubExprs()))
      if (isDataPointer(Part->getType()))
        Reader.escape(Part, "is used in an atomic operation");
    return true;
  }
  bool VisitCXXThrowExpr(CXXThrowExpr *E) override {
    if (E->getSubExpr())
      Reader.escape(E->getSubExpr(), "is thrown");
    return true;
  }
  bool VisitAsmStmt(AsmStmt *S) override {
    for (unsigned I = 0; I < S->getNumInputs(); ++I)
      if (const auto *E = dyn_cast_or_null<Expr>(S->getInputExpr(I)))
        Reader.escape(E, "is used in assembly code");
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (!Reader.isCalled(E))
      Reader.addressTaken(E);
    if (const auto *F = dyn_cast<FunctionDecl>(E->getDecl()); F && mayForkUntold(F, Where) && !Harmless.contains(E))
      Nodes.Facts.Forks.push_back(Where.at(E->getLocation()));
    return true;
  }

  PointerNodes &finish() {
    Reader.finish();
    return Nodes;
  }

private:
  static bool isDefinition(const VarDecl *D) {
    return D->hasExternalFormalLinkage() && D->isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
  }

  /// \p D may be one that an address is kept in.
  void integer(const VarDecl *D) {
    if (isDefinition(D))
      Nodes.Facts.Defined.push_back(idOf(D, Where));
    if (D->getInit() && !D->getInit()->isTypeDependent())
      if (PointerNodeIndex Address = Reader.ofInteger(D->getInit()); Address != NoNode)
        Nodes.copy(Nodes.ofVariable(D), Address);
  }

  /// A function that is called with the address of a variable at the end of its life.
  PointerArgument cleanup(const FunctionDecl *F, PointerNodeIndex Variable, SourceLocation Loc) {
    PointerArgument A;
    A.Callee = idOf(F, Where);
    A.CalleeName = F->getQualifiedNameAsString();
    A.Parameter = Nodes.parameter(F, 0);
    A.Value = Nodes.addressOf(Variable);
    A.Where = Where.at(Loc);
    return A;
  }

  /// A function that code of a library may call: an allocator's, one that overrides a library's.
  void calledByLibrary(const CXXMethodDecl *F) {
    for (unsigned I = 0; I < F->getNumParams(); ++I)
      if (holdsPointers(F->getParamDecl(I)->getType()))
        Nodes.copy(Nodes.parameter(F, I), OutsideNode);
    if (holdsPointers(F->getReturnType()))
      Nodes.Facts.Escapes.push_back(
          {Nodes.result(F), "is returned to a library that calls the function", Where.at(F->getLocation())});
  }

  void initialize(const FieldDecl *Field, const Expr *Init) {
    if (holdsPointers(Field->getType()) && !Init->isTypeDependent())
      Nodes.copy(Nodes.ofVariable(Field), Reader.initial(Field->getType(), Init));
  }

  void list(InitListExpr *E) {
    if (!E->isSemanticForm() && E->getSemanticForm())
      E = E->getSemanticForm();
    fields(E->getType(), E->getInitializedFieldInUnion(), E->inits());
  }

  /// \p Inits: of the bases of \p Type, then of its fields, or of \p OfUnion alone.
  void fields(QualType Type, const FieldDecl *OfUnion, llvm::ArrayRef<Expr *> Inits) {
    const auto *Record = Type.isNull() ? nullptr : Type->getAs<RecordType>();
    if (!Record || Type->isDependentType() || Types::isStandard(Record->getDecl()))
      return;
    if (Record->getDecl()->isUnion()) {
      if (OfUnion && !Inits.empty())
        initialize(OfUnion, Inits.front());
      return;
    }
    unsigned Index = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record->getDecl()))
      Index = Class->getNumBases();
    for (const FieldDecl *Field : Record->getDecl()->fields()) {
      if (Field->isUnnamedBitField())
        continue;
      if (Index >= Inits.size())
        break;
      initialize(Field, Inits[Index++]);
    }
  }

  /// True for a pointer to a pointer that becomes one to a number, or to a vector of numbers.
  static bool readsBits(QualType From, QualType To) {
    if (!isDataPointer(From) || !isDataPointer(To))
      return false;
    QualType Number = To->getPointeeType();
    bool IsNumber = Number->isIntegerType() && !Number->isCharType();
    return isDataPointer(From->getPointeeType()) && (IsNumber || Number->isVectorType());
  }

  /// Conversions that nobody may ask for the value of, and those by which a pointer leaves. As an integer it does not:
  /// where that goes, to code out of sight too, LLVM IR shows.
  void conversion(const CastExpr *E) {
    if (E->isTypeDependent() || E->getSubExpr()->isTypeDependent())
      return;
    if (E->getCastKind() == CK_BitCast && E->getType()->isFunctionPointerType())
      Reader.functionCast(E);
    else if (E->getCastKind() == CK_BitCast && readsBits(E->getSubExpr()->getType(), E->getType()))
      Reader.escapeContents(E->getSubExpr(), "is read or written as a number");
    else if (E->getCastKind() == CK_BitCast && isDataPointer(E->getType()))
      Reader.value(E);
  }

  void function(const FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() || F->isDefaulted()) {
      if (F->getIdentifier() && F->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
          isMemoryName(F->getName()))
        Nodes.Facts.Own.push_back(Where.at(F->getLocation()));
      if (F->isReplaceableGlobalAllocationFunction())
        Nodes.Facts.Own.push_back(Where.at(F->getLocation()));
      if (F->hasBody() && isDataPointer(F->getReturnType()))
        Nodes.Facts.Wrappers.push_back(wrapperOf(F, Where, Nodes));
    }
    if (F->getTemplateSpecializationKind() == TSK_ExplicitInstantiationDefinition && F->isDefined())
      explicitInstantiation(F);
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!Method)
      return;
    if (Method->getIdentifier() && (Method->getName() == "allocate" || Method->getName() == "deallocate"))
      calledByLibrary(Method);
    for (const CXXMethodDecl *Overridden : Method->overridden_methods()) {
      if (Where.isLibrary(Overridden->getLocation()))
        calledByLibrary(Method);
      for (unsigned I = 0; I < F->getNumParams() && I < Overridden->getNumParams(); ++I)
        if (holdsPointers(F->getParamDecl(I)->getType()))
          Nodes.link(Nodes.parameter(F, I), Nodes.parameter(Overridden, I));
      if (holdsPointers(F->getReturnType()))
        Nodes.link(Nodes.result(F), Nodes.result(Overridden));
    }
  }

  /// Units that see no more of the template than its declaration call this instantiation of it.
  void explicitInstantiation(const FunctionDecl *F) {
    std::string Id = instantiationId(F, Where);
    for (unsigned I = 0; I < F->getNumParams(); ++I)
      Nodes.link(Nodes.parameter(F, I), Nodes.named(Id + "#" + std::to_string(I), "a parameter"));
    Nodes.link(Nodes.result(F), Nodes.named(Id + "#result", "a result"));
  }

  ASTContext &Context;
  PointerNodes Nodes;
  PointerReader Reader;
  Computations Computing;
  llvm::DenseSet<const Expr *> Harmless;
};

} // namespace

void mpishm::collectPointers(ASTContext &Context, const Places &Where, Types &Typing, PointerFacts &Facts) {
  PointerVisitor Visitor(Context, Where, Typing, Facts);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
  PointerNodes &Nodes = Visitor.finish();
  collectArrays(Context, Where, Typing, Nodes);
  if (Context.getLangOpts().CPlusPlus)
    collectVectors(Context, Where, Typing, Facts, [&](const ValueDecl *D) { return Nodes.elementsOf(D); });
}

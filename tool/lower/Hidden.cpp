// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Hidden.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// The record that a \p T points to, directly, or null.
static const RecordDecl *pointedTo(QualType T) {
  return !T.isNull() && T->isAnyPointerType() ? T->getPointeeType()->getAsRecordDecl() : nullptr;
}

static bool isAllocation(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() &&
         llvm::StringSwitch<bool>(F->getName())
             .Cases("malloc", "calloc", "realloc", "aligned_alloc", "MPISHM_Malloc", "MPISHM_Calloc", true)
             .Default(false);
}

namespace {

class Visitor : public SyntaxVisitor {
public:
  Visitor(ASTContext &C, HiddenRecords &To) : Context(C), Names(C), Result(To) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitRecordDecl(RecordDecl *D) override {
    const bool IsOthers = !Context.getSourceManager().isInMainFile(D->getLocation());
    if (D->isThisDeclarationADefinition() && (IsOthers || isa<CXXRecordDecl>(D)))
      expose(D);
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *D) override {
    if (!D->isThisDeclarationADefinition() || D->isDependentContext() || isa<CXXMethodDecl>(D))
      return true;
    std::vector<std::string> Types;
    for (const ParmVarDecl *P : D->parameters()) {
      if (!P->getType()->isScalarType() || P->getType()->isAnyComplexType() || P->getType()->isMemberPointerType())
        return true;
      Types.push_back(nameOf(pointedTo(P->getType())));
    }
    if (!D->getReturnType()->isVoidType() && !D->getReturnType()->isScalarType())
      return true;
    Types.push_back(nameOf(pointedTo(D->getReturnType())));
    Result.Signatures[Names.getName(D)] = std::move(Types);
    return true;
  }

  // Where an address may come from that this is not told of.
  bool VisitFieldDecl(FieldDecl *D) override {
    exposeIn(D->getType());
    return true;
  }
  bool VisitVarDecl(VarDecl *D) override {
    if (!D->isLocalVarDeclOrParm() || D->isStaticLocal() || !pointedTo(D->getType()))
      exposeIn(D->getType());
    return true;
  }
  bool VisitExpr(Expr *E) override {
    const RecordDecl *Direct = pointedTo(E->getType());
    if (!Direct)
      exposeIn(E->getType()); // through another pointer, or an array of them
    if (isa<VAArgExpr, AtomicExpr, StmtExpr>(E))
      expose(Direct);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    if (!F || !F->isDefined())
      expose(pointedTo(E->getType()));
    return true;
  }
  bool VisitCastExpr(CastExpr *E) override {
    bool Same = pointedTo(E->getType()) == pointedTo(E->getSubExpr()->getType());
    bool Null = E->getCastKind() == CK_NullToPointer;
    bool Decays = E->getCastKind() == CK_ArrayToPointerDecay || E->getCastKind() == CK_LValueToRValue;
    if (!Same && !Null && !Decays && !isAllocation(E->getSubExpr()))
      expose(pointedTo(E->getType()));
    return true;
  }

private:
  static std::string nameOf(const RecordDecl *D) { return D && D->getIdentifier() ? D->getNameAsString() : ""; }

  void expose(const RecordDecl *D) {
    if (D && D->getIdentifier())
      Result.Exposed.insert(nameOf(D));
  }

  /// The records to which a \p T points in any way.
  void exposeIn(QualType T) {
    bool Through = false;
    if (T.isNull() || T->isDependentType()) // instances are looked at, too
      return;
    for (;;) {
      if (T->isArrayType()) {
        T = Context.getBaseElementType(T);
        continue;
      }
      if (!T->isAnyPointerType() && !T->isReferenceType())
        break;
      T = T->getPointeeType();
      Through = true;
    }
    if (Through && !T->isFunctionType())
      if (const RecordDecl *D = T->getAsRecordDecl())
        expose(D);
  }

  ASTContext &Context;
  ASTNameGenerator Names;
  HiddenRecords &Result;
};

} // namespace

HiddenRecords mpishm::findHidden(ASTContext &Context) {
  HiddenRecords Result;
  Visitor(Context, Result).TraverseDecl(Context.getTranslationUnitDecl());
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/Visitor.h"
#include "sites/Builder.h"
#include "syntax/ProgramVisitor.h"

using namespace mpishm;
using namespace clang;

namespace {

class Visitor : public ProgramVisitor {
public:
  Visitor(ASTContext &Context, const Places &P, Types &T, Emitter &Emit)
      : ProgramVisitor(P, T), Build(Context, P, T, Emit) {}

  void enter(const FunctionDecl *F) override { Build.Enclosing = F; }

  bool VisitRecordDecl(RecordDecl *D) override {
    Build.record(D);
    return true;
  }
  bool VisitVarDecl(VarDecl *D) override {
    Build.variable(D);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) override {
    Build.function(F);
    return true;
  }
  bool VisitCastExpr(CastExpr *E) override {
    Build.cast(E);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    Build.call(E);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    Build.construct(E);
    return true;
  }
  bool VisitVAArgExpr(VAArgExpr *E) override {
    Build.variadicArgument(E);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    Build.reference(E);
    return true;
  }

private:
  Builder Build;
};

} // namespace

void mpishm::visitUnit(ASTContext &Context, const Places &Where, Types &Typing, Emitter &Emit) {
  Visitor(Context, Where, Typing, Emit).TraverseDecl(Context.getTranslationUnitDecl());
}

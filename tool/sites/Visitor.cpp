// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/Visitor.h"
#include "sites/Builder.h"
#include "syntax/ProgramVisitor.h"

using namespace mpishm;
using namespace clang;

namespace {

class Visitor : public ProgramVisitor<Visitor> {
public:
  Visitor(ASTContext &Context, const Places &P, Types &T, Emitter &Emit)
      : ProgramVisitor(P, T), Build(Context, P, T, Emit) {}

  void enter(const FunctionDecl *F) { Build.Enclosing = F; }

  bool VisitRecordDecl(RecordDecl *D) {
    Build.record(D);
    return true;
  }
  bool VisitVarDecl(VarDecl *D) {
    Build.variable(D);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *F) {
    Build.function(F);
    return true;
  }
  bool VisitCastExpr(CastExpr *E) {
    Build.cast(E);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    Build.call(E);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    Build.construct(E);
    return true;
  }
  bool VisitVAArgExpr(VAArgExpr *E) {
    Build.variadicArgument(E);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/Lines.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Meets what holds a number before the number itself.
class LineVisitor : public RecursiveASTVisitor<LineVisitor> {
public:
  explicit LineVisitor(const Places &P) : Where(P) {}

  bool TraverseDecl(Decl *D) {
    bool IsLibrarys = D && !isa<TranslationUnitDecl>(D) && Where.isLibrary(D->getLocation());
    return IsLibrarys || RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && isTelling(*Callee))
      tellAll(E->arguments());
    else
      tellBesideFile(E->arguments());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    tellBesideFile(E->arguments());
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *E) {
    tellBesideFile(E->arguments());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) { // a stream's, in a template
    if (E->getOpcode() == BO_Shl && E->isTypeDependent())
      tell(E->getRHS());
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) {
    tellBesideFile(E->inits());
    return true;
  }
  bool VisitIntegerLiteral(IntegerLiteral *E) {
    if (isFrom(E, "__LINE__") && !Told.contains(E))
      Found.push_back(Where.at(E->getLocation()));
    else if (Told.contains(E))
      ToldAt.insert(E->getLocation());
    return true;
  }
  bool VisitStringLiteral(StringLiteral *E) {
    for (unsigned I = 0; Told.contains(E) && I < E->getNumConcatenated(); ++I)
      ToldAt.insert(E->getStrTokenLoc(I));
    return true;
  }

  bool VisitPredefinedExpr(PredefinedExpr *E) {
    if (Told.contains(E))
      ToldAt.insert(E->getLocation());
    return true;
  }

  llvm::DenseSet<SourceLocation> takeTold() { return std::move(ToldAt); }
  std::vector<Place> take() {
    llvm::sort(Found);
    Found.erase(llvm::unique(Found), Found.end());
    return std::move(Found);
  }

private:
  template <typename Range> void tellAll(const Range &Given) {
    for (const Expr *Each : Given)
      tell(Each);
  }
  template <typename Range> void tellBesideFile(const Range &Given) {
    if (llvm::any_of(Given, [&](const Expr *Each) { return isFrom(Each, "__FILE__"); }))
      tellAll(Given);
  }
  void tell(const Expr *Given) { Told.insert(Given->IgnoreParenCasts()); }

  /// A stream's operator, or one of a library's functions that print. What another function makes of a number may
  /// count.
  bool isTelling(const FunctionDecl &Callee) const {
    return Where.isLibrary(Callee.getLocation()) &&
           (Callee.isVariadic() || Callee.getOverloadedOperator() == OO_LessLess);
  }

  bool isFrom(const Expr *E, llvm::StringRef Macro) const {
    return Where.macroOf(E->IgnoreParenCasts()->getBeginLoc()) == Macro;
  }

  const Places &Where;
  llvm::DenseSet<const Expr *> Told;
  llvm::DenseSet<SourceLocation> ToldAt;
  std::vector<Place> Found;
};

} // namespace

LiteralUses mpishm::findLiteralUses(ASTContext &Context, const Places &Where) {
  LineVisitor V(Where);
  V.TraverseDecl(Context.getTranslationUnitDecl());
  return {V.take(), V.takeTold()};
}

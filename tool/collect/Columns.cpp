// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Columns.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include <set>

using namespace mpishm;
using namespace clang;

/// True when the value of \p E depends on the column where it stands, or where the call stands whose argument it is by
/// default.
static bool readsColumn(const Stmt *E) {
  if (!E)
    return false;
  if (const auto *Location = dyn_cast<SourceLocExpr>(E))
    return Location->getIdentKind() == SourceLocIdentKind::Column ||
           Location->getIdentKind() == SourceLocIdentKind::SourceLocStruct;
  if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(E))
    return Argument->getParam()->hasUninstantiatedDefaultArg() || Argument->getParam()->hasUnparsedDefaultArg() ||
           readsColumn(Argument->getExpr());
  if (const auto *Initial = dyn_cast<CXXDefaultInitExpr>(E))
    return readsColumn(Initial->getExpr());
  return llvm::any_of(E->children(), readsColumn);
}

namespace {

/// Compilers differ in which token of an expression they take for its place: each line counts that the expression
/// stands in, and where those begin and end that it is part of.
class ColumnVisitor : public RecursiveASTVisitor<ColumnVisitor> {
public:
  ColumnVisitor(const SourceManager &Manager, const Places &P) : SM(Manager), Where(P) {}

  // What a template's instances call by default is not in the template.
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseStmt(Stmt *S) {
    if (!S)
      return true;
    Around.push_back(S);
    bool Reads = isa<SourceLocExpr, CXXDefaultArgExpr, CXXDefaultInitExpr>(S) && readsColumn(S);
    if (Reads)
      addAround();
    bool Goes = RecursiveASTVisitor::TraverseStmt(S);
    Around.pop_back();
    return Goes;
  }

  bool has(const Place &P) const { return Lines.count({P.File, P.Line}); }
  bool empty() const { return Lines.empty(); }

private:
  void add(SourceLocation Loc) {
    for (SourceLocation At : {SM.getExpansionRange(Loc).getBegin(), SM.getExpansionRange(Loc).getEnd(), Loc})
      if (At.isValid())
        if (Place P = Where.at(At); !P.File.empty())
          Lines.insert({P.File, P.Line});
  }
  void addAll(SourceLocation Begin, SourceLocation End) {
    Place First = Where.at(SM.getExpansionRange(Begin).getBegin()), Last = Where.at(SM.getExpansionRange(End).getEnd());
    if (First.File == Last.File && !First.File.empty())
      for (unsigned Line = First.Line; Line <= Last.Line; ++Line)
        Lines.insert({First.File, Line});
  }
  void addAround() {
    bool IsCall = false; // the one whose argument it is has been met
    for (const Stmt *S : llvm::reverse(Around)) {
      if (!isa<Expr, DeclStmt>(S))
        break;
      add(S->getBeginLoc());
      add(S->getEndLoc());
      if (const auto *E = dyn_cast<Expr>(S))
        add(E->getExprLoc());
      if (!IsCall && isa<CallExpr, CXXConstructExpr, InitListExpr, CXXNewExpr>(S)) {
        IsCall = true;
        addAll(S->getBeginLoc(), S->getEndLoc());
      }
    }
  }

  const SourceManager &SM;
  const Places &Where;
  std::vector<const Stmt *> Around;
  std::set<std::pair<std::string, unsigned>> Lines;
};

} // namespace

void mpishm::keepColumns(ASTContext &Context, const Places &Where, UnitFacts &Facts) {
  ColumnVisitor Columns(Context.getSourceManager(), Where);
  Columns.TraverseDecl(Context.getTranslationUnitDecl());
  if (Columns.empty())
    return;
  for (Call &C : Facts.Calls)
    // Text that is printed may be allowed to change; columns may not.
    if ((C.Edit == Editability::Editable || C.Edit == Editability::Printed) && Columns.has(C.Name))
      C.Edit = Editability::Column;
  auto Keep = [&](MemoryCall &C) {
    if (C.Edit == Editability::Editable && Columns.has(C.Name))
      C.Edit = Editability::Column;
    if (C.End && Columns.has(*C.End))
      C.Edit = Editability::Column;
    if (C.Whole && (Columns.has(C.Whole->Begin) || Columns.has(C.Whole->End)))
      C.Whole = std::nullopt;
  };
  for (MemoryCall &C : Facts.Pointers.Calls)
    Keep(C);
  for (ResultCall &C : Facts.Pointers.Results)
    Keep(C.As);
  for (ArrayDeclaration &A : Facts.Pointers.Arrays)
    if (Columns.has(A.End) || (A.Static && Columns.has(*A.Static)))
      A.Unfit = "stands in a line of which a column may be read";
  for (const VectorDeclaration &V : Facts.Pointers.Vectors)
    if (V.Angle && Columns.has(*V.Angle))
      Facts.Pointers.VectorMisuses.push_back({V.Id, "stands in a line of which a column may be read", *V.Angle});
}

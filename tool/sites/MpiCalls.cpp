// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI functions.

#include "mpi/Functions.h"
#include "sites/Builder.h"
#include "sites/PrintedLines.h"
#include "sites/Runs.h"
#include "syntax/Expressions.h"
#include "syntax/Keep.h"

using namespace mpishm;
using namespace clang;

static void placeCall(mpishm::Call &C, const NamePlace &At) {
  C.Name = At.Where;
  C.Token = At.Token;
  C.Edit = At.Edit;
  C.Cause = At.Cause;
  C.CauseName = At.CauseName;
}

/// The function of MPI that is \p Spelled is called by \p E, where its \p Name stands in it (null: nowhere).
void Builder::mpiCall(const CallExpr *E, llvm::StringRef Spelled, const DeclRefExpr *Name) {
  const FunctionInfo *Row = findFunction(Spelled);
  // The library's own inline functions are part of it.
  SourceLocation NameLoc = E->getCallee()->getExprLoc();
  std::optional<std::string> Qualifier = "";
  if (Name) {
    NameLoc = Name->getLocation();
    Qualifier = qualifierOf(Name, Where.sources());
  }
  if (!Row && !isAttach(Spelled))
    return;
  Call C;
  C.Function = (Row ? Row->Name : AttachName).str();
  C.Spelled = Spelled.str();
  NamePlace At = Where.ofName(NameLoc, Spelled);
  placeCall(C, At);
  C.Qualifier = Qualifier.value_or("");
  if (!Qualifier && (At.Edit == Editability::Editable || At.Edit == Editability::MacroDefinition))
    C.Edit = Editability::Qualified;
  C.Kept = keptBy(E, NameLoc, Enclosing, Where);
  if (Enclosing)
    C.Enclosing = Enclosing->getQualifiedNameAsString();
  C.Host = Where.hostOf(At, Enclosing);
  if (C.Edit == Editability::Printed && !C.Host)
    C.Lines = linesAround(NameLoc, Spelled, Where.sources(), Context.getLangOpts());
  bool IsAlone = !Name || Name == calledName(E); // else it is executed on a condition of its own
  // Of MPI_Comm_create_group each member of the parent may call others of a run with others.
  if (Row && Row->Kind == FunctionKind::Maker && Row->Name != "MPI_Comm_create_group" && IsAlone)
    C.Run = runOf(E, Row->Comm && *Row->Comm < E->getNumArgs() ? E->getArg(*Row->Comm) : nullptr, Enclosing, Context);
  Emit.call(std::move(C));
}

/// The call of another function by the name of one of MPI's, which was found by its arguments, or is nearer.
void Builder::otherOfName(const CallExpr *E, const FunctionDecl *F) {
  const DeclRefExpr *Name = calledName(E);
  const FunctionInfo *Row = Name && F->getIdentifier() ? findFunction(F->getName()) : nullptr;
  if (!Row)
    return;
  Call C;
  C.Function = C.Spelled = "another " + F->getQualifiedNameAsString();
  placeCall(C, Where.ofName(Name->getLocation(), Row->Name));
  Emit.call(std::move(C));
}

/// The C++ bindings that MPI-3 removed: a message passed by them may match any.
void Builder::cxxBinding(const CallExpr *E, const FunctionDecl *F) {
  const auto *Class = llvm::cast<CXXMethodDecl>(F)->getParent();
  const auto *Namespace = dyn_cast<NamespaceDecl>(Class->getDeclContext());
  if (!Namespace || Namespace->getName() != "MPI" || !F->getIdentifier())
    return;
  std::string Name = "MPI_" + F->getName().str();
  const FunctionInfo *Row = findFunction(Name);
  if (!Row) // makers have names of their own there: Dup, Split, Create_cart
    Row = findFunction("MPI_Comm_" + F->getName().lower());
  if (Row && !Where.isLibrary(E->getExprLoc()))
    Emit.use(Row->Name, /*GoesRound=*/true, E->getExprLoc());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI functions.

#include "flows/Builder.h"
#include "flows/Runs.h"
#include "mpi/Functions.h"
#include "syntax/Expressions.h"
#include "syntax/Keep.h"

using namespace mpishm;
using namespace clang;

void Builder::mpiCall(const CallExpr *E, const FunctionDecl *F, llvm::StringRef Spelled) {
  mpiArguments(E, F, findFunction(Spelled));
  recordMpiCall(E, Spelled);
}

void Builder::recordMpiCall(const CallExpr *E, llvm::StringRef Spelled) {
  const FunctionInfo *Row = findFunction(Spelled);
  // The library's own inline functions are part of it.
  SourceLocation NameLoc = E->getCallee()->getExprLoc();
  std::optional<std::string> Qualifier = "";
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts())) {
    NameLoc = Reference->getLocation();
    Qualifier = qualifierOf(Reference, Where.sources());
  }
  if (!Row && !isAttach(Spelled))
    return;
  Call C;
  C.Function = (Row ? Row->Name : AttachName).str();
  C.Spelled = Spelled.str();
  NamePlace At = Where.ofName(NameLoc);
  C.Name = At.Where;
  C.Token = At.Token;
  C.Edit = At.Edit;
  C.Qualifier = Qualifier.value_or("");
  if (!Qualifier && (At.Edit == Editability::Editable || At.Edit == Editability::MacroDefinition))
    C.Edit = Editability::Qualified;
  C.Cause = At.Cause;
  C.CauseName = At.CauseName;
  C.Kept = keptBy(E, NameLoc, Enclosing, Where);
  if (Enclosing)
    C.Enclosing = Enclosing->getQualifiedNameAsString();
  C.Host = Where.hostOf(At, Enclosing);
  auto Read = [&](ArgumentIndex Index, bool Handle = false) -> std::vector<Operand> {
    if (!Index || *Index >= E->getNumArgs())
      return {};
    Operands Values = Reader.of(E->getArg(*Index));
    if (Handle)
      Values = Reader.asHandle(Values);
    return {Values.begin(), Values.end()};
  };
  if (Row) {
    C.Comm = Read(Row->Comm, true);
    C.Peer = Read(Row->Peer);
    C.Tag = Read(Row->Tag);
    C.SecondPeer = Read(Row->SecondPeer);
    C.SecondTag = Read(Row->SecondTag);
    C.Request = Read(Row->Request, true);
    C.NewComm = Read(Row->NewComm, true);
    C.Message = Read(Row->Message, true);
    if (Row->Kind == FunctionKind::Maker)
      C.Run = runOf(E, Row->Comm && *Row->Comm < E->getNumArgs() ? E->getArg(*Row->Comm) : nullptr, Enclosing, Context);
  }
  Emit.call(std::move(C));
}

/// The call of another function by the name of one of MPI's, which was found by its arguments, or is nearer.
void Builder::otherOfName(const CallExpr *E, const FunctionDecl *F) {
  const auto *Name = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts());
  const FunctionInfo *Row = Name && F->getIdentifier() ? findFunction(F->getName()) : nullptr;
  if (!Row)
    return;
  Call C;
  C.Function = C.Spelled = "another " + F->getQualifiedNameAsString();
  NamePlace At = Where.ofName(Name->getLocation());
  C.Name = At.Where;
  C.Token = At.Token;
  C.Edit = At.Edit;
  C.Cause = At.Cause;
  C.CauseName = At.CauseName;
  Emit.call(std::move(C));
}

/// What MPI does with its arguments besides what the table says.
void Builder::mpiArguments(const CallExpr *E, const FunctionDecl *F, const FunctionInfo *Row) {
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    const Expr *Argument = E->getArg(I);
    QualType Declared = I < F->getNumParams() ? F->getParamDecl(I)->getType() : Argument->getType();
    Operands Values = Reader.of(Argument);
    ValueType Type = Typing.classify(Argument->getType());
    Domain Kind = Domain::Integer;
    SourceLocation Loc = Argument->getExprLoc();
    if (Row && Row->Kind == FunctionKind::HandleLeak) {
      if (Reader.isHandle(Argument, Values, Kind))
        Emit.escape(Escape::Kind::LeakingMpi, Kind, Values, Loc, Row->Name);
    } else if (Type.isInteger() && Type.Indirect && Declared->isAnyPointerType() &&
               !Declared->getPointeeType().isConstQualified() && !Typing.classify(Declared).Handle &&
               !Reader.isHandle(Argument, Values, Kind)) {
      // Ranks, counts and indices that MPI stores.
      for (const Operand &O : Values::objectsIn(Values))
        Emit.flow(O.ObjectIndex, makeOperand(Operand::Kind::Computed), false, Loc);
    } else if (!Row && Declared->isAnyPointerType() && !Declared->getPointeeType().isConstQualified() &&
               Type.Indirect && Reader.isHandle(Argument, Values, Kind) && Kind == Domain::Communicator &&
               !F->getName().ends_with("Comm_free") && !F->getName().ends_with("Comm_disconnect")) {
      // A communicator that comes from a function which is not in the table.
      for (const Operand &O : Values::objectsIn(Values))
        Emit.flow(O.ObjectIndex, makeOperand(Operand::Kind::Unknown), true, Loc);
    }
    const Expr *Inner = Argument->IgnoreParenCasts();
    if (const auto *Address = dyn_cast<UnaryOperator>(Inner); Address && Address->getOpcode() == UO_AddrOf)
      Inner = Address->getSubExpr()->IgnoreParens();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
      if (const auto *Callback = dyn_cast<FunctionDecl>(Reference->getDecl()))
        unknownCaller(Callback, Loc);
    if (Inner->getType()->isRecordType())
      for (const FunctionDecl *Operator : callablesOf(Inner))
        unknownCaller(Operator, Loc);
  }
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

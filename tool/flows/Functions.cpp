// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are defined, overridden, or used as values.

#include "mpi/Functions.h"
#include "flows/Builder.h"
#include "values/Memory.h"

using namespace mpishm;
using namespace clang;

void Builder::function(const FunctionDecl *F) {
  if (F->isDependentContext())
    return;
  if (F->doesThisDeclarationHaveABody() && !Where.isLibrary(F->getLocation())) {
    if (llvm::StringRef Name = mpiNameOf(F); !Name.empty() && !Name.starts_with("MPISHM_"))
      Emit.define(Name, F->getLocation(), false);
  }
  if (F->doesThisDeclarationHaveABody() || F->isDefaulted())
    Emit.body(mpishm::idOf(F, Where));
  addMemoryUses(F, Where, Emit);
  if (F->getTemplateSpecializationKind() == TSK_ExplicitInstantiationDefinition && F->isDefined())
    explicitInstantiation(F);
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (!Method)
    return;
  for (const CXXMethodDecl *Base : Method->overridden_methods()) {
    // A call of the base's may be one of this.
    if (F->getDefinition() || Method->isPureVirtual())
      Emit.body(mpishm::idOf(Base, Where));
    for (unsigned I = 0; I < F->getNumParams() && I < Base->getNumParams(); ++I)
      if (Typing.classify(F->getParamDecl(I)->getType()).Tracked)
        Emit.flow(Emit.parameter(F, I), makeObject(Emit.parameter(Base, I)), true, F->getLocation());
    if (Typing.classify(F->getReturnType()).Tracked)
      Emit.flow(Emit.result(Base), makeObject(Emit.result(F)), true, F->getLocation());
  }
}

/// Units that see no more of the template than its declaration call this instantiation of it.
void Builder::explicitInstantiation(const FunctionDecl *F) {
  std::string Id = instantiationId(F, Where);
  Emit.body(Id);
  for (unsigned I = 0; I < F->getNumParams(); ++I) {
    const ParmVarDecl *P = F->getParamDecl(I);
    if (ValueType Type = Typing.classify(P->getType()); Type.Tracked)
      Emit.flow(Emit.parameter(F, I), makeObject(Emit.object(Id + "#" + std::to_string(I), nameOf(P), Type.Kind)), true,
                F->getLocation());
  }
  if (ValueType Type = Typing.classify(F->getReturnType()); Type.Tracked)
    Emit.flow(Emit.object(Id + "#result", "result of " + F->getQualifiedNameAsString(), Type.Kind),
              makeObject(Emit.result(F)), true, F->getLocation());
}

void Builder::reference(const DeclRefExpr *E) {
  const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
  if (!F || F->isDependentContext() || Callees.contains(E))
    return;
  llvm::StringRef Name = mpiNameOf(F);
  if (Name.empty()) {
    addressTaken(F, E->getLocation());
    return;
  }
  const FunctionInfo *Row = findFunction(Name);
  if (Row && !Where.isLibrary(E->getLocation()))
    Emit.use(Row->Name, /*GoesRound=*/Name.starts_with("PMPI_"), E->getLocation());
  openFunction(F, E->getLocation());
}

/// A function whose address is taken may be called through any pointer to its type.
void Builder::addressTaken(const FunctionDecl *F, SourceLocation Loc) {
  openFunction(F, Loc);
  if (Types::isStandard(F) || Where.isLibrary(F->getLocation()))
    return;
  std::string Indirect = indirectId(F->getType());
  Emit.body(Indirect);
  Callee To = calleeOf(F);
  Argument A;
  A.Callee = To.Id;
  A.CalleeName = To.Name;
  A.Header = To.Header;
  A.Both = true;
  A.Where = Where.at(Loc);
  for (unsigned I = 0; I < F->getNumParams(); ++I) {
    ValueType Type = Typing.classify(F->getParamDecl(I)->getType());
    if (Type.Tracked && !Type.Raw) {
      A.Parameter = Emit.parameter(F, I);
      A.Value = makeObject(Emit.object(Indirect + "#" + std::to_string(I), nameOf(F->getParamDecl(I)), Type.Kind));
      Emit.argument(A);
      continue;
    }
    const RecordDecl *Record = Typing.recordIn(F->getParamDecl(I)->getType());
    if (!Record || Where.isLibrary(Record->getLocation()))
      continue;
    for (const FieldDecl *Field : Typing.fieldsOf(Record, true)) {
      uint32_t Object = Emit.objectOf(Field);
      std::string Suffix = "#" + std::to_string(I) + "." + Emit.idOf(Object);
      A.Parameter = Emit.object(To.Id + Suffix, nameOf(Field), Emit.kindOf(Object));
      A.Value = makeObject(Emit.object(Indirect + Suffix, nameOf(Field), Emit.kindOf(Object)));
      Emit.argument(A);
    }
  }
  if (ValueType Type = Typing.classify(F->getReturnType()); Type.Tracked)
    Emit.flow(Emit.object(Indirect + "#result", "result of a call through a pointer", Type.Kind),
              makeObject(Emit.result(F)), Type.Indirect, Loc);
}

/// A function that a library calls: its arguments come from there.
void Builder::unknownCaller(const FunctionDecl *F, SourceLocation Loc) {
  for (unsigned I = 0; I < F->getNumParams(); ++I) {
    ValueType Type = Typing.classify(F->getParamDecl(I)->getType());
    if (Type.Handle)
      Emit.flow(Emit.parameter(F, I), makeOperand(Operand::Kind::Unknown), true, Loc);
    else if (Type.isInteger())
      Emit.flow(Emit.parameter(F, I), makeOperand(Operand::Kind::Computed), false, Loc);
  }
}

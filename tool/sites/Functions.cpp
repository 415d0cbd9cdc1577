// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are defined, overridden, or used as values.

#include "mpi/Functions.h"
#include "sites/Builder.h"
#include "syntax/Callees.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"
#include "llvm/ADT/STLExtras.h"

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
  if (F->getTemplateSpecializationKind() == TSK_ExplicitInstantiationDefinition && F->isDefined())
    Emit.body(instantiationId(F, Where)); // units that see no more of the template than its declaration call it so
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (!Method)
    return;
  if (F->getDefinition() || Method->isPureVirtual())
    for (const CXXMethodDecl *Base : Method->overridden_methods()) // a call of the base's may be one of this
      Emit.body(mpishm::idOf(Base, Where));
}

void Builder::reference(const DeclRefExpr *E) {
  const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
  if (!F || F->isDependentContext() || Callees.contains(E))
    return;
  llvm::StringRef Name = mpiNameOf(F);
  if (Name.empty()) {
    addressTaken(F);
    return;
  }
  const FunctionInfo *Row = findFunction(Name);
  if (Row && !Where.isLibrary(E->getLocation()))
    Emit.use(Row->Name, /*GoesRound=*/Name.starts_with("PMPI_"), E->getLocation());
  openFunction(F);
}

/// A function whose address is taken may be called through any pointer to its type.
void Builder::addressTaken(const FunctionDecl *F) {
  openFunction(F);
  if (Types::isStandard(F) || Where.isLibrary(F->getLocation()))
    return;
  Emit.body(indirectId(F->getType()));
  const auto *Prototype = F->getType()->getAs<FunctionProtoType>();
  if (Prototype && !takesOwnRecord(Prototype)) // a library may call it
    for (const ParmVarDecl *P : F->parameters())
      if (QualType Type = functionIn(P->getType()); !Type.isNull())
        Emit.functionPointer({"", indirectId(Type)});
  auto HoldsValues = [&](QualType Type) {
    ValueType Value = Typing.classify(Type);
    const RecordDecl *Record = Typing.recordIn(Type);
    return (Value.Tracked && !Value.Raw) || (isOwnRecord(Record) && Typing.hasValues(Record));
  };
  if (llvm::any_of(F->parameters(), [&](const ParmVarDecl *P) { return HoldsValues(P->getType()); }))
    addLibraryFunction(F);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constraints/Extract.h"
#include "constraints/FunctionBuilder.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mpishm;
using namespace mpishm::ir;

/// The functions in one of LLVM's lists of what runs before or after main.
static void addStarted(const llvm::Module &M, llvm::StringRef List, UnitBuilder &Builder, Unit &Result) {
  const llvm::GlobalVariable *G = M.getGlobalVariable(List);
  const auto *Entries = G ? llvm::dyn_cast<llvm::ConstantArray>(G->getInitializer()) : nullptr;
  if (!Entries)
    return;
  for (const llvm::Value *Entry : Entries->operands())
    if (const auto *Fields = llvm::dyn_cast<llvm::ConstantStruct>(Entry))
      if (const auto *F = llvm::dyn_cast<llvm::Function>(Fields->getOperand(1)->stripPointerCasts()))
        Result.Started.push_back(Builder.symbol(*F));
}

Unit mpishm::ir::extract(const LoweredUnit &Lowered) {
  Unit Result;
  const llvm::Module &M = *Lowered.Module;
  Result.MainFile = Lowered.MainFile;
  Result.Sites = Lowered.Sites;
  Result.Constants = Lowered.Constants;
  Result.ExposedRecords = Lowered.Hidden.Exposed;
  // A function that is chosen when the program starts, by another: the linker sees to it, as with assembly code.
  Result.HasAssembly = !M.getModuleInlineAsm().empty() || !M.ifunc_empty();
  UnitBuilder Builder(Result, M);
  llvm::PassBuilder Passes;
  llvm::FunctionAnalysisManager Analyses;
  Passes.registerFunctionAnalyses(Analyses);
  for (llvm::Function &F : *Lowered.Module)
    if (!F.isDeclaration()) {
      Function Body;
      FunctionBuilder(Builder, Body).build(F, Analyses.getResult<llvm::ScalarEvolutionAnalysis>(F));
      Analyses.clear();
      auto Types = Lowered.Hidden.Signatures.find(F.getName().str());
      if (Types != Lowered.Hidden.Signatures.end() && Types->second.size() == F.arg_size() + 1)
        Body.PointsTo = Types->second;
      Result.Functions.push_back(std::move(Body));
    }
  FunctionBuilder Initials(Builder, Result.Initialisers);
  for (const llvm::GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.getName().starts_with("llvm."))
      Initials.initialise(G);
  for (const llvm::GlobalAlias &Alias : M.aliases())
    if (const llvm::GlobalObject *Object = Alias.getAliaseeObject())
      Result.Aliases.push_back({Builder.symbol(Alias), Builder.symbol(*Object)});
  addStarted(M, "llvm.global_ctors", Builder, Result);
  addStarted(M, "llvm.global_dtors", Builder, Result);
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Extract.h"
#include "extract/Classes.h"
#include "extract/FunctionBuilder.h"
#include "lower/Prototypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
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

/// Whether code that compilers or libraries add may call \p F by its name: one that the languages keep for them (a hook
/// for profilers, say), or that of a library's function, for which the program's stands in everywhere. A compiler makes
/// calls of memcpy and puts of other code, and llvm.memcpy may be one of them.
static bool isCalledByOthers(const llvm::Function &F, const llvm::TargetLibraryInfo &Library) {
  if (F.isDiscardableIfUnused())
    return false;
  llvm::StringRef Name = F.getName();
  if (Name.starts_with("_") && Name.size() > 1 && (Name[1] == '_' || llvm::isUpper(Name[1])) && !Name.starts_with("_Z"))
    return true;
  llvm::LibFunc Which;
  return Library.getLibFunc(F, Which);
}

/// A function that the linker takes from what another one returns: a body that asks that one, and calls it.
static Function chosen(const llvm::GlobalIFunc &Chosen, UnitBuilder &Builder) {
  const auto *Type = llvm::cast<llvm::FunctionType>(Chosen.getValueType());
  Function F;
  F.Symbol = Builder.symbol(Chosen);
  F.Parameters = Type->getNumParams();
  F.IsVariadic = Type->isVarArg();
  F.Result = F.Parameters;
  F.Nodes = F.Parameters + 2;
  Node Is = F.Parameters + 1;
  for (const llvm::Type *Each : Type->params()) {
    F.IsPointer.push_back(Each->isPointerTy());
    F.IsFloating.push_back(Each->isFloatingPointTy());
  }
  F.IsPointer.insert(F.IsPointer.end(), {Type->getReturnType()->isPointerTy(), true});
  F.IsFloating.insert(F.IsFloating.end(), {Type->getReturnType()->isFloatingPointTy(), false});
  Call Ask, Use;
  Ask.Callee = Builder.symbol(*Chosen.getResolverFunction());
  Ask.Result = Use.Pointer = Is;
  for (Node N = 0; N < F.Parameters; ++N)
    Use.Arguments.push_back(N);
  Use.Result = F.Result;
  Ask.Where = Use.Where = Builder.line(nullptr);
  F.Calls = {Ask, Use};
  for (int64_t C : {0, 1}) {
    Constraint Each;
    Each.Is = Constraint::Kind::Call;
    Each.A = C;
    F.Constraints.push_back(Each);
  }
  return F;
}

Unit mpishm::ir::extract(const LoweredUnit &Lowered) {
  Unit Result;
  const llvm::Module &M = *Lowered.Module;
  Result.MainFile = Lowered.MainFile;
  Result.Sites = Lowered.Sites;
  Result.Constants = Lowered.Constants;
  Result.ExposedRecords = Lowered.Hidden.Exposed;
  Result.SystemParts = Lowered.SystemParts;
  Result.HasAssembly = !M.getModuleInlineAsm().empty();
  UnitBuilder Builder(Result, M);
  Builder.assembly(M.getModuleInlineAsm());
  llvm::PassBuilder Passes;
  llvm::FunctionAnalysisManager Analyses;
  Passes.registerFunctionAnalyses(Analyses);
  for (llvm::Function &F : *Lowered.Module)
    if (!F.isDeclaration()) {
      Function Body;
      FunctionBuilder(Builder, Body).build(F, Analyses.getResult<llvm::ScalarEvolutionAnalysis>(F));
      Body.ReturnsByAddress = F.hasStructRetAttr();
      Body.ReturnsObject = F.getAttributes().hasRetAttr(ObjectAttribute);
      if (isCalledByOthers(F, Analyses.getResult<llvm::TargetLibraryAnalysis>(F)))
        Result.Started.push_back(Builder.symbol(F));
      Analyses.clear();
      auto Types = Lowered.Hidden.Signatures.find(F.getName().str());
      if (Types != Lowered.Hidden.Signatures.end() && Types->second.size() == F.arg_size() + 1)
        Body.PointsTo = Types->second;
      Result.Functions.push_back(std::move(Body));
    }
  for (const llvm::GlobalIFunc &Each : M.ifuncs())
    if (Each.getResolverFunction())
      Result.Functions.push_back(chosen(Each, Builder));
  FunctionBuilder Initials(Builder, Result.Initialisers);
  for (const llvm::GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.getName().starts_with("llvm."))
      Initials.initialise(G);
  for (const llvm::GlobalAlias &Alias : M.aliases())
    if (const llvm::GlobalObject *Object = Alias.getAliaseeObject())
      Result.Aliases.push_back({Builder.symbol(Alias), Builder.symbol(*Object)});
  addClasses(M, Builder, Result);
  addStarted(M, "llvm.global_ctors", Builder, Result);
  addStarted(M, "llvm.global_dtors", Builder, Result);
  return Result;
}

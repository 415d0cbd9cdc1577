// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Lower.h"
#include "lower/Aggregates.h"
#include "lower/Containers.h"
#include "lower/Prototypes.h"
#include "sources/Compiler.h"
#include "syntax/Places.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <mutex>

using namespace mpishm;
using namespace clang;

/// What the analysis needs: coroutines as functions, always_inline functions in place, and values in place of
/// variables that are only loaded and stored.
static constexpr llvm::StringLiteral Pipeline =
    "coro-early,cgscc(coro-split),coro-cleanup,always-inline,function(sroa,mem2reg,instsimplify)";

/// What a program assumes it has to tell Clang in Clang's own words, which other compilers do not read: what they make
/// of the program does not depend on it.
static void dropAssumptions(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::make_early_inc_range(llvm::instructions(F)))
      if (auto *Assumed = llvm::dyn_cast<llvm::AssumeInst>(&I))
        Assumed->eraseFromParent();
}

static void simplify(llvm::Module &M) {
  dropAssumptions(M);
  keepArrays(M);
  markHeads(M);
  llvm::PassBuilder Builder;
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Components;
  llvm::ModuleAnalysisManager Modules;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  for (llvm::StringRef Each : {llvm::StringRef(Pipeline), llvm::StringRef("function(instsimplify)")}) {
    llvm::ModulePassManager Passes;
    llvm::cantFail(Builder.parsePassPipeline(Passes, Each));
    Passes.run(M, Modules);
    splitAggregates(M);
    Modules.invalidate(M, llvm::PreservedAnalyses::none());
  }
}

namespace {

/// libstdc++ declares the instances of std::string that its library has, so that their bodies would be out of sight;
/// with this it does not. (Only std::string looks at the value.)
class StringBodies : public PPCallbacks {
public:
  explicit StringBodies(Preprocessor &P) : PP(P) {}

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    IdentifierInfo *Id = Name.getIdentifierInfo();
    if (!Id->isStr("_GLIBCXX_EXTERN_TEMPLATE") || Done)
      return;
    Done = true;
    SourceLocation Loc = MD->getLocation();
    MacroInfo *Value = PP.AllocateMacroInfo(Loc);
    Value->setTokens({token(tok::minus, "-", Loc), token(tok::numeric_constant, "1", Loc)},
                     PP.getPreprocessorAllocator());
    PP.appendDefMacroDirective(Id, Value);
  }

private:
  Token token(tok::TokenKind Kind, StringRef Text, SourceLocation Loc) {
    Token Result;
    Result.startToken();
    Result.setKind(Kind);
    PP.CreateString(Text, Result, Loc, Loc);
    return Result;
  }

  Preprocessor &PP;
  bool Done = false;
};

} // namespace

/// What is lowered, and how.
struct Generation::Task {
  LoweredUnit Unit;
  bool Marks = true;
  bool HasLooseTypes = false;
  std::string MainFile; ///< as the compiler names it
  std::string Header;   ///< where the first function that is called as one of MPI's is declared

  class Consumer;
  class Action;
};

/// Hands everything on to Clang's code generator once the unit has been parsed to its end and its sites are marked.
class Generation::Task::Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &C, Task &T) : CI(C), Current(T) {
    Current.Unit.Context = std::make_unique<llvm::LLVMContext>();
    Generator.reset(CreateLLVMCodeGen(CI.getDiagnostics(), "unit", &CI.getVirtualFileSystem(), CI.getHeaderSearchOpts(),
                                      CI.getPreprocessorOpts(), CI.getCodeGenOpts(), *Current.Unit.Context));
  }

  bool HandleTopLevelDecl(DeclGroupRef D) override {
    Later.push_back([=, this] { Generator->HandleTopLevelDecl(D); });
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *D) override {
    Later.push_back([=, this] { Generator->HandleInlineFunctionDefinition(D); });
  }
  void HandleTagDeclDefinition(TagDecl *D) override {
    Later.push_back([=, this] { Generator->HandleTagDeclDefinition(D); });
  }
  void CompleteTentativeDefinition(VarDecl *D) override {
    Later.push_back([=, this] { Generator->CompleteTentativeDefinition(D); });
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *D) override {
    Later.push_back([=, this] { Generator->HandleCXXStaticMemberVarInstantiation(D); });
  }
  void HandleVTable(CXXRecordDecl *D) override {
    Later.push_back([=, this] { Generator->HandleVTable(D); });
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    const SourceManager &SM = Context.getSourceManager();
    SpecialNames None;
    Places Where(SM, Context.getLangOpts(), None);
    Current.Unit.MainFile = Where.fileOf(SM.getMainFileID()).str();
    SmallString<256> Name(SM.getFileEntryRefForID(SM.getMainFileID())->getName());
    SM.getFileManager().makeAbsolutePath(Name);
    Current.MainFile = Name.str();
    if (Current.Marks) {
      Current.Unit.Hidden = findHidden(Context);
      Current.Unit.SystemParts = findSystemParts(Context);
      Current.Unit.Sites = markSites(Context, Where, Current.Header);
    }
    CI.getLangOpts().Sanitize.clear(); // what they check is not the program's code
    Generator->Initialize(Context);
    for (const std::function<void()> &Step : Later)
      Step();
    Generator->HandleTranslationUnit(Context);
    if (llvm::Module *M = Generator->GetModule()) {
      notePrototypes(*M, *Generator);
      if (Current.HasLooseTypes)
        M->getOrInsertNamedMetadata(LooseTypesMark);
    }
    Current.Unit.Module.reset(Generator->ReleaseModule());
  }

private:
  CompilerInstance &CI;
  Task &Current;
  std::unique_ptr<CodeGenerator> Generator;
  std::vector<std::function<void()>> Later;
};

/// Those of the command are for another purpose: machine code, profiles, coverage.
static void setOptions(CodeGenOptions &Options) {
  CodeGenOptions Fresh;
  Fresh.OptimizationLevel = 1;   // without any, functions are kept from being inlined, and types are not noted
  Fresh.ForceEmitVTables = true; // of libraries, too
  Fresh.DisableLLVMPasses = true;
  Fresh.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  Fresh.DebugColumnInfo = true;
  Fresh.RelaxedAliasing = Options.RelaxedAliasing; // -fno-strict-aliasing: types tell nothing of accesses then
  Fresh.StructPathTBAA = Options.StructPathTBAA;   // of which class the members are that are accessed
  Fresh.NoCommon = Options.NoCommon;
  Fresh.CXAAtExit = Options.CXAAtExit;
  Fresh.DebugCompilationDir = Options.DebugCompilationDir;
  Options = Fresh;
}

Generation::Generation() : Current(std::make_unique<Task>()) {}
Generation::~Generation() = default;

std::unique_ptr<ASTConsumer> Generation::consumer(CompilerInstance &Compiler) {
  Current->HasLooseTypes = Compiler.getCodeGenOpts().OptimizationLevel < 2;
  setOptions(Compiler.getCodeGenOpts());
  Preprocessor &PP = Compiler.getPreprocessor();
  PP.addPPCallbacks(std::make_unique<StringBodies>(PP));
  return std::make_unique<Task::Consumer>(Compiler, *Current);
}

namespace {

/// A run for nothing else.
class Action : public ASTFrontendAction {
public:
  explicit Action(Generation &G) : Made(G) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override { return Made.consumer(CI); }

private:
  Generation &Made;
};

} // namespace

const MpiConstants &Lowering::constantsOf(const std::string &Header, const std::string &MainFile,
                                          const std::vector<std::string> &Arguments, const std::string &Directory) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, New] = ConstantsOf.try_emplace(Header);
  if (!New)
    return It->second;
  Generation Probe;
  Probe.Current->Marks = false;
  // A unit that calls functions of MPI need not find mpi.h: then nothing is known, which is safe.
  if (runOnUnit(Arguments, Directory, std::make_unique<Action>(Probe), llvm::nulls(),
                llvm::MemoryBufferRef(sourceOfConstants(), MainFile)))
    if (const llvm::Module *M = Probe.Current->Unit.Module.get())
      It->second = readConstants(*M);
  return It->second;
}

std::optional<LoweredUnit> Lowering::finish(Generation &Made, const std::vector<std::string> &Arguments,
                                            const std::string &Directory) {
  LoweredUnit &Unit = Made.Current->Unit;
  if (!Unit.Module)
    return std::nullopt;
  simplify(*Unit.Module);
  if (!Unit.Sites.empty())
    Unit.Constants = constantsOf(Made.Current->Header, Made.Current->MainFile, Arguments, Directory);
  return std::move(Unit);
}

std::optional<LoweredUnit> Lowering::lower(const std::vector<std::string> &Arguments, const std::string &Directory,
                                           llvm::raw_ostream &Errors) {
  Generation Made;
  if (!runOnUnit(Arguments, Directory, std::make_unique<Action>(Made), Errors))
    return std::nullopt;
  return finish(Made, Arguments, Directory);
}

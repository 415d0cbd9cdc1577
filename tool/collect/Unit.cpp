// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Unit.h"
#include "collect/Compiler.h"
#include "collect/Emitter.h"
#include "collect/Preprocessor.h"
#include "collect/Visitor.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace clang;

namespace {

class Consumer : public ASTConsumer {
public:
  Consumer(UnitFacts &F, const Preprocessed &P) : Facts(F), Seen(P) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    const SourceManager &SM = Context.getSourceManager();
    Places Where(SM, Context.getLangOpts(), Seen.Special);
    Types Typing(Context);
    Emitter Emit(Facts, Where, Typing);
    Facts.MainFile = Where.fileOf(SM.getMainFileID()).str();
    Facts.HeaderFolders.assign(Seen.Folders.begin(), Seen.Folders.end());
    Facts.IncludesMpi = !Seen.Includes.empty() || Typing.mpiLocation().isValid();
    if (Typing.mpiLocation().isValid())
      setMpiDirectory(Where, SM.getFileID(SM.getFileLoc(Typing.mpiLocation())));
    for (SourceLocation Hash : Seen.Includes)
      if (!Where.isLibrary(Hash))
        Facts.MpiIncludes.push_back(Where.at(Hash));
    for (const auto &[Name, Loc] : Seen.Macros)
      if (!Where.isLibrary(Loc))
        Emit.define(Name, Loc, true);
    if (!Facts.IncludesMpi)
      for (SourceLocation Loc : Seen.InMacros)
        Facts.ForeignNames.push_back(Where.at(Loc));
    addMentions(Seen, Where, Context.getLangOpts(), Facts);
    visitUnit(Context, Where, Typing, Emit);
  }

private:
  /// Other headers beside mpi.h are the MPI library's, unless mpi.h stands among the program's sources.
  void setMpiDirectory(Places &Where, FileID Header) {
    llvm::StringRef Folder = llvm::sys::path::parent_path(Where.fileOf(Header));
    if (!llvm::StringRef(Facts.MainFile).starts_with(Folder.str() + "/"))
      Where.setMpiDirectory(Folder.str());
  }

  UnitFacts &Facts;
  const Preprocessed &Seen;
};

class Action : public ASTFrontendAction {
public:
  explicit Action(UnitFacts &F) : Facts(F) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    CI.getPreprocessor().addPPCallbacks(watchPreprocessor(CI.getSourceManager(), Seen));
    return std::make_unique<Consumer>(Facts, Seen);
  }

private:
  UnitFacts &Facts;
  Preprocessed Seen;
};

} // namespace

bool mpishm::collectUnit(const std::vector<std::string> &Arguments, const std::string &Directory, UnitFacts &Facts,
                         llvm::raw_ostream &Errors) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = makeFileSystem();
  if (std::error_code Error = Files->setCurrentWorkingDirectory(Directory)) {
    Errors << "error: cannot use the folder '" << Directory << "': " << Error.message() << "\n";
    return false;
  }
  FileSystemOptions Options;
  Options.WorkingDir = Directory;
  auto Manager = llvm::makeIntrusiveRefCnt<FileManager>(Options, Files);
  auto DiagOptions = llvm::makeIntrusiveRefCnt<DiagnosticOptions>();
  DiagOptions->IgnoreWarnings = true; // the program's own compiler has given them
  TextDiagnosticPrinter Printer(Errors, DiagOptions.get());
  tooling::ToolInvocation Invocation(Arguments, std::make_unique<Action>(Facts), Manager.get());
  Invocation.setDiagnosticConsumer(&Printer);
  Invocation.setDiagnosticOptions(DiagOptions.get());
  return Invocation.run();
}

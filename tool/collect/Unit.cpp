// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Unit.h"
#include "collect/Compiler.h"
#include "collect/Emitter.h"
#include "collect/Visitor.h"
#include "mpi/Functions.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mpishm;
using namespace clang;

namespace {

/// What only the preprocessor sees. Places are made when all headers are known.
struct Preprocessed {
  std::vector<std::pair<std::string, SourceLocation>> Macros; ///< definitions of names of MPI functions
  std::vector<SourceLocation> Includes;                       ///< of mpi.h
  std::set<std::string> Folders;                              ///< UnitFacts::HeaderFolders
};

class Callbacks : public PPCallbacks {
public:
  Callbacks(Preprocessed &P, const SourceManager &Manager) : Seen(P), SM(Manager) {}

  void MacroDefined(const Token &Name, const MacroDirective *) override {
    llvm::StringRef Spelled = Name.getIdentifierInfo()->getName();
    const FunctionInfo *Row = isMpiName(Spelled) ? findFunction(Spelled) : nullptr;
    if (Row && Row->Kind != FunctionKind::Other)
      Seen.Macros.push_back({Spelled.str(), Name.getLocation()});
  }

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef SearchPath, StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (llvm::sys::path::filename(Name) == "mpi.h")
      Seen.Includes.push_back(Hash);
    if (File && (llvm::sys::path::is_relative(SearchPath) || isBesideOwn(Hash, SearchPath)))
      Seen.Folders.insert(folderOf(*File));
  }

private:
  static std::string folderOf(FileEntryRef File) {
    return llvm::sys::path::parent_path(File.getFileEntry().tryGetRealPathName()).str();
  }

  /// True when \p SearchPath is the folder of the file of \p Loc, and that file moves with the program.
  bool isBesideOwn(SourceLocation Loc, StringRef SearchPath) {
    FileID ID = SM.getFileID(SM.getFileLoc(Loc));
    OptionalFileEntryRef Includer = SM.getFileEntryRefForID(ID);
    return Includer && Includer->getDir().getName() == SearchPath &&
           (ID == SM.getMainFileID() || Seen.Folders.count(folderOf(*Includer)));
  }

  Preprocessed &Seen;
  const SourceManager &SM;
};

class Consumer : public ASTConsumer {
public:
  Consumer(UnitFacts &F, const Preprocessed &P) : Facts(F), Seen(P) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    const SourceManager &SM = Context.getSourceManager();
    Places Where(SM, Context.getLangOpts());
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
    CI.getPreprocessor().addPPCallbacks(std::make_unique<Callbacks>(Seen, CI.getSourceManager()));
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

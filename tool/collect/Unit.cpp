// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Unit.h"
#include "collect/Compiler.h"
#include "collect/Emitter.h"
#include "collect/PointerVisitor.h"
#include "collect/Preprocessor.h"
#include "collect/Visitor.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Adds the names with external linkage that are declared in \p Context, also inside of functions, the system's apart.
void addNames(const DeclContext *Context, const SourceManager &SM, NameSet &Names) {
  for (const Decl *D : Context->decls()) {
    // Not isInSystemHeader: a library of the program's may be included with -isystem.
    if (isSystemFile(SM.getFilename(SM.getExpansionLoc(D->getLocation()))))
      continue;
    if (const auto *Template = llvm::dyn_cast<TemplateDecl>(D); Template && Template->getTemplatedDecl())
      D = Template->getTemplatedDecl();
    if (const auto *Label = D->getAttr<AsmLabelAttr>())
      Names.insert(hashOfName(Label->getLabel()));
    const auto *Named = llvm::dyn_cast<NamedDecl>(D);
    bool Linked = llvm::isa<FunctionDecl, VarDecl, CXXRecordDecl, NamespaceAliasDecl>(D);
    if (Named && Linked && Named->isExternallyVisible()) {
      DeclarationName Name = Named->getDeclName();
      if (const IdentifierInfo *Id = Name.isIdentifier() ? Name.getAsIdentifierInfo() : Name.getCXXLiteralIdentifier())
        if (!Id->isStr("main")) // which no other unit calls
          Names.insert(hashOfName(Id->getName()));
    }
    if (const auto *Inner = llvm::dyn_cast<DeclContext>(D))
      addNames(Inner, SM, Names);
  }
}

class Consumer : public ASTConsumer {
public:
  Consumer(UnitFacts &F, NameSet &N, const Preprocessed &P, clang::Preprocessor &Lexing)
      : Facts(F), Names(N), Seen(P), PP(Lexing) {}

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
    collectPointers(Context, Where, Typing, Facts.Pointers);
    for (SourceLocation Loc : Seen.MemoryMacros)
      if (!Where.isLibrary(Loc))
        Facts.Pointers.Own.push_back(Where.at(Loc));
    addFiles(Where);
    addNames(Context.getTranslationUnitDecl(), SM, Names);
  }

private:
  /// Other headers beside mpi.h are the MPI library's, unless mpi.h stands among the program's sources.
  void setMpiDirectory(Places &Where, FileID Header) {
    llvm::StringRef Folder = llvm::sys::path::parent_path(Where.fileOf(Header));
    if (!llvm::StringRef(Facts.MainFile).starts_with(Folder.str() + "/"))
      Where.setMpiDirectory(Folder.str());
  }

  /// What the unit consists of, and where it could find more.
  void addFiles(const Places &Where) {
    const SourceManager &SM = Where.sources();
    for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
      const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
      SourceLocation Start = SM.getComposedLoc(SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset())), 0);
      if (!Entry.isFile() || Where.isLibrary(Start))
        continue;
      if (llvm::StringRef Path = Where.fileOf(SM.getFileID(Start)); !Path.empty())
        Facts.Files.push_back(Path.str());
    }
    llvm::sort(Facts.Files);
    Facts.Files.erase(llvm::unique(Facts.Files), Facts.Files.end());
    for (const DirectoryLookup &Folder : PP.getHeaderSearchInfo().search_dir_range()) {
      llvm::SmallString<256> Path(Folder.getName());
      PP.getFileManager().makeAbsolutePath(Path);
      if (Folder.isNormalDir())
        Facts.SearchFolders.push_back(Path.str().str());
    }
  }

  UnitFacts &Facts;
  NameSet &Names;
  const Preprocessed &Seen;
  clang::Preprocessor &PP;
};

class Action : public ASTFrontendAction {
public:
  Action(UnitFacts &F, NameSet &N) : Facts(F), Names(N) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    CI.getPreprocessor().addPPCallbacks(watchPreprocessor(CI.getSourceManager(), Seen));
    return std::make_unique<Consumer>(Facts, Names, Seen, CI.getPreprocessor());
  }

private:
  UnitFacts &Facts;
  NameSet &Names;
  Preprocessed Seen;
};

} // namespace

bool mpishm::collectUnit(const std::vector<std::string> &Arguments, const std::string &Directory, UnitFacts &Facts,
                         NameSet &Names, llvm::raw_ostream &Errors) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = makeFileSystem(Arguments);
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
  tooling::ToolInvocation Invocation(Arguments, std::make_unique<Action>(Facts, Names), Manager.get());
  Invocation.setDiagnosticConsumer(&Printer);
  Invocation.setDiagnosticOptions(DiagOptions.get());
  return Invocation.run();
}

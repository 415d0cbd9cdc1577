// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Unit.h"
#include "collect/Columns.h"
#include "collect/Preprocessor.h"
#include "extract/Extract.h"
#include "mpi/Functions.h"
#include "packing/Packing.h"
#include "pointers/Allocations.h"
#include "pointers/PointerVisitor.h"
#include "readings/Lines.h"
#include "readings/OwnAnswers.h"
#include "readings/OwnMacros.h"
#include "readings/PassedOver.h"
#include "readings/Readings.h"
#include "sites/Emitter.h"
#include "sites/Visitor.h"
#include "sources/Compiler.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <limits>

using namespace mpishm;
using namespace clang;

namespace {

/// True for what \p D, of a name of the runtime's, hides or overloads.
bool takesName(const NamedDecl *D) {
  const IdentifierInfo *Id = D->getIdentifier();
  if (!Id || !(Id->isStr("mpishm") || Id->getName().starts_with("MPISHM_")) || isa<UsingDecl, UsingShadowDecl>(D))
    return false;
  const auto *F = dyn_cast<FunctionDecl>(D);
  return !F || F->isThisDeclarationADefinition() || !F->isExternC();
}

/// True for what has the name of one of MPI's functions, and is none: a member, say.
bool isNamedAsMpi(const NamedDecl *D) {
  const IdentifierInfo *Id = D->getIdentifier();
  const auto *F = dyn_cast<FunctionDecl>(D);
  return Id && findFunction(Id->getName()) && !(F && F->isExternC());
}

/// The lists of template parameters that stand before \p D.
llvm::SmallVector<const TemplateParameterList *, 2> parametersOf(const Decl *D) {
  llvm::SmallVector<const TemplateParameterList *, 2> Result;
  if (const auto *Template = dyn_cast<TemplateDecl>(D))
    Result.push_back(Template->getTemplateParameters());
  else if (const auto *Class = dyn_cast<ClassTemplatePartialSpecializationDecl>(D))
    Result.push_back(Class->getTemplateParameters());
  else if (const auto *Variable = dyn_cast<VarTemplatePartialSpecializationDecl>(D))
    Result.push_back(Variable->getTemplateParameters());
  const Decl *Itself = isa<TemplateDecl>(D) ? cast<TemplateDecl>(D)->getTemplatedDecl() : D;
  if (const auto *Declarator = dyn_cast_or_null<DeclaratorDecl>(Itself))
    for (unsigned I = 0; I < Declarator->getNumTemplateParameterLists(); ++I)
      Result.push_back(Declarator->getTemplateParameterList(I));
  if (const auto *Tag = dyn_cast_or_null<TagDecl>(Itself))
    for (unsigned I = 0; I < Tag->getNumTemplateParameterLists(); ++I)
      Result.push_back(Tag->getTemplateParameterList(I));
  return Result;
}

/// Adds the names with external linkage that are declared in \p Context, also inside of functions, the system's apart,
/// to \p Taken what has a name of the runtime's, and to \p AsMpi what has one of MPI's.
void addNames(const DeclContext *Context, const SourceManager &SM, NameSet &Names,
              std::vector<const NamedDecl *> &Taken, std::vector<const NamedDecl *> &AsMpi) {
  for (const Decl *D : Context->decls()) {
    // Not isInSystemHeader: a library of the program's may be included with -isystem.
    if (isSystemFile(SM.getFilename(SM.getExpansionLoc(D->getLocation()))))
      continue;
    for (const TemplateParameterList *List : parametersOf(D))
      llvm::copy_if(*List, std::back_inserter(Taken), takesName);
    if (const auto *Template = llvm::dyn_cast<TemplateDecl>(D); Template && Template->getTemplatedDecl())
      D = Template->getTemplatedDecl();
    if (const auto *Label = D->getAttr<AsmLabelAttr>())
      Names.insert(hashOfName(Label->getLabel()));
    const auto *Named = llvm::dyn_cast<NamedDecl>(D);
    if (Named && takesName(Named))
      Taken.push_back(Named);
    if (Named && isNamedAsMpi(Named))
      AsMpi.push_back(Named);
    bool Linked = llvm::isa<FunctionDecl, VarDecl, CXXRecordDecl, NamespaceAliasDecl>(D);
    if (Named && Linked && Named->isExternallyVisible()) {
      DeclarationName Name = Named->getDeclName();
      if (const IdentifierInfo *Id = Name.isIdentifier() ? Name.getAsIdentifierInfo() : Name.getCXXLiteralIdentifier())
        if (!Id->isStr("main")) // which no other unit calls
          Names.insert(hashOfName(Id->getName()));
    }
    if (const auto *Inner = llvm::dyn_cast<DeclContext>(D))
      addNames(Inner, SM, Names, Taken, AsMpi);
  }
}

/// Whether what mpi.h declares is in a namespace of \p Context.
bool hasMpiInNamespace(const DeclContext &Context, const IdentifierInfo &Comm) {
  return llvm::any_of(Context.decls(), [&](const Decl *D) {
    const auto *Space = dyn_cast<NamespaceDecl>(D);
    return Space && (llvm::any_of(Space->getPrimaryContext()->lookup(&Comm), llvm::IsaPred<TypedefNameDecl>) ||
                     hasMpiInNamespace(*Space, Comm));
  });
}

/// Whether mpi.h is one that mpishm.h can be compiled with, and no stand-in for serial builds. All say what they are by
/// a number.
bool hasMpi3(const clang::Preprocessor &PP) {
  const MacroInfo *Version = PP.getMacroInfo(PP.getIdentifierInfo("MPI_VERSION"));
  unsigned Number = 0;
  return Version && Version->getNumTokens() == 1 &&
         !llvm::StringRef(PP.getSpelling(Version->getReplacementToken(0))).getAsInteger(10, Number) && Number >= 3;
}

class Consumer : public ASTConsumer {
public:
  Consumer(UnitFacts &F, NameSet &N, const Preprocessed &P, const TokenRecord &T, const std::string *OwnText,
           clang::Preprocessor &Lexing)
      : Facts(F), Names(N), Seen(P), Read(T), Own(OwnText), PP(Lexing) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    const SourceManager &SM = Context.getSourceManager();
    Places Where(SM, Context.getLangOpts(), Seen.Special);
    Types Typing(Context);
    Emitter Emit(Facts, Where);
    if (!Seen.Includes.empty() && Typing.mpiLocation().isInvalid() &&
        hasMpiInNamespace(*Context.getTranslationUnitDecl(), Context.Idents.get("MPI_Comm")))
      return refuse(Context.getDiagnostics(), "mpi.h is included inside a namespace; include it outside of all");
    if (!Seen.Includes.empty() && !hasMpi3(PP))
      return refuse(Context.getDiagnostics(),
                    "this mpi.h is of no MPI-3 library, which mpishm.h needs: compile with one's mpicc or mpicxx, or "
                    "leave this source out of the database");
    Facts.MainFile = Where.fileOf(SM.getMainFileID()).str();
    Facts.HeaderFolders.assign(Seen.Folders.begin(), Seen.Folders.end());
    // Types of such names alone are the program's own, for builds without MPI.
    Facts.IncludesMpi = !Seen.Includes.empty() || (Typing.mpiLocation().isValid() && hasMpi3(PP));
    if (Facts.IncludesMpi && Typing.mpiLocation().isValid())
      setMpiDirectory(Where, SM.getFileID(SM.getFileLoc(Typing.mpiLocation())));
    for (SourceLocation Hash : Seen.Includes)
      if (!Where.isLibrary(Hash))
        Facts.MpiIncludes.push_back(Where.at(Hash));
    addMpi(Where);
    for (const auto &[Name, Loc] : Seen.Macros)
      if (!isLibrary(Where, Loc))
        Emit.define(Name, Loc, true);
    if (!Facts.IncludesMpi)
      for (SourceLocation Loc : Seen.InMacros)
        Facts.ForeignNames.push_back(Where.at(Loc));
    LiteralUses Literals = findLiteralUses(Context, Where);
    addReadings(Context, Where, Literals);
    addMentions(Seen, Where, PP, Facts);
    for (const auto &Name : Seen.Undefined)
      Facts.Undefined.push_back(Name.first().str());
    llvm::sort(Facts.Undefined);
    if (Seen.HasLines)
      Facts.Lines = std::move(Literals.LinesThatCount);
    addFiles(Where);
    if (AsksForLines)
      addAllLines();
    visitUnit(Context, Where, Typing, Emit);
    if (!Facts.IncludesMpi) {
      for (Call &C : Facts.Calls)
        C.Edit = Editability::NoHeader;
      Facts.HasNamesOfMpi = hasNamesOfMpi(Seen, Where, PP);
    }
    collectPointers(Context, Where, Typing, Facts.Pointers);
    if (Read.readsColumns())
      keepColumns(Context, Where, Facts);
    else
      collectPacked(Context, Where, Typing, Facts.Packed);
    mpishm::addNames(Where, Context.getLangOpts(), Facts);
    for (SourceLocation Loc : Seen.MemoryMacros)
      if (!isLibrary(Where, Loc))
        Facts.Pointers.Own.push_back(Where.at(Loc));
    for (SourceLocation Loc : Seen.EditMacros)
      if (!isLibrary(Where, Loc))
        Facts.Pointers.Taken.push_back(Where.at(Loc));
    std::vector<const NamedDecl *> Taken, AsMpi;
    addNames(Context.getTranslationUnitDecl(), SM, Names, Taken, AsMpi);
    addTaken(Taken, Where, Emit);
    for (const NamedDecl *D : AsMpi)
      Facts.Names.push_back({D->getName().str(), Where.at(D->getLocation()), false});
    for (const auto &[Name, Macro] : Seen.Remade)
      Facts.Names.push_back({Name, Where.at(Macro), false});
  }

private:
  /// MPI's functions and handles would be others than those that are known.
  template <unsigned N> void refuse(DiagnosticsEngine &Diagnostics, const char (&Why)[N]) const {
    Diagnostics.Report(Seen.Includes.front(), Diagnostics.getCustomDiagID(DiagnosticsEngine::Error, Why));
  }

  /// Other headers beside mpi.h are the MPI library's, unless mpi.h stands among the program's sources.
  void setMpiDirectory(Places &Where, FileID Header) {
    llvm::StringRef Folder = llvm::sys::path::parent_path(Where.fileOf(Header));
    if (!llvm::StringRef(Facts.MainFile).starts_with(Folder.str() + "/"))
      Where.setMpiDirectory(Folder.str());
  }

  /// Also the runtime's header, wherever it lies.
  static bool isLibrary(const Places &Where, SourceLocation Loc) {
    return Where.isLibrary(Loc) || llvm::sys::path::filename(Where.at(Loc).File) == "mpishm.h";
  }

  /// Declarations that would stand between a name of the runtime's and its function.
  void addTaken(llvm::ArrayRef<const NamedDecl *> Taken, const Places &Where, Emitter &Emit) {
    for (const NamedDecl *D : Taken) {
      llvm::StringRef Name = D->getName();
      if (D->getLocation().isInvalid() || isLibrary(Where, D->getLocation()))
        continue;
      if (findFunction(Name))
        Emit.define(Name, D->getLocation(), false);
      else if (isNameOfEdits(Name))
        Facts.Pointers.Taken.push_back(Where.at(D->getLocation()));
    }
  }

  /// Through which headers mpi.h comes, and where it is not seen.
  void addMpi(const Places &Where) {
    for (const auto &[Loc, Header] : Seen.Bringers)
      if (!Where.isLibrary(Loc))
        Facts.MpiBringers.push_back({Where.at(Loc), Where.fileOf(Header).str()});
    llvm::sort(Facts.MpiBringers);
    Facts.MpiBringers.erase(llvm::unique(Facts.MpiBringers), Facts.MpiBringers.end());
    for (auto [Files, Names] : {std::pair(&Seen.BeganWithoutMpi, &Facts.BeganWithoutMpi),
                                std::pair(&Seen.EndedWithoutMpi, &Facts.EndedWithoutMpi)}) {
      for (FileID File : *Files)
        if (llvm::StringRef Path = Where.fileOf(File); !Path.empty())
          Names->push_back(Path.str());
      llvm::sort(*Names);
      Names->erase(llvm::unique(*Names), Names->end());
    }
    for (const auto &[Macro, IsUndefined] : PP.getPreprocessorOpts().Macros)
      if (!IsUndefined)
        Facts.CommandMacros.push_back(Macro);
  }

  void addReadings(ASTContext &Context, const Places &Where, const LiteralUses &Literals) {
    std::vector<ReadToken> Tokens = tokensOfProgram(Read, Where);
    AsksForLines = asksForLines(Tokens);
    Facts.Readings = findOwnAnswers(Tokens, Literals, Context, Where);
    llvm::append_range(Facts.Readings, findPassedOver(Tokens, Own ? llvm::StringRef(*Own) : "", Context, Where));
    llvm::append_range(Facts.Readings,
                       Own ? findOtherReadings(std::move(Tokens), *Own, Literals, Context.getLangOpts(), Where)
                           : findPossibleReadings(Where, PP));
    constexpr size_t Most = 20;
    if (Facts.Readings.size() > Most)
      Facts.Readings.resize(Most);
  }

  /// Whichever calls are told where they stand, no line moves.
  void addAllLines() {
    for (const std::string &File : Facts.Files) {
      Place End;
      End.File = File;
      End.Offset = std::numeric_limits<decltype(End.Offset)>::max();
      Facts.Lines.push_back(std::move(End));
    }
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
  const TokenRecord &Read;
  const std::string *Own;
  bool AsksForLines = false;
  clang::Preprocessor &PP;
};

class Action : public ASTFrontendAction {
public:
  Action(UnitKnowledge &Result, const std::string *OwnText, const Predefined *M, Generation *G)
      : Known(Result), Own(OwnText), Macros(M), Code(G) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    if (Macros)
      useOwnMacros(CI.getPreprocessor(), *Macros);
    CI.getPreprocessor().addPPCallbacks(watchPreprocessor(CI.getPreprocessor(), Seen));
    Read.watch(CI.getPreprocessor());
    std::vector<std::unique_ptr<ASTConsumer>> InOrder; // facts are of the tree as it was read
    InOrder.push_back(std::make_unique<Consumer>(Known.Facts, Known.Names, Seen, Read, Own, CI.getPreprocessor()));
    if (Code)
      InOrder.push_back(Code->consumer(CI));
    return std::make_unique<MultiplexConsumer>(std::move(InOrder));
  }

private:
  UnitKnowledge &Known;
  const std::string *Own;
  const Predefined *Macros;
  Generation *Code;
  Preprocessed Seen;
  TokenRecord Read;
};

} // namespace

bool mpishm::collectUnit(const std::vector<std::string> &Arguments, const std::string &Directory,
                         const std::string *Own, const Predefined *Macros, Lowering *Code, UnitKnowledge &Result,
                         llvm::raw_ostream &Errors) {
  Generation Made;
  if (!runOnUnit(Arguments, Directory, std::make_unique<Action>(Result, Own, Macros, Code ? &Made : nullptr), Errors))
    return false;
  if (!Code)
    return true;
  std::optional<LoweredUnit> Lowered = Code->finish(Made, Arguments, Directory);
  if (!Lowered)
    return false;
  Result.Code = ir::extract(*Lowered);
  return true;
}

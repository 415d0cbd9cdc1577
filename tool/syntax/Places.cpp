// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Places.h"
#include "sources/Compiler.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace clang;

llvm::StringRef Places::fileOf(FileID File) const {
  if (File.isInvalid()) // of what is built into the compiler
    return "";
  auto [It, New] = Paths.try_emplace(File);
  if (!New)
    return It->second;
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (!Entry)
    return It->second;
  llvm::SmallString<256> Path(Entry->getName());
  SM.getFileManager().makeAbsolutePath(Path);
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(Path, Real))
    Real = Path; // not on disk: our own header
  It->second = std::string(Real);
  return It->second;
}

Place Places::at(SourceLocation Loc) const {
  Place Result;
  if (Loc.isInvalid())
    return Result;
  // The text of a macro's argument stands in a file; that of its body is seen where the macro is used.
  auto [File, Offset] = SM.getDecomposedLoc(SM.getFileLoc(Loc));
  Result.File = fileOf(File).str();
  Result.Offset = Offset;
  Result.Line = SM.getLineNumber(File, Offset);
  Result.Column = SM.getColumnNumber(File, Offset);
  return Result;
}

llvm::StringRef Places::macroOf(SourceLocation Loc) const {
  while (Loc.isMacroID() && SM.isMacroArgExpansion(Loc))
    Loc = SM.getImmediateSpellingLoc(Loc);
  if (!Loc.isMacroID())
    return {};
  SourceLocation Spelled = SM.getSpellingLoc(SM.getImmediateExpansionRange(Loc).getBegin());
  return {SM.getCharacterData(Spelled), Lexer::MeasureTokenLength(Spelled, SM, Options)};
}

NamePlace Places::ofName(SourceLocation Loc, llvm::StringRef Name) const {
  NamePlace Result;
  Result.Where = at(Loc);
  SourceLocation Spelled = Loc;
  while (Spelled.isMacroID() && SM.isMacroArgExpansion(Spelled))
    Spelled = SM.getImmediateSpellingLoc(Spelled);
  SourceLocation Token = SM.getSpellingLoc(Spelled);
  Result.Token = Result.Cause = Result.Where;
  if (SM.isWrittenInScratchSpace(Token)) {
    // What it is handed to as an argument may make a text of it, or yet another name.
    bool IsUsedHere = Spelled == Loc && !Result.Where.File.empty() && !isLibrary(Loc);
    Result.Edit = IsUsedHere ? Editability::Pasted : Editability::PastedName;
  } else if (Spelled.isMacroID()) {
    bool InFile = SM.getFileEntryRefForID(SM.getFileID(Token)).has_value();
    Result.Edit = InFile && !isLibrary(Token) ? Editability::MacroDefinition : Editability::MacroBody;
    if (InFile)
      Result.Token = Result.Cause = at(Token);
  } else if (Result.Where.File.empty()) {
    Result.Edit = Editability::MacroBody; // made by -D on the command line
  } else if (isLibrary(Spelled)) {
    Result.Edit = Editability::SystemHeader;
  } else {
    Result.Where = Result.Token = at(Spelled);
  }
  // The outermost macro is the one that stands at the place, the innermost the one that has the name.
  Result.CauseName = macroOf(Spelled).str();
  if (Result.Edit != Editability::Editable && Result.Edit != Editability::MacroDefinition)
    return Result;
  auto [File, Offset] = SM.getDecomposedLoc(Token);
  llvm::StringRef Text = SM.getBufferData(File).substr(Offset);
  if (!Text.consume_front(Name) || Text.starts_with("_") || llvm::isAlnum(Text.empty() ? ' ' : Text.front())) {
    // What --undo would put back is not known.
    Result.Edit = Editability::SplitName;
    return Result;
  }
  for (auto [Names, Kind] :
       {std::pair(&Special.Pasted, Editability::PastedName), std::pair(&Special.Stringized, Editability::Stringized)})
    if (auto It = Names->find(Token); It != Names->end()) {
      unsigned Length = Lexer::MeasureTokenLength(It->second, SM, Options);
      bool IsPrinted = Kind == Editability::Stringized && Spelled.isFileID() && !Special.Expanded.contains(Token);
      Result.Edit = IsPrinted ? Editability::Printed : Kind;
      Result.Cause = at(It->second);
      Result.CauseName = llvm::StringRef(SM.getCharacterData(It->second), Length).str();
      break;
    }
  return Result;
}

/// What was written for \p D: of an instance, which stands where it is asked for explicitly, the template.
static const Decl *asWritten(const Decl *D) {
  const Decl *Pattern = nullptr;
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    Pattern = F->getTemplateInstantiationPattern();
  else if (const auto *R = dyn_cast<CXXRecordDecl>(D))
    Pattern = R->getTemplateInstantiationPattern();
  return Pattern ? Pattern : D;
}

std::optional<Place> Places::hostOf(const NamePlace &At, const FunctionDecl *Enclosing) const {
  if (!Enclosing || !(At.Token == At.Where))
    return std::nullopt;
  const Decl *Outermost = asWritten(Enclosing);
  for (const DeclContext *In = Outermost->getLexicalDeclContext(); In && !In->isTranslationUnit();
       In = Outermost->getLexicalDeclContext())
    Outermost = asWritten(Decl::castFromDeclContext(In));
  Place Begin = at(Outermost->getBeginLoc());
  return Begin.File != At.Where.File ? std::optional(std::move(Begin)) : std::nullopt;
}

bool mpishm::isInSystemFile(SourceLocation Loc, const SourceManager &SM) {
  if (!SM.isInSystemHeader(Loc))
    return false;
  SourceLocation Start = SM.getLocForStartOfFile(SM.getFileID(SM.getExpansionLoc(Loc)));
  // In preprocessed text it is a line marker that says so, and of which file the text is.
  return SM.isInSystemHeader(Start) ||
         llvm::StringRef(SM.getPresumedLoc(Loc).getFilename()) != SM.getPresumedLoc(Start).getFilename();
}

/// Of what -imacros names a compiler takes nothing but the macros: no include there would declare anything.
bool Places::isForMacrosOnly(FileID File) const {
  auto [It, New] = OnlyMacros.try_emplace(File, false);
  if (!New)
    return It->second;
  bool Result = false;
  for (SourceLocation By = SM.getIncludeLoc(File); By.isValid() && !Result; By = SM.getIncludeLoc(SM.getFileID(By))) {
    auto [Includer, Offset] = SM.getDecomposedLoc(By);
    llvm::StringRef Before = SM.getBufferData(Includer).take_front(Offset);
    Result = Before.substr(Before.rfind('\n') + 1).starts_with("#__include_macros");
  }
  return OnlyMacros[File] = Result;
}

bool Places::isLibrary(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return false;
  SourceLocation FileLoc = SM.getFileLoc(Loc);
  if (isInSystemFile(FileLoc, SM) || isForMacrosOnly(SM.getFileID(FileLoc)))
    return true;
  llvm::StringRef File = fileOf(SM.getFileID(FileLoc));
  if (llvm::sys::path::parent_path(File) == getVirtualIncludeDirectory())
    return true;
  return !MpiDirectory.empty() && File.size() > MpiDirectory.size() && File.starts_with(MpiDirectory) &&
         llvm::sys::path::is_separator(File[MpiDirectory.size()]);
}

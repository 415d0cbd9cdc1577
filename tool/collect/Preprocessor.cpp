// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Preprocessor.h"
#include "mpi/Functions.h"
#include "pointers/Allocations.h"
#include "readings/CompilerBranches.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace clang;

/// The table's row of a function whose calls are collected, or null.
static const FunctionInfo *collectedFunction(llvm::StringRef Name) {
  if (!Name.starts_with("MPI_") && !Name.starts_with("PMPI_"))
    return nullptr;
  return findFunction(Name);
}

static bool isCollected(const Token &T) {
  const IdentifierInfo *Name = T.isAnyIdentifier() ? T.getIdentifierInfo() : nullptr;
  return Name && collectedFunction(Name->getName());
}

/// `#define MPI_Isend MPISHM_Isend`, as an edit makes it.
static bool isOurs(llvm::StringRef Name, const MacroInfo &Macro) {
  if (!Name.starts_with("MPI_") || !Macro.isObjectLike() || Macro.getNumTokens() != 1)
    return false;
  const IdentifierInfo *Is = Macro.tokens().front().getIdentifierInfo();
  return Is && Is->getName().starts_with(("MPISHM_" + Name.drop_front(4)).str());
}

namespace {

/// Parameters of a macro that its body turns into strings, and that it pastes.
struct Operators {
  std::vector<unsigned> Stringized, Pasted;
};

class Callbacks : public PPCallbacks {
public:
  Callbacks(Preprocessor &Lexing, Preprocessed &P) : PP(Lexing), SM(PP.getSourceManager()), Seen(P) {}

  void MacroDefined(const Token &Name, const MacroDirective *Definition) override {
    llvm::StringRef Spelled = Name.getIdentifierInfo()->getName();
    if (isOurs(Spelled, *Definition->getMacroInfo()))
      return;
    if (collectedFunction(Spelled) || (Spelled.starts_with("MPISHM_") && findFunction(Spelled)))
      Seen.Macros.push_back({Spelled.str(), Name.getLocation()});
    if (isMemoryName(Spelled) || isNameOfEdits(Spelled) || Spelled == "new" || Spelled == "delete")
      Seen.MemoryMacros.push_back(Name.getLocation());
    // Edits of C++ say mpishm::allocator and mpishm::window, never before a parenthesis.
    if ((Spelled == "allocator" || Spelled == "window") && PP.getLangOpts().CPlusPlus &&
        Definition->getMacroInfo()->isObjectLike())
      Seen.EditMacros.push_back(Name.getLocation());
    for (const Token &T : Definition->getMacroInfo()->tokens())
      if (isCollected(T))
        Seen.InMacros.push_back(T.getLocation());
  }

  void MacroUndefined(const Token &Name, const MacroDefinition &, const MacroDirective *) override {
    if (isCollected(Name))
      Seen.Undefined.insert(Name.getIdentifierInfo()->getName());
  }

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef SearchPath, StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (llvm::sys::path::filename(Name) == "mpi.h") {
      Seen.Includes.push_back(Hash);
      FileID Header = SM.getFileID(Hash);
      for (SourceLocation By = SM.getIncludeLoc(Header); By.isValid(); By = SM.getIncludeLoc(Header)) {
        Seen.Bringers.push_back({By, Header});
        Header = SM.getFileID(By);
      }
    }
    // What is named by all of its path, as a header of GCC's is, is found from a copy of the program, too.
    bool IsNamedWhole = llvm::sys::path::is_absolute(Name);
    if (File && !IsNamedWhole && (llvm::sys::path::is_relative(SearchPath) || isBesideOwn(Hash, SearchPath)))
      Seen.Folders.insert(folderOf(*File));
  }

  void FileChanged(SourceLocation Begin, FileChangeReason Reason, SrcMgr::CharacteristicKind, FileID Last) override {
    if (Reason == EnterFile)
      noteWithoutMpi(SM.getFileID(Begin), Seen.BeganWithoutMpi);
    else if (Reason == ExitFile)
      noteWithoutMpi(Last, Seen.EndedWithoutMpi);
  }
  void EndOfMainFile() override { noteWithoutMpi(SM.getMainFileID(), Seen.EndedWithoutMpi); }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (!isInSystemFile(Range.getBegin(), SM))
      Seen.Skipped.push_back(Range);
  }

  void MacroExpands(const Token &Name, const MacroDefinition &Definition, SourceRange,
                    const MacroArgs *Arguments) override {
    if (Name.getIdentifierInfo()->isStr("__LINE__") && !isInSystemFile(SM.getSpellingLoc(Name.getLocation()), SM))
      Seen.HasLines = true;
    const MacroInfo *Macro = Definition.getMacroInfo();
    if (!Arguments || !Macro || Macro->getNumParams() == 0)
      return;
    auto [It, New] = OperatorsOf.try_emplace(Macro);
    if (New)
      It->second = operatorsOf(*Macro);
    note(Macro, *Arguments, It->second.Stringized, Seen.Special.Stringized);
    note(Macro, *Arguments, It->second.Pasted, Seen.Special.Pasted);
  }

private:
  /// MPI_VERSION is a macro of each mpi.h.
  void noteWithoutMpi(FileID File, std::vector<FileID> &Into) const {
    if (File.isValid() && !PP.isMacroDefined("MPI_VERSION") && !SM.isInSystemHeader(SM.getLocForStartOfFile(File)))
      Into.push_back(File);
  }
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

  static Operators operatorsOf(const MacroInfo &Macro);
  void note(const MacroInfo *Macro, const MacroArgs &Arguments, llvm::ArrayRef<unsigned> Parameters,
            llvm::DenseMap<SourceLocation, SourceLocation> &Into) const;

  Preprocessor &PP;
  const SourceManager &SM;
  Preprocessed &Seen;
  llvm::DenseMap<const MacroInfo *, Operators> OperatorsOf;
};

} // namespace

Operators Callbacks::operatorsOf(const MacroInfo &Macro) {
  Operators Result;
  llvm::ArrayRef<Token> Body = Macro.tokens();
  for (size_t I = 0; I < Body.size(); ++I) {
    const IdentifierInfo *Name = Body[I].isAnyIdentifier() ? Body[I].getIdentifierInfo() : nullptr;
    int Parameter = Name ? Macro.getParameterNum(Name) : -1;
    if (Parameter < 0)
      continue;
    // `, ## __VA_ARGS__` pastes nothing; it may take the comma away.
    bool Comma =
        I >= 2 && Body[I - 2].is(tok::comma) && Macro.isVariadic() && unsigned(Parameter) == Macro.getNumParams() - 1;
    if (I >= 1 && Body[I - 1].isOneOf(tok::hash, tok::hashat))
      Result.Stringized.push_back(Parameter);
    else if ((I >= 1 && Body[I - 1].is(tok::hashhash) && !Comma) ||
             (I + 1 < Body.size() && Body[I + 1].is(tok::hashhash)))
      Result.Pasted.push_back(Parameter);
  }
  return Result;
}

void Callbacks::note(const MacroInfo *Macro, const MacroArgs &Arguments, llvm::ArrayRef<unsigned> Parameters,
                     llvm::DenseMap<SourceLocation, SourceLocation> &Into) const {
  for (unsigned Parameter : Parameters)
    for (const Token *T = Arguments.getUnexpArgument(Parameter); T->isNot(tok::eof); ++T)
      if (T->getIdentifierInfo()) { // any name may be one of a function that makes memory
        SourceLocation Spelled = SM.getSpellingLoc(T->getLocation());
        Into.try_emplace(Spelled, Macro->getDefinitionLoc());
        if (T->getLocation().isMacroID())
          Seen.Special.Expanded.insert(Spelled);
        if (isCollected(*T) && SM.isWrittenInScratchSpace(Spelled))
          Seen.Remade.insert({T->getIdentifierInfo()->getName().str(), Macro->getDefinitionLoc()});
      }
}

std::unique_ptr<PPCallbacks> mpishm::watchPreprocessor(Preprocessor &PP, Preprocessed &Into) {
  return std::make_unique<Callbacks>(PP, Into);
}

/// The name under which \p Name counts as mentioned, or an empty string: functions of MPI that decisions depend on, and
/// those that would give back memory.
static llvm::StringRef mentioned(llvm::StringRef Name) {
  if (const FunctionInfo *Row = collectedFunction(Name))
    return Row->Name;
  return Name == "free" || Name == "realloc" ? Name : llvm::StringRef();
}

static bool mayMention(llvm::StringRef Text) {
  return Text.contains("MPI_") || Text.contains("free") || Text.contains("realloc");
}

/// True for the branch of `#if 0`, which no build takes.
static bool isDead(llvm::StringRef Branch) {
  llvm::StringRef Rest = Branch;
  return Rest.consume_front("#") && (Rest = Rest.ltrim(" \t")).consume_front("if") &&
         (Rest = Rest.ltrim(" \t")).consume_front("0") && (Rest.empty() || !llvm::isAlnum(Rest.front()));
}

namespace {

/// A branch that was skipped, at an offset in the text of its file, and what it mentions: from First on, before Last.
struct SkippedBranch {
  llvm::StringRef Text;
  unsigned Offset;
  size_t First, Last; ///< into UnitFacts::Skipped
};

/// One file as the preprocessor read it once.
class MentionsOfFile {
public:
  MentionsOfFile(FileID Id, llvm::StringRef Contents, const Places &P, const LangOptions &L, UnitFacts &F,
                 std::vector<SkippedBranch> &B)
      : File(Id), Text(Contents), Where(P), Language(L), Facts(F), Branches(B) {}
  void add(llvm::ArrayRef<std::pair<unsigned, unsigned>> Skipped);

private:
  void addSkipped(unsigned Begin, unsigned End);
  void addRead(unsigned Begin, unsigned End);
  Mention mention(llvm::StringRef Name, unsigned Offset) const {
    return {Name.str(), Where.at(Where.sources().getComposedLoc(File, Offset)), false};
  }

  FileID File;
  llvm::StringRef Text;
  const Places &Where;
  const LangOptions &Language;
  UnitFacts &Facts;
  std::vector<SkippedBranch> &Branches;
};

} // namespace

void MentionsOfFile::addSkipped(unsigned Begin, unsigned End) {
  llvm::StringRef Branch = Text.slice(Begin, End);
  if (!mayMention(Branch) || isDead(Branch))
    return;
  Lexer Lex(Where.sources().getLocForStartOfFile(File), Language, Text.begin(), Text.begin() + Begin, Text.end());
  bool IsMeaning = false; // behind `#define MPISHM_Isend`, as an edit makes it for builds without MPI
  for (Token T; !Lex.LexFromRawLexer(T);) {
    unsigned Offset = Where.sources().getFileOffset(T.getLocation());
    if (Offset >= End)
      break;
    llvm::StringRef Word = T.is(tok::raw_identifier) ? T.getRawIdentifier() : llvm::StringRef();
    if (llvm::StringRef Name = mentioned(Word); !Name.empty() && !IsMeaning)
      Facts.Skipped.push_back(mention(Name, Offset));
    IsMeaning = Word.starts_with("MPISHM_");
  }
}

/// Comments and strings, too: what is read in one unit only makes what another skips less remarkable.
void MentionsOfFile::addRead(unsigned Begin, unsigned End) {
  for (llvm::StringRef Part : {"MPI_", "free", "realloc"})
    for (size_t At = Text.find(Part, Begin); At < End; At = Text.find(Part, At + 1)) {
      size_t First = Part == "MPI_" && At > Begin && Text[At - 1] == 'P' ? At - 1 : At;
      llvm::StringRef Word = Text.substr(First).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      if (llvm::StringRef Name = mentioned(Word); !Name.empty())
        Facts.Read.push_back(mention(Name, First));
    }
}

void MentionsOfFile::add(llvm::ArrayRef<std::pair<unsigned, unsigned>> Skipped) {
  unsigned Last = 0;
  for (auto [Begin, End] : Skipped) {
    addRead(Last, Begin);
    size_t First = Facts.Skipped.size();
    addSkipped(Begin, End);
    if (Facts.Skipped.size() > First)
      Branches.push_back({Text, Begin, First, Facts.Skipped.size()});
    Last = End;
  }
  addRead(Last, Text.size());
}

static void markByCompiler(llvm::ArrayRef<FileText> Texts, llvm::ArrayRef<SkippedBranch> Branches,
                           const Preprocessor &PP, UnitFacts &Facts) {
  CompilerBranches Of(PP);
  Of.learnAll(Texts);
  llvm::DenseMap<const char *, llvm::DenseSet<unsigned>> In; // by the beginnings of the texts
  for (const SkippedBranch &Each : Branches) {
    auto [It, IsNew] = In.try_emplace(Each.Text.data());
    if (IsNew)
      It->second = Of.in(Each.Text);
    for (size_t I = Each.First; It->second.contains(Each.Offset) && I < Each.Last; ++I)
      Facts.Skipped[I].ByCompiler = true;
  }
}

void mpishm::addNames(const Places &Where, const LangOptions &Language, UnitFacts &Facts) {
  llvm::StringSet<> Printed;
  for (const Call &C : Facts.Calls)
    if (mustKeepText(C) && C.Token.File == Facts.MainFile)
      Printed.insert(C.Spelled);
  const SourceManager &SM = Where.sources();
  std::optional<llvm::StringRef> Text = SM.getBufferDataOrNone(SM.getMainFileID());
  if (Printed.empty() || !Text)
    return;
  Lexer Lex(SM.getLocForStartOfFile(SM.getMainFileID()), Language, Text->begin(), Text->begin(), Text->end());
  for (Token T; !Lex.LexFromRawLexer(T);)
    if (T.is(tok::raw_identifier) && Printed.contains(T.getRawIdentifier()))
      Facts.Names.push_back({T.getRawIdentifier().str(), Where.at(T.getLocation()), false});
}

using SkippedOfFiles = llvm::DenseMap<FileID, std::vector<std::pair<unsigned, unsigned>>>;

static SkippedOfFiles skippedOf(const Preprocessed &Seen, const SourceManager &SM) {
  SkippedOfFiles Skipped;
  for (SourceRange Range : Seen.Skipped)
    Skipped[SM.getFileID(Range.getBegin())].push_back(
        {SM.getFileOffset(Range.getBegin()), SM.getFileOffset(Range.getEnd())});
  return Skipped;
}

void mpishm::addMentions(const Preprocessed &Seen, const Places &Where, const Preprocessor &PP, UnitFacts &Facts) {
  const SkippedOfFiles Skipped = skippedOf(Seen, Where.sources());
  std::vector<FileText> Texts = textsOfProgram(Where);
  std::vector<SkippedBranch> Branches;
  for (const auto &[File, Text] : Texts)
    if (mayMention(Text))
      MentionsOfFile(File, Text, Where, PP.getLangOpts(), Facts, Branches).add(Skipped.lookup(File));
  if (!Branches.empty() && !Facts.Readings.empty())
    markByCompiler(Texts, Branches, PP, Facts);
}

bool mpishm::hasNamesOfMpi(const Preprocessed &Seen, const Places &Where, Preprocessor &PP) {
  // The namespace of the bindings for C++.
  bool IsSpace = PP.getLangOpts().CPlusPlus && !PP.isMacroDefined("MPI");
  auto MayBe = [&](llvm::StringRef Name) {
    if (Name == "MPI")
      return IsSpace;
    Name.consume_front("P");
    return Name.starts_with("MPI_") || Name.starts_with("MPIX_") || Name.starts_with("MPIO_") ||
           Name.starts_with_insensitive("ompi_");
  };
  const SourceManager &SM = Where.sources();
  const SkippedOfFiles Skipped = skippedOf(Seen, SM);
  for (const auto &[File, Text] : textsOfProgram(Where)) {
    const auto Branches = Skipped.lookup(File);
    Lexer Lex(SM.getLocForStartOfFile(File), PP.getLangOpts(), Text.begin(), Text.begin(), Text.end());
    for (Token T; !Lex.LexFromRawLexer(T);)
      if (T.is(tok::raw_identifier) && MayBe(T.getRawIdentifier()) &&
          llvm::none_of(Branches, [&, Offset = SM.getFileOffset(T.getLocation())](auto Branch) {
            return Text.find('\n', Branch.first) < Offset && Offset < Branch.second; // a condition is read
          }))
        return true;
  }
  return false;
}

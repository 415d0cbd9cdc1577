// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/OwnMacros.h"
#include "syntax/Places.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;
using namespace clang;

/// The other compiler's definition of a macro is Clang's of this and the macro's name.
static constexpr llvm::StringLiteral Prefix = "mpishm_own_";

namespace {

/// A macro that is not the same in both; null where one has none.
struct Differing {
  IdentifierInfo *Name;
  MacroInfo *Clangs, *Others;
};

/// Gives each file the macros that it is to be read with, when the preprocessor comes to it.
class OwnMacros : public PPCallbacks {
public:
  OwnMacros(Preprocessor &Lexing, const Predefined &O)
      : PP(Lexing), SM(PP.getSourceManager()), Where(SM, PP.getLangOpts(), None), Own(O) {}

  void FileChanged(SourceLocation Loc, FileChangeReason Reason, SrcMgr::CharacteristicKind, FileID) override {
    FileID File = SM.getFileID(Loc);
    // The main file is entered before Clang's own macros are there, which it comes back from.
    if (!SM.getFileEntryRefForID(File) || (Reason == EnterFile && File == SM.getMainFileID()))
      return;
    if (!AreKnown)
      find();
    AreKnown = true;
    use(!Where.isLibrary(Loc));
  }

private:
  void find();
  void use(bool Others);
  void add(llvm::StringRef Name, MacroInfo *Others);
  MacroInfo *macroOf(llvm::StringRef Name) const { return PP.getMacroInfo(PP.getIdentifierInfo(Name)); }

  Preprocessor &PP;
  SourceManager &SM;
  SpecialNames None;
  Places Where;
  const Predefined &Own;
  std::vector<Differing> All;
  bool AreKnown = false, AreOthers = false;
};

} // namespace

static bool isSame(const MacroInfo *A, const MacroInfo *B, Preprocessor &PP) {
  return A == B || (A && B && !A->isBuiltinMacro() && A->isIdenticalTo(*B, PP, /*Syntactically=*/true));
}

/// Whether \p Name says how fast the processor is, from which the system's files make macros for the program.
static bool tellsSpeed(llvm::StringRef Name) { return Name.starts_with("__FP_FAST_"); }

/// What the command defines stands between Clang's macros, too.
void OwnMacros::add(llvm::StringRef Name, MacroInfo *Others) {
  MacroInfo *Clangs = macroOf(Name);
  bool IsClangs = !Clangs || Clangs->isBuiltinMacro() || SM.isWrittenInBuiltinFile(Clangs->getDefinitionLoc());
  if (!Clangs && Others && tellsSpeed(Name))
    PP.appendDefMacroDirective(PP.getIdentifierInfo(Name), Others);
  else if (IsClangs && !isSame(Clangs, Others, PP))
    All.push_back({PP.getIdentifierInfo(Name), Clangs, Others});
}

void OwnMacros::find() {
  llvm::DenseSet<const IdentifierInfo *> Seen;
  std::vector<std::string> Clangs; // and not the other's; looking names up may change the table that has them
  for (llvm::StringRef Definition : Own.Definitions) {
    llvm::StringRef Name = Definition.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (Seen.insert(PP.getIdentifierInfo(Name)).second)
      add(Name, macroOf((Prefix + Name).str()));
  }
  for (const auto &[Id, State] : PP.macros(/*IncludeExternalMacros=*/false)) {
    const MacroInfo *Macro = PP.getMacroInfo(Id);
    bool IsClangs = Macro && !Macro->isBuiltinMacro() && SM.isWrittenInBuiltinFile(Macro->getDefinitionLoc());
    if (IsClangs && !Id->getName().starts_with(Prefix) && !Seen.contains(Id))
      Clangs.push_back(Id->getName().str());
  }
  for (llvm::StringRef Name : Clangs)
    add(Name, nullptr);
  for (llvm::StringRef Name : Own.Missing)
    add(Name, nullptr);
}

void OwnMacros::use(bool Others) {
  if (Others == AreOthers)
    return;
  llvm::erase_if(All, [&](const Differing &D) {
    MacroInfo *Now = AreOthers ? D.Others : D.Clangs, *Next = Others ? D.Others : D.Clangs;
    if (PP.getMacroInfo(D.Name) != Now)
      return true; // it is the program's by now
    if (Next)
      PP.appendDefMacroDirective(D.Name, Next);
    else
      PP.appendMacroDirective(D.Name, new (PP.getPreprocessorAllocator()) UndefMacroDirective(Now->getDefinitionLoc()));
    return false;
  });
  AreOthers = Others;
}

void mpishm::useOwnMacros(Preprocessor &PP, const Predefined &Own) {
  std::string Text; // before Clang's own: what the command includes comes after those
  for (llvm::StringRef Definition : Own.Definitions)
    Text += ("#define " + Prefix + Definition + "\n").str();
  PP.setPredefines(Text + PP.getPredefines());
  PP.addPPCallbacks(std::make_unique<OwnMacros>(PP, Own));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/CompilerBranches.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;

static bool isPart(char C) { return llvm::isAlnum(C) || C == '_'; }

/// Takes the first word, a name or a number, off \p Text, and what is before it.
static llvm::StringRef takeWord(llvm::StringRef &Text) {
  Text = Text.drop_until(isPart);
  llvm::StringRef Word = Text.take_while(isPart);
  Text = Text.drop_front(Word.size());
  return Word;
}

static bool isReserved(llvm::StringRef Name) {
  return Name.size() > 1 && Name[0] == '_' && (Name[1] == '_' || llvm::isUpper(Name[1]));
}

/// Of systems, of processors, of languages and of C's library: the same for the tool.
static bool isOfSystem(llvm::StringRef Name) {
  static constexpr llvm::StringLiteral Beginnings[] = {
      // Languages.
      "__cplusplus", "__STDC", "__FILE__", "__LINE__", "__DATE__", "__TIME__", "__func__", "__FUNCTION__", "__VA_",
      "__COUNTER__", "__has_include",
      // Systems.
      "__linux", "__gnu_linux", "__unix", "_WIN", "__WIN", "__MINGW", "__CYGWIN", "_MSC_", "__APPLE__", "__MACH__",
      "__FreeBSD", "__NetBSD", "__OpenBSD", "__DragonFly", "__ANDROID", "_AIX", "__hpux", "__sun", "__SVR4", "__sgi",
      "__osf", "__QNX", "__VMS", "__bg", "__ELF__",
      // Processors.
      "__x86_64", "__amd64", "__i386", "_M_", "__ia64", "__powerpc", "__PPC", "__ppc", "_ARCH_", "__aarch64", "__arm",
      "__ARM", "__sparc", "__mips", "__alpha", "__s390", "__riscv", "__loongarch", "__BYTE_ORDER", "__ORDER_",
      "__LITTLE_ENDIAN", "__BIG_ENDIAN", "__SIZEOF_", "__CHAR_", "_LP64", "__LP64", "_ILP32", "__ILP32",
      // C's library.
      "__GLIBC", "__USE_", "_POSIX", "_XOPEN", "_GNU_SOURCE", "_BSD_SOURCE", "_SVID_SOURCE", "_DEFAULT_SOURCE",
      "_LARGEFILE", "_FILE_OFFSET_BITS", "_ISOC"};
  return llvm::any_of(Beginnings, [&](llvm::StringRef B) { return Name.starts_with(B); });
}

/// All have these, the last with options that are all known, and differ only in what they are.
static bool isOfAll(llvm::StringRef Name) {
  return Name == "__GNUC__" || Name == "__GNUC_MINOR__" || Name == "_OPENMP";
}

namespace {

struct Directive {
  unsigned Offset; ///< of its #
  llvm::StringRef Name, Rest;
};

} // namespace

/// Calls \p Each for each directive of \p Text. (In a comment, or a text over several lines, there may seem to be one.)
static void forEachDirective(llvm::StringRef Text, llvm::function_ref<void(const Directive &)> Each) {
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = Text.find('\n', Begin);
    while (End != llvm::StringRef::npos && Text.slice(Begin, End).rtrim("\r").ends_with("\\"))
      End = Text.find('\n', End + 1);
    llvm::StringRef Line = Text.slice(Begin, End), Rest = Line.ltrim(" \t");
    if (Rest.consume_front("#")) {
      llvm::StringRef Name = takeWord(Rest);
      Each({static_cast<unsigned>(Begin + Line.find('#')), Name, Rest});
    }
    Begin = End == llvm::StringRef::npos ? Text.size() : End + 1;
  }
}

CompilerBranches::CompilerBranches(const clang::Preprocessor &PP) {
  const clang::SourceManager &SM = PP.getSourceManager();
  for (const auto &[Id, State] : PP.macros(/*IncludeExternalMacros=*/false)) {
    bool OfClang = false, Defined = false;
    for (const auto *D = PP.getLocalMacroDirectiveHistory(Id); D; D = D->getPrevious())
      (D->getLocation().isInvalid() || SM.isWrittenInBuiltinFile(D->getLocation()) ? OfClang : Defined) = true;
    if (Defined && !OfClang)
      Defines.insert(Id->getName());
  }
}

/// Every reserved name that nothing but the compiler could define: also its options do (`_OPENMP`, `__AVX2__`).
bool CompilerBranches::tells(llvm::StringRef Name) const {
  return (isReserved(Name) && !isOfSystem(Name) && !Defines.contains(Name)) || Macros.contains(Name);
}

bool CompilerBranches::tellsIn(llvm::StringRef Condition) const {
  llvm::StringRef Before;
  for (llvm::StringRef Word = takeWord(Condition); !Word.empty(); Before = Word, Word = takeWord(Condition))
    if (tells(Word) && !(isOfAll(Word) && Before == "defined"))
      return true;
  return false;
}

/// Calls \p Each with each directive that is no conditional, or begins a branch, and whether the compiler decides on
/// what it stands in, or begins.
static void walk(llvm::StringRef Text, llvm::function_ref<bool(llvm::StringRef)> Tells,
                 llvm::function_ref<void(const Directive &, bool)> Each) {
  llvm::SmallVector<bool, 8> Groups; // whether the compiler decides on one
  auto Any = [&] { return llvm::is_contained(Groups, true); };
  forEachDirective(Text, [&](const Directive &D) {
    bool Defined = D.Name == "ifdef" || D.Name == "ifndef" || D.Name == "elifdef" || D.Name == "elifndef";
    llvm::StringRef Rest = D.Rest;
    bool Here = (Defined || D.Name == "if" || D.Name == "elif") &&
                (Defined ? !isOfAll(takeWord(Rest)) && Tells(D.Rest) : Tells(D.Rest));
    if (D.Name.starts_with("if"))
      Groups.push_back(Here);
    else if (D.Name == "endif" && !Groups.empty())
      Groups.pop_back();
    else if (D.Name.starts_with("elif") && !Groups.empty())
      Groups.back() |= Here;
    bool IsBranch = D.Name.starts_with("if") || D.Name.starts_with("el");
    Each(D, IsBranch ? !Groups.empty() && Groups.back() : Any());
  });
}

std::vector<FileText> mpishm::textsOfProgram(const Places &Where) {
  const clang::SourceManager &SM = Where.sources();
  std::vector<FileText> Texts;
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const clang::SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    clang::SourceLocation Start = clang::SourceLocation::getFromRawEncoding(Entry.getOffset());
    clang::FileID File = SM.getFileID(Start);
    std::optional<llvm::StringRef> Text = SM.getBufferDataOrNone(File);
    if (Text && !Where.isLibrary(Start) && SM.getFileEntryRefForID(File))
      Texts.push_back({File, *Text});
  }
  return Texts;
}

void CompilerBranches::learnAll(llvm::ArrayRef<FileText> Texts) {
  for (bool New = true; New;) {
    New = false;
    for (const FileText &Each : Texts)
      New |= learn(Each.second);
  }
}

bool CompilerBranches::learn(llvm::StringRef Text) {
  llvm::StringSet<> New;
  walk(
      Text, [&](llvm::StringRef Condition) { return tellsIn(Condition); },
      [&](const Directive &D, bool Decides) {
        llvm::StringRef Rest = D.Rest, Name = takeWord(Rest);
        if ((D.Name == "define" || D.Name == "undef") && !tells(Name) && (Decides || tellsIn(Rest)))
          New.insert(Name);
      });
  for (const auto &Name : New)
    Macros.insert(Name.getKey());
  return !New.empty();
}

llvm::DenseSet<unsigned> CompilerBranches::in(llvm::StringRef Text) const {
  llvm::DenseSet<unsigned> Result;
  walk(
      Text, [&](llvm::StringRef Condition) { return tellsIn(Condition); },
      [&](const Directive &D, bool Decides) {
        if (Decides && (D.Name.starts_with("if") || D.Name.starts_with("el")))
          Result.insert(D.Offset);
      });
  return Result;
}

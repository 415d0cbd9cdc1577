// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/CompilerBranches.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;

static bool isPart(char C) { return llvm::isAlnum(C) || C == '_'; }

/// Takes the first word, a name or a number, off \p Text, and what is before it.
static llvm::StringRef takeWord(llvm::StringRef &Text) {
  Text = Text.drop_until(isPart);
  llvm::StringRef Word = Text.take_while(isPart);
  Text = Text.drop_front(Word.size());
  return Word;
}

/// The macros of compilers. Not those of systems, of languages and of processors, which are the same for the tool.
static bool isOfCompiler(llvm::StringRef Name) {
  for (llvm::StringRef First : {"__clang", "__GNUC", "__INTEL_", "__PGI", "__NVCOMPILER", "__ibmxl", "__IBMC", "__xl",
                                "__SUNPRO_", "__has_builtin", "__has_constexpr", "__has_feature", "__has_extension"})
    if (Name.starts_with(First))
      return true;
  return llvm::StringSwitch<bool>(Name)
      .Cases("__llvm__", "__VERSION__", "__ICC", "__ECC", "_CRAYC", "__OPEN64__", "__apple_build_version__", true)
      .Cases("__has_attribute", "__has_c_attribute", "__has_cpp_attribute", "__has_declspec_attribute", true)
      .Default(false);
}

/// All have these, and differ only in what they are.
static bool isOfAll(llvm::StringRef Name) { return Name == "__GNUC__" || Name == "__GNUC_MINOR__"; }

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

bool CompilerBranches::tells(llvm::StringRef Name) const { return isOfCompiler(Name) || Macros.contains(Name); }

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

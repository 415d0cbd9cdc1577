// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Directives.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using clang::Token;
namespace tok = clang::tok;

namespace {

class Reader {
public:
  Reader(llvm::StringRef Contents)
      : Text(Contents), Lex(clang::SourceLocation(), Languages(), Text.begin(), Text.begin(), Text.end()) {}
  FileDirectives read();

private:
  static const clang::LangOptions &Languages();
  uint32_t offset() const { return Lex.getBufferLocation() - Text.data() - Next.getLength(); }
  void advance() { Lex.LexFromRawLexer(Next); }
  bool atDirective() const { return Next.is(tok::hash) && Next.isAtStartOfLine(); }
  bool inDirective() const { return Next.isNot(tok::eof) && !Next.isAtStartOfLine(); }
  std::string skipDirective(uint32_t Begin);
  uint32_t endOfLine(uint32_t Offset) const;
  void readDirective();
  void openBranch(uint32_t Begin, std::vector<std::string> Opening, unsigned First);
  void closeBranch(uint32_t End);
  void readBrace();
  bool allInFirst() const;
  void markGuard();

  llvm::StringRef Text;
  clang::Lexer Lex;
  Token Next;
  FileDirectives Result;
  std::vector<unsigned> Open;
  std::vector<bool> Braces; ///< for each open brace: does it enclose declarations of the file (extern "C")?
  unsigned Tokens = 0;      ///< seen outside of directives
  unsigned TokensBefore = 0, TokensAtEnd = 0; ///< around the first conditional, to know a guard
  bool AfterExternC = false, SawExtern = false;
};

const clang::LangOptions &Reader::Languages() {
  static const clang::LangOptions Options = [] {
    clang::LangOptions O;
    O.LineComment = O.Digraphs = true;
    O.CPlusPlus = O.CPlusPlus11 = true; // raw strings; harmless for C
    return O;
  }();
  return Options;
}

/// \p Raw as the compiler reads it: lines that end with a backslash go on with the next.
static std::string spliced(llvm::StringRef Raw) {
  std::string Text;
  while (!Raw.empty()) {
    if (Raw.front() == '\\')
      if (llvm::StringRef Rest = Raw.drop_front().ltrim(" \t\r"); Rest.consume_front("\n")) {
        Raw = Rest;
        continue;
      }
    Text += Raw.front();
    Raw = Raw.drop_front();
  }
  return Text;
}

/// The first byte after the line in which the directive goes on that has its last token before \p Offset.
uint32_t Reader::endOfLine(uint32_t Offset) const {
  size_t End = Text.find('\n', Offset);
  llvm::StringRef Rest = Text.slice(Offset, End);
  if (size_t Comment = Rest.find("/*"); Comment != llvm::StringRef::npos && !Rest.substr(Comment).contains("*/"))
    End = Text.find('\n', Text.find("*/", End));
  while (End != llvm::StringRef::npos && Text.slice(Offset, End).rtrim(" \t\r").ends_with("\\"))
    End = Text.find('\n', End + 1);
  return End == llvm::StringRef::npos ? Text.size() : End + 1;
}

/// Moves behind the directive that begins at \p Begin; returns its text without comments at its end.
std::string Reader::skipDirective(uint32_t Begin) {
  uint32_t End = Begin + 1;
  while (inDirective()) {
    End = offset() + Next.getLength();
    advance();
  }
  return Text.slice(Begin, End).str();
}

void Reader::openBranch(uint32_t Begin, std::vector<std::string> Opening, unsigned First) {
  Branch B;
  B.Begin = Begin;
  B.Parent = Open.empty() ? Branch::None : Open.back();
  B.Opening = std::move(Opening);
  B.First = First;
  Open.push_back(Result.Branches.size());
  Result.Branches.push_back(std::move(B));
}

void Reader::closeBranch(uint32_t End) {
  if (Open.empty())
    return;
  Result.Branches[Open.back()].End = End;
  Open.pop_back();
}

void Reader::readDirective() {
  uint32_t Begin = offset();
  advance();
  if (!inDirective() || Next.isNot(tok::raw_identifier)) {
    skipDirective(Begin);
    return;
  }
  std::string Spelled = spliced(Next.getRawIdentifier());
  llvm::StringRef Word = Spelled;
  if (Word == "include" || Word == "include_next" || Word == "import") {
    advance();
    IncludeLine Line;
    Line.Begin = Begin;
    uint32_t NameBegin = offset();
    std::string Whole = skipDirective(Begin);
    std::string Rest = spliced(llvm::StringRef(Whole).substr(NameBegin - Begin));
    llvm::StringRef Name = llvm::StringRef(Rest).trim();
    Line.Name = Name.drop_front(Name.empty() ? 0 : 1).take_until([](char C) { return C == '>' || C == '"'; }).str();
    Line.End = endOfLine(Begin + Whole.size());
    Line.Inside = Open.empty() ? Branch::None : Open.back();
    Line.FileScope = !llvm::is_contained(Braces, false);
    Result.Includes.push_back(std::move(Line));
    return;
  }
  if (Word == "define" || Word == "undef") {
    advance();
    MacroChange Macro{Begin, 0, "", Word == "define"};
    if (inDirective() && Next.is(tok::raw_identifier))
      Macro.Name = spliced(Next.getRawIdentifier());
    Macro.End = Begin + skipDirective(Begin).size();
    Result.Macros.push_back(std::move(Macro));
    return;
  }
  std::string Whole = skipDirective(Begin);
  uint32_t After = Begin + Whole.size();
  if (Word.starts_with("if")) {
    if (Result.Branches.empty())
      TokensBefore = Tokens;
    openBranch(After, {Whole}, Result.Branches.size());
  } else if (Word.starts_with("el") && !Open.empty()) {
    std::vector<std::string> Opening = Result.Branches[Open.back()].Opening;
    Opening.push_back(Whole);
    unsigned First = Result.Branches[Open.back()].First;
    closeBranch(Begin);
    openBranch(After, std::move(Opening), First);
  } else if (Word == "endif") {
    if (Open.size() == 1 && Open.front() == 0)
      TokensAtEnd = Tokens;
    if (!Open.empty())
      for (Branch &B : Result.Branches)
        if (B.First == Result.Branches[Open.back()].First)
          B.After = endOfLine(After);
    closeBranch(Begin);
  }
}

void Reader::readBrace() {
  if (Next.is(tok::l_brace))
    Braces.push_back(AfterExternC);
  else if (Next.is(tok::r_brace) && !Braces.empty())
    Braces.pop_back();
  AfterExternC = SawExtern && Next.is(tok::string_literal);
  SawExtern = Next.is(tok::raw_identifier) && Next.getRawIdentifier() == "extern";
}

/// Whether a file of nothing but directives has all of them in its first conditional, as one of includes and macros.
bool Reader::allInFirst() const {
  const Branch &B = Result.Branches.front();
  auto IsInside = [&](const auto &D) { return D.Begin >= B.Begin && D.Begin < B.After; };
  return llvm::all_of(Result.Branches, IsInside) && llvm::all_of(Result.Includes, IsInside) &&
         llvm::all_of(Result.Macros, IsInside);
}

/// A guard is a conditional around all of the file's tokens that is opened by #ifndef or #if !defined, and has one
/// branch.
void Reader::markGuard() {
  if (Result.Branches.empty() || TokensBefore != 0 || TokensAtEnd != Tokens || (Tokens == 0 && !allInFirst()))
    return;
  Branch &B = Result.Branches.front();
  llvm::StringRef Line = llvm::StringRef(B.Opening.front()).drop_front().ltrim();
  llvm::StringRef Macro;
  if (Line.consume_front("ifndef"))
    Macro = Line.trim();
  else if (Line.consume_front("if") && Line.ltrim().starts_with("!")) {
    Line = Line.ltrim().drop_front().ltrim();
    Line.consume_front("defined");
    Macro = Line.trim(" \t()");
  }
  bool Defined = llvm::any_of(Result.Macros, [&](const MacroChange &M) { return M.Defines && M.Name == Macro; });
  bool First = llvm::none_of(Result.Includes, [&](const IncludeLine &I) { return I.Begin < B.Begin; });
  B.Guard = Defined && First;
}

FileDirectives Reader::read() {
  advance();
  while (Next.isNot(tok::eof)) {
    if (atDirective()) {
      readDirective();
      continue;
    }
    ++Tokens;
    readBrace();
    advance();
  }
  while (!Open.empty())
    closeBranch(Text.size());
  markGuard();
  return std::move(Result);
}

} // namespace

unsigned FileDirectives::branchAt(uint32_t Offset) const {
  unsigned Innermost = Branch::None;
  for (auto [Index, B] : llvm::enumerate(Branches)) // outer ones come first
    if (B.Begin <= Offset && Offset < B.End)
      Innermost = Index;
  return Innermost;
}

bool FileDirectives::inMacro(uint32_t Offset) const {
  return llvm::any_of(Macros, [&](const MacroChange &M) { return M.Begin <= Offset && Offset < M.End; });
}

bool FileDirectives::isInside(unsigned Inner, unsigned Outer) const {
  while (Inner != Outer && Inner != Branch::None)
    Inner = Branches[Inner].Parent;
  return Inner == Outer;
}

FileDirectives mpishm::readDirectives(llvm::StringRef Text) {
  // The lexer wants a null character behind the text.
  std::string Terminated = Text.str();
  return Reader(Terminated).read();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sites/PrintedLines.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace mpishm;
using namespace clang;

/// Whether the last of the lines in \p Text goes on in the next one.
static bool goesOn(llvm::StringRef Text) { return Text.rtrim(" \t\r\n").ends_with("\\"); }

/// Where the line of \p At begins, if nothing stands before that byte in it, nor goes on there from the line before.
static std::optional<uint32_t> beginOfLine(llvm::StringRef Text, uint32_t At) {
  size_t Begin = Text.rfind('\n', At) + 1;
  llvm::StringRef Last = Text.take_front(Begin).rtrim("\r\n");
  Last = Last.substr(Last.rfind('\n') + 1);
  if (!Text.slice(Begin, At).trim(" \t").empty() || goesOn(Last))
    return std::nullopt;
  return Begin;
}

/// Where the line after that of \p At begins, if nothing stands between but what ends statements, and a comment in one
/// line.
static std::optional<uint32_t> endOfLine(llvm::StringRef Text, uint32_t At) {
  size_t End = Text.find('\n', At);
  if (End == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef Rest = Text.slice(At, End).ltrim(" \t;}").rtrim(" \t\r");
  bool IsComment = Rest.starts_with("//") || (Rest.starts_with("/*") && Rest.find("*/") == Rest.size() - 2);
  if ((!Rest.empty() && !IsComment) || goesOn(Rest))
    return std::nullopt;
  return End + 1;
}

/// Whether \p Name is one word in \p Text, and no line of that is a directive.
static bool isOnce(llvm::StringRef Name, const std::string &Text, const LangOptions &Language) {
  const char *Begin = Text.c_str(); // a lexer wants a zero behind its text
  Lexer Lex(SourceLocation(), Language, Begin, Begin, Begin + Text.size());
  unsigned Found = 0;
  Token T;
  for (bool IsLast = false; !IsLast;) {
    IsLast = Lex.LexFromRawLexer(T);
    if (T.is(tok::hash) && T.isAtStartOfLine())
      return false;
    Found += T.is(tok::raw_identifier) && T.getRawIdentifier() == Name;
  }
  return Found == 1;
}

std::optional<LineRange> mpishm::linesAround(SourceLocation Loc, llvm::StringRef Name, const SourceManager &SM,
                                             const LangOptions &Language) {
  CharSourceRange Use = SM.getExpansionRange(Loc);
  auto [File, First] = SM.getDecomposedLoc(Use.getBegin());
  auto [LastFile, Last] = SM.getDecomposedLoc(Use.getEnd());
  std::optional<llvm::StringRef> Text = SM.getBufferDataOrNone(File);
  if (!Text || File != LastFile || !Use.isTokenRange() || Last < First)
    return std::nullopt;
  std::optional<uint32_t> Begin = beginOfLine(*Text, First), End = endOfLine(*Text, Last + 1);
  if (!Begin || !End || (*Text)[Last] != ')' || !isOnce(Name, Text->slice(First, *End).str(), Language))
    return std::nullopt;
  return LineRange{*Begin, *End};
}

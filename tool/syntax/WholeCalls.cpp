// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/WholeCalls.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

/// The text in a file that gives exactly the tokens of \p E.
static CharSourceRange textOf(const Expr *E, const SourceManager &SM, const LangOptions &Language) {
  SourceLocation Begin = E->getBeginLoc(), End = E->getEndLoc();
  bool Whole = (Begin.isFileID() || Lexer::isAtStartOfMacroExpansion(Begin, SM, Language, &Begin)) &&
               (End.isFileID() || Lexer::isAtEndOfMacroExpansion(End, SM, Language, &End)) && Begin.isFileID() &&
               End.isFileID() && SM.getFileID(Begin) == SM.getFileID(End);
  if (!Whole)
    return {};
  return CharSourceRange::getCharRange(Begin, Lexer::getLocForEndOfToken(End, 0, SM, Language));
}

bool mpishm::hasDirective(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 8> Lines;
  Text.split(Lines, '\n');
  return llvm::any_of(llvm::drop_begin(Lines), [](llvm::StringRef Line) { return Line.ltrim().starts_with("#"); });
}

std::optional<WholeCall> mpishm::wholeCall(const CallExpr *Call, const Expr *Outer, const FunctionDecl *Enclosing,
                                           const LangOptions &Language, const Places &Where) {
  const SourceManager &SM = Where.sources();
  const Expr *E = Call;
  CharSourceRange Range = textOf(E, SM, Language);
  if (Range.isInvalid() && Outer)
    Range = textOf(E = Outer, SM, Language);
  if (Range.isInvalid() || Where.isLibrary(Range.getBegin()))
    return std::nullopt;
  llvm::StringRef Text = Lexer::getSourceText(Range, SM, Language);
  // In C the function gives a pointer to void, the macro any; in a macro's argument __LINE__ would be another.
  bool IsMacro = !Language.CPlusPlus && !E->getType().getCanonicalType()->isVoidPointerType();
  if (Text.empty() || hasDirective(Text) || (IsMacro && Text.contains('\n')))
    return std::nullopt;
  if (IsMacro && E->getType()->isVariablyModifiedType()) // to ask for its type would run the call
    return std::nullopt;
  WholeCall Whole;
  NamePlace At;
  At.Where = At.Token = Whole.Begin = Where.at(Range.getBegin());
  Whole.End = Where.at(Range.getEnd());
  Whole.First = Text.take_front(Lexer::MeasureTokenLength(Range.getBegin(), SM, Language)).str();
  Whole.Around = IsMacro ? "MPISHM_TO_WINDOW" : "MPISHM_To_window";
  Whole.Host = Where.hostOf(At, Enclosing);
  if (Whole.Begin.File.empty())
    return std::nullopt;
  return Whole;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Texts.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

const VarDecl *mpishm::variableIn(const Expr *E) {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
}

bool mpishm::isVisibleBefore(const Stmt *E, const Stmt *Before, const ASTContext &Context) {
  if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
    const SourceManager &SM = Context.getSourceManager();
    return SM.isBeforeInTranslationUnit(Name->getDecl()->getLocation(), Before->getBeginLoc());
  }
  return llvm::all_of(E->children(),
                      [&](const Stmt *Child) { return Child && isVisibleBefore(Child, Before, Context); });
}

std::optional<std::string> mpishm::plainText(const Expr *First, const Expr *Last, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Tokens = CharSourceRange::getTokenRange(First->getBeginLoc(), Last->getEndLoc());
  CharSourceRange Range = Lexer::makeFileCharRange(Tokens, SM, Context.getLangOpts());
  if (Range.isInvalid() || SM.getFileID(Range.getBegin()) != SM.getMainFileID())
    return std::nullopt;
  std::string Text;
  bool Space = false;
  for (char C : Lexer::getSourceText(Range, SM, Context.getLangOpts())) {
    if (C == ' ' || C == '\t' || C == '\n' || C == '\r') {
      Space = true;
      continue;
    }
    if (Space && !Text.empty())
      Text += ' ';
    Space = false;
    Text += C;
  }
  for (const char *Special : {"//", "/*", "#", "\\", "\"", "'", "__LINE__", "__COUNTER__", "??"})
    if (Text.find(Special) != std::string::npos)
      return std::nullopt;
  return Text.empty() ? std::nullopt : std::optional(Text);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Sends.h"
#include "packing/Texts.h"
#include "syntax/Callees.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

LinkedName SendReader::nameOf(const FunctionDecl *F) const {
  ASTNameGenerator Generator(Context);
  return {Generator.getName(F), !F->isExternallyVisible()};
}

std::string SendReader::wordAt(SourceLocation Loc) const {
  llvm::SmallString<32> Word;
  return Lexer::getSpelling(Loc, Word, SM, Context.getLangOpts()).str();
}

/// What a variable was made with that has kept its value since then; else \p E itself.
const Expr *SendReader::valueOf(const Expr *E) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *D = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!D || isa<ParmVarDecl>(D) || !D->hasInit() || D->getType().isVolatileQualified())
    return E;
  bool Keeps = Uses::isOwn(D) ? !OfSender.changes(D) : D->getType().isConstQualified() && !D->hasAttr<WeakAttr>();
  return Keeps ? D->getInit() : E;
}

/// The name of the macro of a library that all of \p E comes from, also where macros of the program stand for that.
std::string SendReader::nameOfConstant(const Expr *E) const {
  auto NameAt = [&](SourceLocation At) {
    while (At.isMacroID() && Where.isLibrary(SM.getSpellingLoc(At)))
      At = SM.getImmediateMacroCallerLoc(At);
    return At;
  };
  E = E->IgnoreParens();
  SourceLocation Begin = NameAt(E->getBeginLoc());
  if (Begin.isInvalid() || Begin == E->getBeginLoc() || Begin != NameAt(E->getEndLoc()))
    return "";
  return wordAt(SM.getSpellingLoc(Begin));
}

bool SendReader::isOfElement(const Expr *Datatype, QualType Element) const {
  const std::string Name = nameOfConstant(valueOf(Datatype));
  Element = Element.getCanonicalType();
  QualType Named = llvm::StringSwitch<QualType>(Name)
                       .Case("MPI_DOUBLE", Context.DoubleTy)
                       .Case("MPI_FLOAT", Context.FloatTy)
                       .Case("MPI_LONG_DOUBLE", Context.LongDoubleTy)
                       .Case("MPI_INT", Context.IntTy)
                       .Case("MPI_UNSIGNED", Context.UnsignedIntTy)
                       .Case("MPI_LONG", Context.LongTy)
                       .Case("MPI_UNSIGNED_LONG", Context.UnsignedLongTy)
                       .Cases("MPI_LONG_LONG", "MPI_LONG_LONG_INT", Context.LongLongTy)
                       .Case("MPI_UNSIGNED_LONG_LONG", Context.UnsignedLongLongTy)
                       .Case("MPI_SHORT", Context.ShortTy)
                       .Case("MPI_UNSIGNED_SHORT", Context.UnsignedShortTy)
                       .Case("MPI_CHAR", Context.CharTy)
                       .Case("MPI_SIGNED_CHAR", Context.SignedCharTy)
                       .Case("MPI_UNSIGNED_CHAR", Context.UnsignedCharTy)
                       .Default(QualType());
  if (Name == "MPI_BYTE")
    return Element->isCharType();
  return !Named.isNull() && Context.hasSameUnqualifiedType(Named, Element);
}

/// Whether nothing is done in \p S but calls of MPI, of what packs, and steps of variables of the function itself.
bool SendReader::isQuiet(const Stmt *S) const {
  if (!S)
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || (mpiNameOf(F).empty() && !(Packer && F->getCanonicalDecl() == Packer->getCanonicalDecl())))
      return false;
  } else if (isa<CXXConstructExpr, CXXNewExpr, CXXDeleteExpr, LambdaExpr, StmtExpr, AtomicExpr>(S)) {
    return false;
  }
  const Expr *Changed = nullptr;
  if (const auto *Step = dyn_cast<UnaryOperator>(S); Step && Step->isIncrementDecrementOp())
    Changed = Step->getSubExpr();
  else if (const auto *Assigns = dyn_cast<BinaryOperator>(S); Assigns && Assigns->isAssignmentOp())
    Changed = Assigns->getLHS();
  if (Changed) {
    const auto *Name = dyn_cast<DeclRefExpr>(Changed->IgnoreParens());
    if (!Name || !Uses::isOwn(Name->getDecl()))
      return false;
  }
  return llvm::all_of(S->children(), [&](const Stmt *Child) { return isQuiet(Child); });
}

bool SendReader::isKeptSince(const VarDecl *D) const {
  for (auto [Block, Inside] : Both.Around) {
    bool Declared = false, Quiet = true;
    for (const Stmt *S : Block->body()) {
      const auto *Declares = dyn_cast<DeclStmt>(S);
      if (Declares && llvm::is_contained(Declares->decls(), D))
        Declared = true;
      else if (Declared && S != Both.Packs)
        Quiet &= isQuiet(S) && !Uses::mayLeave(S, false);
      if (S == Inside)
        break;
    }
    if (Declared)
      return Quiet;
  }
  return false;
}

llvm::StringRef SendReader::textOf(SourceLocation Begin, SourceLocation End) const {
  return Lexer::getSourceText(CharSourceRange::getTokenRange(Begin, End), SM, Context.getLangOpts());
}

bool SendReader::readAny(PackedSend &Result, size_t Ways, llvm::function_ref<bool(size_t, PackedSend &)> Read) const {
  Result.Send = Where.at(Both.Sends->getCallee()->getExprLoc());
  Result.Function = mpiNameOf(Both.Sends->getDirectCallee()).str();
  Result.Call = Where.at(Both.Packs->getBeginLoc());
  Result.CallWord = wordAt(Both.Packs->getBeginLoc());
  Result.Sender = nameOf(Sender);
  bool Any = false;
  std::string Why;
  for (size_t I = 0; I < Ways; ++I) {
    PackedSend Found = Result;
    if (!Read(I, Found))
      continue;
    Any = true;
    Why = Found.Refused;
    if (Why.empty()) {
      Result = std::move(Found);
      return true;
    }
  }
  Result.Refused = Why;
  return Any;
}

std::string SendReader::whyNotEditable(PackedSend &Result) const {
  SourceLocation Name = Both.Sends->getCallee()->getExprLoc(), Begin = Both.Packs->getBeginLoc();
  if (Name.isMacroID() || Begin.isMacroID() || Both.Sends->getRParenLoc().isMacroID())
    return "a macro packs or sends it";
  for (unsigned I = 0; I < 6; ++I)
    if (argument(I)->HasSideEffects(Context))
      return "an argument of the send may do something beside";
  llvm::StringRef Pair = textOf(Begin, Both.Sends->getRParenLoc());
  if (Pair.empty() || hasDirective(Pair) || Pair.contains("_Pragma"))
    return "directives of the preprocessor stand in the text";
  std::optional<std::string> Arguments = plainText(argument(0), argument(5), Context);
  if (!Arguments)
    return "the arguments of the send cannot be written twice";
  Result.Arguments = *Arguments;
  return "";
}

std::string SendReader::whyOtherLength(const Cover &C, Terms &Outer, PackedSend &Result) const {
  Polynomial Packed{{{}, 1}};
  unsigned Unsure = 0;
  for (const Turns &Turn : C.Turn) {
    std::optional<Polynomial> Product = multiply(Packed, Turn.Number);
    if (!Product)
      return "it is too long to be followed";
    Packed = std::move(*Product);
    Unsure += Turn.MayBeNegative;
  }
  Outer.beExact();
  std::optional<Polynomial> Sent = Outer.count(argument(1));
  // Of one negative number a negative one comes, which MPI refuses; of two a number of elements that nobody has packed.
  // Where none is negative, no more are sent than packed, also if the number sent has wrapped around.
  Result.MayBeNegative = Unsure > 1 || (Unsure == 1 && !Outer.isExact());
  return Sent && *Sent == Packed ? "" : "it is not seen that as much is packed as is sent";
}

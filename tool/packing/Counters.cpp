// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Counters.h"
#include "packing/Texts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;
using namespace clang;

/// What \p D begins as in \p S, the head of a loop.
const Expr *CounterReader::initialOf(const Stmt *S, const VarDecl *D, unsigned &Changes) const {
  if (const auto *Declares = dyn_cast_or_null<DeclStmt>(S))
    return llvm::is_contained(Declares->decls(), D) ? D->getInit() : nullptr;
  const auto *Assigns = dyn_cast_or_null<BinaryOperator>(S);
  if (Assigns && Assigns->getOpcode() == BO_Comma) {
    bool Left = Uses::countIn(Assigns->getLHS(), D), Right = Uses::countIn(Assigns->getRHS(), D);
    return Left == Right ? nullptr : initialOf(Left ? Assigns->getLHS() : Assigns->getRHS(), D, Changes);
  }
  if (!Assigns || Assigns->getOpcode() != BO_Assign || variableIn(Assigns->getLHS()) != D)
    return nullptr;
  ++Changes;
  return Assigns->getRHS();
}

/// Whether \p E is `D++`, or that among other expressions that leave D alone.
bool CounterReader::steps(const Expr *E, const VarDecl *D) const {
  E = E->IgnoreParens();
  if (const auto *Both = dyn_cast<BinaryOperator>(E); Both && Both->getOpcode() == BO_Comma) {
    bool Left = Uses::countIn(Both->getLHS(), D), Right = Uses::countIn(Both->getRHS(), D);
    return Left != Right && steps(Left ? Both->getLHS() : Both->getRHS(), D);
  }
  if (const auto *Adds = dyn_cast<CompoundAssignOperator>(E)) {
    Expr::EvalResult By;
    return Adds->getOpcode() == BO_AddAssign && variableIn(Adds->getLHS()) == D &&
           Adds->getRHS()->EvaluateAsInt(By, Context) && By.Val.getInt() == 1;
  }
  const auto *Step = dyn_cast<UnaryOperator>(E);
  return Step && Step->isIncrementOp() && variableIn(Step->getSubExpr()) == D;
}

/// How often a loop from \p First to \p End runs, as text.
bool CounterReader::readText(const Expr *First, const Expr *End, bool IsLast, Turns &Turn) const {
  Expr::EvalResult Known;
  std::optional<std::string> From = plainText(First, First, Context), To = plainText(End, End, Context);
  if (!From || !To || From->find(',') != std::string::npos || To->find(',') != std::string::npos ||
      !isVisibleBefore(First, Whole, Context) || !isVisibleBefore(End, Whole, Context))
    return false;
  bool FromIsKnown = First->EvaluateAsInt(Known, Context);
  int64_t Begin = FromIsKnown ? Known.Val.getInt().getExtValue() : 1 << 20;
  auto Bracketed = [](const std::string &Text) {
    bool IsWord = llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; });
    return IsWord ? Text : "(" + Text + ")";
  };
  if (Begin == (IsLast ? 1 : 0))
    Turn.Text = *To;
  else
    Turn.Text = Bracketed(*To) + " - " + Bracketed(*From) + (IsLast ? " + 1" : "");
  return true;
}

bool CounterReader::read(const ForStmt *S, Counter &Loop) {
  const auto *Test = S->getCond() ? dyn_cast<BinaryOperator>(S->getCond()->IgnoreParens()) : nullptr;
  if (!Test || !S->getInc() || S->getConditionVariable() || (Test->getOpcode() != BO_LT && Test->getOpcode() != BO_LE))
    return refuse("a loop has another form than 'for (i = a; i < b; i++)'");
  const VarDecl *D = Loop.Variable = variableIn(Test->getLHS());
  unsigned Changes = 1;
  const Expr *First =
      D && Uses::isOwn(D) && D->getType()->isIntegerType() ? initialOf(S->getInit(), D, Changes) : nullptr;
  if (!First || !steps(S->getInc(), D))
    return refuse("a loop has another form than 'for (i = a; i < b; i++)'");
  if (Used.changes(D) != Changes || (Owner && Owner->isHandedOn(D)))
    return refuse("what counts a loop is changed elsewhere, too");
  Values.beExact();
  std::optional<Polynomial> Begin = Values.lastingNumber(First), End = Values.lastingNumber(Test->getRHS());
  // Compared as what they are: no negative number becomes a large one.
  QualType Compared = Test->getLHS()->getType();
  bool BothSigned = Compared->isSignedIntegerType() == D->getType()->isSignedIntegerType();
  bool Widened = Context.getIntWidth(D->getType()) < Context.getIntWidth(Compared);
  Expr::EvalResult Known;
  bool FromZero = First->EvaluateAsInt(Known, Context) && !Known.Val.getInt().isNegative();
  bool Same = BothSigned || (Widened && (Compared->isSignedIntegerType() || FromZero));
  const Expr *Bound = Test->getRHS()->IgnoreParenImpCasts();
  bool BoundIsSame = Bound->getType()->isSignedIntegerType() == Compared->isSignedIntegerType() ||
                     Bound->isIntegerConstantExpr(Context) ||
                     (!Bound->getType()->isSignedIntegerType() &&
                      Context.getIntWidth(Bound->getType()) < Context.getIntWidth(Compared));
  // One that begins again before its last number ends no loop that packs; but others may be left.
  if (IsPartial && Widened)
    return false;
  bool IsLast = Test->getOpcode() == BO_LE;
  // A last number that wraps around lies before a first one, unless that is the least: then it tells how many.
  bool IsLeast = Begin && *Begin == (IsLast ? Polynomial{{{}, 1}} : Polynomial());
  if (!Begin || !End || !Same || !BoundIsSame || !(Values.isExact() || (IsLeast && !IsPartial)))
    return refuse("how often a loop runs is not known");
  std::optional<Polynomial> Number = add(*End, *Begin, -1);
  if (Number && IsLast)
    Number = add(*Number, {{{}, 1}});
  if (!Number || (!IsPartial && !readText(First, Test->getRHS(), IsLast, Loop.Turn)))
    return refuse("how often a loop runs cannot be written before it");
  Loop.First = *Begin;
  Loop.Turn.Number = *Number;
  Loop.Turn.MayBeNegative = !Values.isNonnegative(*Number);
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Covers.h"
#include "packing/Harmless.h"
#include "packing/Texts.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

/// One element's worth of a pointer: a number in memory.
static bool isElement(QualType Type) {
  return Type->isArithmeticType() && !Type->isBooleanType() && !Type.isConstQualified() &&
         !Type.isVolatileQualified() && !Type->isAtomicType() && !Type->isDependentType();
}

static bool mayBeTarget(const VarDecl *D) {
  QualType Type = D->getType();
  return Type->isPointerType() && !Type.isConstQualified() && Uses::isOwn(D) && isElement(Type->getPointeeType());
}

std::vector<const VarDecl *> mpishm::targetsOf(const FunctionDecl *Function) {
  std::vector<const VarDecl *> Result;
  for (const ParmVarDecl *D : Function->parameters())
    if (mayBeTarget(D))
      Result.push_back(D);
  if (const auto *Body = dyn_cast_or_null<CompoundStmt>(Function->getBody()))
    for (const Stmt *S : Body->body())
      if (const auto *Declares = dyn_cast<DeclStmt>(S))
        for (const Decl *D : Declares->decls())
          if (const auto *V = dyn_cast<VarDecl>(D); V && V->hasInit() && mayBeTarget(V))
            Result.push_back(V);
  return Result;
}

namespace {

class CoverReader {
public:
  /// \p U are the uses in the function, which has the loops by itself.
  CoverReader(const VarDecl *T, const ForStmt *S, const Uses &U, Terms &In, const ASTContext &C)
      : Target(T), Whole(S), Used(U), Values(In), Context(C), Heads(S, U, nullptr, In, C) {}
  /// \p U are those in the loops, \p F those in the function, in \p B of which they stand.
  CoverReader(const ForStmt *S, const CompoundStmt *B, const Uses &U, const Uses &F, Terms &In, const ASTContext &C)
      : Target(nullptr), Whole(S), Block(B), InFunction(&F), Used(U), Values(In), Context(C), Heads(S, U, &F, In, C) {}

  bool read() { return readLoop(Whole); }
  /// Instead of what packs: \p Element, which the loops read, with an index in the numbers \p I.
  bool readElement(const Expr *Element, Terms &I) {
    Wanted = Element, Indices = &I;
    Heads.bePartial();
    return readLoop(Whole);
  }
  Cover cover() const;
  std::string Why;
  std::vector<Counter> Loops;

private:
  bool refuse(std::string Because) {
    Why = std::move(Because);
    return false;
  }
  bool readLoop(const ForStmt *S);
  bool readStore(const Expr *E);
  bool readWanted(const Stmt *Body);
  bool isTarget(const Expr *E) const;
  bool isMoved(const Expr *E);
  bool changesIn(const Stmt *E) const;
  bool isRunning(const Expr *Index);
  bool beginsAsZero(const VarDecl *D, unsigned &Changes) const;
  const Stmt *writerIn(const Stmt *Body);
  bool isInOrder(const Polynomial &Index) const;

  const VarDecl *Target;
  const ForStmt *Whole;
  const CompoundStmt *Block = nullptr;
  const Uses *InFunction = nullptr;
  const BinaryOperator *Store = nullptr;
  const Expr *To = nullptr, *Wanted = nullptr;
  Terms *Indices = nullptr;
  const Uses &Used;
  Terms &Values;
  const ASTContext &Context;
  CounterReader Heads;
};

} // namespace

/// Whether \p E is the pointer that is packed by; without a function of their own, any that the loops leave as it is.
bool CoverReader::isTarget(const Expr *E) const {
  return InFunction ? E->getType()->isPointerType() && isElement(E->getType()->getPointeeType()) && !changesIn(E) &&
                          isVisibleBefore(E, Whole, Context)
                    : variableIn(E) == Target;
}

/// Whether the loops change a variable that \p E names.
bool CoverReader::changesIn(const Stmt *E) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E);
  if (Name && Used.changes(Name->getDecl()) && Name->getType()->isScalarType())
    return true; // nothing else is written by its name
  return llvm::any_of(E->children(), [&](const Stmt *Child) { return Child && changesIn(Child); });
}

/// Whether \p S declares \p D as 0, or makes it 0.
static bool makesZero(const Stmt *S, const VarDecl *D, const ASTContext &Context, bool &Assigns) {
  Expr::EvalResult First;
  auto IsZero = [&](const Expr *E) { return E && E->EvaluateAsInt(First, Context) && First.Val.getInt() == 0; };
  if (const auto *Declares = dyn_cast<DeclStmt>(S))
    return llvm::is_contained(Declares->decls(), D) && IsZero(D->getInit());
  const auto *Both = dyn_cast<BinaryOperator>(S);
  if (!Both || (Both->getOpcode() != BO_Comma && Both->getOpcode() != BO_Assign))
    return false;
  if (Both->getOpcode() == BO_Comma)
    return (makesZero(Both->getRHS(), D, Context, Assigns) && !Uses::countIn(Both->getLHS(), D)) ||
           (makesZero(Both->getLHS(), D, Context, Assigns) && !Uses::countIn(Both->getRHS(), D));
  return Assigns = variableIn(Both->getLHS()) == D && IsZero(Both->getRHS());
}

/// Whether something may go on in the middle of \p S.
static bool hasLabel(const Stmt *S) {
  return isa<LabelStmt, SwitchCase>(S) ||
         llvm::any_of(S->children(), [](const Stmt *Child) { return Child && hasLabel(Child); });
}

/// Whether \p D is 0 where the loops begin: in their head, or before them in their block. How often the head changes it
/// is added to \p Changes.
bool CoverReader::beginsAsZero(const VarDecl *D, unsigned &Changes) const {
  bool Assigns = false;
  if (Whole->getInit() && makesZero(Whole->getInit(), D, Context, Assigns)) {
    Changes += Assigns;
    return true;
  }
  if ((Whole->getInit() && Uses::countIn(Whole->getInit(), D)) || InFunction->isHandedOn(D))
    return false;
  bool IsZero = false;
  for (const Stmt *S : Block->body()) {
    if (S == Whole)
      return IsZero;
    if (makesZero(S, D, Context, Assigns))
      IsZero = true;
    else if (hasLabel(S) || Uses(S).changes(D))
      IsZero = false;
  }
  return false;
}

/// Whether \p Index is `k++` of a variable that counts from zero, and nothing else.
bool CoverReader::isRunning(const Expr *Index) {
  const auto *Step = dyn_cast<UnaryOperator>(Index->IgnoreParenImpCasts());
  const VarDecl *D = Step && Step->getOpcode() == UO_PostInc ? variableIn(Step->getSubExpr()) : nullptr;
  // A smaller one begins again before as many elements are written as a message may have.
  if (!D || !Uses::isOwn(D) || !D->getType()->isIntegerType() ||
      Context.getIntWidth(D->getType()) < Context.getIntWidth(Context.IntTy))
    return false;
  if (InFunction) {
    unsigned Changes = 1;
    return !InFunction->isHandedOn(D) && beginsAsZero(D, Changes) && Used.changes(D) == Changes;
  }
  if (Used.changes(D) != 1 || !D->hasInit() ||
      !Context.getSourceManager().isBeforeInTranslationUnit(D->getLocation(), Whole->getBody()->getBeginLoc()))
    return false;
  // Declared in the body of the function, or in the head of the outermost loop: it begins once.
  Expr::EvalResult First;
  return !isa<ParmVarDecl>(D) && D->getInit()->EvaluateAsInt(First, Context) && First.Val.getInt() == 0;
}

/// Whether \p Index is that of the turn at hand, counted through all loops.
bool CoverReader::isInOrder(const Polynomial &Index) const {
  std::optional<Polynomial> Wanted = Polynomial();
  for (const Counter &Loop : Loops) {
    Wanted = multiply(*Wanted, Loop.Turn.Number);
    Wanted = Wanted ? add(*Wanted, {{{Terms::nameOf(Loop.Variable)}, 1}}) : std::nullopt;
    Wanted = Wanted ? add(*Wanted, Loop.First, -1) : std::nullopt;
    if (!Wanted)
      return false;
  }
  return *Wanted == Index;
}

/// Whether \p E is the pointer that is packed by; without a function of their own, any that the function has for the
/// loops alone.
bool CoverReader::isMoved(const Expr *E) {
  const VarDecl *D = variableIn(E);
  if (!InFunction)
    return D == Target;
  if (!D || !mayBeTarget(D) || isa<ParmVarDecl>(D) || !D->hasInit())
    return false;
  Target = D;
  return true;
}

/// `*to++ = e`, `to[k++] = e`, `to[i] = e`.
bool CoverReader::readStore(const Expr *E) {
  Store = dyn_cast<BinaryOperator>(E->IgnoreParens());
  if (!Store || Store->getOpcode() != BO_Assign || (Target && Uses::countIn(Store->getRHS(), Target)))
    return refuse("what is packed is not just written, element by element");
  const Expr *At = Store->getLHS()->IgnoreParens(), *Index = nullptr;
  bool InOrder = false;
  if (const auto *Through = dyn_cast<UnaryOperator>(At); Through && Through->getOpcode() == UO_Deref) {
    const Expr *Place = Through->getSubExpr()->IgnoreParens();
    const auto *Step = dyn_cast<UnaryOperator>(Place);
    const auto *Sum = dyn_cast<BinaryOperator>(Place);
    if (Step && Step->getOpcode() == UO_PostInc && isMoved(Step->getSubExpr()))
      InOrder = Used.changes(Target) == 1;
    else if (Sum && Sum->getOpcode() == BO_Add && isTarget(Sum->getLHS()))
      To = Sum->getLHS(), Index = Sum->getRHS();
  } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(At); Element && isTarget(Element->getBase())) {
    To = Element->getBase(), Index = Element->getIdx();
  }
  if (Index && !(Target && Used.changes(Target))) {
    std::optional<Polynomial> Number = Values.number(Index);
    InOrder = isRunning(Index) || (Number && isInOrder(*Number));
  }
  return InOrder || refuse("what is packed is not written one element after the other");
}

/// What packs in \p Body; none: Why may say why.
const Stmt *CoverReader::writerIn(const Stmt *Body) {
  const auto *Several = dyn_cast<CompoundStmt>(Body);
  if (!Several)
    return Body;
  const Stmt *Writes = nullptr;
  for (const Stmt *Each : Several->body())
    if (InFunction ? !Harmless(*InFunction, nullptr).is(Each) : Uses::countIn(Each, Target) > 0) {
      if (Writes)
        refuse(InFunction ? "something else is done in the loops that pack it"
                          : "the pointer that packs is used several times in a loop");
      Writes = Each;
    }
  return Writes;
}

static bool contains(const Stmt *S, const Stmt *Part) {
  return S == Part || llvm::any_of(S->children(), [&](const Stmt *Each) { return Each && contains(Each, Part); });
}

/// Whether \p S may be in the midst of itself again.
static bool mayRepeat(const Stmt *S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LabelStmt, StmtExpr, LambdaExpr, BlockExpr>(S) ||
         llvm::any_of(S->children(), [](const Stmt *Each) { return Each && mayRepeat(Each); });
}

/// Whether what is Wanted in \p Body is read at most once in each turn, at an index that is less than there are turns.
bool CoverReader::readWanted(const Stmt *Body) {
  while (const auto *Several = dyn_cast<CompoundStmt>(Body)) {
    auto It = llvm::find_if(Several->body(), [&](const Stmt *Each) { return contains(Each, Wanted); });
    if (It == Several->body_end())
      return false;
    Body = *It;
  }
  if (const auto *Inner = dyn_cast<ForStmt>(Body))
    return readLoop(Inner);
  if (mayRepeat(Body) || !contains(Body, Wanted))
    return false;
  const Expr *Index = nullptr;
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Wanted))
    To = Element->getBase(), Index = Element->getIdx();
  if (!Index || !isTarget(To))
    return false;
  std::optional<Polynomial> Number = Indices->number(Index);
  return isRunning(Index) || (Number && isInOrder(*Number));
}

bool CoverReader::readLoop(const ForStmt *S) {
  constexpr unsigned Most = 2;
  if (Loops.size() == Most)
    return refuse("it is packed by more than two loops in one another");
  Counter Loop;
  if (!Heads.read(S, Loop))
    return refuse(Heads.Why);
  if (Target &&
      Uses::countIn(S->getInit(), Target) + Uses::countIn(S->getCond(), Target) + Uses::countIn(S->getInc(), Target))
    return refuse("the pointer that packs is used elsewhere in its loops, too");
  Loops.push_back(std::move(Loop));
  if (Wanted)
    return readWanted(S->getBody());
  const Stmt *Writes = writerIn(S->getBody());
  if (!Why.empty())
    return false;
  if (const auto *Inner = dyn_cast_or_null<ForStmt>(Writes))
    return readLoop(Inner);
  const auto *E = dyn_cast_or_null<Expr>(Writes);
  return E ? readStore(E) : refuse("it is not packed in each turn of its loops");
}

Cover CoverReader::cover() const {
  Cover Result{Target, Whole, {}, Store, To};
  for (const Counter &Loop : Loops)
    Result.Turn.push_back(Loop.Turn);
  return Result;
}

std::optional<Cover> mpishm::coverBy(const VarDecl *Target, const FunctionDecl *Function, const Uses &Used, Terms &In,
                                     const ASTContext &Context, std::string &Why) {
  const auto *Body = dyn_cast<CompoundStmt>(Function->getBody());
  const ForStmt *Loops = nullptr;
  auto Refuse = [&](const char *Because) {
    Why = Because;
    return std::nullopt;
  };
  if (!Body || Function->isConsteval() || Function->isConstexpr())
    return Refuse("what packs it may be run by the compiler");
  for (const Stmt *S : Body->body()) {
    const auto *Declares = dyn_cast<DeclStmt>(S);
    if (Declares && llvm::is_contained(Declares->decls(), Target))
      continue;
    if (Uses::countIn(S, Target)) {
      if (Loops)
        return Refuse("the pointer that packs is used outside of the loops, too");
      Loops = dyn_cast<ForStmt>(S);
      if (!Loops)
        return Refuse("it is packed in another way than by loops of its own");
    }
    if (Uses::mayLeave(S, /*Breaks=*/S == Loops) && !(Loops && isa<ReturnStmt>(S)))
      return Refuse("what packs it may end before");
  }
  if (!Loops)
    return std::nullopt;
  CoverReader Reader(Target, Loops, Used, In, Context);
  if (!Reader.read()) {
    Why = Reader.Why;
    return std::nullopt;
  }
  return Reader.cover();
}

std::optional<Cover> mpishm::coverOf(const ForStmt *Loops, const CompoundStmt *Block, const Uses &Used, Terms &In,
                                     const ASTContext &Context, std::vector<const FunctionDecl *> &Calls,
                                     std::string &Why) {
  const Uses InLoops(Loops);
  CoverReader Reader(Loops, Block, InLoops, Used, In, Context);
  In.lastIn(&InLoops);
  bool IsOne = Reader.read();
  In.lastIn(nullptr);
  if (!IsOne) {
    Why = Reader.Why;
    return std::nullopt;
  }
  Cover Result = Reader.cover();
  Harmless Rest(Used, Result.Store);
  if (Uses::mayLeave(Loops, /*Breaks=*/true) || !Rest.is(Loops)) {
    Why = "something else is done in the loops that pack it";
    return std::nullopt;
  }
  llvm::append_range(Calls, Rest.calls());
  return Result;
}

std::optional<Polynomial> mpishm::elementsRead(const ArraySubscriptExpr *Element, const ForStmt *Loops,
                                               const CompoundStmt *Block, const Uses &Used, Terms &In, Terms &Indices,
                                               const ASTContext &Context) {
  const Uses InLoops(Loops);
  CoverReader Reader(Loops, Block, InLoops, Used, In, Context);
  In.lastIn(&InLoops);
  bool IsOne = !hasLabel(Loops) && Reader.readElement(Element, Indices);
  In.lastIn(nullptr);
  if (!IsOne)
    return std::nullopt;
  std::optional<Polynomial> Number = Polynomial{{{}, 1}};
  for (const Counter &Loop : Reader.Loops)
    Number = Number ? multiply(*Number, Loop.Turn.Number) : std::nullopt;
  return Number;
}

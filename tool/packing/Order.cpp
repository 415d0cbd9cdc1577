// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Order.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

static bool isLoop(const Stmt *S) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S); }

/// Whether what stands in a function with \p S in it may be run in another order than its text tells.
static bool jumps(const Stmt *S) {
  if (isa<Expr>(S)) {
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    return (F && F->hasAttr<ReturnsTwiceAttr>()) ||
           isa<LambdaExpr, BlockExpr, StmtExpr, AddrLabelExpr, CoroutineSuspendExpr>(S);
  }
  return !isLoop(S) && !isa<CompoundStmt, DeclStmt, IfStmt, NullStmt, ReturnStmt, BreakStmt, ContinueStmt, LabelStmt,
                            GotoStmt, SwitchStmt, CaseStmt, DefaultStmt>(S);
}

Order::Order(const FunctionDecl *Definition) : Used(Definition) {
  if (Definition->getBody())
    add(Definition->getBody(), nullptr);
}

void Order::addChange(const Expr *To, const Stmt *By) {
  if (const auto *Name = dyn_cast<DeclRefExpr>(To->IgnoreParens()))
    Changes[Name->getDecl()].push_back({Index[By], By});
}

void Order::add(const Stmt *S, const Stmt *Parent) {
  unsigned At = All.size();
  All.push_back(S);
  IsKnown &= Index.try_emplace(S, At).second && !jumps(S); // one that stands in two places has no order
  Parents[S] = Parent;
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    Labels[Label->getDecl()] = At;
  else if (const auto *Jump = dyn_cast<GotoStmt>(S))
    Jumps.push_back({Jump->getLabel(), At});
  else if (const auto *Step = dyn_cast<UnaryOperator>(S); Step && Step->isIncrementDecrementOp())
    addChange(Step->getSubExpr(), S);
  else if (const auto *Assigns = dyn_cast<BinaryOperator>(S); Assigns && Assigns->isAssignmentOp())
    addChange(Assigns->getLHS(), S);
  else if (const auto *Declares = dyn_cast<DeclStmt>(S))
    for (const Decl *Each : Declares->decls())
      if (const auto *D = dyn_cast<VarDecl>(Each)) {
        Declared[D] = S;
        if (D->hasInit())
          Changes[D].push_back({At, S});
      }
  for (const Stmt *Child : S->children())
    if (Child)
      add(Child, S);
}

bool Order::isWithin(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Is) const {
  for (; S; S = Parents.lookup(S))
    if (Is(S))
      return true;
  return false;
}

bool Order::mayRepeat(const Change &C) const {
  return isWithin(C.By, isLoop) || llvm::any_of(Jumps, [&](const Jump &J) {
           auto To = Labels.find(J.To);
           return To == Labels.end() || (To->second <= C.At && C.At <= J.At);
         });
}

bool Order::isSettled(const VarDecl *D, const Stmt *At) const {
  auto Point = Index.find(At);
  if (!IsKnown || Point == Index.end() || !Uses::isOwn(D) || !D->getType()->isScalarType() || Used.isHandedOn(D))
    return false;
  auto Declaration = Declared.find(D);
  if (!isa<ParmVarDecl>(D) &&
      (Declaration == Declared.end() || mayRepeat({Index.lookup(Declaration->second), Declaration->second})))
    return false;
  auto It = Changes.find(D);
  if (It == Changes.end())
    return Used.changes(D) == 0;
  unsigned Named = 0;
  for (const Change &C : It->second) {
    Named += !isa<DeclStmt>(C.By);
    if (C.At >= Point->second || mayRepeat(C))
      return false;
  }
  return Named == Used.changes(D);
}

/// Whether \p At may be come to without \p C.
bool Order::mayBePassed(const Change &C, const Stmt *At) const {
  const Stmt *Block = Parents.lookup(C.By);
  if (!Block || !isa<CompoundStmt>(Block) || !isWithin(At, [&](const Stmt *S) { return S == Block; }) ||
      isWithin(C.By, [](const Stmt *S) { return isa<SwitchStmt>(S); }))
    return true;
  return llvm::any_of(Jumps, [&](const Jump &J) { return J.At < C.At && Labels.lookup(J.To) > C.At; });
}

std::optional<Order::Value> Order::valueOf(const VarDecl *D, const Stmt *At) const {
  auto It = Changes.find(D);
  if (It == Changes.end() || !isSettled(D, At))
    return std::nullopt;
  const Change &Last = It->second.back(); // they were found in this order
  // Of a variable that is made once, and was nothing before, a correct program reads nothing else.
  bool IsOnly = It->second.size() == 1 && !isa<ParmVarDecl>(D);
  if (!IsOnly && mayBePassed(Last, At))
    return std::nullopt;
  if (isa<DeclStmt>(Last.By))
    return Value{D->getInit(), Last.By};
  const auto *Assigns = dyn_cast<BinaryOperator>(Last.By);
  const Stmt *Parent = Parents.lookup(Last.By);
  if (!Assigns || Assigns->getOpcode() != BO_Assign || !Parent || !isa<CompoundStmt, IfStmt>(Parent))
    return std::nullopt;
  return Value{Assigns->getRHS(), Last.By};
}

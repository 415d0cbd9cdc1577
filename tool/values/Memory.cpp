// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "values/Memory.h"
#include "values/Values.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace mpishm;
using namespace clang;

bool mpishm::isBytePointer(QualType Type) {
  return Type->isPointerType() && Type->getPointeeType()->isAnyCharacterType();
}

bool mpishm::isMemory(QualType Type) {
  Type = Type.getNonReferenceType();
  if (!Type->isPointerType())
    return false;
  return Type->isVoidPointerType() || isBytePointer(Type) || Type->getPointeeType()->getAs<SubstTemplateTypeParmType>();
}

namespace {

/// Sorts the pointers of one body into groups that may be the same memory, and says of each what happens to it.
class Body : public RecursiveASTVisitor<Body> {
public:
  Body(const FunctionDecl *Of, const Places &P) : F(Of), Where(P), Parents(Of->getBody()) {
    Result = isMemory(F->getReturnType()) ? add(true) : NoNode;
    for (const ParmVarDecl *Parameter : F->parameters())
      if (isMemory(Parameter->getType()))
        Nodes[Parameter] = add(true);
  }
  void emit(Emitter &Emit);

  bool VisitVarDecl(VarDecl *D) {
    if (D->hasLocalStorage() && D->getType()->isPointerType() && !isa<ParmVarDecl>(D) && D->getInit())
      assign(nodeOf(D), D->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->getOpcode() == BO_Assign)
      if (unsigned Node = nodeOf(E->getLHS()); Node != NoNode)
        assign(Node, E->getRHS());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    if (Result != NoNode && S->getRetValue())
      assign(Result, S->getRetValue());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (unsigned Node = nodeOf(E); Node != NoNode && !isHarmless(E, Node))
      Groups[find(Node)].Bytes = true;
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) { return true; } // not evaluated
  bool VisitLambdaExpr(LambdaExpr *) { return stop(); }
  bool VisitStmtExpr(StmtExpr *) { return stop(); }
  bool VisitBlockExpr(BlockExpr *) { return stop(); }
  bool VisitAsmStmt(AsmStmt *) { return stop(); }

private:
  static constexpr unsigned NoNode = ~0u;
  struct Group {
    bool Bytes = false;   ///< looked into, or kept, or of another origin
    bool Cleared = false; ///< by memset
    bool Outside = false; ///< a parameter or the result
    std::vector<std::string> DependsOn;
  };

  unsigned add(bool Outside) {
    Leaders.push_back(Leaders.size());
    Groups.emplace_back().Outside = Outside;
    return Leaders.back();
  }
  unsigned find(unsigned Node) const {
    while (Leaders[Node] != Node)
      Node = Leaders[Node];
    return Node;
  }
  bool stop() {
    Stopped = true;
    return false;
  }
  unsigned nodeOf(const VarDecl *D) {
    if (isa<ParmVarDecl>(D) || !D->hasLocalStorage() || !D->getType()->isPointerType()) {
      auto It = Nodes.find(D);
      return It == Nodes.end() ? NoNode : It->second;
    }
    auto [It, New] = Nodes.try_emplace(D, 0);
    if (New)
      It->second = add(false);
    return It->second;
  }
  unsigned nodeOf(const Expr *E) {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    const auto *D = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    return D ? nodeOf(D) : NoNode;
  }
  void join(unsigned A, unsigned B);
  void assign(unsigned Node, const Expr *From);
  bool assignCall(unsigned Node, const CallExpr *Call);
  bool isHarmless(const Expr *E, unsigned Node);
  bool isHarmlessArgument(const CallExpr *Call, const Expr *E, unsigned Node, bool &GoesOn);

  const FunctionDecl *F;
  const Places &Where;
  ParentMap Parents;
  llvm::DenseMap<const VarDecl *, unsigned> Nodes;
  unsigned Result = NoNode;
  std::vector<unsigned> Leaders;
  std::vector<Group> Groups; ///< of the leaders
  bool Stopped = false;
};

} // namespace

void Body::join(unsigned A, unsigned B) {
  A = find(A);
  B = find(B);
  if (A == B)
    return;
  Leaders[B] = A;
  Groups[A].Bytes |= Groups[B].Bytes;
  Groups[A].Cleared |= Groups[B].Cleared;
  Groups[A].Outside |= Groups[B].Outside;
  llvm::append_range(Groups[A].DependsOn, Groups[B].DependsOn);
}

/// A function's value goes to \p Node. False when nothing is known of it.
bool Body::assignCall(unsigned Node, const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return false;
  switch (memoryFunctionOf(Callee, Where)) {
  case MemoryFunction::Fresh:
  case MemoryFunction::Zeroed:
    return true;
  case MemoryFunction::Resized:
    if (unsigned Old = Call->getNumArgs() ? nodeOf(Call->getArg(0)) : NoNode; Old != NoNode) {
      join(Node, Old);
      return true;
    }
    return false;
  case MemoryFunction::None:
    if (Where.isLibrary(Callee->getLocation()))
      return false;
    Groups[find(Node)].DependsOn.push_back(mpishm::idOf(Callee, Where) + "#result");
    return true;
  default:
    return false;
  }
}

void Body::assign(unsigned Node, const Expr *From) {
  From = From->IgnoreParenCasts();
  if (const auto *Full = dyn_cast<FullExpr>(From))
    From = Full->getSubExpr()->IgnoreParenCasts();
  bool Known = false;
  if (unsigned Other = nodeOf(From); Other != NoNode) {
    join(Node, Other);
    Known = true;
  } else if (const auto *Call = dyn_cast<CallExpr>(From)) {
    Known = assignCall(Node, Call);
  } else if (const auto *New = dyn_cast<CXXNewExpr>(From)) {
    const FunctionDecl *Operator = New->getOperatorNew();
    Known = Operator && Operator->isReplaceableGlobalAllocationFunction() && !New->hasInitializer() &&
            !New->getAllocatedType()->isRecordType();
  } else if (const auto *Either = dyn_cast<ConditionalOperator>(From)) {
    assign(Node, Either->getTrueExpr());
    assign(Node, Either->getFalseExpr());
    Known = true;
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(From);
             Binary && (Binary->isAssignmentOp() || Binary->isCommaOp())) {
    assign(Node, Binary->getRHS());
    Known = true;
  } else {
    Known = From->isNullPointerConstant(F->getASTContext(), Expr::NPC_ValueDependentIsNotNull);
  }
  if (!Known)
    Groups[find(Node)].Bytes = true;
}

/// \p E, a value of \p Node, is an argument of \p Call. Sets \p GoesOn when the call's value is this memory, too.
bool Body::isHarmlessArgument(const CallExpr *Call, const Expr *E, unsigned Node, bool &GoesOn) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || isa<CXXOperatorCallExpr>(Call))
    return false;
  unsigned Index = 0;
  while (Index < Call->getNumArgs() && Call->getArg(Index) != E)
    ++Index;
  if (Index == Call->getNumArgs())
    return false;
  switch (memoryFunctionOf(Callee, Where)) {
  case MemoryFunction::Freed:
    return true;
  case MemoryFunction::Resized:
    GoesOn = true;
    return Index == 0;
  case MemoryFunction::Cleared:
    Groups[find(Node)].Cleared = true;
    return Index == 0;
  case MemoryFunction::None:
    if (Where.isLibrary(Callee->getLocation()))
      return false;
    Groups[find(Node)].DependsOn.push_back(mpishm::idOf(Callee, Where) + "#" + std::to_string(Index));
    return true;
  default:
    return false;
  }
}

/// True when nothing is done with the value \p E of \p Node but to hand it on, to compare it, to free it.
bool Body::isHarmless(const Expr *E, unsigned Node) {
  for (const Stmt *Value = E, *Parent = Parents.getParent(E);; Value = Parent, Parent = Parents.getParent(Parent)) {
    if (!Parent)
      return false;
    if (const auto *S = dyn_cast<DeclStmt>(Parent)) // assign() has seen the variable, if we follow it
      return llvm::all_of(S->decls(), [&](const Decl *D) {
        const auto *Variable = dyn_cast<VarDecl>(D);
        return !Variable || !Variable->getInit() || nodeOf(Variable) != NoNode;
      });
    if (isa<ReturnStmt>(Parent))
      return Result != NoNode;
    if (!isa<Expr>(Parent))
      return true; // tested, or dropped
    if (isa<ParenExpr, FullExpr>(Parent))
      continue;
    if (const auto *Cast = dyn_cast<CastExpr>(Parent)) {
      if (Cast->getCastKind() == CK_PointerToBoolean || Cast->getCastKind() == CK_ToVoid)
        return true;
      if (!Cast->getType()->isPointerType())
        return false;
      continue;
    }
    if (const auto *Unary = dyn_cast<UnaryOperator>(Parent))
      return Unary->getOpcode() == UO_LNot;
    if (const auto *Either = dyn_cast<ConditionalOperator>(Parent)) {
      if (Either->getCond() == Value)
        return true;
      continue;
    }
    if (const auto *Binary = dyn_cast<BinaryOperator>(Parent)) {
      if (Binary->isComparisonOp() || Binary->isLogicalOp() || (Binary->isCommaOp() && Binary->getLHS() == Value))
        return true;
      bool Follows = Binary->getOpcode() == BO_Assign && nodeOf(Binary->getLHS()) != NoNode;
      if (!Follows && !Binary->isCommaOp())
        return false;
      continue;
    }
    if (const auto *Delete = dyn_cast<CXXDeleteExpr>(Parent)) {
      const FunctionDecl *Operator = Delete->getOperatorDelete();
      return Operator && Operator->isReplaceableGlobalAllocationFunction() &&
             !Delete->getDestroyedType()->isRecordType();
    }
    bool GoesOn = false;
    const auto *Call = dyn_cast<CallExpr>(Parent);
    if (!Call || !isHarmlessArgument(Call, cast<Expr>(Value), Node, GoesOn))
      return false;
    if (!GoesOn)
      return true;
  }
}

void Body::emit(Emitter &Emit) {
  struct Outside {
    unsigned Node;
    uint32_t Object;
  };
  std::vector<Outside> All;
  if (Result != NoNode)
    All.push_back({Result, Emit.result(F)});
  for (const ParmVarDecl *Parameter : F->parameters())
    if (auto It = Nodes.find(Parameter); It != Nodes.end())
      All.push_back({It->second, Emit.objectOf(Parameter)});
  for (const Outside &One : All) {
    Group &G = Groups[find(One.Node)];
    MemoryUse Use;
    Use.Id = Emit.idOf(One.Object);
    Use.DependsOn = G.DependsOn;
    bool Parameter = One.Node != Result;
    bool Joined = llvm::any_of(
        All, [&](const Outside &Other) { return Other.Node != One.Node && find(Other.Node) == find(One.Node); });
    bool Given = Result != NoNode && find(Result) == find(One.Node);
    if (Joined)
      Use.Does = Given ? MemoryUse::Kind::Followed : MemoryUse::Kind::Bytes;
    if (Stopped || G.Bytes || (G.Cleared && (Parameter || Joined)))
      Use.Does = MemoryUse::Kind::Bytes;
    // Where nothing is said the bytes are used; only of instantiations of one template may some say otherwise.
    if (Use.Does != MemoryUse::Kind::Bytes || F->isTemplateInstantiation())
      Emit.memory(std::move(Use));
  }
}

void mpishm::addMemoryUses(const FunctionDecl *F, const Places &Where, Emitter &Emit) {
  if (!F->doesThisDeclarationHaveABody() || Where.isLibrary(F->getLocation()) || F->isVariadic() ||
      isa<CXXConstructorDecl, CXXDestructorDecl>(F) || F->isMain())
    return;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && Method->isVirtual())
    return; // another may be called in its place
  auto OfParameter = [](const ParmVarDecl *P) { return isMemory(P->getType()); };
  if (!isMemory(F->getReturnType()) && llvm::none_of(F->parameters(), OfParameter))
    return;
  Body B(F, Where);
  B.TraverseStmt(F->getBody());
  B.emit(Emit);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Packing.h"
#include "packing/Loops.h"
#include "syntax/Callees.h"
#include "syntax/ProgramVisitor.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

namespace {

/// Of a call of a function that packs.
class PairReader : public SendReader {
public:
  PairReader(ASTContext &C, const Places &P, const Pair &What, const FunctionDecl *In, const FunctionDecl *Callee)
      : SendReader(C, P, What, In, Callee), Call(cast<CallExpr>(What.Packs)), OfPacker(Callee) {}

  /// False: they have nothing to do with one another.
  bool read(PackedSend &Result);

private:
  std::string whyNotEditable(PackedSend &Result) const;
  bool readCover(const VarDecl *Target, bool Substitutes, PackedSend &Result);

  const CallExpr *Call;
  const Uses OfPacker;
};

} // namespace

std::string PairReader::whyNotEditable(PackedSend &Result) const {
  if (Call->getRParenLoc().isMacroID())
    return "a macro packs or sends it";
  for (const Expr *Each : Call->arguments())
    if (Each->HasSideEffects(Context))
      return "an argument of what packs it may do something beside";
  llvm::StringRef Body = textOf(Packer->getBody()->getBeginLoc(), Packer->getBody()->getEndLoc());
  if (Body.empty() || hasDirective(Body) || Body.contains("_Pragma"))
    return "directives of the preprocessor stand in the text";
  return SendReader::whyNotEditable(Result);
}

/// Whether \p Target packs what is sent: true also when that is so but for Result.Refused.
bool PairReader::readCover(const VarDecl *Target, bool Substitutes, PackedSend &Result) {
  Terms Outer(Context, OfSender), Inner(Context, OfPacker, Call, &Outer);
  if (Substitutes)
    Outer.substitute();
  std::optional<Address> To = Inner.first(Target), From = Outer.address(argument(0));
  if (!To || !From || !(*To == *From))
    return false;
  std::string Why;
  std::optional<Cover> C = coverBy(Target, Packer, OfPacker, Inner, Context, Why);
  if (!C)
    return !Why.empty() && refuse(Result, Why);
  if (!isOfElement(Target->getType()->getPointeeType()))
    return refuse(Result, "its elements are of another type than those that are packed");
  if (std::string Other = whyOtherLength(*C, Outer, Result); !Other.empty())
    return refuse(Result, Other);
  if (Outer.early() && !isKeptSince(Outer.early()))
    return refuse(Result, "how much is packed may change after it was found out how much is sent");
  SourceLocation Loops = C->Loops->getBeginLoc();
  if (!isInMainFile(Loops))
    return refuse(Result, "a macro packs it");
  if (std::string Not = whyNotEditable(Result); !Not.empty())
    return refuse(Result, Not);
  Result.Refused.clear();
  Result.Loops = Where.at(Loops);
  Result.LoopsWord = wordAt(Loops);
  Result.Target = Target->getNameAsString();
  Result.Rows = C->Turn.size() > 1 ? C->Turn.front().Text : "1";
  Result.Row = C->Turn.back().Text;
  Result.CountsBefore = Outer.early();
  return true;
}

bool PairReader::read(PackedSend &Result) {
  Result.Packer = nameOf(Packer);
  const auto Targets = targetsOf(Packer);
  return readAny(Result, 2 * Targets.size(), [&](size_t Way, PackedSend &Found) {
    return readCover(Targets[Way % Targets.size()], /*Substitutes=*/Way >= Targets.size(), Found);
  });
}

namespace {

class Finder : public ProgramVisitor {
public:
  Finder(ASTContext &C, const Places &P, Types &T, std::vector<PackedSend> &Result)
      : ProgramVisitor(P, T), Context(C), SM(C.getSourceManager()), Found(Result) {}

  bool VisitFunctionDecl(FunctionDecl *F) override {
    // Of what it calls, the compiled program has one with FlattenAttr as a part of itself.
    if (F->isThisDeclarationADefinition() && !F->isTemplateInstantiation() && !F->isDependentContext() &&
        !F->hasAttr<FlattenAttr>() && F->getBody() && isInMainFile(F->getBody()))
      search(F->getBody(), F);
    return true;
  }

private:
  bool isInMainFile(const Stmt *S) const {
    return S->getBeginLoc().isFileID() && SM.getFileID(S->getBeginLoc()) == SM.getMainFileID();
  }
  void search(const Stmt *S, const FunctionDecl *In);
  void look(const Stmt *First, const Stmt *Second, const FunctionDecl *In);
  const FunctionDecl *packerOf(const CallExpr *Call) const;

  ASTContext &Context;
  const SourceManager &SM;
  std::vector<PackedSend> &Found;
  std::vector<std::pair<const CompoundStmt *, const Stmt *>> Around; ///< from outside in
};

} // namespace

/// All of \p S that is run as a part of \p In.
void Finder::search(const Stmt *S, const FunctionDecl *In) {
  if (!S || isa<LambdaExpr, BlockExpr, StmtExpr, CapturedStmt, OMPExecutableDirective>(S))
    return; // of which the compiler makes functions of their own
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    const Stmt *Before = nullptr;
    for (const Stmt *Each : Block->body()) {
      Around.push_back({Block, Each});
      if (Before)
        look(Before, Each, In);
      search(Each, In);
      Around.pop_back();
      Before = Each;
    }
    return;
  }
  if (!isa<Expr>(S))
    for (const Stmt *Child : S->children())
      search(Child, In);
}

/// The function of this file that \p Call calls for sure.
const FunctionDecl *Finder::packerOf(const CallExpr *Call) const {
  const FunctionDecl *Callee = Call->getDirectCallee(), *Definition = nullptr;
  if (!Callee || isa<CXXOperatorCallExpr>(Call) || !Callee->hasBody(Definition) || Definition->isVariadic() ||
      Definition->isTemplateInstantiation() || Definition->isDependentContext() || Definition->hasAttr<WeakAttr>() ||
      Definition->hasAttr<AlwaysInlineAttr>() || !isInMainFile(Definition->getBody()))
    return nullptr;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee); Method && Method->isVirtual())
    return nullptr;
  return Definition;
}

/// `f();`, `error = f();` or `int error = f();` of a variable of the function, which is written when f has returned.
static const CallExpr *callIn(const Stmt *S) {
  const ValueDecl *Result = nullptr;
  const Expr *Value = nullptr;
  if (const auto *Declares = dyn_cast<DeclStmt>(S)) {
    const auto *D = Declares->isSingleDecl() ? dyn_cast<VarDecl>(Declares->getSingleDecl()) : nullptr;
    Result = D;
    Value = D ? D->getInit() : nullptr;
  } else if (const auto *Assigns = dyn_cast<BinaryOperator>(S); Assigns && Assigns->getOpcode() == BO_Assign) {
    const auto *Name = dyn_cast<DeclRefExpr>(Assigns->getLHS()->IgnoreParens());
    Result = Name ? Name->getDecl() : nullptr;
    Value = Assigns->getRHS();
  } else {
    return dyn_cast<CallExpr>(S);
  }
  return Result && Value && Uses::isOwn(Result) ? dyn_cast<CallExpr>(Value->IgnoreParenImpCasts()) : nullptr;
}

void Finder::look(const Stmt *First, const Stmt *Second, const FunctionDecl *In) {
  const auto *Packs = dyn_cast<CallExpr>(First), *Sends = callIn(Second);
  if (!Sends || !isInMainFile(First) || !isInMainFile(Second))
    return;
  llvm::StringRef Name = mpiNameOf(Sends->getDirectCallee());
  unsigned Arguments = Name == "MPI_Isend" ? 7 : Name == "MPI_Send" ? 6 : 0;
  if (!Arguments || Sends->getNumArgs() != Arguments)
    return;
  Pair Both{First, Sends, {Around.rbegin(), Around.rend()}};
  const FunctionDecl *Packer = Packs ? packerOf(Packs) : nullptr;
  PackedSend Send;
  bool Any = Packer                ? PairReader(Context, Where, Both, In, Packer).read(Send)
             : isa<ForStmt>(First) ? readLoopsBefore(Context, Where, Both, In, Send)
                                   : false;
  if (Any)
    Found.push_back(std::move(Send));
}

void mpishm::collectPacked(ASTContext &Context, const Places &Where, Types &Typing, std::vector<PackedSend> &Packed) {
  Finder(Context, Where, Typing, Packed).TraverseDecl(Context.getTranslationUnitDecl());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Packing.h"
#include "packing/Covers.h"
#include "syntax/Callees.h"
#include "syntax/ProgramVisitor.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

namespace {

/// `pack(...); MPI_Isend(...);` in a function.
struct Pair {
  const CallExpr *Packs = nullptr, *Sends = nullptr;
  /// What the pair stands in, from inside out: blocks, and which of their statements.
  std::vector<std::pair<const CompoundStmt *, const Stmt *>> Around;
};

class PairReader {
public:
  PairReader(ASTContext &C, const Places &P, const Pair &What, const FunctionDecl *In, const FunctionDecl *Callee)
      : Context(C), SM(C.getSourceManager()), Where(P), Both(What), Sender(In), Packer(Callee), OfSender(In),
        OfPacker(Callee) {}

  /// False: they have nothing to do with one another.
  bool read(PackedSend &Result);

private:
  bool refuse(PackedSend &Result, std::string Why) const {
    Result.Refused = std::move(Why);
    return true;
  }
  std::string whyNotEditable(PackedSend &Result);
  std::string whyOtherLength(const Cover &C, Terms &Outer, PackedSend &Result);
  bool readCover(const VarDecl *Target, bool Substitutes, PackedSend &Result);
  const Expr *valueOf(const Expr *E) const;
  std::string nameOfConstant(const Expr *E) const;
  bool isOfElement(const VarDecl *Target) const;
  bool isKeptSince(const VarDecl *D) const;
  bool isQuiet(const Stmt *S) const;
  LinkedName nameOf(const FunctionDecl *F) const;
  std::string wordAt(SourceLocation Loc) const;

  ASTContext &Context;
  const SourceManager &SM;
  const Places &Where;
  const Pair &Both;
  const FunctionDecl *Sender, *Packer;
  const Uses OfSender, OfPacker;
};

} // namespace

LinkedName PairReader::nameOf(const FunctionDecl *F) const {
  ASTNameGenerator Generator(Context);
  return {Generator.getName(F), !F->isExternallyVisible()};
}

std::string PairReader::wordAt(SourceLocation Loc) const {
  llvm::SmallString<32> Word;
  return Lexer::getSpelling(Loc, Word, SM, Context.getLangOpts()).str();
}

/// What a variable was made with that has kept its value since then; else \p E itself.
const Expr *PairReader::valueOf(const Expr *E) const {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *D = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!D || isa<ParmVarDecl>(D) || !D->hasInit() || D->getType().isVolatileQualified())
    return E;
  bool Keeps = Uses::isOwn(D) ? !OfSender.changes(D) : D->getType().isConstQualified() && !D->hasAttr<WeakAttr>();
  return Keeps ? D->getInit() : E;
}

/// The text of \p E where that is one name, which is a macro of a library, and not of the program over that.
std::string PairReader::nameOfConstant(const Expr *E) const {
  SourceLocation At = E->getBeginLoc();
  if (At.isFileID())
    return "";
  for (; At.isMacroID(); At = SM.getImmediateMacroCallerLoc(At))
    if (!Where.isLibrary(SM.getSpellingLoc(At)))
      return "";
  return plainText(E, E, Context).value_or("");
}

/// Whether \p E, the type of the elements, is MPI's for those that \p Target points to.
bool PairReader::isOfElement(const VarDecl *Target) const {
  const std::string Name = nameOfConstant(valueOf(Both.Sends->getArg(2)));
  QualType Element = Target->getType()->getPointeeType().getCanonicalType();
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
bool PairReader::isQuiet(const Stmt *S) const {
  if (!S)
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || (mpiNameOf(F).empty() && F->getCanonicalDecl() != Packer->getCanonicalDecl()))
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

/// Whether since \p D began, nothing was done but that.
bool PairReader::isKeptSince(const VarDecl *D) const {
  for (auto [Block, Inside] : Both.Around) {
    bool Declared = false, Quiet = true;
    for (const Stmt *S : Block->body()) {
      const auto *Declares = dyn_cast<DeclStmt>(S);
      if (Declares && llvm::is_contained(Declares->decls(), D))
        Declared = true;
      else if (Declared)
        Quiet &= isQuiet(S) && !Uses::mayLeave(S, false);
      if (S == Inside)
        break;
    }
    if (Declared)
      return Quiet;
  }
  return false;
}

std::string PairReader::whyNotEditable(PackedSend &Result) {
  SourceLocation Name = Both.Sends->getCallee()->getExprLoc(), Call = Both.Packs->getBeginLoc();
  if (Name.isMacroID() || Call.isMacroID() || Both.Sends->getRParenLoc().isMacroID() ||
      Both.Packs->getRParenLoc().isMacroID())
    return "a macro packs or sends it";
  for (const Expr *Each : Both.Packs->arguments())
    if (Each->HasSideEffects(Context))
      return "an argument of what packs it may do something beside";
  for (unsigned I = 0; I < 6; ++I)
    if (Both.Sends->getArg(I)->HasSideEffects(Context))
      return "an argument of the send may do something beside";
  auto TextOf = [&](SourceLocation Begin, SourceLocation End) {
    return Lexer::getSourceText(CharSourceRange::getTokenRange(Begin, End), SM, Context.getLangOpts());
  };
  llvm::StringRef Pair = TextOf(Call, Both.Sends->getRParenLoc());
  llvm::StringRef Body = TextOf(Packer->getBody()->getBeginLoc(), Packer->getBody()->getEndLoc());
  if (Pair.empty() || Body.empty() || hasDirective(Pair) || hasDirective(Body) || Body.contains("_Pragma") ||
      Pair.contains("_Pragma"))
    return "directives of the preprocessor stand in the text";
  std::optional<std::string> Arguments = plainText(Both.Sends->getArg(0), Both.Sends->getArg(5), Context);
  if (!Arguments)
    return "the arguments of the send cannot be written twice";
  Result.Arguments = *Arguments;
  return "";
}

std::string PairReader::whyOtherLength(const Cover &C, Terms &Outer, PackedSend &Result) {
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
  std::optional<Polynomial> Sent = Outer.count(Both.Sends->getArg(1));
  // Of one negative number a negative one comes, which MPI refuses; of two a number of elements that nobody has packed.
  // Where none is negative, no more are sent than packed, also if the number sent has wrapped around.
  Result.MayBeNegative = Unsure > 1 || (Unsure == 1 && !Outer.isExact());
  return Sent && *Sent == Packed ? "" : "it is not seen that as much is packed as is sent";
}

/// Whether \p Target packs what is sent: true also when that is so but for Result.Refused.
bool PairReader::readCover(const VarDecl *Target, bool Substitutes, PackedSend &Result) {
  Terms Outer(Context, OfSender), Inner(Context, OfPacker, Both.Packs, &Outer);
  if (Substitutes)
    Outer.substitute();
  std::optional<Address> To = Inner.first(Target), From = Outer.address(Both.Sends->getArg(0));
  if (!To || !From || !(*To == *From))
    return false;
  std::string Why;
  std::optional<Cover> C = coverBy(Target, Packer, OfPacker, Inner, Context, Why);
  if (!C)
    return !Why.empty() && refuse(Result, Why);
  if (!isOfElement(Target))
    return refuse(Result, "its elements are of another type than those that are packed");
  if (std::string Other = whyOtherLength(*C, Outer, Result); !Other.empty())
    return refuse(Result, Other);
  if (Outer.early() && !isKeptSince(Outer.early()))
    return refuse(Result, "how much is packed may change after it was found out how much is sent");
  SourceLocation Loops = C->Loops->getBeginLoc();
  if (Loops.isMacroID() || SM.getFileID(Loops) != SM.getMainFileID())
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
  Result.Send = Where.at(Both.Sends->getCallee()->getExprLoc());
  Result.Function = mpiNameOf(Both.Sends->getDirectCallee()).str();
  Result.Call = Where.at(Both.Packs->getBeginLoc());
  Result.CallWord = wordAt(Both.Packs->getBeginLoc());
  Result.Packer = nameOf(Packer);
  Result.Sender = nameOf(Sender);
  bool Any = false;
  std::string Why;
  for (bool Substitutes : {false, true})
    for (const VarDecl *Target : targetsOf(Packer)) {
      PackedSend Found = Result;
      if (!readCover(Target, Substitutes, Found))
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

namespace {

class Finder : public ProgramVisitor<Finder> {
public:
  Finder(ASTContext &C, const Places &P, Types &T, std::vector<PackedSend> &Result)
      : ProgramVisitor(P, T), Context(C), SM(C.getSourceManager()), Found(Result) {}

  void enter(const FunctionDecl *) {}
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->isThisDeclarationADefinition() && !F->isTemplateInstantiation() && !F->isDependentContext() &&
        F->getBody() && isInMainFile(F->getBody()))
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
      !isInMainFile(Definition->getBody()))
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
  if (!Packs || !Sends || !isInMainFile(First) || !isInMainFile(Second))
    return;
  llvm::StringRef Name = mpiNameOf(Sends->getDirectCallee());
  unsigned Arguments = Name == "MPI_Isend" ? 7 : Name == "MPI_Send" ? 6 : 0;
  const FunctionDecl *Packer = packerOf(Packs);
  if (!Arguments || Sends->getNumArgs() != Arguments || !Packer)
    return;
  Pair Both{Packs, Sends, {Around.rbegin(), Around.rend()}};
  PackedSend Send;
  if (PairReader(Context, Where, Both, In, Packer).read(Send))
    Found.push_back(std::move(Send));
}

void mpishm::collectPacked(ASTContext &Context, const Places &Where, Types &Typing, std::vector<PackedSend> &Packed) {
  Finder(Context, Where, Typing, Packed).TraverseDecl(Context.getTranslationUnitDecl());
}

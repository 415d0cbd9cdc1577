// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Arrays.h"
#include "syntax/Expressions.h"
#include "syntax/Keep.h"
#include "syntax/ProgramVisitor.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

namespace {

/// What in main may tell an automatic variable from a static one, or come twice to an initialiser.
class MainSearch : public SyntaxVisitor {
public:
  bool TellsStorage = false, HasLabels = false;
  bool VisitLambdaExpr(LambdaExpr *) override { return TellsStorage = true; }
  bool VisitBlockExpr(BlockExpr *) override { return TellsStorage = true; }
  bool VisitOMPExecutableDirective(OMPExecutableDirective *) override { return TellsStorage = true; }
  bool VisitLabelStmt(LabelStmt *) override { return HasLabels = true; }
};

class ArrayVisitor : public ProgramVisitor {
public:
  ArrayVisitor(ASTContext &AST, const Places &P, Types &T, PointerNodes &N)
      : ProgramVisitor(P, T), Context(AST), Nodes(N) {}

  void enter(const FunctionDecl *F) override { Enclosing = F; }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (F->isMain() && F->doesThisDeclarationHaveABody() && !Where.isLibrary(F->getLocation()))
      readMain(F);
    return true;
  }
  bool VisitVarDecl(VarDecl *D) override {
    if (isArray(D) && D->isThisDeclarationADefinition() != VarDecl::DeclarationOnly && !Known.contains(D))
      add(D, whereLocal(D), nullptr);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
    llvm::StringRef Name = F && F->getIdentifier() && !isa<CXXMethodDecl>(F) ? F->getName() : "";
    if (Name == "main")
      Nodes.Facts.Mains.push_back(Where.at(E->getLocation()));
    else if (Name == "pthread_atfork" || Name == "__register_atfork")
      Nodes.Facts.ForkHandlers.push_back(Where.at(E->getLocation()));
    return true;
  }

private:
  bool isArray(const VarDecl *D) const {
    return !isa<ParmVarDecl>(D) && !D->getType()->isDependentType() && D->getType()->isArrayType() &&
           !Where.isLibrary(D->getLocation());
  }

  std::string whereLocal(const VarDecl *D) const {
    if (!D->isLocalVarDecl())
      return "";
    return Enclosing && Enclosing->isMain() ? "stands in a statement other than blocks and loops"
                                            : "is of a function other than main";
  }
  void readMain(const FunctionDecl *F);
  void readGroup(const DeclStmt *Group, bool Outermost, const MainSearch &Found);
  std::string unfitForStatic(const DeclStmt *Group, bool Outermost, const MainSearch &Found) const;
  std::string unfit(const VarDecl *D) const;
  SourceLocation endOf(const VarDecl *D) const;
  void add(const VarDecl *D, std::string Unfit, const DeclStmt *Group);
  void place(const VarDecl *D, const DeclStmt *Group, ArrayDeclaration &A) const;
  bool isAlready(SourceLocation End, const ArrayDeclaration &A) const;

  ASTContext &Context;
  PointerNodes &Nodes;
  const FunctionDecl *Enclosing = nullptr;
  llvm::DenseSet<const VarDecl *> Known;
};

} // namespace

/// Blocks and loops, and nothing else that statements may stand in.
void ArrayVisitor::readMain(const FunctionDecl *F) {
  MainSearch Found;
  Found.TraverseStmt(F->getBody());
  llvm::SmallVector<std::pair<const Stmt *, bool>, 32> Work = {{F->getBody(), true}};
  while (!Work.empty()) {
    auto [S, Outermost] = Work.pop_back_val();
    if (const auto *Group = dyn_cast_or_null<DeclStmt>(S))
      readGroup(Group, Outermost, Found);
    else if (isa_and_nonnull<CompoundStmt>(S))
      for (const Stmt *Child : S->children())
        Work.push_back({Child, Outermost && (isa<DeclStmt>(Child))});
    else if (const auto *For = dyn_cast_or_null<ForStmt>(S))
      Work.push_back({For->getBody(), false});
    else if (isa_and_nonnull<WhileStmt, DoStmt, IfStmt>(S))
      for (const Stmt *Child : S->children())
        if (isa_and_nonnull<CompoundStmt, ForStmt, WhileStmt, DoStmt, IfStmt>(Child))
          Work.push_back({Child, false});
  }
}

/// Why the variables of \p Group, in main, cannot be static; empty where they can.
std::string ArrayVisitor::unfitForStatic(const DeclStmt *Group, bool Outermost, const MainSearch &Found) const {
  for (const Decl *Each : Group->decls()) {
    const auto *D = dyn_cast<VarDecl>(Each);
    if (!D || !D->getType()->isConstantArrayType() || !Context.getBaseElementType(D->getType()).isPODType(Context))
      return "is declared together with what is none"; // whose speed may depend on that, and what it begins with
    if (D->getStorageClass() != SC_None || D->hasAttrs())
      return "has a storage class or attributes of its own";
    if (D->getInit() &&
        (!Outermost || Found.HasLabels || D->isConstexpr() || !D->getInit()->isConstantInitializer(Context, false)))
      return "is given values each time";
  }
  return Found.TellsStorage ? "is of a main whose closures or OpenMP constructs may tell it from a static one" : "";
}

void ArrayVisitor::readGroup(const DeclStmt *Group, bool Outermost, const MainSearch &Found) {
  for (const Decl *Each : Group->decls()) {
    const auto *D = dyn_cast<VarDecl>(Each);
    if (!D || !isArray(D) || D->hasExternalStorage())
      continue;
    Known.insert(D);
    add(D, D->isStaticLocal() ? "" : unfitForStatic(Group, Outermost, Found), Group);
  }
}

/// What of the type and the attributes of \p D speaks against it.
std::string ArrayVisitor::unfit(const VarDecl *D) const {
  if (!D->getType()->isConstantArrayType())
    return "has a length that is no constant";
  if (D->getTLSKind() != VarDecl::TLS_None)
    return "is of each thread";
  if (Context.getBaseElementType(D->getType()).isConstQualified() || D->isConstexpr())
    return "is constant";
  if (!hasPlainAttributes(D))
    return "has attributes of its own";
  if (D->isStaticDataMember() || isa<VarTemplateSpecializationDecl>(D) || D->isInline())
    return "is of a class or template, or inline";
  return "";
}

/// The semicolon behind \p D, which is no local variable; invalid where it is not found soon.
SourceLocation ArrayVisitor::endOf(const VarDecl *D) const {
  SourceLocation At = D->getEndLoc();
  int Depth = 0;
  for (unsigned Count = 0; Count < 512; ++Count) {
    std::optional<Token> Next = Lexer::findNextToken(At, Where.sources(), Context.getLangOpts());
    if (!Next || Next->is(tok::eof))
      break;
    At = Next->getLocation();
    Depth += Next->isOneOf(tok::l_paren, tok::l_brace, tok::l_square);
    Depth -= Next->isOneOf(tok::r_paren, tok::r_brace, tok::r_square);
    if (Depth < 0)
      break;
    if (Next->is(tok::semi) && Depth == 0)
      return At;
  }
  return {};
}

/// True when behind the semicolon the source says already that it is placed.
bool ArrayVisitor::isAlready(SourceLocation End, const ArrayDeclaration &A) const {
  llvm::StringRef Rest = Where.sources().getCharacterData(End);
  Rest.consume_front(";");
  while (Rest.consume_front(" MPISHM_ARRAY(") || Rest.consume_front(" MPISHM_LOCAL_ARRAY(")) {
    llvm::StringRef Name = Rest.take_until([](char C) { return C == ')'; });
    if (Name == A.Name)
      return true;
    Rest = Rest.drop_front(Name.size());
    if (!Rest.consume_front(");"))
      break;
  }
  return false;
}

/// Where the edits of \p D stand; Unfit where they cannot, Already where they have been done.
void ArrayVisitor::place(const VarDecl *D, const DeclStmt *Group, ArrayDeclaration &A) const {
  const SourceManager &SM = Where.sources();
  SourceLocation Begin = Group ? Group->getBeginLoc() : D->getBeginLoc(),
                 End = Group ? Group->getEndLoc() : SourceLocation();
  if (!Group && D->getEndLoc().isFileID())
    End = endOf(D);
  if (End.isValid() && End.isFileID() && isAlready(End, A)) {
    A.Already = true;
    return;
  }
  bool InFile = Begin.isFileID() && D->getLocation().isFileID() && D->getEndLoc().isFileID();
  InFile = InFile && End.isValid() && End.isFileID() && SM.getFileID(Begin) == SM.getFileID(End) &&
           *SM.getCharacterData(End) == ';';
  if (!InFile ||
      hasDirective(Lexer::getSourceText(CharSourceRange::getTokenRange(Begin, End), SM, Context.getLangOpts()))) {
    A.Unfit = "is declared by a macro, or between directives";
    return;
  }
  A.End = Where.at(End);
  NamePlace At;
  At.Where = At.Token = A.End;
  A.Host = Where.hostOf(At, Group ? Enclosing : nullptr);
  A.Kept = keptBy(End, Begin, Group ? Enclosing : nullptr, Where);
  if (A.Local && !D->isStaticLocal()) {
    A.Static = Where.at(Begin);
    A.First = llvm::StringRef(SM.getCharacterData(Begin), Lexer::MeasureTokenLength(Begin, SM, Context.getLangOpts()));
    if (!isValidAsciiIdentifier(A.First) || A.First == "__extension__")
      A.Unfit = "begins with what has to stand first";
  }
}

void ArrayVisitor::add(const VarDecl *D, std::string Unfit, const DeclStmt *Group) {
  ArrayDeclaration A;
  A.Storage = Nodes.ofVariable(D);
  A.Name = D->getNameAsString();
  A.Local = Group != nullptr;
  if (D->getType()->isConstantArrayType())
    A.Bytes = static_cast<uint64_t>(Context.getTypeSizeInChars(D->getType()).getQuantity());
  A.Unfit = unfit(D);
  if (A.Unfit.empty())
    A.Unfit = std::move(Unfit);
  if (A.Unfit.empty())
    place(D, Group, A);
  Nodes.Facts.Arrays.push_back(std::move(A));
}

void mpishm::collectArrays(ASTContext &Context, const Places &Where, Types &Typing, PointerNodes &Nodes) {
  ArrayVisitor Visitor(Context, Where, Typing, Nodes);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
}

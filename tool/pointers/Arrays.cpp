// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Arrays.h"
#include "pointers/Mains.h"
#include "syntax/Expressions.h"
#include "syntax/Keep.h"
#include "syntax/ProgramVisitor.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

/// Functions of the system that do otherwise with shared memory than with a variable's, or change what memory there is
/// at an address. Where memory is new, or is the system's to find a place for, there is no harm.
static constexpr llvm::StringLiteral Remapping[] = {"madvise", "posix_madvise",    "process_madvise", "mmap",
                                                    "mmap64",  "remap_file_pages", "mremap",          "shmat"};

/// True where the elements of \p D are given values: in C++ they may be initialised by what does nothing.
static bool hasValues(const VarDecl *D) {
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(D->getInit());
  return D->getInit() && !(Made && Made->getConstructor()->isTrivial() && Made->getNumArgs() == 0 &&
                           !Made->requiresZeroInitialization() && !Made->isListInitialization());
}

static bool isDefinition(const VarDecl *D) { return D->isThisDeclarationADefinition() != VarDecl::DeclarationOnly; }

namespace {

/// Arrays of one declaration that stand side by side in it, to become static, and what else it declares not.
struct Segment {
  SourceLocation Begin,
      End;          ///< where it begins: the comma before it, if there is one; the comma or semicolon behind it
  std::string Type; ///< what is to be repeated where it is divided from others; empty where it is all there is
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
  bool VisitCompoundStmt(CompoundStmt *S) override {
    for (const Stmt *Child : S->body())
      if (const auto *Group = dyn_cast<DeclStmt>(Child))
        readStatics(Group);
    return true;
  }
  bool VisitVarDecl(VarDecl *D) override {
    if (isArray(D) && isDefinition(D) && !Known.contains(D))
      add(D, D->isLocalVarDecl() ? whereLocal(D) : "", nullptr);
    return true;
  }
  /// What is written once may be a member here, and a variable there.
  bool VisitFieldDecl(FieldDecl *D) override {
    const SourceManager &SM = Where.sources();
    if (D->getType()->isArrayType() && SM.getFileID(D->getLocation()) != SM.getFileID(D->getParent()->getLocation()))
      Nodes.Facts.Arrays.push_back(described(D, "is a member elsewhere", nullptr));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
    llvm::StringRef Name = F && F->getIdentifier() && !isa<CXXMethodDecl>(F) ? F->getName() : "";
    if (Name == "main")
      Nodes.Facts.Mains.push_back(Where.at(E->getLocation()));
    else if (Name == "pthread_atfork" || Name == "__register_atfork")
      Nodes.Facts.ForkHandlers.push_back(Where.at(E->getLocation()));
    else if (llvm::is_contained(Remapping, Name) && !Harmless.contains(E))
      Nodes.Facts.Remaps.push_back(Where.at(E->getLocation()));
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override;
  bool VisitDecl(Decl *D) override {
    const auto *Alias = D->getAttr<AliasAttr>();
    const auto *Label = D->getAttr<AsmLabelAttr>();
    const auto *Assembly = dyn_cast<FileScopeAsmDecl>(D);
    if ((Alias && Alias->getAliasee() == "main") || (Label && Label->getLabel() == "main") ||
        (Assembly && namesMain(Assembly->getAsmString()->getString())))
      Nodes.Facts.Mains.push_back(Where.at(D->getLocation()));
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *S) override {
    if (namesMain(S->getAsmString()->getString()))
      Nodes.Facts.Mains.push_back(Where.at(S->getBeginLoc()));
    return true;
  }

private:
  bool isArray(const VarDecl *D) const {
    return !isa<ParmVarDecl>(D) && !D->getType()->isDependentType() && D->getType()->isArrayType() &&
           !Where.isLibrary(D->getLocation());
  }

  std::string whereLocal(const VarDecl *D) const { // which is in no block
    if (D->isStaticLocal())
      return "stands in a statement other than blocks";
    return Enclosing && Enclosing->isMain() ? "stands in a statement other than blocks and loops"
                                            : "is of a function other than main";
  }
  void readMain(const FunctionDecl *F);
  void readGroup(const DeclStmt *Group, bool Outermost, const MainReading &Found);
  void readStatics(const DeclStmt *Group);
  std::string unfitForStatic(const Decl *Each, bool Outermost, const MainReading &Found) const;
  std::string typeOf(const DeclStmt *Group) const;
  SourceLocation commaBehind(const Decl *D) const;
  std::optional<Segment> segment(const DeclStmt *Group, llvm::ArrayRef<bool> Fit, size_t Index) const;
  std::string unfitStatic(const VarDecl *D) const;
  std::string unfit(const VarDecl *D) const;
  SourceLocation endOf(const DeclaratorDecl *D) const;
  void add(const VarDecl *D, std::string Unfit, const DeclStmt *Group, const Segment *Part = nullptr);
  ArrayDeclaration described(const DeclaratorDecl *D, std::string Unfit, const DeclStmt *Group,
                             const Segment *Part = nullptr) const;
  std::string placed(const DeclaratorDecl *D, const DeclStmt *Group, const Segment *Part, ArrayDeclaration &A) const;
  bool isAlready(SourceLocation End, const ArrayDeclaration &A) const;

  ASTContext &Context;
  PointerNodes &Nodes;
  const FunctionDecl *Enclosing = nullptr;
  llvm::DenseSet<const VarDecl *> Known;
  llvm::DenseSet<const Expr *> Harmless; ///< names in calls that leave variables alone
};

} // namespace

bool ArrayVisitor::VisitCallExpr(CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  llvm::StringRef Name = F && F->getIdentifier() ? F->getName() : "";
  const Expr *Address = Name.starts_with("mmap") && E->getNumArgs() > 0 ? E->getArg(0)
                        : Name == "shmat" && E->getNumArgs() > 1        ? E->getArg(1)
                                                                        : nullptr;
  if (Address && Address->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull))
    Harmless.insert(E->getCallee()->IgnoreParenImpCasts());
  if (Name == "dlsym" || Name == "dlvsym")
    for (const Expr *Argument : E->arguments())
      if (const auto *Text = dyn_cast<StringLiteral>(Argument->IgnoreParenImpCasts());
          Text && Text->isOrdinary() && Text->getString() == "main")
        Nodes.Facts.Mains.push_back(Where.at(E->getBeginLoc()));
  return true;
}

/// Blocks and loops, and nothing else that statements may stand in.
void ArrayVisitor::readMain(const FunctionDecl *F) {
  MainReading Found = mpishm::readMain(F);
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

/// Why what is declared in main cannot be static; empty where it can.
std::string ArrayVisitor::unfitForStatic(const Decl *Each, bool Outermost, const MainReading &Found) const {
  const auto *D = dyn_cast<VarDecl>(Each);
  if (!D || !D->getType()->isConstantArrayType())
    return "has a length that is no constant"; // or is no array: the speed of others may depend on that
  if (!Context.getBaseElementType(D->getType()).isPODType(Context))
    return "has elements that are made each time";
  if (D->getStorageClass() != SC_None || D->hasAttrs())
    return "has a storage class or attributes of its own";
  if (hasValues(D) && (!Outermost || Found.ComesAgain || D->isConstexpr() || !isStrictConstant(D->getInit(), Context)))
    return "is given values each time";
  return Found.TellsStorage ? "is of a main of which a part may tell it from a static one" : "";
}

/// What \p Group begins with, up to its first declarator, where it is a few words; empty for anything else.
std::string ArrayVisitor::typeOf(const DeclStmt *Group) const {
  const auto *First = dyn_cast<DeclaratorDecl>(*Group->decl_begin());
  if (!First || !Group->getBeginLoc().isFileID() || !First->getLocation().isFileID())
    return "";
  CharSourceRange Before = CharSourceRange::getCharRange(Group->getBeginLoc(), First->getLocation());
  llvm::StringRef Text = Lexer::getSourceText(Before, Where.sources(), Context.getLangOpts()).rtrim(" *");
  auto IsPlain = [](char C) { return isAsciiIdentifierContinue(C) || C == ' ' || C == ':'; };
  return llvm::all_of(Text, IsPlain) && !Text.contains("__extension__") ? Text.str() : "";
}

/// Invalid where none follows, not in the file itself, or with no space behind it: what it becomes ends with a type.
SourceLocation ArrayVisitor::commaBehind(const Decl *D) const {
  if (!D->getEndLoc().isFileID())
    return {};
  std::optional<Token> Next = Lexer::findNextToken(D->getEndLoc(), Where.sources(), Context.getLangOpts());
  bool IsSpaced =
      Next && Next->is(tok::comma) && isWhitespace(Where.sources().getCharacterData(Next->getLocation())[1]);
  return IsSpaced ? Next->getLocation() : SourceLocation();
}

/// The segment of \p Group, of which each may become static that is \p Fit, around the one at \p Index, which is.
std::optional<Segment> ArrayVisitor::segment(const DeclStmt *Group, llvm::ArrayRef<bool> Fit, size_t Index) const {
  size_t First = Index, Last = Index;
  while (First > 0 && Fit[First - 1])
    --First;
  while (Last + 1 < Fit.size() && Fit[Last + 1])
    ++Last;
  Segment Result = {Group->getBeginLoc(), Group->getEndLoc(), ""};
  if (First == 0 && Last + 1 == Fit.size())
    return Result;
  Result.Type = typeOf(Group);
  if (First > 0)
    Result.Begin = commaBehind(Group->decl_begin()[First - 1]);
  if (Last + 1 < Fit.size())
    Result.End = commaBehind(Group->decl_begin()[Last]);
  if (Result.Type.empty() || Result.Begin.isInvalid() || Result.End.isInvalid())
    return std::nullopt;
  return Result;
}

/// What of the function that the static \p D is of speaks against it: there must be one of it, which the linker knows
/// by no name. So it is with main's, too.
std::string ArrayVisitor::unfitStatic(const VarDecl *D) const {
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent()) {
    const auto *F = dyn_cast<FunctionDecl>(C);
    if (C->isDependentContext() || isa<ClassTemplateSpecializationDecl>(C) || (F && F->isTemplateInstantiation()))
      return "is of a template";
    if (F && (F->isConstexpr() || (F->isInlined() && (F->isExternallyVisible() || isa<CXXMethodDecl>(F)))))
      return "is of an inline function, or of a closure";
    if (C->isFunctionOrMethod() && !F)
      return "is of a block or a construct of OpenMP";
  }
  return "";
}

/// Static arrays that are declared in a block, which one more declaration may follow.
void ArrayVisitor::readStatics(const DeclStmt *Group) {
  for (const Decl *Each : Group->decls())
    if (const auto *D = dyn_cast<VarDecl>(Each); D && D->isStaticLocal() && isArray(D) && Known.insert(D).second)
      add(D, unfitStatic(D), Group);
}

void ArrayVisitor::readGroup(const DeclStmt *Group, bool Outermost, const MainReading &Found) {
  llvm::SmallVector<std::string, 4> Reasons;
  llvm::SmallVector<bool, 4> Fit;
  for (const Decl *Each : Group->decls()) {
    Reasons.push_back(unfitForStatic(Each, Outermost, Found));
    Fit.push_back(Reasons.back().empty());
  }
  for (auto [Index, Each] : llvm::enumerate(Group->decls())) {
    const auto *D = dyn_cast<VarDecl>(Each);
    if (!D || !isArray(D) || !D->hasLocalStorage() || !Known.insert(D).second)
      continue;
    std::optional<Segment> Part;
    if (Fit[Index] && !(Part = segment(Group, Fit, Index)))
      Reasons[Index] = "is declared together with what is none";
    add(D, Reasons[Index], Group, Part ? &*Part : nullptr);
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
  if (D->getQualifier() || !D->getIdentifier())
    return "is not declared by its own name alone";
  if (D->isFileVarDecl() && llvm::count_if(D->redecls(), isDefinition) > 1)
    return "is declared more than once";
  return "";
}

/// The semicolon behind \p D, which is in no block; invalid where it is not found soon.
SourceLocation ArrayVisitor::endOf(const DeclaratorDecl *D) const {
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
  while (Rest.consume_front(" MPISHM_ARRAY(")) {
    llvm::StringRef Name = Rest.take_until([](char C) { return C == ')'; });
    if (Name == A.Name)
      return true;
    Rest = Rest.drop_front(Name.size());
    if (!Rest.consume_front(");"))
      break;
  }
  return false;
}

/// Notes in \p A where the edits of \p D stand, or that they have been done. Returns why they cannot be.
std::string ArrayVisitor::placed(const DeclaratorDecl *D, const DeclStmt *Group, const Segment *Part,
                                 ArrayDeclaration &A) const {
  const SourceManager &SM = Where.sources();
  SourceLocation Begin = Group ? Group->getBeginLoc() : D->getBeginLoc(), End = Part    ? Part->End
                                                                                : Group ? Group->getEndLoc()
                                                                                        : SourceLocation();
  if (!Group && D->getEndLoc().isFileID())
    End = endOf(D);
  if (End.isValid() && End.isFileID()) {
    A.End = Where.at(End);
    A.Already = isAlready(End, A);
  }
  bool InFile = Begin.isFileID() && D->getLocation().isFileID() && D->getEndLoc().isFileID();
  InFile = InFile && End.isValid() && End.isFileID() && SM.getFileID(Begin) == SM.getFileID(End);
  A.Last = InFile ? std::string(1, *SM.getCharacterData(End)) : "";
  InFile = InFile && (A.Last == ";" || (Part && A.Last == ","));
  if (!InFile ||
      hasDirective(Lexer::getSourceText(CharSourceRange::getTokenRange(Begin, End), SM, Context.getLangOpts())))
    return "is declared by a macro, or between directives";
  NamePlace At;
  At.Where = At.Token = A.End;
  A.Host = Where.hostOf(At, Group ? Enclosing : nullptr);
  A.Kept = keptBy(End, Begin, Group ? Enclosing : nullptr, Where);
  if (Part) {
    A.Type = Part->Type;
    A.Static = Where.at(Part->Begin);
    A.First = llvm::StringRef(SM.getCharacterData(Part->Begin),
                              Lexer::MeasureTokenLength(Part->Begin, SM, Context.getLangOpts()));
    if (A.First != "," && (!isValidAsciiIdentifier(A.First) || A.First == "__extension__"))
      return "begins with what has to stand first";
  }
  return "";
}

ArrayDeclaration ArrayVisitor::described(const DeclaratorDecl *D, std::string Unfit, const DeclStmt *Group,
                                         const Segment *Part) const {
  ArrayDeclaration A;
  A.Name = D->getNameAsString();
  if (D->getType()->isConstantArrayType())
    A.Bytes = static_cast<uint64_t>(Context.getTypeSizeInChars(D->getType()).getQuantity());
  std::string Misplaced = placed(D, Group, Part, A);
  A.Unfit = Unfit.empty() ? std::move(Misplaced) : std::move(Unfit);
  return A;
}

void ArrayVisitor::add(const VarDecl *D, std::string Unfit, const DeclStmt *Group, const Segment *Part) {
  std::string Itself = unfit(D);
  ArrayDeclaration A = described(D, Itself.empty() ? std::move(Unfit) : std::move(Itself), Group, Part);
  A.Storage = Nodes.ofVariable(D);
  Nodes.Facts.Arrays.push_back(std::move(A));
}

void mpishm::collectArrays(ASTContext &Context, const Places &Where, Types &Typing, PointerNodes &Nodes) {
  ArrayVisitor Visitor(Context, Where, Typing, Nodes);
  Visitor.TraverseDecl(Context.getTranslationUnitDecl());
}

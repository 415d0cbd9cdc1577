// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/Lines.h"
#include "readings/FunctionNames.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

/// The text that \p E is, handed on as it stands or made a std::string; null for anything else.
static const StringLiteral *textOf(const Expr *E) {
  while (E) {
    E = E->IgnoreParens();
    if (const auto *Implicit = dyn_cast<ImplicitCastExpr>(E))
      E = Implicit->getSubExpr();
    else if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bound->getSubExpr();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(E); Made && Made->getNumArgs() > 0)
      E = llvm::all_of(llvm::drop_begin(Made->arguments()), llvm::IsaPred<CXXDefaultArgExpr>) ? Made->getArg(0)
                                                                                              : nullptr;
    else
      break;
  }
  return dyn_cast_or_null<StringLiteral>(E);
}

/// Calls \p What for each return statement of a body, not of those of others in it.
static void forEachReturn(const Stmt *Body, llvm::function_ref<void(const ReturnStmt &)> What) {
  if (!Body || isa<LambdaExpr, BlockExpr>(Body))
    return;
  if (const auto *Return = dyn_cast<ReturnStmt>(Body))
    What(*Return);
  for (const Stmt *Child : Body->children())
    forEachReturn(Child, What);
}

namespace {

/// Meets what holds a number before the number itself.
class LineVisitor : public SyntaxVisitor {
public:
  explicit LineVisitor(const Places &P) : Where(P) {}

  bool TraverseDecl(Decl *D) override {
    bool IsLibrarys = D && !isa<TranslationUnitDecl>(D) && Where.isLibrary(D->getLocation());
    return IsLibrarys || SyntaxVisitor::TraverseDecl(D);
  }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (!F->doesThisDeclarationHaveABody())
      return true;
    Read.insert(F);
    if (handsOutTexts(*F))
      forEachReturn(F->getBody(), [&](const ReturnStmt &Return) {
        if (const StringLiteral *Text = textOf(Return.getRetValue()))
          Told.insert(Text);
      });
    return true;
  }
  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && isTelling(*Callee))
      tellAll(E->arguments());
    else
      tellBesideFile(E->arguments());
    if (Callee)
      passAll(*Callee, *E);
    if (Callee && isCalledAsItStands(*Callee))
      handAll(*E);
    return true;
  }
  bool VisitTypedefNameDecl(TypedefNameDecl *D) override {
    addName(*D, PastedAs::Other);
    return true;
  }
  bool VisitEnumConstantDecl(EnumConstantDecl *D) override {
    if (!cast<EnumDecl>(D->getDeclContext())->isScoped())
      addName(*D, PastedAs::Enumerator);
    return true;
  }
  bool VisitTagDecl(TagDecl *D) override {
    addName(*D, PastedAs::Tag);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (!V->isExternallyVisible() || (V->isStaticDataMember() && V->getType().isConstQualified()))
      addName(*V, PastedAs::Other);
    const StringLiteral *Text = isa<ParmVarDecl>(V) || !isOfText(V->getType()) ? nullptr : textOf(V->getInit());
    if (Text)
      Named.push_back({V->getCanonicalDecl(), Text});
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) override {
    llvm::SmallVector<const Expr *, 8> Parts;
    addSummands(E, Parts);
    if (llvm::any_of(Parts, [&](const Expr *Each) { return isFrom(Each, "__FILE__"); }))
      for (const Expr *Each : Parts)
        if (const auto *Made = dyn_cast<CallExpr>(Each); Made && makesText(Made->getDirectCallee()))
          tellAll(Made->arguments());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (const auto *Variable = dyn_cast<VarDecl>(E->getDecl()); Variable && !Told.contains(E) && !Handed.contains(E))
      Looked.insert(Variable->getCanonicalDecl());
    const auto *Used = dyn_cast<ParmVarDecl>(E->getDecl());
    if (!Used || Told.contains(E))
      return true;
    if (auto To = PassedTo.find(E); To != PassedTo.end())
      Onward.push_back({Used, To->second});
    else
      Counting.insert(Used);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    tellBesideFile(E->arguments());
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *E) override {
    tellBesideFile(E->arguments());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) override { // a stream's, in a template
    if (E->getOpcode() == BO_Shl && E->isTypeDependent())
      tell(E->getRHS());
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) override {
    tellBesideFile(E->inits());
    return true;
  }
  bool VisitIntegerLiteral(IntegerLiteral *E) override {
    if (IsInInstance)
      return true;
    auto To = PassedTo.find(E);
    if (Told.contains(E))
      ToldAt.insert(E->getLocation());
    else if (To != PassedTo.end())
      Given.push_back({E, To->second});
    else
      count(*E);
    return true;
  }
  bool VisitStringLiteral(StringLiteral *E) override {
    for (unsigned I = 0; !IsInInstance && Told.contains(E) && I < E->getNumConcatenated(); ++I)
      ToldAt.insert(E->getStrTokenLoc(I));
    return true;
  }

  bool VisitPredefinedExpr(PredefinedExpr *E) override {
    if (!IsInInstance && Told.contains(E))
      ToldAt.insert(E->getLocation());
    return true;
  }

  /// Once all has been met: numbers that are given to functions which do no more with them than to tell them are told;
  /// texts that variables have at first are handed on where nobody can look into one.
  void settle() {
    readInstances();
    for (const auto &[Variable, Text] : Named)
      if (mayBeOther(*Variable) || !Looked.contains(Variable))
        hand(*Text);
    for (bool Any = true; Any;) {
      Any = false;
      for (const auto &[From, To] : Onward)
        Any |= !isToldBy(To) && Counting.insert(From).second;
    }
    for (const auto &[Number, To] : Given)
      if (isToldBy(To))
        ToldAt.insert(Number->getLocation());
      else
        count(*Number);
  }

  llvm::DenseSet<SourceLocation> takeTold() { return std::move(ToldAt); }
  llvm::DenseSet<SourceLocation> takeHanded() { return std::move(HandedAt); }
  llvm::DenseMap<SourceLocation, PastedAs> takePasted() { return std::move(Pasted); }
  std::vector<Place> take() {
    llvm::sort(Found);
    Found.erase(llvm::unique(Found), Found.end());
    return std::move(Found);
  }

private:
  void addName(const NamedDecl &D, PastedAs Kind) {
    SourceLocation At = D.getLocation();
    if (At.isMacroID() && Where.sources().isWrittenInScratchSpace(Where.sources().getSpellingLoc(At)))
      Pasted.insert({At, Kind});
  }
  template <typename Range> void tellAll(const Range &Given) {
    for (const Expr *Each : Given)
      tell(Each);
  }
  template <typename Range> void tellBesideFile(const Range &Given) {
    if (llvm::any_of(Given, [&](const Expr *Each) { return isFrom(Each, "__FILE__"); }))
      tellAll(Given);
  }
  /// What \p E adds up, if it is a sum of the library's, as one of texts is.
  void addSummands(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Parts) const {
    const auto *Sum = dyn_cast<CXXOperatorCallExpr>(E);
    const FunctionDecl *Callee = Sum ? Sum->getDirectCallee() : nullptr;
    if (Callee && Sum->getOperator() == OO_Plus && Where.isLibrary(Callee->getLocation()))
      for (const Expr *Each : Sum->arguments())
        addSummands(Each->IgnoreUnlessSpelledInSource(), Parts);
    else
      Parts.push_back(E);
  }
  bool makesText(const FunctionDecl *Callee) const {
    return Callee && Callee->getIdentifier() && Callee->getName() == "to_string" && Callee->isInStdNamespace() &&
           Where.isLibrary(Callee->getLocation());
  }
  void tell(const Expr *Given) { Told.insert(Given->IgnoreParenCasts()); }
  void count(const IntegerLiteral &E) {
    if (isFrom(&E, "__LINE__"))
      Found.push_back(Where.at(E.getLocation()));
  }

  /// Whether a parameter of \p Type is a number, or one that cannot be changed by it.
  static bool isOfNumber(QualType Type) {
    return Type->isIntegerType() || (Type->isLValueReferenceType() && Type->getPointeeType()->isIntegerType() &&
                                     Type->getPointeeType().isConstQualified());
  }
  /// Notes which parameters what is given to \p Callee becomes, where that is known: those of numbers, of a function
  /// with just one body, which is in this unit.
  void passAll(const FunctionDecl &Callee, const CallExpr &E) {
    const FunctionDecl *Body = Callee.getDefinition();
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    bool IsOther = Body && !Body->getASTContext().getLangOpts().CPlusPlus && Body->isInlined() && Body->isGlobal();
    if (!Body || (Method && Method->isVirtual()) || Body->hasAttr<WeakAttr>() || IsOther)
      return;
    // An operator's first operand is its object, unless it has that as a parameter.
    bool HasObject = isa<CXXOperatorCallExpr>(E) && Method && !Method->isExplicitObjectMemberFunction();
    for (unsigned I = 0; I < Body->getNumParams() && I + HasObject < E.getNumArgs(); ++I) {
      const ParmVarDecl *To = Body->getParamDecl(I);
      const Expr *Given = E.getArg(I + HasObject)->IgnoreParenCasts();
      if (!isOfNumber(To->getType()))
        continue;
      PassedTo.insert({Given, To});
      if (IsInInstance || isFrom(Given, "__LINE__"))
        readInstance(*Body);
    }
  }
  /// Of templates only the patterns are met; what becomes of a number is in what is made of one.
  void readInstance(const FunctionDecl &Body) {
    if (Body.isTemplateInstantiation() && !Where.isLibrary(Body.getLocation()) && Read.insert(&Body).second)
      Instances.push_back(&Body);
  }
  void readInstances() {
    IsInInstance = true;
    while (!Instances.empty())
      TraverseStmt(Instances.pop_back_val()->getBody());
    IsInInstance = false;
  }
  /// Whether \p F is a function of the program that nobody computes before the program runs, nor as part of its caller.
  bool isCalledAsItStands(const FunctionDecl &F) const {
    return !Where.isLibrary(F.getLocation()) && runsAsItStands(F);
  }
  void handAll(const CallExpr &E) {
    for (const Expr *Each : E.arguments()) {
      if (!Each->getType()->isPointerType())
        continue;
      Handed.insert(Each->IgnoreParenCasts());
      if (const auto *Name = dyn_cast<PredefinedExpr>(Each->IgnoreParenCasts()))
        HandedAt.insert(Name->getLocation());
      if (const StringLiteral *Text = textOf(Each))
        hand(*Text);
    }
  }
  void hand(const StringLiteral &Text) {
    for (unsigned I = 0; I < Text.getNumConcatenated(); ++I)
      HandedAt.insert(Text.getStrTokenLoc(I));
  }
  static bool isOfText(QualType Kept) {
    return (Kept->isPointerType() || Kept->isArrayType()) && Kept->getPointeeOrArrayElementType()->isAnyCharacterType();
  }
  /// Whether the analysis has to take \p V for more than its first text: what may be written anywhere in the program.
  static bool mayBeOther(const VarDecl &V) {
    QualType Kept =
        V.getType()->isArrayType() ? QualType(V.getASTContext().getBaseElementType(V.getType())) : V.getType();
    return V.hasGlobalStorage() && !V.isConstexpr() && !Kept.isConstQualified();
  }
  bool isToldBy(const ParmVarDecl *To) const {
    return Read.contains(dyn_cast<FunctionDecl>(To->getDeclContext())) && !Counting.contains(To);
  }

  /// A stream's operator, or one of a library's functions that print. What another function makes of a number may
  /// count.
  bool isTelling(const FunctionDecl &Callee) const {
    return Where.isLibrary(Callee.getLocation()) &&
           (Callee.isVariadic() || Callee.getOverloadedOperator() == OO_LessLess);
  }

  /// Whether nobody knows which of its texts \p F returns, and the analysis knows of none what is in it: where that may
  /// be computed before the program runs, or beside the call, it could be a number.
  bool handsOutTexts(const FunctionDecl &F) const {
    QualType Type = F.getReturnType();
    const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
    bool IsText = Class ? Class->getName() == "basic_string" && Class->isInStdNamespace()
                        : Type->isPointerType() && Type->getPointeeType()->isAnyCharacterType();
    return IsText && !F.isConstexpr() && !F.hasAttr<AlwaysInlineAttr>();
  }

  bool isFrom(const Expr *E, llvm::StringRef Macro) const {
    return Where.macroOf(E->IgnoreParenCasts()->getBeginLoc()) == Macro;
  }

  const Places &Where;
  llvm::DenseSet<const Expr *> Told, Handed;
  std::vector<std::pair<const VarDecl *, const StringLiteral *>> Named; ///< the text that a variable has at first
  llvm::DenseSet<const VarDecl *> Looked; ///< variables that are used in other ways than to tell or hand them on
  llvm::DenseMap<const Expr *, const ParmVarDecl *> PassedTo;
  std::vector<std::pair<const IntegerLiteral *, const ParmVarDecl *>> Given;
  std::vector<std::pair<const ParmVarDecl *, const ParmVarDecl *>> Onward; ///< from one function to another
  llvm::DenseSet<const ParmVarDecl *> Counting;                            ///< of which more is made than is told
  llvm::DenseSet<const FunctionDecl *> Read;                               ///< with their bodies
  llvm::SmallVector<const FunctionDecl *, 4> Instances;                    ///< of templates, to be met yet
  bool IsInInstance = false;
  llvm::DenseSet<SourceLocation> ToldAt, HandedAt;
  llvm::DenseMap<SourceLocation, PastedAs> Pasted;
  std::vector<Place> Found;
};

} // namespace

LiteralUses mpishm::findLiteralUses(ASTContext &Context, const Places &Where) {
  LineVisitor V(Where);
  V.TraverseDecl(Context.getTranslationUnitDecl());
  V.settle();
  return {V.take(), V.takeTold(), V.takeHanded(), V.takePasted()};
}

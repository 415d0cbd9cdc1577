// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/Mains.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;
using namespace clang;

/// Statements and expressions that do the same with a static variable as with an automatic one.
static bool isIndifferent(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::NullStmtClass:
  case Stmt::CompoundStmtClass:
  case Stmt::DeclStmtClass:
  case Stmt::LabelStmtClass:
  case Stmt::AttributedStmtClass:
  case Stmt::IfStmtClass:
  case Stmt::SwitchStmtClass:
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::ForStmtClass:
  case Stmt::CXXForRangeStmtClass:
  case Stmt::GotoStmtClass:
  case Stmt::ContinueStmtClass:
  case Stmt::BreakStmtClass:
  case Stmt::ReturnStmtClass:
  case Stmt::CXXTryStmtClass:
  case Stmt::CXXCatchStmtClass:
  case Stmt::StmtExprClass:
  case Stmt::PredefinedExprClass:
  case Stmt::DeclRefExprClass:
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::ImaginaryLiteralClass:
  case Stmt::StringLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::UserDefinedLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
  case Stmt::ConstantExprClass:
  case Stmt::ParenExprClass:
  case Stmt::ParenListExprClass:
  case Stmt::UnaryOperatorClass:
  case Stmt::OffsetOfExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::ArraySubscriptExprClass:
  case Stmt::CallExprClass:
  case Stmt::MemberExprClass:
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CompoundLiteralExprClass:
  case Stmt::InitListExprClass:
  case Stmt::DesignatedInitExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::ArrayInitLoopExprClass:
  case Stmt::ArrayInitIndexExprClass:
  case Stmt::OpaqueValueExprClass:
  case Stmt::VAArgExprClass:
  case Stmt::AtomicExprClass:
  case Stmt::GenericSelectionExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXRewrittenBinaryOperatorClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXDynamicCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXThisExprClass:
  case Stmt::CXXThrowExprClass:
  case Stmt::CXXDefaultArgExprClass:
  case Stmt::CXXDefaultInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
  case Stmt::CXXStdInitializerListExprClass:
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
  case Stmt::CXXBindTemporaryExprClass:
  case Stmt::CXXTypeidExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::ExprWithCleanupsClass:
  case Stmt::MaterializeTemporaryExprClass:
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return true;
  default:
    return false;
  }
}

/// And so for what is declared in a function.
static bool isIndifferent(const Decl *D) {
  return isa<VarDecl, BindingDecl, TypedefNameDecl, TagDecl, EnumConstantDecl, FieldDecl, IndirectFieldDecl, LabelDecl,
             AccessSpecDecl, FunctionDecl, UsingDecl, UsingShadowDecl, UsingEnumDecl, UsingDirectiveDecl,
             NamespaceAliasDecl, StaticAssertDecl, EmptyDecl>(D);
}

static bool returnsTwice(const FunctionDecl *F) {
  return F->hasAttr<ReturnsTwiceAttr>() || F->getBuiltinID() == Builtin::BI__builtin_setjmp ||
         (F->getIdentifier() && (F->getName().contains("setjmp") || F->getName().contains("getcontext") ||
                                 F->getName().contains("swapcontext")));
}

namespace {

class MainSearch : public SyntaxVisitor {
public:
  MainReading Found;

  bool VisitStmt(Stmt *S) override {
    Found.TellsStorage |= !isIndifferent(S);
    return true;
  }
  bool VisitDecl(Decl *D) override {
    Found.TellsStorage |= !isIndifferent(D);
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) override { return Found.ComesAgain = true; }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
    Found.ComesAgain |= F && returnsTwice(F);
    return true;
  }
};

} // namespace

MainReading mpishm::readMain(const FunctionDecl *Main) {
  MainSearch Search;
  Search.TraverseStmt(Main->getBody());
  return Search.Found;
}

static bool isStrictPart(const Stmt *S) {
  if (const auto *Cast = dyn_cast<CastExpr>(S)) {
    CastKind Kind = Cast->getCastKind();
    bool Numbers = Cast->getType()->isArithmeticType() && Cast->getSubExpr()->getType()->isArithmeticType();
    return Numbers || Kind == CK_NullToPointer ||
           (Kind == CK_ArrayToPointerDecay && isa<StringLiteral>(Cast->getSubExpr()->IgnoreParens())) ||
           (Kind == CK_NoOp && isa<ImplicitCastExpr>(Cast));
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(S))
    return Unary->isArithmeticOp();
  if (const auto *Binary = dyn_cast<BinaryOperator>(S))
    return !Binary->isAssignmentOp() && Binary->getOpcode() != BO_Comma && !Binary->isPtrMemOp();
  if (const auto *Name = dyn_cast<DeclRefExpr>(S))
    return isa<EnumConstantDecl>(Name->getDecl());
  if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(S))
    return !Size->getTypeOfArgument()->isVariableArrayType();
  return isa<InitListExpr, ImplicitValueInitExpr, IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral,
             ConstantExpr, ParenExpr, ConditionalOperator, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr,
             CXXScalarValueInitExpr>(S);
}

bool mpishm::isStrictConstant(const Expr *Value, ASTContext &Context) {
  llvm::SmallVector<const Stmt *, 32> Work = {Value};
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    if (!S || !isStrictPart(S))
      return false;
    if (!isa<UnaryExprOrTypeTraitExpr>(S)) // what is asked for its size is not evaluated
      Work.append(S->child_begin(), S->child_end());
  }
  return Value->isConstantInitializer(Context, false);
}

bool mpishm::namesMain(llvm::StringRef Text) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; };
  for (size_t At = Text.find("main"); At != llvm::StringRef::npos; At = Text.find("main", At + 1))
    if ((At == 0 || !IsPart(Text[At - 1])) && (At + 4 == Text.size() || !IsPart(Text[At + 4])))
      return true;
  return false;
}

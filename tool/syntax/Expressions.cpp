// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Expressions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

const Expr *mpishm::standsFor(const Expr *E) {
  if (const auto *X = dyn_cast<ParenExpr>(E))
    return X->getSubExpr();
  if (const auto *X = dyn_cast<FullExpr>(E))
    return X->getSubExpr();
  if (const auto *X = dyn_cast<CXXBindTemporaryExpr>(E))
    return X->getSubExpr();
  if (const auto *X = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return X->getReplacement();
  if (const auto *X = dyn_cast<CXXDefaultArgExpr>(E))
    return X->getExpr();
  if (const auto *X = dyn_cast<CXXDefaultInitExpr>(E))
    return X->getExpr();
  if (const auto *X = dyn_cast<OpaqueValueExpr>(E))
    return X->getSourceExpr();
  if (const auto *X = dyn_cast<GenericSelectionExpr>(E))
    return X->isResultDependent() ? nullptr : X->getResultExpr();
  if (const auto *X = dyn_cast<ChooseExpr>(E))
    return X->getChosenSubExpr();
  if (const auto *X = dyn_cast<CXXStdInitializerListExpr>(E))
    return X->getSubExpr();
  return nullptr;
}

/// Adds the names of what \p Callee may be to \p Names. False when it may be anything else.
static bool addNames(const Expr *Callee, llvm::SmallVectorImpl<const DeclRefExpr *> &Names) {
  Callee = Callee->IgnoreParenImpCasts();
  if (const auto *Operator = dyn_cast<UnaryOperator>(Callee))
    return (Operator->getOpcode() == UO_Deref || Operator->getOpcode() == UO_AddrOf) &&
           addNames(Operator->getSubExpr(), Names);
  if (const auto *Operator = dyn_cast<BinaryOperator>(Callee))
    return Operator->getOpcode() == BO_Comma && addNames(Operator->getRHS(), Names);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Callee))
    return addNames(Choice->getTrueExpr(), Names) && addNames(Choice->getFalseExpr(), Names);
  Names.push_back(dyn_cast<DeclRefExpr>(Callee));
  return Names.back();
}

llvm::SmallVector<const DeclRefExpr *, 2> mpishm::calledNames(const CallExpr *E) {
  llvm::SmallVector<const DeclRefExpr *, 2> Names;
  auto IsFunction = [](const DeclRefExpr *Name) { return isa<FunctionDecl>(Name->getDecl()); };
  if (!addNames(E->getCallee(), Names) || (Names.size() > 1 && !llvm::all_of(Names, IsFunction)))
    return {};
  return Names;
}

const DeclRefExpr *mpishm::calledName(const CallExpr *E) {
  llvm::SmallVector<const DeclRefExpr *, 2> Names = calledNames(E);
  return Names.size() == 1 ? Names.front() : nullptr;
}

QualType mpishm::calledType(const CallExpr *E) {
  const Expr *Called = E->getCallee()->IgnoreParenImpCasts();
  QualType Type = Called->getType();
  if (const auto *Member = dyn_cast<BinaryOperator>(Called); Member && Member->isPtrMemOp())
    return Member->getRHS()->getType()->castAs<MemberPointerType>()->getPointeeType();
  return Type->getPointeeType().isNull() ? Type : Type->getPointeeType();
}

std::optional<std::string> mpishm::qualifierOf(const DeclRefExpr *E, const SourceManager &SM) {
  if (!E->hasQualifier() || E->getQualifier()->getKind() == NestedNameSpecifier::Global)
    return "";
  SourceLocation Begin = E->getQualifierLoc().getBeginLoc(), Name = E->getLocation();
  if (SM.getFileID(Begin) != SM.getFileID(Name))
    return std::nullopt;
  auto [First, From] = SM.getDecomposedLoc(SM.getSpellingLoc(Begin));
  auto [Second, To] = SM.getDecomposedLoc(SM.getSpellingLoc(Name));
  if (First != Second || From >= To)
    return std::nullopt;
  llvm::StringRef Text = SM.getBufferData(First).slice(From, To);
  // Of a macro's body, or of an argument, other tokens might stand between the two.
  for (llvm::StringRef Rest = Text.trim(' '); !Rest.empty(); Rest = Rest.ltrim(' ')) {
    llvm::StringRef Word = Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    Rest = Rest.drop_front(Word.size()).ltrim(' ');
    if (!Rest.consume_front("::") || (Word.empty() && Rest.size() + 2 != Text.trim(' ').size()))
      return std::nullopt;
  }
  return Text.str();
}

QualType mpishm::functionIn(QualType Type) {
  while (!Type.isNull()) {
    if (Type->isFunctionProtoType())
      return Type;
    if (Type->isArrayType())
      Type = QualType(Type->getArrayElementTypeNoTypeQual(), 0);
    else if (Type->isAnyPointerType() || Type->isReferenceType())
      Type = Type->getPointeeType();
    else
      break;
  }
  return {};
}

bool mpishm::hasPlainAttributes(const VarDecl *D) {
  return llvm::all_of(D->attrs(), [](const Attr *A) { return isa<UnusedAttr, UsedAttr, AlignedAttr>(A); });
}

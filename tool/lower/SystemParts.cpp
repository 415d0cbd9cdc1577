// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/SystemParts.h"
#include "syntax/Places.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace clang;

using Classes = llvm::DenseSet<const CXXRecordDecl *>;

bool mpishm::isOfSystem(const Decl &D) { return isInSystemFile(D.getLocation(), D.getASTContext().getSourceManager()); }

namespace {

/// Finds the classes to whose objects a pointer or reference comes about that was none to them before: so that one of
/// their objects may be reached by an address that comes from elsewhere.
class Arrivals : public SyntaxVisitor {
public:
  explicit Arrivals(Classes &To) : Result(To) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitCastExpr(CastExpr *E) override {
    switch (E->getCastKind()) {
    case CK_NoOp: // among them those to a reference of the same type
    case CK_LValueToRValue:
    case CK_ArrayToPointerDecay:
    case CK_FunctionToPointerDecay:
    case CK_NullToPointer:
    case CK_NullToMemberPointer:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return true;
    default:
      if (E->isGLValue())
        add(E->getType());
      addPointed(E->getType());
      addPointed(E->getSubExpr()->getType(), /*Outermost=*/false);
      return true;
    }
  }
  bool VisitVAArgExpr(VAArgExpr *E) override { return addPointed(E->getType()); }
  bool VisitCXXCatchStmt(CXXCatchStmt *S) override {
    const QualType T = S->getCaughtType();
    if (T.isNull()) // catches all
      return true;
    add(T.getNonReferenceType());
    return addPointed(T);
  }
  bool VisitFieldDecl(FieldDecl *D) override { return !D->getParent()->isUnion() || addPointed(D->getType()); }
  bool VisitFunctionDecl(FunctionDecl *D) override {
    if (D->isDefined() || D->isDependentContext())
      return true;
    addPointed(D->getReturnType());
    for (const ParmVarDecl *P : D->parameters())
      addPointed(P->getType(), /*Outermost=*/false);
    return true;
  }

private:
  void add(QualType T) {
    if (const CXXRecordDecl *D = T.isNull() || T->isDependentType() ? nullptr : T->getAsCXXRecordDecl())
      Result.insert(D->getCanonicalDecl());
  }

  /// The class that a \p T points to, through as many pointers as there are; only through two or more where the
  /// \p Outermost does not count. And what functions and members that it points to have.
  bool addPointed(QualType T, bool Outermost = true) {
    for (bool Through = Outermost; !T.isNull() && !T->isDependentType(); Through = true) {
      if (const auto *Member = T->getAs<MemberPointerType>()) {
        add(QualType(Member->getClass(), 0));
        T = Member->getPointeeType();
      } else if (T->isArrayType()) {
        T = T->castAsArrayTypeUnsafe()->getElementType();
        continue;
      } else if (T->isPointerType() || T->isReferenceType()) {
        T = T->getPointeeType();
      } else {
        return true;
      }
      if (const auto *Function = T->getAs<FunctionProtoType>()) {
        for (QualType Parameter : Function->param_types())
          addPointed(Parameter);
        T = Function->getReturnType();
      } else if (Through) {
        add(T);
      }
    }
    return true;
  }

  Classes &Result;
};

} // namespace

/// See findSystemParts. Classes that are \p Reached from elsewhere count as if others knew them.
static int64_t systemPart(const CXXRecordDecl &Of, const Classes &Reached) {
  const CXXRecordDecl *Known = nullptr; // the most derived one
  bool HasSystem = false;
  for (const CXXRecordDecl *D = &Of; D->isPolymorphic();) {
    HasSystem |= isOfSystem(*D);
    if (!Known && (HasSystem || Reached.contains(D->getCanonicalDecl())))
      Known = D;
    if (D->getNumBases() == 0)
      break;
    const CXXRecordDecl *Base = D->bases_begin()->getType()->getAsCXXRecordDecl();
    if (D->getNumBases() > 1 || D->getNumVBases() || !Base || !Base->hasDefinition())
      return 0;
    D = Base->getDefinition();
  }
  // Without the padding at its end, which a derived class may use and the class itself does not.
  return HasSystem ? Known->getASTContext().getASTRecordLayout(Known).getDataSize().getQuantity() : 0;
}

std::map<std::string, SystemPart> mpishm::findSystemParts(ASTContext &Context) {
  std::vector<const CXXRecordDecl *> Polymorphic, Undefined;
  for (const clang::Type *Each : Context.getTypes())
    if (const auto *Record = dyn_cast<RecordType>(Each))
      if (const auto *D = dyn_cast<CXXRecordDecl>(Record->getDecl()); D && !D->isDependentContext()) {
        if (!D->hasDefinition() && !isOfSystem(*D))
          Undefined.push_back(D);
        else if (D->hasDefinition() && D->isPolymorphic())
          Polymorphic.push_back(D->getDefinition());
      }
  Classes Reached;
  auto IsExtended = [&](const CXXRecordDecl *D) { return !isOfSystem(*D) && systemPart(*D, Reached); };
  if (llvm::any_of(Polymorphic, IsExtended))
    Arrivals(Reached).TraverseDecl(Context.getTranslationUnitDecl());
  std::map<std::string, SystemPart> Result;
  const std::unique_ptr<MangleContext> Names(Context.createMangleContext());
  auto Add = [&](const CXXRecordDecl *D, SystemPart Part) {
    std::string Name;
    llvm::raw_string_ostream Out(Name);
    Names->mangleCXXVTable(D, Out);
    Result[Out.str().substr(llvm::StringRef("_ZTV").size())] = Part;
  };
  for (const CXXRecordDecl *D : Polymorphic)
    Add(D, {systemPart(*D, Reached), Context.getASTRecordLayout(D).getSize().getQuantity()});
  for (const CXXRecordDecl *D : Undefined) // another unit's, to which this one may make any addresses
    Add(D, {});
  return Result;
}

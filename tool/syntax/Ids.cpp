// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Ids.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/SmallString.h"

using namespace mpishm;
using namespace clang;

const FunctionDecl *mpishm::patternOf(const FunctionDecl *F) {
  // Without a definition here it is instantiated or specialised in another unit, for its arguments alone.
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern(); Pattern && Pattern->isDefined())
    F = Pattern;
  return F->getCanonicalDecl();
}

static const FieldDecl *patternOf(const FieldDecl *Field) {
  const auto *Record = dyn_cast<CXXRecordDecl>(Field->getParent());
  const CXXRecordDecl *Pattern = Record ? Record->getTemplateInstantiationPattern() : nullptr;
  if (!Pattern)
    return Field;
  for (const FieldDecl *Candidate : Pattern->fields())
    if (Candidate->getFieldIndex() == Field->getFieldIndex())
      return Candidate;
  return Field;
}

/// Where \p D stands and how it is called there: several of a macro's body stand at one place.
static std::string idByPlace(const NamedDecl *D, const Places &Where) {
  const SourceManager &SM = D->getASTContext().getSourceManager();
  Place P = Where.at(D->getLocation());
  std::string Id = "local:" + P.File + ":" + std::to_string(P.Offset) + ":";
  if (D->getLocation().isMacroID())
    Id += std::to_string(SM.getFileOffset(SM.getSpellingLoc(D->getLocation()))) + ":";
  return Id + D->getNameAsString();
}

static bool isNamelessRecord(const DeclContext *Context) {
  const auto *Tag = dyn_cast<TagDecl>(Context);
  return Tag && Tag->getName().empty() && !Tag->getTypedefNameForAnonDecl();
}

/// What the function or variable of C is called that \p D, of the program, is for the linker: `__asm__("name")`. Empty
/// where it is called as in the source.
static std::string idByLabel(const Decl *D, const Places &Where) {
  const auto *Label = isa<VarDecl, FunctionDecl>(D) ? D->getMostRecentDecl()->getAttr<AsmLabelAttr>() : nullptr;
  if (!Label || !cast<NamedDecl>(D)->hasExternalFormalLinkage() || Where.isLibrary(D->getLocation()))
    return "";
  return (isa<FunctionDecl>(D) ? "c:@F@" : "c:@") + Label->getLabel().str();
}

/// The Id of \p D itself, whatever it may be an instantiation of.
static std::string ownId(const Decl *D, const Places &Where) {
  D = D->getCanonicalDecl();
  const auto *Named = cast<NamedDecl>(D);
  if (D->getParentFunctionOrMethod() && !(isa<VarDecl>(D) && cast<VarDecl>(D)->isLocalExternDecl()) &&
      !(isa<FunctionDecl>(D) && cast<FunctionDecl>(D)->isLocalExternDecl()))
    return idByPlace(Named, Where);
  if (isNamelessRecord(D->getDeclContext())) {
    // A closure's call operator stands where its body begins, a nameless record's field where it is declared.
    return idByPlace(Named, Where);
  }
  if (std::string Labelled = idByLabel(D, Where); !Labelled.empty())
    return Labelled;
  llvm::SmallString<128> Usr;
  if (index::generateUSRForDecl(D, Usr))
    return idByPlace(Named, Where);
  // The USR of what has internal linkage names its file without the folder.
  if (isa<VarDecl, FunctionDecl>(D) && !Named->hasExternalFormalLinkage()) {
    Usr += "@";
    Usr += Where.at(D->getLocation()).File;
  }
  return std::string(Usr);
}

std::string mpishm::idOf(const Decl *D, const Places &Where) {
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    D = patternOf(F);
  else if (const auto *Field = dyn_cast<FieldDecl>(D))
    D = ::patternOf(Field);
  else if (const auto *Variable = dyn_cast<VarDecl>(D))
    if (const VarDecl *Pattern = Variable->getTemplateInstantiationPattern())
      D = Pattern;
  return ownId(D, Where);
}

std::string mpishm::instantiationId(const FunctionDecl *F, const Places &Where) { return ownId(F, Where); }

std::string mpishm::indirectId(QualType FunctionType) {
  // One function may be seen from C and from C++.
  static const PrintingPolicy Policy = [] {
    PrintingPolicy P{LangOptions()};
    P.SuppressTagKeyword = P.Bool = P.UseVoidForZeroParams = true;
    return P;
  }();
  std::string Type = FunctionType.getCanonicalType().getUnqualifiedType().getAsString(Policy);
  // A pointer to functions that may throw takes those that do not.
  return "indirect:" + (llvm::StringRef(Type).ends_with(" noexcept") ? Type.substr(0, Type.rfind(' ')) : Type);
}

static std::string functionName(const DeclContext *Context) {
  const auto *F = dyn_cast<FunctionDecl>(Context);
  if (!F)
    return "a function";
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && Method->getParent()->isLambda())
    return "a lambda";
  return F->getQualifiedNameAsString();
}

std::string mpishm::nameOf(const ValueDecl *D) {
  if (isa<ParmVarDecl>(D)) {
    std::string Name = D->getNameAsString();
    return (Name.empty() ? "a parameter" : "parameter '" + Name + "'") + " of " + functionName(D->getDeclContext());
  }
  if (const auto *Field = dyn_cast<FieldDecl>(D)) {
    const RecordDecl *Record = Field->getParent();
    std::string Owner = Record->getNameAsString();
    if (Owner.empty() && Record->getTypedefNameForAnonDecl())
      Owner = Record->getTypedefNameForAnonDecl()->getNameAsString();
    return Owner.empty() ? D->getNameAsString() : Owner + "." + D->getNameAsString();
  }
  return D->getNameAsString();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Prototypes.h"
#include "lower/SystemParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace mpishm;
using namespace clang;

/// Whether objects of the type \p T hold nothing but floating-point numbers.
static bool isFloating(QualType T) {
  T = T.getCanonicalType();
  if (const auto *Array = dyn_cast<clang::ArrayType>(T))
    return isFloating(Array->getElementType());
  if (const RecordDecl *Record = T->getAsRecordDecl()) {
    Record = Record->getDefinition();
    return Record && !Record->field_empty() && (!isa<CXXRecordDecl>(Record) || cast<CXXRecordDecl>(Record)->isPOD()) &&
           llvm::all_of(Record->fields(), [](const FieldDecl *F) { return isFloating(F->getType()); });
  }
  return T->isRealFloatingType() || T->isAnyComplexType();
}

static bool isPointerToFloating(QualType T) { return T->isPointerType() && isFloating(T->getPointeeType()); }

static bool isNumeric(QualType T) {
  return T->isArithmeticType() || T->isEnumeralType() || T->isVoidType() || isPointerToFloating(T) ||
         (T->isPointerType() && T->getPointeeType()->isArithmeticType());
}

/// Whether \p T is a class of a system header, whose objects may be parts of objects of the program's.
static bool isExtensible(QualType T) {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && Class->isPolymorphic() && isOfSystem(*Class->getDefinition());
}

static bool pointsToExtensible(QualType T) {
  return (T->isPointerType() || T->isReferenceType()) && isExtensible(T->getPointeeType());
}

static void noteObjects(llvm::Function &F, const FunctionDecl &D) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&D);
  const unsigned First = Method && Method->isInstance() ? 1 : 0;
  // Where the ABI passes more or fewer values than there are parameters, it is not clear which is which.
  if (!isOfSystem(D) || F.hasStructRetAttr() || F.arg_size() != D.getNumParams() + First)
    return;
  auto Note = [&](unsigned Number) { F.addParamAttr(Number, llvm::Attribute::get(F.getContext(), ObjectAttribute)); };
  if (First && isExtensible(D.getASTContext().getRecordType(Method->getParent())))
    Note(0);
  for (const auto &[Number, Parameter] : llvm::enumerate(D.parameters()))
    if (pointsToExtensible(Parameter->getType()))
      Note(First + Number);
}

void mpishm::notePrototypes(llvm::Module &M, CodeGenerator &Generator) {
  for (llvm::Function &F : M) {
    const auto *D =
        F.isIntrinsic() ? nullptr : dyn_cast_or_null<FunctionDecl>(Generator.GetDeclForMangledName(F.getName()));
    if (!D)
      continue;
    if (!F.isDeclaration()) {
      if (pointsToExtensible(D->getReturnType()))
        F.addRetAttr(llvm::Attribute::get(M.getContext(), ObjectAttribute));
      continue;
    }
    if (!isOfSystem(*D) && D->getLocation().isValid())
      F.addFnAttr(OwnAttribute);
    noteObjects(F, *D);
    if (!D->hasPrototype() || D->isVariadic() || isa<CXXMethodDecl>(D) || F.arg_size() != D->getNumParams())
      continue;
    bool Any = false;
    for (const auto &[Number, Parameter] : llvm::enumerate(D->parameters()))
      if (isPointerToFloating(Parameter->getType())) {
        F.addParamAttr(Number, llvm::Attribute::get(M.getContext(), FloatingAttribute));
        Any = true;
      }
    if (Any && isNumeric(D->getReturnType()) &&
        llvm::all_of(D->parameters(), [](const ParmVarDecl *P) { return isNumeric(P->getType()); }))
      F.addFnAttr(NumericAttribute);
  }
}

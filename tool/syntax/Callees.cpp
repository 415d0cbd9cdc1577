// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Callees.h"
#include "mpi/Functions.h"
#include "syntax/Types.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

MemoryFunction mpishm::memoryFunctionOf(const FunctionDecl *F, const Places &Where) {
  if (!F || !F->getIdentifier() || !(Where.isLibrary(F->getLocation()) || F->getBuiltinID()))
    return MemoryFunction::None;
  return llvm::StringSwitch<MemoryFunction>(F->getName())
      .Cases("malloc", "aligned_alloc", "memalign", "valloc", "alloca", "__builtin_alloca", "_mm_malloc", "mmap",
             "posix_memalign", MemoryFunction::Fresh)
      .Cases("MPI_Alloc_mem", "PMPI_Alloc_mem", "MPISHM_Alloc_mem", MemoryFunction::Fresh)
      .Cases("calloc", "realloc", "reallocarray", MemoryFunction::Other)
      .Cases("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove", "__builtin___memcpy_chk",
             "__builtin___memmove_chk", "mempcpy", MemoryFunction::Copied)
      .Cases("memset", "bzero", "__builtin_memset", "__builtin___memset_chk", MemoryFunction::Other)
      .Cases("free", "_mm_free", "munmap", "MPI_Free_mem", "PMPI_Free_mem", "MPISHM_Free_mem", MemoryFunction::Other)
      .Default(MemoryFunction::None);
}

llvm::StringRef mpishm::mpiNameOf(const FunctionDecl *F) {
  if (!F || !F->getIdentifier() || !F->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return {};
  llvm::StringRef Name = F->getName();
  if (isMpiName(Name) || (Name.starts_with("MPISHM_") && (findFunction(Name) || isAttach(Name))))
    return Name;
  return {};
}

Functions mpishm::callablesOf(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Inner); Address && Address->getOpcode() == UO_AddrOf)
    Inner = Address->getSubExpr()->IgnoreParens();
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner); Construct && Construct->getNumArgs() == 1)
    Inner = Construct->getArg(0)->IgnoreParenImpCasts();
  Functions Found;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *F = dyn_cast<FunctionDecl>(Reference->getDecl())) {
      if (!Types::isStandard(F) && mpiNameOf(F).empty())
        Found.push_back(F);
      return Found;
    }
  const CXXRecordDecl *Record = Inner->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Types::isStandard(Record))
    return Found;
  for (const Decl *D : Record->decls()) {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(D); Method && Method->getOverloadedOperator() == OO_Call)
      Found.push_back(Method);
    else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      for (const FunctionDecl *F : Template->specializations())
        if (F->getOverloadedOperator() == OO_Call)
          Found.push_back(F);
  }
  return Found;
}

/// True when what stands before the body of \p F, a lambda's, says constexpr or consteval.
static bool saysConstexpr(const CXXMethodDecl *F) {
  if (!F->hasBody())
    return false;
  const ASTContext &Context = F->getASTContext();
  auto Text = CharSourceRange::getCharRange(F->getBeginLoc(), F->getBody()->getBeginLoc());
  llvm::StringRef Head = Lexer::getSourceText(Text, Context.getSourceManager(), Context.getLangOpts());
  return Head.contains("constexpr") || Head.contains("consteval");
}

bool mpishm::mayBeConstant(const FunctionDecl *F) {
  for (const DeclContext *In = F; In; In = In->getParent()) {
    const auto *Function = dyn_cast<FunctionDecl>(In);
    if (!Function)
      continue;
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    bool Closure = Method && Method->getParent()->isLambda(); // is constexpr by itself, wherever it can be
    if (Closure ? saysConstexpr(Method) : Function->isConstexpr() && !Function->isDefaulted())
      return true;
  }
  return false;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Callees.h"
#include "mpi/Functions.h"
#include "clang/AST/Decl.h"
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
      .Case("calloc", MemoryFunction::Zeroed)
      .Cases("realloc", "reallocarray", MemoryFunction::Resized)
      .Cases("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove", "__builtin___memcpy_chk",
             "__builtin___memmove_chk", "mempcpy", MemoryFunction::Copied)
      .Cases("memset", "bzero", "__builtin_memset", "__builtin___memset_chk", MemoryFunction::Cleared)
      .Cases("free", "_mm_free", "munmap", "MPI_Free_mem", "PMPI_Free_mem", "MPISHM_Free_mem", MemoryFunction::Freed)
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

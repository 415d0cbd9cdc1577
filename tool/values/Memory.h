// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the program around malloc and free: which hand out memory that nobody else knows, and which only take it
// back.

#ifndef MPISHM_TOOL_VALUES_MEMORY_H
#define MPISHM_TOOL_VALUES_MEMORY_H

#include "values/Emitter.h"
#include "clang/AST/Decl.h"

namespace mpishm {

/// True for pointers to char of any sign: memory in transit, in the functions of older programs.
bool isBytePointer(clang::QualType Type);

/// True for what a function that is there for memory takes or gives: a pointer to void, to char, or to a type of its
/// template's.
bool isMemory(clang::QualType Type);

/// Emits what the body of \p F does with the memory that goes through it.
void addMemoryUses(const clang::FunctionDecl *F, const Places &Where, Emitter &Emit);

} // namespace mpishm

#endif

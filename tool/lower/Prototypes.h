// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What prototypes tell of functions without bodies, and LLVM IR does not: to what their parameters point.

#ifndef MPISHM_TOOL_LOWER_PROTOTYPES_H
#define MPISHM_TOOL_LOWER_PROTOTYPES_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class CodeGenerator;
}
namespace llvm {
class Module;
}

namespace mpishm {

/// The attribute of a parameter that points to floating-point numbers, or to records and arrays of nothing else.
inline constexpr llvm::StringLiteral FloatingAttribute = "mpishm-floating";
/// The attribute of a function that takes such a pointer, and takes and returns nothing but numbers and addresses of
/// numbers otherwise, by its prototype.
inline constexpr llvm::StringLiteral NumericAttribute = "mpishm-numeric";

/// The attribute of a parameter, also of the object that a method is of, of a function of the system's headers, and of
/// the result of any function with a body: it points to an object of a class of those headers that has virtual
/// functions.
inline constexpr llvm::StringLiteral ObjectAttribute = "mpishm-object";

/// The attribute of a function that a header of the program's declares, or a source.
inline constexpr llvm::StringLiteral OwnAttribute = "mpishm-own";

/// Gives these attributes to the functions that \p M, which \p Generator has just made, declares and does not define:
/// the first two to functions of C. To those that it defines only that of the result.
void notePrototypes(llvm::Module &M, clang::CodeGenerator &Generator);

} // namespace mpishm

#endif

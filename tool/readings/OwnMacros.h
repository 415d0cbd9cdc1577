// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program asks for its compiler by macros that compilers predefine (`__clang__`, `__GNUC__`, `_OPENMP`). With those
// of its own compiler, Clang reads the branches that this one reads.

#ifndef MPISHM_TOOL_READINGS_OWNMACROS_H
#define MPISHM_TOOL_READINGS_OWNMACROS_H

#include "sources/OwnCompiler.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace mpishm {

/// Lets \p PP, which has not begun, read the program's files with the macros that \p Own has predefined in place of
/// Clang's. The headers of the system keep Clang's: they hold what each compiler needs for itself, but for macros that
/// say how fast the processor is. A macro that the program or its command defines, or undefines, stays what it makes of
/// it.
void useOwnMacros(clang::Preprocessor &PP, const Predefined &Own);

} // namespace mpishm

#endif

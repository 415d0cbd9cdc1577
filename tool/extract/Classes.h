// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of a unit that have tables of virtual functions.

#ifndef MPISHM_TOOL_EXTRACT_CLASSES_H
#define MPISHM_TOOL_EXTRACT_CLASSES_H

#include "extract/UnitBuilder.h"

namespace mpishm::ir {

/// Adds Unit::Classes and Unit::Tables of \p M to \p Result, as the Itanium C++ ABI lays them out.
void addClasses(const llvm::Module &M, UnitBuilder &Builder, Unit &Result);

} // namespace mpishm::ir

#endif

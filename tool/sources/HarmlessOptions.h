// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of other compilers that say nothing of what a program computes.

#ifndef MPISHM_TOOL_SOURCES_HARMLESSOPTIONS_H
#define MPISHM_TOOL_SOURCES_HARMLESSOPTIONS_H

#include "llvm/ADT/StringRef.h"

namespace mpishm {

/// True for what only optimises, chooses instructions, warns, or says what the compiler does. What an option that is
/// not known here does is not known.
bool isHarmlessOption(llvm::StringRef Option);

} // namespace mpishm

#endif

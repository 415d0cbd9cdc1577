// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints as bytes, for the same build of the tool only.

#ifndef MPISHM_TOOL_CONSTRAINTS_SERIALIZE_H
#define MPISHM_TOOL_CONSTRAINTS_SERIALIZE_H

#include "constraints/Constraints.h"
#include "llvm/ADT/StringRef.h"

namespace mpishm::ir {

/// \p U in bytes. The same constraints give the same bytes.
std::string writeUnit(const Unit &U);

/// Takes back what writeUnit made. False when \p Bytes end early or go on, and then the rest is of no use.
bool readUnit(llvm::StringRef Bytes, Unit &U);

} // namespace mpishm::ir

#endif

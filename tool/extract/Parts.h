// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of records are such that a pointer to them tells how far it may go.

#ifndef MPISHM_TOOL_EXTRACT_PARTS_H
#define MPISHM_TOOL_EXTRACT_PARTS_H

#include "constraints/Constraints.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"

namespace mpishm::ir {

/// What \p E is the address of, if that is a record with arrays in it, or of an array or one of its elements, in one
/// record. An array goes on, for who walks it, into all that is of its elements' type beside it, as `s.send` into
/// `s.receive`. So does a number that a function is given the address of. Nothing for arrays of bytes, as which all of
/// a record is copied, and of records.
std::optional<Part> partOf(const llvm::GEPOperator &E, const llvm::DataLayout &Layout);

} // namespace mpishm::ir

#endif

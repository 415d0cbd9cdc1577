// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes among a program's tokens: __attribute__((...)) and [[...]].

#ifndef MPISHM_TOOL_READINGS_ATTRIBUTES_H
#define MPISHM_TOOL_READINGS_ATTRIBUTES_H

#include "readings/Readings.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mpishm {

struct Attribute {
  llvm::StringRef Scope; ///< "gnu" also in __attribute__; empty for the language's own
  const ReadToken *Name;

  /// It says nothing of what a program does.
  bool isHarmless() const;
};

/// What stands in one pair of parentheses or brackets.
struct AttributeList {
  size_t End = 0; ///< behind it
  llvm::SmallVector<Attribute, 2> Attributes;
  bool HasOther = false; ///< something that is no attribute

  bool isHarmless() const;
};

/// The list that begins at \p First of \p All; none where none does.
std::optional<AttributeList> attributesAt(llvm::ArrayRef<ReadToken> All, size_t First);

} // namespace mpishm

#endif

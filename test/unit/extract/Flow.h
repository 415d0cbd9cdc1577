// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests that walk all that LLVM IR has: functions written in IR, and what their constraints say of an instruction.

#ifndef MPISHM_TEST_UNIT_EXTRACT_FLOW_H
#define MPISHM_TEST_UNIT_EXTRACT_FLOW_H

#include "constraints/Constraints.h"
#include "lower/Lower.h"
#include "llvm/ADT/StringRef.h"
#include <set>

namespace mpishm::test {

/// The unit that the IR \p Text is, or a failure of the test.
std::optional<LoweredUnit> parse(llvm::StringRef Text);

/// The constraints of one function, and what follows from them.
class Flow {
public:
  Flow(const ir::Unit &U, const ir::Function &F) : Unit(U), Code(F) {}

  /// Whether \p To may be made of \p From, by whatever way but through memory.
  bool reaches(ir::Node From, ir::Node To) const;
  /// Whether \p To may be anything.
  bool isAnything(ir::Node To) const;
  /// Whether \p From escapes, itself or as part of something.
  bool escapes(ir::Node From) const;
  bool isNumber(ir::Node To) const;
  bool isNumber(ir::Node To, int64_t Value) const;
  /// Whether \p To may be made of the address of a variable or function.
  bool hasAddress(ir::Node To) const;
  /// Whether \p From is what a call is of, or is given.
  bool isGiven(ir::Node From) const;
  /// Whether there is a constraint of \p Kind whose From is made of \p From and which gives \p To, NoNode for either
  /// that does not matter.
  bool has(ir::Constraint::Kind Kind, ir::Node From, ir::Node To) const;
  /// The node that is the argument \p Index of the call of \p Callee.
  ir::Node argumentOf(llvm::StringRef Callee, unsigned Index = 0) const;

private:
  std::set<ir::Node> madeOf(ir::Node From) const;

  const ir::Unit &Unit;
  const ir::Function &Code;
};

} // namespace mpishm::test

#endif

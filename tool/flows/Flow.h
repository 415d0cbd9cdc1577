// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of a value through a program, as plain data.

#ifndef MPISHM_TOOL_FLOWS_FLOW_H
#define MPISHM_TOOL_FLOWS_FLOW_H

#include "facts/Place.h"
#include <string>
#include <vector>

namespace mpishm::ir {

struct FlowStep {
  std::string Text; ///< what becomes of it, a sentence: "it is put in variable 'kept'"
  Place Where;      ///< by file and line; no file when it has no place
};
inline bool operator==(const FlowStep &A, const FlowStep &B) {
  return A.Text == B.Text && A.Where.File == B.Where.File && A.Where.Line == B.Where.Line;
}

using Flow = std::vector<FlowStep>;

} // namespace mpishm::ir

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which message buffers move into the window: where they are allocated and given back.
//
// To move a buffer changes where its memory lies, and nothing else. It is proved when
//
//   * code that we do not see cannot have its address, for it might give it back or resize it (functions of the C
//     library and of MPI that are known to forget the pointers they are given apart: tool/pointers/Allocations.cpp);
//   * every call that may give it back or resize it can be replaced. The replacements take any pointer, so that it does
//     no harm when they get others, too;
//   * all that one edit moves may move: the calls of a macro or of a wrapper of malloc, what realloc makes of it. Where
//     these make other memory as well, the call of the macro or wrapper is put into one of MPISHM_To_window, which
//     moves what it returns and nothing else.

#ifndef MPISHM_TOOL_BUFFERS_BUFFERS_H
#define MPISHM_TOOL_BUFFERS_BUFFERS_H

#include "program/Decisions.h"
#include "program/Program.h"
#include <set>

namespace mpishm {

struct BufferDecisions {
  std::vector<Buffer> Buffers;
  std::vector<Finding> Findings;
  std::vector<Rename> Renames;
};

/// Decides on the buffers of the calls at \p Sites, those that are rewritten.
BufferDecisions decideBuffers(const Program &P, const std::set<Place> &Sites, const ProgramContext &Context);

} // namespace mpishm

#endif

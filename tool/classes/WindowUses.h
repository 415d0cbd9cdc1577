// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which windows a call may be about, and who else may have them. What is done on a window is one class with the calls
// that may have made it, since MPI and the runtime hold epochs of their own.

#ifndef MPISHM_TOOL_CLASSES_WINDOWUSES_H
#define MPISHM_TOOL_CLASSES_WINDOWUSES_H

#include "classes/Explained.h"
#include "models/Analysis.h"
#include <map>
#include <set>

namespace mpishm::ir {

/// The windows of one call.
struct WindowUse {
  std::set<uint32_t> Made;   ///< by calls with these numbers (MpiCall::Number), those alone that the runtime has
  bool Any = false;          ///< nothing tells which it is not
  std::vector<Refusal> Whys; ///< why the call cannot be rewritten
};

/// Whether both may be about one window.
bool mayMeet(const WindowUse &A, const WindowUse &B);

/// Whether \p C is an operation of a class of windows. What the runtime has no function for is none: it stays MPI's,
/// and is a reason for others where that matters.
bool isOnWindows(const MpiCall &C);

/// Why nobody knows what made \p Handle, a communicator or window that a call is given: "is set nowhere, ...".
std::string whyNotMade(const Analysis &A, uint32_t Handle);

/// The windows of a program that \p Analysis has followed, which must outlive this.
class WindowUses {
public:
  /// The reasons are told to \p Explains, too.
  WindowUses(const LinkedProgram &Program, const Analysis &Values, Explained &Explains);

  /// Of \p C, which isOnWindows().
  WindowUse of(const MpiCall &C) const;

private:
  const MpiCall *makerOf(const Token &T) const;
  bool isGivenOneOfOurs(const MpiCall &C) const;
  WindowUse ofMaker(const MpiCall &C) const;
  void addQueries(const MpiCall &Maker, WindowUse &Use) const;

  const LinkedProgram &P;
  const Analysis &A;
  Explained &Explains;
  std::map<uint32_t, const MpiCall *> Makers; ///< by number: one of the calls
  std::set<uint32_t> Served;                  ///< sites that may be given a window which the runtime has
  bool AnyUnknown = false;                    ///< what some call is given may be anything
};

} // namespace mpishm::ir

#endif

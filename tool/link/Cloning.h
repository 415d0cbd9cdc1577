// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are followed apart for each of their calls.
//
// What all callers give a function meets in it: one that makes memory makes all of it, one that copies copies each to
// all, one that reads a container reads all of them. So a small function has a *clone*, with nodes and objects of its
// own, for each call that names it. What is done in one run of the function is done in one of its instances, so that
// nothing is lost by that. Calls by address and those of code out of sight share one instance, which is no clone; and
// so do, in each recursion, the calls of some function in it.

#ifndef MPISHM_TOOL_LINK_CLONING_H
#define MPISHM_TOOL_LINK_CLONING_H

#include "link/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace mpishm::ir {

/// How much is cloned, in constraints: those of a function and of the clones in it.
struct CloningLimits {
  size_t Small = 48;        ///< of any function
  size_t Exchanging = 200;  ///< of one that calls functions of MPI: its messages are of many buffers and datatypes
  size_t Allocating = 400;  ///< of one that makes memory, or copies what its caller says
  size_t Program = 1000000; ///< of all clones; in a program with more the others are halved until it has not
};

/// Of each function of \p P whether it is cloned: those within \p Limits, but one function of each recursion, at least.
/// \p MakesMemory says it of a function without a body. Depends on nothing else, nor on order.
std::vector<bool> findCloned(const LinkedProgram &P, llvm::function_ref<bool(llvm::StringRef)> MakesMemory,
                             CloningLimits Limits = {});

} // namespace mpishm::ir

#endif

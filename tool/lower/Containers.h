// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of libstdc++ that have a part of their nodes' chain in themselves: the header of a tree or a list, what
// stands before the first node of a hash table, and the one bucket that a small one makes do with.

#ifndef MPISHM_TOOL_LOWER_CONTAINERS_H
#define MPISHM_TOOL_LOWER_CONTAINERS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace mpishm {

/// What returns its first argument, the address of such a part; which of these it is, is the second one.
inline constexpr llvm::StringLiteral HeadMark = "mpishm.head";
enum class Head { Tree, List, BeforeFirst, Bucket };

/// Has each address of such a part go through HeadMark in \p M, before simplification takes away what it is of: a
/// header is at the address of what it is in.
void markHeads(llvm::Module &M);

} // namespace mpishm

#endif

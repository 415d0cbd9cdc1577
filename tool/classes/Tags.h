// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tags and sources a message may have.

#ifndef MPISHM_TOOL_CLASSES_TAGS_H
#define MPISHM_TOOL_CLASSES_TAGS_H

#include "models/Analysis.h"
#include <vector>

namespace mpishm::ir {

/// What is known of the tags of an operation.
struct Tags {
  bool All = false;
  bool Wild = false; ///< may be MPI_ANY_TAG
  std::vector<Region> Numbers;
};

/// What \p Node may be as a tag, of a receive where it \p Receives.
Tags tagsOf(const LinkedProgram &P, const Analysis &A, uint32_t Node, bool Receives);

/// Whether some tag may be both.
bool mayBeEqual(const Tags &X, const Tags &Y);

/// Whether \p Node may be MPI_ANY_SOURCE: what is computed or read may be negative, but is not made to be that.
bool mayBeAnySource(const LinkedProgram &P, const Analysis &A, uint32_t Node);

} // namespace mpishm::ir

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which message buffers are *scratch*: memory that the program only writes and sends. What such a buffer holds after a
// message was sent may be lost, so that the message can be packed elsewhere (MPISHM_Packing_place).
//
// All that the analysis has followed is gone through once more: each load, each copy, each function that is called
// without having a body. What reads, or may, keeps its memory from being scratch; what is not known reads. It is
// proved, too, that what packs a message does nothing beside (Packers.h).

#ifndef MPISHM_TOOL_CLASSES_SCRATCH_H
#define MPISHM_TOOL_CLASSES_SCRATCH_H

#include "classes/ValueClasses.h"
#include "facts/PackingFacts.h"
#include "models/Analysis.h"

namespace mpishm::ir {

/// Of each of \p Packed, forms without PackedSend::Refused with the main files of their units, that the program which
/// \p Values has followed comes to.
PackedVerdicts judgePacked(const LinkedProgram &Program, const Analysis &Values,
                           const std::vector<PackedOfUnit> &Packed);

} // namespace mpishm::ir

#endif

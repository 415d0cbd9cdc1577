// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_DRIVER_UNDO_H
#define MPISHM_TOOL_DRIVER_UNDO_H

#include "driver/Options.h"

namespace mpishm {

/// Takes the edits out of the files that O.Sources names, or that are below the folders it names (default: the current
/// one), and says what it did: shows the diff, writes, or checks, as O.What asks.
Status undo(const Options &O);

} // namespace mpishm

#endif

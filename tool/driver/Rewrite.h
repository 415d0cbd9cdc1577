// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MPISHM_TOOL_DRIVER_REWRITE_H
#define MPISHM_TOOL_DRIVER_REWRITE_H

#include "driver/Options.h"

namespace mpishm {

/// Does what \p O asks for: collect, match, edit, explain; or explains a diagnostic.
Status rewrite(const Options &O);

} // namespace mpishm

#endif

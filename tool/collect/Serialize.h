// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts as bytes, for the same build of the tool only (Cache.h).

#ifndef MPISHM_TOOL_COLLECT_SERIALIZE_H
#define MPISHM_TOOL_COLLECT_SERIALIZE_H

#include "facts/Facts.h"
#include "sources/Scan.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mpishm {

/// \p Facts and \p Names, in bytes. The same facts give the same bytes.
std::string writeFacts(const UnitFacts &Facts, const NameSet &Names);

/// Takes back what writeFacts made. False when \p Bytes end early or go on, and then the rest is of no use.
bool readFacts(llvm::StringRef Bytes, UnitFacts &Facts, NameSet &Names);

} // namespace mpishm

#endif

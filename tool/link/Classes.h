// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tables of virtual functions tell of the objects that have them.

#ifndef MPISHM_TOOL_LINK_CLASSES_H
#define MPISHM_TOOL_LINK_CLASSES_H

#include "link/Program.h"

namespace mpishm::ir {

/// Whether it is known that each object of the class \p Name, mangled, begins with the address of a table, and that all
/// units mean the same by that name.
bool hasTables(const LinkedProgram &P, llvm::StringRef Name);

/// Whether what begins with the address \p Point bytes into \p Variable may be an object of the class \p Name: unless
/// it is known that it is part of another one, which has none there, but a class in common with that one. What has
/// nothing in common is cast only by those who lay out classes alike, whatever the languages say.
bool mayBe(const LinkedProgram &P, uint32_t Variable, int64_t Point, llvm::StringRef Name);

/// What an object that begins with the address \p Point bytes into \p Variable, a table of virtual functions, has of a
/// class of a system header: so that a library that has the object as one of that class knows no more of it than this
/// part, and its virtual functions. Of 0 bytes when that is not known.
SystemPart systemPart(const LinkedProgram &P, uint32_t Variable, int64_t Point);

} // namespace mpishm::ir

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where something stands in the sources, and whether it can be replaced there.

#ifndef MPISHM_TOOL_FACTS_PLACE_H
#define MPISHM_TOOL_FACTS_PLACE_H

#include <cstdint>
#include <string>

namespace mpishm {

/// A position in a file as it is on disk.
struct Place {
  std::string File;    ///< real path, symlinks resolved
  uint32_t Offset = 0; ///< bytes from the start of the file
  uint32_t Line = 0;   ///< from 1
  uint32_t Column = 0; ///< from 1, in bytes
};
bool operator==(const Place &A, const Place &B); ///< same file and offset
bool operator<(const Place &A, const Place &B);  ///< by file, then offset

/// Whether the name of a call can be replaced where it stands.
enum class Editability : uint8_t {
  Editable,
  MacroDefinition, ///< the name stands in the body of a macro of the program and is replaced there (Token), for every
                   ///< expansion at once
  MacroBody,       ///< the name comes from the body of another macro: of a library, or of the command line
  Pasted,          ///< the name was made by token pasting, right where it is used: a #define replaces what was made
  PastedName,      ///< it was so made and handed to another macro, or another name is made from it
  Qualified,       ///< what qualifies the name does not stand before it, as plain text
  SplitName,       ///< the name does not stand there in one piece: it goes on over the end of a line, say
  Stringized,      ///< a macro (Cause: its definition) makes a string of the call's text
  Printed,         ///< the same, of the text as it is written: what the name is defined as does not show there
  Column,          ///< a column of the name's line may be read; as with Printed, a #define moves none
  NoHeader,        ///< the unit does not include mpi.h, whose declarations mpishm.h would bring
  SystemHeader     ///< the call stands in a system header
};

} // namespace mpishm

#endif

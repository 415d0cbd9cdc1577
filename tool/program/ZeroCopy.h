// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that are packed where they are received, instead of in their buffers, from where they would be copied:
//
//   pack(f);                            MPISHM_Packing_begin(out[f], n * n, ...); pack(f);
//   MPI_Isend(out[f], n * n, ...);      MPISHM_Isend_packed(out[f], n * n, ...);
//
// and in pack(), before the loops that write to `to`: MPISHM_PACK_THERE(to, n, n). Or the loops stand where pack() is
// called here: both calls then stand before them, or MPISHM_PACKING, and they write by MPISHM_THERE(to). That is proved
// when
//
//   * the sources have this form (tool/packing): pack() writes each element of the message, whichever way it goes, and
//     reads none, by one pointer which points to the buffer that is sent directly after it;
//   * loops that stand in the function that sends do nothing beside (packing/Harmless.h);
//   * the send is proved, as all that its receive may match;
//   * nobody reads the buffer but sends of this form, and pack() does nothing beside (classes/Scratch.h).
//
// Then nobody can tell what is in the buffer after the send. Where the pointer turns out to point elsewhere, or as many
// bytes are not sent, pack() writes to the buffer as before, and the send is an ordinary one.

#ifndef MPISHM_TOOL_PROGRAM_ZEROCOPY_H
#define MPISHM_TOOL_PROGRAM_ZEROCOPY_H

#include "program/Decisions.h"
#include <map>

namespace mpishm {

/// What \p Units have of that, each once, sorted by the places of the sends. One that the units of a file do not all
/// have is refused.
std::vector<PackedOfUnit> packedSends(const std::vector<UnitFacts> &Units);

/// Why, in some program of \p Values, somebody may read what \p S sends, or its packing does more; empty: in none.
std::string whyRead(const std::vector<ir::ValueClasses> &Values, const PackedSend &S);

/// Adds the edits for \p S to \p Renames, which has that of the send. False: one would be in the way of another.
bool addPackedEdits(const PackedSend &S, std::map<EditKey, Rename> &Renames);

} // namespace mpishm

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that a function packs directly before they are sent: plain data beside Facts.h, which ZeroCopy.cpp of
// `match` reads.

#ifndef MPISHM_TOOL_FACTS_PACKINGFACTS_H
#define MPISHM_TOOL_FACTS_PACKINGFACTS_H

#include "facts/Place.h"
#include <string>
#include <vector>

namespace mpishm {

/// A function, as the linker has its name. One of internal linkage is that of the unit that this is read in.
struct LinkedName {
  std::string Name;
  bool IsInternal = false;
};
inline bool operator==(const LinkedName &A, const LinkedName &B) {
  return A.Name == B.Name && A.IsInternal == B.IsInternal;
}

/// `pack(f); MPI_Isend(out[f], n * n, ...);` where pack() writes all of the message to out[f]; or loops that stand
/// there instead of its call. What the sources say: that nobody else reads there, and what pack() does beside, is seen
/// in the code (classes/Scratch.h).
struct PackedSend {
  Place Send;           ///< of the call's name
  std::string Function; ///< as it is spelled: "MPI_Isend"
  std::string Refused;  ///< why it is no such form after all; then there is nothing else
  Place Call;           ///< of the statement that packs; it begins with the word CallWord
  std::string CallWord;
  std::string Arguments; ///< of the send, without the request
  Place Loops; ///< in the function that packs: of the statement that writes the message, the first word of which
  std::string LoopsWord; ///< is this
  std::string Target;    ///< the pointer that it is written by
  std::string Rows, Row; ///< how often the outer and the inner loop run
  LinkedName Packer, Sender;
  bool InSender = false;         ///< the loops stand in Sender, directly before the send; there is no Packer then
  Place Store;                   ///< then: of the text StoreText, the pointer that they write by where they do; empty
  std::string StoreText;         ///< when Target is a variable that they alone use
  std::vector<LinkedName> Calls; ///< then: the functions that they call
  /// In Sender, which is main: what reads other elements of the memory that the buffer is in, for sure, and calls of
  /// MPI whose first argument is that, with their elements. A read that stands twice in a line is there twice.
  std::vector<Place> ApartReads, ApartCalls;
  /// How long the message is was found out before functions of MPI were called, not directly before it is packed.
  bool CountsBefore = false;
  /// The numbers of turns may be negative in such a way that nothing is packed, and yet something is sent.
  bool MayBeNegative = false;
};
bool operator==(const PackedSend &A, const PackedSend &B);

/// One, and the main file of its unit.
using PackedOfUnit = std::pair<PackedSend, std::string>;

} // namespace mpishm

#endif

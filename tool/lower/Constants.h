// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the constants of a given mpi.h are in LLVM IR. MPI's handles are integers in one library and addresses in
// another, so a communicator in the IR is told from other values only by what it is equal to.

#ifndef MPISHM_TOOL_LOWER_CONSTANTS_H
#define MPISHM_TOOL_LOWER_CONSTANTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace llvm {
class Module;
}

namespace mpishm {

/// The value of one constant: the address of \p Symbol where that is not empty, else \p Number.
struct MpiConstant {
  std::string Symbol;
  int64_t Number = 0;

  /// As which number a null handle is followed. Where it is an address, one that nothing else is: above all not what
  /// a variable holds that nobody has set.
  int64_t numberOfNull() const { return Symbol.empty() ? Number : 0x6e756c6c; }
};
bool operator==(const MpiConstant &A, const MpiConstant &B);

/// By the names of the constants: "MPI_COMM_WORLD", "MPI_ANY_TAG", "MPI_DOUBLE". What mpi.h does not have is absent.
using MpiConstants = std::map<std::string, MpiConstant, std::less<>>;

/// A source that defines a variable for each constant, to be compiled in the place of a unit that includes mpi.h.
std::string sourceOfConstants();

/// Reads them from the IR of that source.
MpiConstants readConstants(const llvm::Module &M);

/// The size in bytes of one element of the predefined datatype \p Name, and whether it can hold nothing but
/// floating-point numbers, which are never made from handles; nothing for other names.
struct ElementType {
  unsigned Size = 0;
  bool Floating = false;
};
std::optional<ElementType> elementOf(llvm::StringRef Name);

/// Whether \p Name, of readConstants(), is a datatype.
bool isDatatype(llvm::StringRef Name);

} // namespace mpishm

#endif

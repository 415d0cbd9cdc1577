// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that work on a duplicate of the communicators that they are given. Each has its source in
// docs/trusted-libraries.md.

#include "program/Trusted.h"
#include "llvm/ADT/StringRef.h"

using namespace mpishm;

namespace {

struct Library {
  llvm::StringLiteral Header;   ///< by which it is known; a '*' stands for any text
  llvm::StringLiteral Function; ///< what its functions' names begin with
  bool StoresCommunicators;     ///< some of them store a communicator through a pointer
};

} // namespace

static constexpr Library Libraries[] = {
    {"petsc*.h", "", true},
    {"parmetis.h", "ParMETIS_V3_", false},
    {"fftw3-mpi.h", "fftw", false},
    {"H5FDmpio.h", "H5Pset_fapl_mpio", false},
};

static bool matches(llvm::StringRef Header, llvm::StringRef Pattern) {
  auto [Begin, End] = Pattern.split('*');
  return Pattern.contains('*') ? Header.starts_with(Begin) && Header.ends_with(End) : Header == Pattern;
}

/// FFTW's functions for wisdom send on the communicator itself.
static bool isPlanner(llvm::StringRef Function) {
  return Function.contains("_mpi_plan_") || Function.contains("_mpi_local_size");
}

Trust mpishm::trustIn(const LibraryFunction &F) {
  for (const Library &L : Libraries)
    if (matches(F.Header, L.Header) && llvm::StringRef(F.Name).starts_with(L.Function) &&
        (L.Function != "fftw" || isPlanner(F.Name)))
      return L.StoresCommunicators ? Trust::MayStore : Trust::Full;
  return Trust::None;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions out of sight that neither use nor keep the communicators they are given: those that the user names, and
// libraries that work on a duplicate. Each library has its source in docs/trusted-libraries.md.

#include "match/Program.h"
#include "llvm/ADT/STLExtras.h"

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
};

static bool matches(llvm::StringRef Header, llvm::StringRef Pattern) {
  auto [Begin, End] = Pattern.split('*');
  return Pattern.contains('*') ? Header.starts_with(Begin) && Header.ends_with(End) : Header == Pattern;
}

/// FFTW's functions for wisdom send on the communicator itself.
static bool isPlanner(llvm::StringRef Function) {
  return Function.contains("_mpi_plan_") || Function.contains("_mpi_local_size");
}

TrustedCalls::TrustedCalls(const std::vector<std::string> &Names) {
  for (const std::string &Name : Names)
    Named.insert(Name);
}

TrustedCalls::Trust TrustedCalls::of(const Argument &A) const {
  if (Named.contains(A.CalleeName))
    return Trust::MayStore;
  for (const Library &L : Libraries)
    if (matches(A.Header, L.Header) && llvm::StringRef(A.CalleeName).starts_with(L.Function) &&
        (L.Function != "fftw" || isPlanner(A.CalleeName)))
      return L.StoresCommunicators ? Trust::MayStore : Trust::Full;
  return Trust::None;
}

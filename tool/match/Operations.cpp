// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Operations.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static bool isOperation(const FunctionInfo &Info) {
  FunctionKind Kind = Info.Kind;
  // What the runtime has no function for is done on MPI's windows, and on its own that MPI has made.
  if (isOneSided(Kind))
    return Info.Supported == Support::Rewritten;
  return Kind == FunctionKind::Send || Kind == FunctionKind::Receive || Kind == FunctionKind::SendReceive ||
         Kind == FunctionKind::Probe || Kind == FunctionKind::MatchedReceive || isCollective(Kind);
}

std::vector<Operation> mpishm::findOperations(const Program &P) {
  std::vector<Operation> Ops;
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    if (C.Info && isOperation(*C.Info)) {
      Ops.emplace_back();
      Ops.back().Call = Index;
      Ops.back().In = C.In;
    }
  return Ops;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Wanted.h"

using namespace mpishm;

std::optional<Finding> mpishm::whyUnwanted(const ProgramCall &C, const ProgramContext &Context) {
  FunctionKind Kind = C.Info->Kind;
  if (isOneSided(Kind)) {
    llvm::StringRef Option = Context.ExchangesOnly               ? "--exchanges-only"
                             : Context.Windows == OneSided::None ? "--onesided=none"
                                                                 : "";
    return Option.empty() ? std::nullopt
                          : std::optional<Finding>({Diagnostic::OneSidedLeft, C.Name, {C.Spelled, Option.str()}, {}});
  }
  if (!isCollective(Kind)) {
    bool IsExchange = C.Info->Nonblocking || Kind == FunctionKind::SendReceive;
    return Context.ExchangesOnly && !IsExchange ? std::optional<Finding>({Diagnostic::NoExchange, C.Name, {}, {}})
                                                : std::nullopt;
  }
  auto Left = [&](std::string Option) { return Finding{Diagnostic::CollectiveLeft, C.Name, {C.Spelled, Option}, {}}; };
  if (Context.ExchangesOnly)
    return Left("--exchanges-only");
  if (Context.Which == Collectives::None)
    return Left("--collectives=none");
  if (Context.Which == Collectives::Data && Kind == FunctionKind::Reduction)
    return Left("--collectives=data");
  return std::nullopt;
}

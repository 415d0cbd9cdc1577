// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Blocks.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

Blocks::Blocks(const Program &P) {
  auto Add = [&](const std::string &Function, Diagnostic What, const Place &Where) {
    auto [It, New] = ByFunction.try_emplace(Function, Finding{What, Where, {Function}, {}});
    Finding &Known = It->second;
    if (!New && std::tie(What, Where) < std::tie(Known.What, Known.Where))
      Known = Finding{What, Where, {Function}, {}};
  };
  for (const FunctionUse &U : P.Uses)
    Add(U.Function, Diagnostic::FunctionAsValue, U.Where);
  for (const FunctionDefinition &D : P.Definitions)
    Add(D.Function, D.IsMacro ? Diagnostic::MacroRedefined : Diagnostic::FunctionDefined, D.Where);

  for (const auto &Entry : ByFunction)
    if (const FunctionInfo *Info = findFunction(Entry.first()))
      if (Entry.second.What == Diagnostic::FunctionAsValue)
        Uses.push_back({Info->Kind, Entry.second});
  llvm::sort(Uses, [](const auto &A, const auto &B) {
    return std::tie(A.second.Where, A.second.Args) < std::tie(B.second.Where, B.second.Args);
  });
}

std::optional<Finding> Blocks::of(const ProgramCall &C) const {
  if (C.isRewritten())
    return std::nullopt;
  if (!C.Info || C.Info->Supported == Support::Unsupported)
    return Finding{Diagnostic::UnsupportedOperation, C.Name, {C.Function}, {}};
  if (llvm::StringRef(C.Spelled).starts_with("PMPI_"))
    return Finding{Diagnostic::ProfilingName, C.Name, {C.Spelled}, {}};
  if (!C.OtherView.empty())
    return Finding{Diagnostic::ConflictingViews, C.Name, {C.Spelled, C.OtherView}, {}};
  switch (C.Edit) {
  case Editability::Editable:
    break;
  case Editability::MacroBody:
    return Finding{Diagnostic::MacroBody, C.Name, {C.Spelled, C.CauseName}, C.Cause};
  case Editability::PastedName:
    return Finding{Diagnostic::PastedName, C.Name, {C.Spelled, C.CauseName}, C.Cause};
  case Editability::SystemHeader:
    return Finding{Diagnostic::SystemHeader, C.Name, {C.Spelled}, {}};
  }
  auto It = ByFunction.find(C.Function);
  if (It != ByFunction.end())
    return It->second;
  return std::nullopt;
}

std::vector<Finding> Blocks::usesAsValue(FunctionKind Kind) const {
  std::vector<Finding> Result;
  for (const auto &[K, F] : Uses)
    if (K == Kind)
      Result.push_back(F);
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Blocks.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

Blocks::Blocks(const Program &Whole) : P(Whole) {
  auto Add = [&](const std::string &Function, Diagnostic What, const Place &Where, Part In) {
    // The runtime's name for it is as good as its own; that which marks a program matters only to those marked.
    llvm::StringRef Mpi = Function;
    std::string Key = Mpi.consume_front("MPISHM_") && !marksOf(Function).any() ? "MPI_" + Mpi.str() : Function;
    auto [It, New] = ByFunction[Key].try_emplace(In, Finding{What, Where, {Function}, {}});
    Finding &Known = It->second;
    if (!New && std::tie(What, Where) < std::tie(Known.What, Known.Where))
      Known = Finding{What, Where, {Function}, {}};
  };
  for (const PartOf<FunctionUse> &U : P.Uses)
    Add(U.Function, Diagnostic::FunctionAsValue, U.Where, U.In);
  for (const PartOf<FunctionDefinition> &D : P.Definitions)
    Add(D.Function, D.IsMacro ? Diagnostic::MacroRedefined : Diagnostic::FunctionDefined, D.Where, D.In);

  for (const auto &Entry : ByFunction)
    if (const FunctionInfo *Info = findFunction(Entry.first()))
      for (const auto &[In, F] : Entry.second)
        if (F.What == Diagnostic::FunctionAsValue)
          Uses.push_back({Info->Kind, {F, In}});
  llvm::sort(Uses, [](const auto &A, const auto &B) {
    return std::tie(A.second.Where, A.second.Args, A.second.In) < std::tie(B.second.Where, B.second.Args, B.second.In);
  });

  // A comment at one use of a macro, say, keeps the name in its body, and so all its uses.
  std::set<Place> InMacros;
  for (const ProgramCall &C : P.Calls)
    if (C.Edit == Editability::MacroDefinition)
      InMacros.insert(C.Token);
  for (const ProgramCall &C : P.Calls)
    if (InMacros.count(C.Token) && byItself(C))
      BlockedNames.try_emplace(C.Token, &C);
}

std::optional<Finding> Blocks::of(const ProgramCall &C) const {
  if (std::optional<Finding> F = byItself(C))
    return F;
  return C.isRewritten() ? std::nullopt : byMacro(C);
}

Finding mpishm::sharedName(const ProgramCall &C, const Place &Here) {
  if (C.Defined)
    return {Diagnostic::SharedMacro,
            Here,
            {C.Spelled, "can be replaced only in all of its file, by a #define, and also"},
            {}};
  return {Diagnostic::SharedMacro,
          Here,
          {C.Spelled, "comes from the body of macro '" + C.CauseName + "', which also", C.CauseName},
          C.Token};
}

/// A name in the body of a macro is replaced for all uses of the macro.
std::optional<Finding> Blocks::byMacro(const ProgramCall &C) const {
  if (C.Edit != Editability::MacroDefinition)
    return std::nullopt;
  auto It = BlockedNames.find(C.Token);
  if (It != BlockedNames.end())
    return sharedName(C, It->second->Name);
  return std::nullopt;
}

/// True when a name in the body of the macro that \p C comes from can be replaced: all uses of the macro are seen, and
/// mpishm.h can be included where it is defined.
bool Blocks::isOurMacro(const ProgramCall &C) const {
  return (P.IsWhole || P.MainFiles.contains(C.Token.File)) && !P.ForeignNames.count(C.Token);
}

std::optional<Finding> Blocks::byItself(const ProgramCall &C) const {
  if (C.isRewritten())
    return std::nullopt;
  if (!C.Info || C.Info->Supported == Support::Unsupported)
    return Finding{Diagnostic::UnsupportedOperation, C.Name, {C.Function}, {}};
  if (std::optional<Finding> F = byPlace(C))
    return F;
  return byFunction(C.Function, C.In);
}

std::optional<Finding> Blocks::ofMark(const ProgramCall &C, Marks Wanted) const {
  const Marks Has = marksOf(C.Spelled);
  if ((Has | Wanted) == Has)
    return std::nullopt;
  if (std::optional<Finding> F = C.isRewritten() ? byPlace(C) : of(C))
    return F;
  for (Marks All : {Wanted, Wanted | Marks{true, true}}) // what else marks the program is not known yet
    if (std::optional<Finding> F = byFunction(markedForm(C.Function, All), C.In))
      return F;
  return std::nullopt;
}

/// What the source has where the name stands.
std::optional<Finding> Blocks::byPlace(const ProgramCall &C) const {
  if (C.Kept)
    return Finding{Diagnostic::Kept, *C.Kept, {C.Spelled}, {}};
  if (llvm::StringRef(C.Spelled).starts_with("PMPI_"))
    return Finding{Diagnostic::ProfilingName, C.Name, {C.Spelled}, {}};
  if (!C.OtherView.empty())
    return Finding{Diagnostic::ConflictingViews, C.Name, {C.Spelled, C.OtherView}, {}};
  switch (C.Edit) {
  case Editability::Editable:
    break;
  case Editability::MacroDefinition:
    if (isOurMacro(C))
      break;
    [[fallthrough]];
  case Editability::MacroBody:
    return Finding{Diagnostic::MacroBody, C.Name, {C.Spelled, C.CauseName}, C.Cause};
  case Editability::Pasted:
  case Editability::PastedName:
    return Finding{Diagnostic::PastedName, C.Name, {C.Spelled, C.CauseName}, C.Cause};
  case Editability::Qualified:
    return Finding{Diagnostic::QualifiedName, C.Name, {C.Spelled}, {}};
  case Editability::SplitName:
    return Finding{Diagnostic::SplitName, C.Name, {C.Spelled}, {}};
  case Editability::Stringized:
  case Editability::Printed:
    return Finding{Diagnostic::Stringized, C.Name, {C.Spelled, C.CauseName}, C.Cause};
  case Editability::Column:
    return Finding{Diagnostic::Column, C.Name, {C.Spelled}, {}};
  case Editability::NoHeader:
    return Finding{Diagnostic::NoHeader, C.Name, {C.Spelled}, {}};
  case Editability::SystemHeader:
    return Finding{Diagnostic::SystemHeader, C.Name, {C.Spelled}, {}};
  }
  return std::nullopt;
}

/// What the program does elsewhere with \p Function.
std::optional<Finding> Blocks::byFunction(const std::string &Function, Part In) const {
  auto It = ByFunction.find(Function);
  if (It != ByFunction.end())
    for (const auto &[Known, F] : It->second)
      if (mayMeet(Known, In))
        return F;
  return std::nullopt;
}

Finding Blocks::elsewhere(const Finding &F, Part In) const {
  if (F.What != Diagnostic::FunctionAsValue && F.What != Diagnostic::FunctionDefined)
    return F;
  std::optional<Finding> Found = byFunction(F.Args.front(), In);
  return Found && Found->What == F.What ? *Found : F;
}

std::vector<PartOf<Finding>> Blocks::usesAsValue(FunctionKind Kind) const {
  std::vector<PartOf<Finding>> Result;
  for (const auto &[K, F] : Uses)
    if (K == Kind)
      Result.push_back(F);
  return Result;
}

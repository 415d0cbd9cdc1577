// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/CommunicatorGroups.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

std::optional<CallName> mpishm::ir::nameOf(const LinkedProgram &P, const MpiCall &C) {
  if (!C.Site)
    return std::nullopt;
  return CallName{P.Sites[*C.Site].Name, P.Sites[*C.Site].Function};
}

CommunicatorGroups::CommunicatorGroups(const LinkedProgram &Program, const Analysis &Values,
                                       const std::map<CallName, std::string> &How)
    : P(Program), A(Values), Runs(How), Entries(Values.entries()) {
  for (const MpiCall &C : A.calls())
    if (C.Info->NewComm && MakerOf.try_emplace(C.Number, &C).second)
      GroupOf[C.Number] = GroupOf.size() + 2;
  while (joinMakers()) {
  }
}

bool CommunicatorGroups::joinMakers() {
  std::map<std::pair<const FunctionInfo *, uint32_t>, std::set<uint32_t>> Children; // of each parent, by number
  std::map<const FunctionInfo *, std::set<uint32_t>> Orphans, All;
  for (const MpiCall &C : A.calls()) { // each has its parents, also of one number
    if (!C.Info->NewComm)
      continue;
    All[C.Info].insert(C.Number);
    bool Known = false;
    if (C.Comm != NoNode)
      for (uint32_t T : A.tokensOf(C.Comm))
        if (std::optional<uint32_t> Parent = of(A.token(T))) {
          Children[{C.Info, *Parent}].insert(C.Number);
          Known = true;
        }
    if (!Known || A.whyAnything(C.Comm))
      Orphans[C.Info].insert(C.Number);
  }
  bool Any = false;
  for (const auto &[Key, Numbers] : Children)
    Any |= !areOneRun(Numbers) && join(Numbers);
  for (const auto &[Info, Numbers] : Orphans)
    Any |= !areOneRun(All[Info]) && join(All[Info]);
  return Any;
}

/// A run of statements is left anywhere, and come to again, where functions that others call do so: while a function of
/// a library is called in it, or when the program ends there.
bool CommunicatorGroups::areOneRun(const std::set<uint32_t> &Makers) const {
  auto RunOf = [&](uint32_t Number) -> std::string {
    std::optional<CallName> Name = nameOf(P, *MakerOf.at(Number));
    auto It = Name ? Runs.find(*Name) : Runs.end();
    return It == Runs.end() ? "" : It->second;
  };
  std::string Run = RunOf(*Makers.begin());
  return Makers.size() == 1 ||
         (!Run.empty() && !Entries.MayJump && !P.function("pthread_cancel") &&
          llvm::all_of(Makers, [&](uint32_t N) { return RunOf(N) == Run && !Entries.Sites.count(N); }));
}

/// False when they were one group before.
bool CommunicatorGroups::join(const std::set<uint32_t> &Makers) {
  bool Any = false;
  uint32_t Into = GroupOf.at(*Makers.begin());
  for (uint32_t Number : Makers) {
    uint32_t Old = GroupOf.at(Number);
    if (Old == Into)
      continue;
    Any = true;
    for (auto &[Other, Group] : GroupOf)
      if (Group == Old)
        Group = Into;
  }
  return Any;
}

std::vector<MakerGroup> CommunicatorGroups::groups() const {
  std::map<uint32_t, MakerGroup> Groups;
  for (const auto &[Number, C] : MakerOf) {
    MakerGroup &Group = Groups[GroupOf.at(Number)];
    if (std::optional<CallName> Name = nameOf(P, *C))
      Group.Calls.push_back(*Name);
    else
      Group.AllKnown = false;
  }
  std::vector<MakerGroup> Result;
  Result.reserve(Groups.size());
  for (auto &[Number, Group] : Groups)
    Result.push_back(std::move(Group));
  return Result;
}

std::optional<uint32_t> CommunicatorGroups::of(const Token &T) const {
  if (T.Is == Token::Kind::World)
    return 0;
  if (T.Is == Token::Kind::Self)
    return 1;
  auto It = T.Is == Token::Kind::Communicator ? GroupOf.find(T.Id) : GroupOf.end();
  return It == GroupOf.end() ? std::nullopt : std::optional(It->second);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Makers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

MakerGroups::MakerGroups(const Program &Whole, const Blocks &Blocked, const IrClasses &Ir) : P(Whole) {
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    if (C.Info && C.Info->Kind == FunctionKind::Maker) {
      NumberOf[Index] = Calls.size();
      Calls.push_back(Index);
    }
  Groups.grow(Calls.size());
  std::vector<IrClasses::MakerGroup> Found = Ir.makers();
  if (!Ir.isComplete())
    joinByFunction();
  for (const IrClasses::MakerGroup &Group : Found)
    for (unsigned Call : Group.Calls)
      Groups.join(NumberOf.at(Group.Calls.front()), NumberOf.at(Call));
  joinByMacro();
  Groups.compress();
  findObstacles(Blocked, Found);
}

/// Where nothing is known of parents, they may be one.
void MakerGroups::joinByFunction() {
  std::map<std::string, unsigned> FirstOf;
  for (auto [Number, Index] : llvm::enumerate(Calls))
    Groups.join(FirstOf.try_emplace(P.Calls[Index].Function, Number).first->second, Number);
}

void MakerGroups::joinByMacro() {
  std::map<Place, unsigned> FirstWith;
  for (auto [Number, Index] : llvm::enumerate(Calls))
    if (const ProgramCall &C = P.Calls[Index]; C.Edit == Editability::MacroDefinition)
      Groups.join(FirstWith.try_emplace(C.Token, Number).first->second, Number);
}

void MakerGroups::findObstacles(const Blocks &Blocked, llvm::ArrayRef<IrClasses::MakerGroup> Found) {
  Why.resize(Groups.getNumClasses());
  Members.resize(Groups.getNumClasses());
  for (auto [Number, Index] : llvm::enumerate(Calls)) {
    Members[Groups[Number]].push_back(Index);
    std::optional<Finding> &F = Why[Groups[Number]];
    if (F)
      continue;
    F = Blocked.of(P.Calls[Index]);
    if (F && F->What == Diagnostic::UnsupportedOperation)
      F->What = Diagnostic::NotRegistered;
  }
  for (const IrClasses::MakerGroup &Group : Found)
    if (Group.Why && !Group.Calls.empty())
      if (std::optional<Finding> &F = Why[Groups[NumberOf.at(Group.Calls.front())]]; !F)
        F = Group.Why;
}

std::optional<Finding> MakerGroups::whyNotRegistered(unsigned Maker) const { return Why[Groups[NumberOf.at(Maker)]]; }

std::set<unsigned> MakerGroups::wanted(const std::set<unsigned> &Makers) const {
  std::set<unsigned> Result;
  for (unsigned Group = 0; Group < Members.size(); ++Group)
    if (!Why[Group] && llvm::any_of(Members[Group], [&](unsigned I) { return Makers.count(I); }))
      Result.insert(Members[Group].begin(), Members[Group].end());
  return Result;
}

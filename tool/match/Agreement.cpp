// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Agreement.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static Finding findingOf(const ir::Refusal &Why, const Place &Call) {
  Place Where = Call;
  if (!Why.File.empty()) {
    Where = Place();
    Where.File = Why.File;
    Where.Line = Why.Line;
    Where.Column = 1;
  }
  return {Diagnostic::NotFollowed, Where, {Why.Text}, {}};
}

Agreement::Agreement(const Program &Whole, const std::vector<Operation> &Operations, const Blocks &Names,
                     const std::vector<ir::ValueClasses> &Values)
    : P(Whole), Ops(Operations), Blocked(Names) {
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    Calls[{C.Name, C.Spelled}].push_back(Index);
  for (auto [Index, Op] : llvm::enumerate(Ops))
    OpsOf[Op.Call].push_back(Index);
  for (const ir::ValueClasses &Each : Values) {
    if (Each.GivenUp)
      addGivenUp(*Each.GivenUp);
    for (const ir::ValueClass &Value : Each.Classes)
      add(Value);
  }
}

void Agreement::addGivenUp(const ir::Refusal &Why) {
  Class All;
  All.Why = findingOf(Why, Place());
  for (unsigned Op = 0; Op < Ops.size(); ++Op)
    All.Members.push_back({Op, nullptr});
  Classes.push_back(std::move(All));
}

void Agreement::add(const ir::ValueClass &Value) {
  Class Result;
  if (Value.Why)
    Result.Why = findingOf(*Value.Why, Place());
  for (const ir::ClassMember &M : Value.Members) {
    if (M.Why && !Result.Why)
      Result.Why = findingOf(*M.Why, M.Call.Where);
    bool Known = false;
    for (unsigned Call : Calls[M.Call])
      for (unsigned Op : OpsOf[Call]) {
        Result.Members.push_back({Op, &M});
        Known = true;
      }
    if (!Known && !Result.Why)
      Result.Why =
          Finding{Diagnostic::NotFollowed, M.Call.Where, {M.Call.Function + " was not seen in the source"}, {}};
  }
  Classes.push_back(std::move(Result));
}

/// Why a call that completes the request of \p Index cannot be renamed, if so.
std::optional<Finding> Agreement::check(const ir::ClassMember &M, unsigned Index) const {
  const ProgramCall &C = P.Calls[Ops[Index].Call];
  for (const ir::CallName &Completion : M.Completions) {
    auto It = Calls.find(Completion);
    bool Blocks = It == Calls.end() ||
                  llvm::any_of(It->second, [&](unsigned Call) { return Blocked.of(P.Calls[Call]).has_value(); });
    if (Blocks)
      return Finding{
          Diagnostic::NotFollowed,
          C.Name,
          {"the request of " + C.Spelled + " may reach a call of " + Completion.Function + " that cannot be replaced"},
          Completion.Where};
  }
  return std::nullopt;
}

std::set<unsigned> Agreement::completions(IsOpen Known) const {
  std::set<unsigned> Result;
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members)
      if (M.Is && !Known(Ops[M.Op].Class))
        for (const ir::CallName &Completion : M.Is->Completions)
          if (auto It = Calls.find(Completion); It != Calls.end())
            Result.insert(It->second.begin(), It->second.end());
  return Result;
}

bool Agreement::refuse(IsOpen Known, Open Refuse) const {
  bool Any = false;
  for (const Class &Each : Classes) {
    std::optional<Finding> Why = Each.Why;
    for (const Member &M : Each.Members) {
      if (Why)
        break;
      const ProgramCall &C = P.Calls[Ops[M.Op].Call];
      if (Known(Ops[M.Op].Class))
        Why =
            Finding{Diagnostic::NotFollowed, C.Name, {"this " + C.Spelled + ", which is left alone, may match it"}, {}};
      else if (M.Is)
        Why = check(*M.Is, M.Op);
    }
    if (!Why)
      continue;
    for (const Member &M : Each.Members)
      if (!Known(Ops[M.Op].Class)) {
        Refuse(Ops[M.Op].Class, *Why);
        Any = true;
      }
  }
  return Any;
}

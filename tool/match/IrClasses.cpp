// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/IrClasses.h"
#include "match/Guard.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static Finding findingOf(const ir::Refusal &Why, const Place &Call) {
  using S = ir::Refusal::Subject;
  Place Where = Call;
  if (!Why.File.empty()) {
    Where = Place();
    Where.File = Why.File;
    Where.Line = Why.Line;
    Where.Column = 1;
  }
  switch (Why.Of) {
  case S::Request:
    return {Diagnostic::RequestEscapes, Where, {"of " + Why.Call, Why.Text}, {}};
  case S::Message:
    return {Diagnostic::MessageEscapes, Where, {"of " + Why.Call, Why.Text}, {}};
  case S::Communicator:
    return {Diagnostic::CommunicatorEscapes, Where, {"of " + Why.Call, Why.Text}, {}};
  case S::UnknownCommunicator:
    return {Diagnostic::CommunicatorUnknown, Where, {Why.Call, "it " + Why.Text}, {}};
  case S::Window:
    return {Diagnostic::WindowEscapes, Where, {"of " + Why.Call, Why.Text}, {}};
  case S::UnknownWindow:
    return {Diagnostic::WindowUnknown, Where, {Why.Call, "it " + Why.Text}, {}};
  case S::DynamicWindow:
    return {Diagnostic::DynamicWindow, Where, {Why.Call}, {}};
  case S::CommunicatorOfWindow:
    return {Diagnostic::WindowCommunicator, Where, {Why.Call, Why.Text}, {}};
  case S::Unsupported:
    return {Diagnostic::UnsupportedOperation, Where, {Why.Call}, {}};
  case S::FunctionAsValue:
    return {Diagnostic::FunctionAsValue, Where, {Why.Call}, {}};
  case S::FunctionDefined:
    return {Diagnostic::FunctionDefined, Where, {Why.Call}, {}};
  case S::Other:
    break;
  }
  return {Diagnostic::NotFollowed, Where, {Why.Text}, {}};
}

IrClasses::IrClasses(const Program &Whole, const std::vector<Operation> &Operations, const Blocks &Names,
                     const std::vector<ir::ValueClasses> &Found)
    : P(Whole), Ops(Operations), Blocked(Names), Values(Found) {
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
  if (Unseen)
    addUnreached(*Unseen);
}

void IrClasses::addGivenUp(const ir::Refusal &Why) {
  Class All;
  All.Whys = {findingOf(Why, Place())};
  for (unsigned Op = 0; Op < Ops.size(); ++Op)
    All.Members.push_back({Op, nullptr});
  Classes.push_back(std::move(All));
}

void IrClasses::add(const ir::ValueClass &Value) {
  Class Result;
  if (Value.Why)
    Result.Whys.push_back(findingOf(*Value.Why, Place()));
  for (const ir::ClassMember &M : Value.Members) {
    for (const ir::Refusal &Why : M.Whys)
      Result.Whys.push_back(findingOf(Why, M.Call.Where));
    bool Known = false;
    for (unsigned Call : Calls[M.Call])
      for (unsigned Op : OpsOf[Call]) {
        Result.Members.push_back({Op, &M});
        Known = true;
      }
    if (Known)
      continue;
    Result.Whys.push_back(
        {Diagnostic::NotFollowed, M.Call.Where, {M.Call.Function + " was not seen in the source"}, {}});
    Unseen = Result.Whys.front();
  }
  Classes.push_back(std::move(Result));
}

/// What seems not to be reached may be the call that \p Why is about.
void IrClasses::addUnreached(const Finding &Why) {
  std::set<unsigned> Reached;
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members)
      Reached.insert(M.Op);
  Class Rest;
  Rest.Whys = {Why};
  for (unsigned Op = 0; Op < Ops.size(); ++Op)
    if (!Reached.count(Op))
      Rest.Members.push_back({Op, nullptr});
  Classes.push_back(std::move(Rest));
}

std::vector<unsigned> IrClasses::callsOf(const std::set<ir::CallName> &Names) const {
  std::vector<unsigned> Result;
  for (const ir::CallName &Name : Names)
    if (auto It = Calls.find(Name); It != Calls.end())
      llvm::append_range(Result, It->second);
  return Result;
}

std::vector<unsigned> IrClasses::uncalled() const {
  std::set<ir::CallName> Names;
  for (const ir::ValueClasses &Each : Values)
    Names.insert(Each.Uncalled.begin(), Each.Uncalled.end());
  std::set<unsigned> Reached;
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members)
      Reached.insert(M.Op);
  std::vector<unsigned> Result;
  for (auto [Index, Op] : llvm::enumerate(Ops)) {
    const ProgramCall &C = P.Calls[Op.Call];
    if (!Reached.count(Index) && Names.count({C.Name, C.Spelled}))
      Result.push_back(Index);
  }
  return Result;
}

void IrClasses::partition(std::vector<Operation> &All) const {
  llvm::IntEqClasses Together(All.size());
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members) {
      Together.join(Each.Members.front().Op, M.Op);
      if (!M.Is)
        continue;
      Operation &Op = All[M.Op];
      Op.Wildcard |= M.Is->Wildcard;
      Op.OnWorld |= M.Is->OnWorld;
      std::vector<unsigned> Makers = callsOf(M.Is->Makers);
      Op.Makers.insert(Makers.begin(), Makers.end());
    }
  Together.compress();
  for (auto [Index, Op] : llvm::enumerate(All))
    Op.Class = Together[Index];
}

/// Why calls that complete the request of \p Index cannot be renamed, if so, or must not be.
std::vector<Finding> IrClasses::check(const ir::ClassMember &M, unsigned Index) const {
  const ProgramCall &C = P.Calls[Ops[Index].Call];
  std::vector<Finding> Result;
  for (const ir::CallName &Completion : M.Completions) {
    auto It = Calls.find(Completion);
    if (It == Calls.end()) {
      Result.push_back({Diagnostic::NotFollowed,
                        C.Name,
                        {"the request of " + C.Spelled + " may reach a call of " + Completion.Function +
                         " that was not seen in the source"},
                        Completion.Where});
      continue;
    }
    for (unsigned Call : It->second) {
      const ProgramCall &By = P.Calls[Call];
      if (std::optional<Finding> F = Blocked.of(By))
        Result.push_back(std::move(*F));
      if (By.Function == "MPI_Cancel" && isSynchronousSend(C))
        Result.push_back({Diagnostic::CancelledSend, By.Name, {By.Spelled}, {}});
    }
  }
  return Result;
}

std::set<unsigned> IrClasses::completions(IsOpen Known) const {
  std::set<unsigned> Result;
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members)
      if (M.Is && !Known(Ops[M.Op].Class)) {
        std::vector<unsigned> Found = callsOf(M.Is->Completions);
        Result.insert(Found.begin(), Found.end());
      }
  return Result;
}

std::vector<IrClasses::MakerGroup> IrClasses::makers() const {
  std::vector<MakerGroup> Result;
  for (const ir::ValueClasses &Each : Values)
    for (const ir::MakerGroup &Of : Each.Makers) {
      MakerGroup Group;
      bool All = Of.AllKnown;
      for (const ir::CallName &Name : Of.Calls) {
        std::vector<unsigned> Found = callsOf({Name});
        All &= !Found.empty();
        llvm::append_range(Group.Calls, Found);
      }
      if (!All && !Group.Calls.empty()) {
        const ProgramCall &C = P.Calls[Group.Calls.front()];
        Group.Why = Finding{Diagnostic::NotRegistered, C.Name, {C.Spelled}, {}};
      }
      Result.push_back(std::move(Group));
    }
  return Result;
}

bool IrClasses::refuse(IsOpen Known, Open Refuse) const {
  bool Any = false;
  for (const Class &Each : Classes) {
    std::optional<Finding> Why = Each.Whys.empty() ? std::nullopt : std::optional(Each.Whys.front());
    for (const Member &M : Each.Members) {
      if (Why)
        break;
      const ProgramCall &C = P.Calls[Ops[M.Op].Call];
      if (Known(Ops[M.Op].Class))
        Why =
            Finding{Diagnostic::NotFollowed, C.Name, {"this " + C.Spelled + ", which is left alone, may match it"}, {}};
      else if (M.Is)
        if (std::vector<Finding> Own = check(*M.Is, M.Op); !Own.empty())
          Why = std::move(Own.front());
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

void IrClasses::tellReasons(Open Tell) const {
  for (const Class &Each : Classes) {
    std::set<unsigned> Known; // one of an analysis of the sources may be several here, and the other way round
    for (const Member &M : Each.Members)
      Known.insert(Ops[M.Op].Class);
    for (unsigned Class : Known)
      for (const Finding &Why : Each.Whys)
        Tell(Class, Why);
    for (const Member &M : Each.Members)
      if (M.Is)
        for (Finding &Why : check(*M.Is, M.Op))
          Tell(Ops[M.Op].Class, std::move(Why));
  }
}

bool IrClasses::isComplete() const {
  return llvm::none_of(Values, [](const ir::ValueClasses &Each) { return Each.GivenUp.has_value(); });
}

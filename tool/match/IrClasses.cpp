// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/IrClasses.h"
#include "match/Guard.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static Finding withoutWay(const ir::Refusal &Why, const Place &Call) {
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
    return {Diagnostic::CommunicatorEscapes, Where, {communicatorOf(Why), Why.Text}, {}};
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

static Finding findingOf(const ir::Refusal &Why, const Place &Call) {
  Finding Result = withoutWay(Why, Call);
  Result.Way = Why.Way;
  return Result;
}

IrClasses::IrClasses(const Program &Whole, const std::vector<Operation> &Operations, const Blocks &Names,
                     const std::vector<ir::ValueClasses> &Found)
    : P(Whole), Ops(Operations), Blocked(Names), Values(Found) {
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    Calls[{C.Name, C.Spelled}].push_back(Index);
  for (auto [Index, Op] : llvm::enumerate(Ops))
    OpsOf[Op.Call].push_back(Index);
  if (Values.empty())
    addGivenUp({Diagnostic::NotFollowed, Place(), {"nothing is known"}, {}});
  for (const ir::ValueClasses &Each : Values) {
    if (Each.GivenUp)
      addGivenUp(findingOf(*Each.GivenUp, Place()));
    for (const ir::ValueClass &Value : Each.Classes)
      add(Value);
  }
  if (Unseen)
    addUnreached(*Unseen);
}

void IrClasses::addGivenUp(const Finding &Why) {
  std::map<llvm::StringRef, Class> ByKind;
  for (auto [Index, Op] : llvm::enumerate(Ops)) {
    const FunctionInfo &Info = *P.Calls[Op.Call].Info;
    ByKind[isOneSided(Info.Kind) ? "windows" : collectiveOf(Info)].Members.push_back({unsigned(Index), nullptr});
  }
  for (auto &[Kind, Each] : ByKind) {
    Each.Whys = {Why};
    Classes.push_back(std::move(Each));
  }
}

void IrClasses::add(const ir::ValueClass &Value) {
  Class Result;
  for (const ir::Refusal &Why : Value.Whys)
    Result.Whys.push_back(findingOf(Why, Place()));
  Result.Completions = Value.Completions;
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
  std::set<unsigned> Reached = membersOfAll();
  Class Rest;
  Rest.Whys = {Why};
  for (unsigned Op = 0; Op < Ops.size(); ++Op)
    if (!Reached.count(Op))
      Rest.Members.push_back({Op, nullptr});
  Classes.push_back(std::move(Rest));
}

std::set<unsigned> IrClasses::membersOfAll() const {
  std::set<unsigned> Result;
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members)
      Result.insert(M.Op);
  return Result;
}

std::set<unsigned> IrClasses::callsOfKind(FunctionKind Kind) const {
  std::set<unsigned> Result;
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    if (C.Info && C.Info->Kind == Kind)
      Result.insert(Index);
  return Result;
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
  std::set<unsigned> Reached = membersOfAll();
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
  std::set<unsigned> Members = membersOfAll();
  for (auto [Index, Op] : llvm::enumerate(All)) // other sources may come to it, if there are such
    Op.OnWorld = !Members.count(Index);
  for (const Class &Each : Classes)
    for (const Member &M : Each.Members) {
      Together.join(Each.Members.front().Op, M.Op);
      Operation &Op = All[M.Op];
      FunctionKind Kind = P.Calls[Op.Call].Info->Kind;
      Op.Wildcard |= M.Is ? M.Is->Wildcard
                          : Kind == FunctionKind::Receive || Kind == FunctionKind::SendReceive ||
                                Kind == FunctionKind::MatchedReceive;
      Op.OnWorld |= !M.Is || M.Is->OnWorld;
      if (M.Is)
        for (unsigned Maker : callsOf(M.Is->Makers))
          Op.Makers.insert(Maker);
      else
        Op.Makers = callsOfKind(FunctionKind::Maker);
    }
  Together.compress();
  for (auto [Index, Op] : llvm::enumerate(All))
    Op.Class = Together[Index];
}

std::vector<IrClasses::Doubt> IrClasses::doubtsOf(const std::set<ir::CallName> &Completions) const {
  std::vector<Doubt> Result;
  for (const ir::CallName &Completion : Completions) {
    auto It = Calls.find(Completion);
    if (It == Calls.end())
      Result.push_back({&Completion, nullptr});
    else
      for (unsigned Call : It->second)
        if (const ProgramCall &By = P.Calls[Call]; By.Function == "MPI_Cancel" || Blocked.of(By))
          Result.push_back({&Completion, &By});
  }
  return Result;
}

/// Why \p Completions, of the request of \p Of (or of a call that has no name), cannot be renamed, if so, or must not
/// be. What is \p Known of them is kept, as many calls have the same.
std::vector<Finding> IrClasses::check(llvm::ArrayRef<ir::SharedCompletions> Completions, const ProgramCall *Of,
                                      Doubts &Known) const {
  std::vector<Finding> Result;
  for (const ir::SharedCompletions &Each : Completions) {
    auto [It, New] = Known.try_emplace(Each.get());
    if (New)
      It->second = doubtsOf(*Each);
    for (auto [Completion, By] : It->second) {
      if (!By) {
        Result.push_back({Diagnostic::NotFollowed,
                          Of ? Of->Name : Completion->Where,
                          {"the request of " + (Of ? Of->Spelled : "a call") + " may reach a call of " +
                           Completion->Function + " that was not seen in the source"},
                          Completion->Where});
        continue;
      }
      if (std::optional<Finding> F = Blocked.of(*By))
        Result.push_back(std::move(*F));
      if (By->Function == "MPI_Cancel" && Of && isSynchronousSend(*Of))
        Result.push_back({Diagnostic::CancelledSend, By->Name, {By->Spelled}, {}});
    }
  }
  return Result;
}

std::set<unsigned> IrClasses::completions(IsRewritten Rewritten) const {
  std::set<unsigned> Result;
  std::set<const std::set<ir::CallName> *> Added;
  auto Add = [&](llvm::ArrayRef<ir::SharedCompletions> Completions) {
    for (const ir::SharedCompletions &Each : Completions)
      if (Added.insert(Each.get()).second)
        for (unsigned Call : callsOf(*Each))
          Result.insert(Call);
  };
  std::set<Part> OfAny; // where there are operations of whose requests nothing is known
  for (const Class &Each : Classes) {
    bool Any = false;
    for (const Member &M : Each.Members) {
      const Operation &Op = Ops[M.Op];
      if (!Rewritten(Op.Class))
        continue;
      Any = true;
      if (M.Is)
        Add(M.Is->Completions);
      else if (P.Calls[Op.Call].Info->Request)
        OfAny.insert(Op.In);
    }
    if (Any)
      Add(Each.Completions);
  }
  for (unsigned Call : callsOfKind(FunctionKind::Completion))
    if (llvm::any_of(OfAny, [&](Part In) { return mayMeet(In, P.Calls[Call].In); }))
      Result.insert(Call);
  addUnreachedCompletions(Rewritten, Result);
  return Result;
}

/// In a function that nothing comes to, requests are taken to stay there: should other code come to it after all, it
/// finds all of one kind.
void IrClasses::addUnreachedCompletions(IsRewritten Rewritten, std::set<unsigned> &To) const {
  std::set<unsigned> Members = membersOfAll();
  std::set<Part> Unreached;
  for (auto [Index, Op] : llvm::enumerate(Ops))
    if (!Members.count(Index) && Rewritten(Op.Class) && P.Calls[Op.Call].Info->Request)
      Unreached.insert(Op.In);
  std::set<ir::CallName> Reached;
  for (const ir::ValueClasses &Each : Values)
    Reached.insert(Each.Reached.begin(), Each.Reached.end());
  for (unsigned Call : callsOfKind(FunctionKind::Completion)) {
    const ProgramCall &C = P.Calls[Call];
    if (!Reached.count({C.Name, C.Spelled}) && llvm::any_of(Unreached, [&](Part In) { return mayMeet(In, C.In); }))
      To.insert(Call);
  }
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

void IrClasses::tellReasons(llvm::function_ref<void(unsigned Class, Finding F)> Tell) const {
  Doubts Known;
  for (const Class &Each : Classes) {
    if (Each.Members.empty())
      continue;
    unsigned Class = Ops[Each.Members.front().Op].Class;
    auto TellAll = [&](std::vector<Finding> Whys) {
      for (Finding &Why : Whys)
        Tell(Class, std::move(Why));
    };
    TellAll(Each.Whys);
    for (const Member &M : Each.Members)
      if (M.Is)
        TellAll(check(M.Is->Completions, &P.Calls[Ops[M.Op].Call], Known));
    TellAll(check(Each.Completions, nullptr, Known));
  }
}

bool IrClasses::isComplete() const {
  return !Values.empty() &&
         llvm::none_of(Values, [](const ir::ValueClasses &Each) { return Each.GivenUp.has_value(); });
}

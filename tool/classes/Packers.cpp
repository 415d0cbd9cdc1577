// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/Packers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;
using Kind = Constraint::Kind;

Packers::Packers(const LinkedProgram &Program, const Analysis &Values, const ProgramMemory &Of)
    : P(Program), A(Values), Heap(Values.Heap), Own(Of) {
  PlacesOf.resize(A.Instances.size());
  CalledAt.resize(A.Places.size());
  EnteredAt.resize(A.Places.size());
  for (uint32_t I = 0; I < A.Places.size(); ++I)
    PlacesOf[A.Places[I].In].push_back(I);
  for (auto [Place, Function] : A.Called)
    CalledAt[Place].push_back(Function);
  for (auto [Place, Instance] : A.Entered)
    EnteredAt[Place].push_back(Instance);
  for (auto *Each : {&CalledAt, &EnteredAt})
    for (std::vector<uint32_t> &Functions : *Each)
      llvm::sort(Functions);
}

std::vector<uint32_t> Packers::instancesOf(const LinkedName &Name, const std::string &Unit) const {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < A.Instances.size(); ++I) {
    const Body &Of = A.Instances[I].Of;
    if (Of.Code == &Of.Of->Initialisers)
      continue;
    const Symbol &Its = Of.Of->Symbols[Of.Code->Symbol];
    if (Its.Name == Name.Name && Its.IsInternal == Name.IsInternal && (!Its.IsInternal || Of.Of->MainFile == Unit))
      Result.push_back(I);
  }
  return Result;
}

bool Packers::isRunOnce(const PackedSend &S, const std::string &Unit) const {
  std::vector<uint32_t> Senders = instancesOf(S.Sender, Unit);
  return S.Sender.Name == "main" && !S.Sender.IsInternal && Senders.size() == 1 &&
         llvm::none_of(A.Entered, [&](const auto &Each) { return Each.second == Senders.front(); });
}

bool Packers::isFloatingCall(uint32_t Place) const {
  const Analysis::CallPlace &At = A.Places[Place];
  const Function &Code = *A.Instances[At.In].Of.Code;
  return !At.What->Arguments.empty() && At.What->Result != NoNode && Code.IsFloating[At.What->Result] &&
         llvm::all_of(At.What->Arguments, [&](Node N) { return Code.IsFloating[N]; });
}

/// Adds \p Instance and all that it calls. Says why it must not be called between the packing and the sending.
std::string Packers::reach(uint32_t Instance, std::set<uint32_t> &Reached) {
  if (!Reached.insert(Instance).second)
    return "";
  const Analysis::Instance &In = A.Instances[Instance];
  if (In.Of.Of->HasAssembly || !In.Of.Of->AssemblyWords.empty())
    return "there is assembly code in the unit that packs";
  for (const Constraint &C : In.Of.Code->Constraints)
    if (C.Is == Kind::Throw || C.Is == Kind::Catch || C.Is == Kind::Escape || C.Is == Kind::Variadic ||
        C.Is == Kind::Anything)
      return "what packs it does something that is not followed" + lineOf(In.Of, C.Where);
  for (uint32_t Place : PlacesOf[Instance]) {
    const Analysis::CallPlace &At = A.Places[Place];
    std::string Where = lineOf(In.Of, At.What->Where);
    if (!At.What->Callee)
      return "what packs it calls a function by its address" + Where;
    for (uint32_t Function : CalledAt[Place]) {
      if (Function == NoNode || A.isOfTable(Function))
        return "what packs it calls a function that is not known" + Where;
      const LinkedFunction &Callee = P.Functions[Function];
      bool IsMpi = isMpiName(Callee.Name) || llvm::StringRef(Callee.Name).starts_with("MPISHM_");
      if (IsMpi || (Callee.Bodies.empty() && !isFloatingCall(Place)))
        return "what packs it calls '" + Callee.Name + "'" + Where;
    }
    for (uint32_t Callee : EnteredAt[Place])
      if (std::string Why = reach(Callee, Reached); !Why.empty())
        return Why;
  }
  return "";
}

/// Whether \p Object is a variable of one of the instances \p Reached. Or it is one of another caller of these: then
/// its address comes to them by that call alone, and not from what packs, which has the addresses \p Given.
bool Packers::isLocal(uint32_t Object, const std::set<uint32_t> &Reached, const Objects &Given) {
  std::optional<uint32_t> Owner = Own.ownerOf(Object);
  if (!Owner)
    return false;
  if (Reached.count(*Owner))
    return true;
  if (!Stored) {
    Stored.emplace();
    for (uint32_t O = 0; O < Heap.size(); ++O)
      for (const Cell &C : Heap[O].Cells)
        for (uint32_t Node : {C.Stored, C.Loaded})
          Own.eachObject(Node, [&](uint32_t Each) { Stored->insert(Each); });
  }
  return !Given.contains(Object) && !Stored->contains(Object) && Own.whyNotPrivate(Object).empty();
}

/// What packs writes the message's memory, by one statement, which the sources have shown, and its own variables.
std::string Packers::checkWrites(const std::vector<uint32_t> &Instances, const std::set<uint32_t> &Reached) {
  Objects Given; // what the function itself, not one that it calls, has the address of
  for (uint32_t I : Instances)
    for (uint32_t N = 0; N < A.Instances[I].Of.Code->Nodes; ++N)
      Own.eachObject(A.nodeOf(I, N), [&](uint32_t Object) { Given.insert(Object); });
  for (uint32_t I : Reached) {
    unsigned Most = llvm::is_contained(Instances, I) ? 1 : 0;
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints) {
      if (C.Is != Kind::Store && C.Is != Kind::CopyMemory && C.Is != Kind::FillMemory)
        continue;
      uint32_t To = A.nodeOf(I, C.To);
      bool OfItself = Own.whyUnknown(To).empty();
      Own.eachObject(To, [&](uint32_t Object) { OfItself &= isLocal(Object, Reached, Given); });
      if (!OfItself && (!Most-- || C.Is != Kind::Store))
        return "what packs it writes elsewhere, too" + lineOf(A.Instances[I].Of, C.Where);
    }
  }
  return "";
}

/// How long the message is was found out before other functions of MPI were called: these write none of the numbers and
/// addresses that what packs goes by.
std::string Packers::checkCounts(const PackedSend &S, const std::string &Unit,
                                 const std::set<uint32_t> &Reached) const {
  Objects Numbers;
  auto Add = [&](uint32_t Object) { Numbers.insert(Object); };
  for (uint32_t I : Reached)
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints)
      if (C.Is == Kind::CopyMemory || (C.Is == Kind::Load && static_cast<Access>(C.C) != Access::Floating))
        Own.eachObject(A.nodeOf(I, C.From), Add);
  bool Written = false;
  auto Check = [&](uint32_t Object) { Written |= Numbers.contains(Object); };
  for (const MpiCall &C : A.calls())
    if (C.Info->Kind != FunctionKind::Send) {
      Own.eachObject(C.Buffer, Check);
      Own.eachObject(C.SecondBuffer, Check);
    }
  Own.eachObject(A.Windows, Check);
  for (uint32_t I : instancesOf(S.Sender, Unit))
    for (uint32_t Place : PlacesOf[I])
      for (uint32_t Function : CalledAt[Place])
        if (Function == NoNode || A.isOfTable(Function) || P.Functions[Function].Bodies.empty())
          for (unsigned Each = 0; Each < A.Places[Place].What->Arguments.size(); ++Each)
            Own.eachObject(A.nodeOf(I, A.Places[Place].What->Arguments[Each]), Check);
  return Written ? "how much is packed may change after it was found out how much is sent" : "";
}

/// The functions that loops in the sender call write nothing but their own variables.
std::string Packers::checkCallees(const PackedSend &S, const std::string &Unit, std::set<uint32_t> &Reached) {
  for (const LinkedName &Name : S.Calls) {
    std::vector<uint32_t> Instances = instancesOf(Name, Unit);
    if (Instances.empty())
      return "what packs it calls '" + Name.Name + "'";
    for (uint32_t I : Instances)
      if (std::string Why = reach(I, Reached); !Why.empty())
        return Why;
  }
  for (uint32_t I : Reached)
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints) {
      if (C.Is != Kind::Store && C.Is != Kind::CopyMemory && C.Is != Kind::FillMemory)
        continue;
      uint32_t To = A.nodeOf(I, C.To);
      bool OfItself = Own.whyUnknown(To).empty();
      Own.eachObject(To, [&](uint32_t Object) {
        std::optional<uint32_t> Owner = Own.ownerOf(Object);
        OfItself &= Owner && Reached.count(*Owner);
      });
      if (!OfItself)
        return "what packs it writes elsewhere, too" + lineOf(A.Instances[I].Of, C.Where);
    }
  return "";
}

std::string Packers::whyNot(const PackedSend &S, const std::string &Unit) {
  if (S.InSender) {
    std::set<uint32_t> Reached;
    if (std::string Why = checkCallees(S, Unit, Reached); !Why.empty())
      return Why;
    std::vector<uint32_t> Senders = instancesOf(S.Sender, Unit);
    Reached.insert(Senders.begin(), Senders.end());
    return S.CountsBefore ? checkCounts(S, Unit, Reached) : "";
  }
  std::vector<uint32_t> Instances = instancesOf(S.Packer, Unit);
  if (Instances.empty())
    return "what packs it is not seen in the compiled program";
  std::set<uint32_t> Reached;
  for (uint32_t I : Instances)
    if (std::string Why = reach(I, Reached); !Why.empty())
      return Why;
  std::string Why = checkWrites(Instances, Reached);
  return Why.empty() && S.CountsBefore ? checkCounts(S, Unit, Reached) : Why;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Classes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static bool isOperation(FunctionKind Kind) {
  return Kind == FunctionKind::Send || Kind == FunctionKind::Receive || Kind == FunctionKind::SendReceive ||
         Kind == FunctionKind::Probe;
}

static Operation makeOperation(const Program &P, unsigned Index, const HandleSets &Handles,
                               const IntegerFacts &Integers) {
  const ProgramCall &C = P.Calls[Index];
  Operation Op;
  Op.Call = Index;
  Op.Comms = Handles.setsOf(C.Comm, Op.CommUnknown);
  Op.Requests = Handles.setsOf(C.Request, Op.RequestUnknown);
  bool Both = C.Info->Kind == FunctionKind::SendReceive;
  Op.Sends = Both || C.Info->Kind == FunctionKind::Send;
  Op.Receives = Both || !Op.Sends;
  if (Op.Sends)
    Op.SendTag = Integers.valuesOf(C.Tag);
  if (Op.Receives) {
    Op.ReceiveTag = Integers.valuesOf(Both ? C.SecondTag : C.Tag);
    Op.Source = Integers.valuesOf(Both ? C.SecondPeer : C.Peer);
  }
  return Op;
}

/// Joins the operations on one communicator set whose tags may be equal.
static void joinByTag(llvm::ArrayRef<unsigned> OnSet, const std::vector<Operation> &Ops, llvm::IntEqClasses &Classes) {
  auto Tags = [&](unsigned I) {
    llvm::SmallVector<const IntegerValues *, 2> List;
    if (Ops[I].Sends)
      List.push_back(&Ops[I].SendTag);
    if (Ops[I].Receives)
      List.push_back(&Ops[I].ReceiveTag);
    return List;
  };
  bool AnyTag = llvm::any_of(
      OnSet, [&](unsigned I) { return llvm::any_of(Tags(I), [](const IntegerValues *V) { return !V->isListed(); }); });
  std::map<int64_t, unsigned> FirstWith;
  for (unsigned I : OnSet) {
    if (AnyTag)
      Classes.join(OnSet.front(), I);
    else
      for (const IntegerValues *V : Tags(I))
        for (int64_t Tag : V->Constants)
          Classes.join(FirstWith.try_emplace(Tag, I).first->second, I);
  }
}

std::vector<Operation> mpishm::partition(const Program &P, const HandleSets &Handles, const IntegerFacts &Integers) {
  std::vector<Operation> Ops;
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    if (C.Info && isOperation(C.Info->Kind))
      Ops.push_back(makeOperation(P, Index, Handles, Integers));

  std::map<HandleSets::Set, std::vector<unsigned>> OnSet;
  for (auto [Index, Op] : llvm::enumerate(Ops))
    for (HandleSets::Set S : Op.Comms)
      OnSet[S].push_back(Index);

  llvm::IntEqClasses Classes(Ops.size());
  for (const auto &[S, List] : OnSet)
    joinByTag(List, Ops, Classes);
  Classes.compress();
  for (auto [Index, Op] : llvm::enumerate(Ops))
    Op.Class = Classes[Index];
  return Ops;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Classes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static bool isOperation(const FunctionInfo &Info) {
  FunctionKind Kind = Info.Kind;
  // What the runtime has no function for is done on MPI's windows, and on its own that MPI has made.
  if (isOneSided(Kind))
    return Info.Supported == Support::Rewritten;
  return Kind == FunctionKind::Send || Kind == FunctionKind::Receive || Kind == FunctionKind::SendReceive ||
         Kind == FunctionKind::Probe || Kind == FunctionKind::MatchedReceive || isCollective(Kind);
}

/// Some programs write the value of MPI_ANY_SOURCE or MPI_ANY_TAG, which is negative in every MPI library.
static bool isNegative(int64_t Value) { return Value < 0; }

/// Whether \p Op may receive from any source. A variable may be negative for other reasons.
static bool mayBeAnySource(const Operation &Op, const std::vector<Operand> &Source) {
  return Op.Source.AnySource || Op.Source.AnyTag || llvm::any_of(Source, [](const Operand &O) {
           return O.Which == Operand::Kind::Constant && isNegative(O.Value);
         });
}

static Operation makeOperation(const Program &P, unsigned Index, const HandleSets &Handles,
                               const IntegerFacts &Integers) {
  const ProgramCall &C = P.Calls[Index];
  Operation Op;
  Op.Call = Index;
  Op.In = C.In;
  Op.Comm = Handles.valuesOf(C.Comm);
  Op.Request = Handles.valuesOf(C.Request);
  Op.Message = Handles.valuesOf(C.Message);
  for (HandleSets::Set S : Op.Comm.Sets) {
    Op.OnWorld |= S == HandleSets::World || S == HandleSets::Self;
    if (std::optional<unsigned> Maker = Handles.maker(S))
      Op.Makers.insert(*Maker);
  }
  if (isCollective(C.Info->Kind) || isOneSided(C.Info->Kind))
    return Op;
  bool Both = C.Info->Kind == FunctionKind::SendReceive;
  Op.Sends = Both || C.Info->Kind == FunctionKind::Send;
  Op.Receives = Both || !Op.Sends;
  if (Op.Sends)
    Op.SendTag = Integers.valuesOf(C.Tag);
  if (Op.Receives && C.Info->Kind != FunctionKind::MatchedReceive) {
    Op.ReceiveTag = Integers.valuesOf(Both ? C.SecondTag : C.Tag);
    // Where MPI_ANY_SOURCE and MPI_ANY_TAG have the same value, programs take one for the other.
    Op.ReceiveTag.AnyTag |= Op.ReceiveTag.AnySource || llvm::any_of(Op.ReceiveTag.Constants, isNegative);
    Op.Source = Integers.valuesOf(Both ? C.SecondPeer : C.Peer);
    Op.Wildcard = C.Info->Kind != FunctionKind::Probe &&
                  (Op.ReceiveTag.AnyTag || mayBeAnySource(Op, Both ? C.SecondPeer : C.Peer));
  }
  return Op;
}

static std::vector<IntegerValues::Progression> tagsOf(const Operation &Op) {
  std::vector<IntegerValues::Progression> Tags;
  if (Op.Sends)
    Tags = Op.SendTag.progressions();
  if (Op.Receives)
    llvm::append_range(Tags, Op.ReceiveTag.progressions());
  return Tags;
}

namespace {

/// Joins operations whose tags may be equal.
class TagJoiner {
public:
  TagJoiner(const std::vector<Operation> &All, llvm::IntEqClasses &Into) : Ops(All), Classes(Into) {}
  /// Joins those of \p List; gives one for each different tag among them.
  std::vector<unsigned> join(llvm::ArrayRef<unsigned> List);

private:
  const std::vector<Operation> &Ops;
  llvm::IntEqClasses &Classes;
};

} // namespace

std::vector<unsigned> TagJoiner::join(llvm::ArrayRef<unsigned> List) {
  std::map<IntegerValues::Progression, unsigned> FirstWith;
  std::vector<unsigned> Different;
  for (unsigned I : List)
    for (const IntegerValues::Progression &Tag : tagsOf(Ops[I])) {
      auto [It, New] = FirstWith.try_emplace(Tag, I);
      Classes.join(It->second, I);
      if (New)
        Different.push_back(I);
    }
  for (const auto &[Tag, I] : FirstWith)
    if (Tag.Step != 0)
      for (const auto &[Other, J] : FirstWith)
        if (Tag.meets(Other))
          Classes.join(I, J);
  return Different;
}

/// Joins the operations of \p OnSet, which use one communicator.
static void joinOnSet(llvm::ArrayRef<unsigned> OnSet, const std::vector<Operation> &Ops, llvm::IntEqClasses &Classes) {
  std::map<Part, std::vector<unsigned>> ByPart;
  for (unsigned I : OnSet)
    ByPart[Ops[I].In].push_back(I);
  TagJoiner Joiner(Ops, Classes);
  std::vector<unsigned> OfShared = Joiner.join(ByPart[Shared]);
  for (auto &[In, List] : ByPart)
    if (In != Shared) {
      llvm::append_range(List, OfShared);
      Joiner.join(List);
    }
}

/// Joins the collectives of \p OnSet, which use one communicator, by their functions: its members come to one
/// collective in different places, but all call the same function for it.
static void joinCollectives(llvm::ArrayRef<unsigned> OnSet, const Program &P, const std::vector<Operation> &Ops,
                            llvm::IntEqClasses &Classes) {
  std::map<llvm::StringRef, std::map<Part, unsigned>> FirstOf;
  for (unsigned I : OnSet)
    if (llvm::StringRef Name = collectiveOf(*P.Calls[Ops[I].Call].Info); !Name.empty())
      Classes.join(FirstOf[Name].try_emplace(Ops[I].In, I).first->second, I);
  for (const auto &[Name, Firsts] : FirstOf)
    if (auto Any = Firsts.find(Shared); Any != Firsts.end())
      for (const auto &[In, First] : Firsts)
        Classes.join(Any->second, First);
}

/// Joins matched probes with what may receive their messages.
static void joinByMessage(const std::vector<Operation> &Ops, llvm::IntEqClasses &Classes) {
  std::map<HandleSets::Set, unsigned> FirstWith;
  for (auto [Index, Op] : llvm::enumerate(Ops))
    for (HandleSets::Set S : Op.Message.Sets)
      Classes.join(FirstWith.try_emplace(S, Index).first->second, Index);
}

std::vector<Operation> mpishm::findOperations(const Program &P, const HandleSets &Handles,
                                              const IntegerFacts &Integers) {
  std::vector<Operation> Ops;
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    if (C.Info && isOperation(*C.Info))
      Ops.push_back(makeOperation(P, Index, Handles, Integers));
  return Ops;
}

void mpishm::partition(const Program &P, std::vector<Operation> &Ops) {
  std::map<HandleSets::Set, std::vector<unsigned>> OnSet;
  for (auto [Index, Op] : llvm::enumerate(Ops))
    for (HandleSets::Set S : Op.Comm.Sets)
      OnSet[S].push_back(Index);

  llvm::IntEqClasses Classes(Ops.size());
  for (const auto &[S, List] : OnSet) {
    joinOnSet(List, Ops, Classes);
    joinCollectives(List, P, Ops, Classes);
  }
  joinByMessage(Ops, Classes);
  Classes.compress();
  for (auto [Index, Op] : llvm::enumerate(Ops))
    Op.Class = Classes[Index];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Pointers.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>
#include <utility>

using namespace mpishm;

void PointerMerger::addNodes(std::vector<PointerNode> &Nodes) {
  Numbers.clear();
  std::vector<PointerNodeIndex> Records;
  for (PointerNode &N : Nodes) {
    Records.push_back(std::exchange(N.Record, NoNode));
    if (N.Id.empty()) {
      Numbers.push_back(Into.Nodes.size());
      Into.Nodes.push_back(std::move(N));
      continue;
    }
    auto [It, New] = IndexOf.try_emplace(N.Id, Into.Nodes.size());
    Numbers.push_back(It->second);
    if (New)
      Into.Nodes.push_back(std::move(N));
  }
  for (auto [Local, Record] : llvm::enumerate(Records)) {
    renumber(Record);
    if (Record != NoNode)
      Into.Nodes[Numbers[Local]].Record = Record;
  }
}

/// Several views of one call are one call that gives back what each of them does.
void PointerMerger::addCall(MemoryCall C) {
  auto [It, New] = CallAt.try_emplace({C.Name, C.Token, C.Function}, Into.Calls.size());
  if (New) {
    Into.Calls.push_back(std::move(C));
    return;
  }
  MemoryCall &Known = Into.Calls[It->second];
  if (C.GivesBack != NoNode && Known.GivesBack != NoNode)
    Into.Flows.push_back({PointerFlow::Kind::Copy, Known.GivesBack, C.GivesBack});
  if (Known.GivesBack == NoNode)
    Known.GivesBack = C.GivesBack;
  if (Known.Makes == NoNode)
    Known.Makes = C.Makes;
  if (Known.Unfit.empty())
    Known.Unfit = C.Unfit;
  if (!Known.Kept)
    Known.Kept = C.Kept;
}

void PointerMerger::add(PointerFacts Unit) {
  addNodes(Unit.Nodes);
  auto Take = [](auto &To, auto &From) {
    To.insert(To.end(), std::make_move_iterator(From.begin()), std::make_move_iterator(From.end()));
  };
  for (PointerFlow &F : Unit.Flows) {
    renumber(F.To);
    renumber(F.From);
  }
  for (RecordLayout &L : Unit.Layouts) {
    renumber(L.Record);
    for (PointerNodeIndex &Field : L.Fields)
      renumber(Field);
  }
  for (RecordView &V : Unit.Views) {
    renumber(V.Value);
    renumber(V.Record);
  }
  for (MemoryCall &C : Unit.Calls) {
    renumber(C.Makes);
    renumber(C.GivesBack);
    addCall(std::move(C));
  }
  for (ResultCall &C : Unit.Results) {
    renumber(C.Value);
    renumber(C.Returned);
    renumber(C.As.Makes);
  }
  for (AllocationWrapper &W : Unit.Wrappers) {
    for (PointerNodeIndex &Made : W.Makes)
      renumber(Made);
    for (PointerNodeIndex &Call : W.Calls)
      renumber(Call);
  }
  for (PointerArgument &A : Unit.Arguments) {
    renumber(A.Parameter);
    renumber(A.Value);
  }
  for (PointerEscape &E : Unit.Escapes)
    renumber(E.Value);
  for (MessageBuffer &M : Unit.Messages)
    renumber(M.Value);
  for (Computation &C : Unit.Computations)
    renumber(C.Value);
  for (ArrayDeclaration &A : Unit.Arrays)
    renumber(A.Storage);
  for (VectorDeclaration &V : Unit.Vectors)
    renumber(V.Elements);
  Take(Into.Arrays, Unit.Arrays);
  Take(Into.Vectors, Unit.Vectors);
  Take(Into.VectorMisuses, Unit.VectorMisuses);
  Take(Into.VectorLinks, Unit.VectorLinks);
  Take(Into.Flows, Unit.Flows);
  Take(Into.Layouts, Unit.Layouts);
  Take(Into.Views, Unit.Views);
  Take(Into.Results, Unit.Results);
  Take(Into.Wrappers, Unit.Wrappers);
  Take(Into.Arguments, Unit.Arguments);
  Take(Into.Escapes, Unit.Escapes);
  Take(Into.Messages, Unit.Messages);
  Take(Into.Computations, Unit.Computations);
  Take(Into.Defined, Unit.Defined);
  Take(Into.Own, Unit.Own);
  Take(Into.Forks, Unit.Forks);
  Take(Into.ForkHandlers, Unit.ForkHandlers);
  Take(Into.Remaps, Unit.Remaps);
  Take(Into.Mains, Unit.Mains);
  Take(Into.Taken, Unit.Taken);
}

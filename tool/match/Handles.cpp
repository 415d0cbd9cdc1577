// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Handles.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mpishm;

HandleSets::HandleSets(const Program &Whole, const TrustedCalls &Trusted)
    : P(Whole), WorldNode(Whole.Objects.size()), SelfNode(WorldNode + 1), Groups(WorldNode + 2) {
  followFlows();
  followArguments(Trusted);
  followObjects();
  Groups.compress();
  Successors.resize(Groups.getNumClasses());
  for (auto [From, To] : OneWay)
    if (Groups[From] != Groups[To])
      Successors[Groups[From]].push_back(Groups[To]);
  followMakers();
  propagateOrigins();
  propagateUnknown();
  joinCollectives();
  assignEscapes();
}

/// The node of a value; none for those that no handle that is used can have, and for unknown ones.
unsigned HandleSets::nodeOf(const Operand &O) const {
  switch (O.Which) {
  case Operand::Kind::Object:
    return O.ObjectIndex;
  case Operand::Kind::World:
    return WorldNode;
  case Operand::Kind::Self:
    return SelfNode;
  default:
    return NoNode;
  }
}

void HandleSets::note(Notes &Into, const Operand &Value, Part In, const Place &Where, std::string What) {
  unsigned Node = nodeOf(Value);
  if (Node == NoNode)
    return;
  std::string Name = Value.Which == Operand::Kind::World  ? "MPI_COMM_WORLD"
                     : Value.Which == Operand::Kind::Self ? "MPI_COMM_SELF"
                                                          : "'" + P.Objects[Node].Name + "'";
  Into.push_back({Node, {Where, std::move(Name), std::move(What), In}});
}

/// A value flows into node \p To.
void HandleSets::flow(unsigned To, const Operand &From, bool Both, Part In, const Place &Where) {
  if (unsigned Node = nodeOf(From); Node != NoNode) {
    // Only between declared communicators is it sure that no address was taken on the way.
    bool Constant = Node >= WorldNode;
    bool Comms =
        P.Objects[To].Kind == Domain::Communicator && (Constant || P.Objects[Node].Kind == Domain::Communicator);
    if (Constant || (Comms && !Both))
      OneWay.push_back({Node, To});
    else
      Groups.join(To, Node);
    return;
  }
  // Numbers that flow into an integer are no handles, although an integer may carry one (templates, MPICH's handles).
  // Neither is a constant a request or message: programs mark with one what is under way.
  if (From.Which == Operand::Kind::Null ||
      (From.Which == Operand::Kind::Constant && P.Objects[To].Kind != Domain::Communicator) ||
      (From.Which != Operand::Kind::Unknown && P.Objects[To].Kind == Domain::Integer))
    return;
  UnknownNotes.push_back({To,
                          {Where, "'" + P.Objects[To].Name + "'",
                           "gets a value here that cannot be followed to where it comes from", In}});
}

void HandleSets::followFlows() {
  for (const PartOf<Flow> &F : P.Flows)
    flow(F.To, F.From, F.Both, F.In, F.Where);
  for (const PartOf<Escape> &E : P.Escapes) {
    std::string What;
    switch (E.Which) {
    case Escape::Kind::Variadic:
      What = "is handed to '" + E.Name + "', whose parameters are not declared";
      break;
    case Escape::Kind::Cast:
      What = "is converted to '" + E.Name + "' and cannot be followed further";
      break;
    case Escape::Kind::Expression:
      What = "is used here in a way that cannot be followed";
      break;
    case Escape::Kind::LeakingMpi:
      What = "is handed to " + E.Name + " and cannot be followed further";
      break;
    }
    // Whoever holds the address may also store there.
    note(UnknownNotes, E.Value, E.In, E.Where, What);
    note(EscapeNotes, E.Value, E.In, E.Where, std::move(What));
  }
}

void HandleSets::followArguments(const TrustedCalls &Trusted) {
  for (const PartOf<Argument> &A : P.Arguments) {
    if (P.isSeen(A.Callee)) {
      flow(A.Parameter, A.Value, A.Both, A.In, A.Where);
      continue;
    }
    std::string What = "is handed to '" + A.CalleeName + "', which is not in the database";
    using Trust = TrustedCalls::Trust;
    Trust T = Trusted.of(A);
    bool IsObject = A.Value.Which == Operand::Kind::Object;
    bool IsComm = IsObject && P.Objects[A.Value.ObjectIndex].Kind == Domain::Communicator;
    if (A.Both && IsObject && (T == Trust::None || (T == Trust::MayStore && IsComm)))
      note(UnknownNotes, A.Value, A.In, A.Where, What);
    if (T == Trust::None)
      note(EscapeNotes, A.Value, A.In, A.Where, std::move(What));
  }
}

/// Objects into which a value flows where we see it.
llvm::BitVector HandleSets::fedObjects() const {
  llvm::BitVector Fed(P.Objects.size());
  auto Feed = [&](const Operand &O) {
    if (O.Which == Operand::Kind::Object)
      Fed.set(O.ObjectIndex);
  };
  for (const Flow &F : P.Flows) {
    Fed.set(F.To);
    if (F.Both)
      Feed(F.From);
  }
  for (const Argument &A : P.Arguments) {
    Fed.set(A.Parameter);
    if (A.Both)
      Feed(A.Value);
  }
  for (const ProgramCall &C : P.Calls) {
    llvm::for_each(C.NewComm, Feed);
    llvm::for_each(C.Request, Feed);
    llvm::for_each(C.Message, Feed);
  }
  return Fed;
}

/// What objects are by themselves: results of functions that we do not see, parameters of functions that code which we
/// do not see may call, storage that nobody fills where we see it.
void HandleSets::followObjects() {
  llvm::BitVector Fed = fedObjects();
  for (auto [Index, O] : llvm::enumerate(P.Objects)) {
    auto Unknown = [&, I = unsigned(Index), &Object = O](llvm::StringRef What) {
      UnknownNotes.push_back({I, {Place(), "'" + Object.Name + "'", What.str(), Shared}});
    };
    llvm::StringRef Function = functionOfParameter(O), Result = functionOfResult(O);
    if (O.External && !P.isSeen(O.Id))
      Unknown("is defined outside the database");
    else if (!Result.empty() && !P.isSeen(Result))
      Unknown("comes from a function that is not in the database");
    // Where such a pointer to functions that take requests comes from, or goes to, out of sight is an escape.
    else if (Function.starts_with("indirect:") && !isField(O) &&
             !(O.Kind == Domain::Request && P.IsWhole && P.isSeen(Function)))
      Unknown("is a parameter of a function that may be called through a pointer from anywhere");
    else if (!P.IsWhole && Result.empty() && isExternal(O.Id) && !O.Hidden)
      Unknown("can be set from outside the database");
    // A parameter that nobody fills belongs to a function that nobody calls. Its calls are left alone, but they are no
    // threat to others.
    else if (O.Kind == Domain::Communicator && !Fed.test(Index) && Function.empty())
      Unknown("is not set anywhere in the database");
  }
}

void HandleSets::followMakers() {
  for (auto [Index, C] : llvm::enumerate(P.Calls))
    if (C.Info && C.Info->Kind == FunctionKind::Maker) {
      SetOfMaker[Index] = 2 + MakerCalls.size();
      MakerCalls.push_back(Index);
    }
}

/// Each group gets the sets whose values may reach it.
void HandleSets::propagateOrigins() {
  Origins.resize(Groups.getNumClasses());
  std::vector<unsigned> Work;
  for (Set S = 0; S < 2 + MakerCalls.size(); ++S) {
    auto Reach = [&](unsigned Group) {
      if (!Origins[Group].empty() && Origins[Group].back() == S)
        return;
      Origins[Group].push_back(S);
      Work.push_back(Group);
    };
    if (S < 2)
      Reach(Groups[S == World ? WorldNode : SelfNode]);
    else
      for (const Operand &O : P.Calls[MakerCalls[S - 2]].NewComm)
        if (unsigned Node = nodeOf(O); Node != NoNode)
          Reach(Groups[Node]);
    while (!Work.empty()) {
      unsigned Group = Work.back();
      Work.pop_back();
      for (unsigned To : Successors[Group])
        Reach(To);
    }
  }
}

/// Of several marks, one with a place says more than one without; then the first by place counts.
static bool isBetter(const Mark &A, const Mark &B) {
  auto Key = [](const Mark &M) { return std::tie(M.Where.File, M.Where.Offset, M.Object, M.What, M.In); };
  if (A.Where.File.empty() != B.Where.File.empty())
    return B.Where.File.empty();
  return Key(A) < Key(B);
}

/// Each group gets, for each part, the best of the marks of unknown values that may reach it.
void HandleSets::propagateUnknown() {
  llvm::stable_sort(UnknownNotes, [](const auto &A, const auto &B) { return isBetter(A.second, B.second); });
  UnknownOf.resize(Groups.getNumClasses());
  std::vector<unsigned> Work;
  for (unsigned Index = 0; Index < UnknownNotes.size(); ++Index) {
    Part In = UnknownNotes[Index].second.In;
    auto Reach = [&](unsigned Group) {
      if (llvm::any_of(UnknownOf[Group], [&](unsigned Known) { return UnknownNotes[Known].second.In == In; }))
        return;
      UnknownOf[Group].push_back(Index);
      Work.push_back(Group);
    };
    Reach(Groups[UnknownNotes[Index].first]);
    while (!Work.empty()) {
      unsigned Group = Work.back();
      Work.pop_back();
      for (unsigned To : Successors[Group])
        Reach(To);
    }
  }
}

/// Calls of one maker on one communicator may be one operation, called by different ranks in different places: then
/// they make one communicator. Only where they all stand in one run of statements do ranks make them in the same order.
/// Returns whether sets were joined.
bool HandleSets::joinCollectivesOnce(llvm::IntEqClasses &Same) const {
  constexpr Set Anything = ~0u; // a parent of which nothing is known may be any
  std::map<std::pair<llvm::StringRef, Set>, std::vector<unsigned>> CallsOn;
  std::map<llvm::StringRef, std::vector<unsigned>> CallsOf;
  std::set<llvm::StringRef> OnAnything;
  for (unsigned Maker : MakerCalls) {
    const ProgramCall &C = P.Calls[Maker];
    CallsOf[C.Function].push_back(Maker);
    HandleValues Parent = valuesOf(C.Comm);
    for (Set S : Parent.Sets)
      CallsOn[{C.Function, S < 2 + MakerCalls.size() ? Same.findLeader(S) : S}].push_back(Maker);
    if (Parent.Anything || !Parent.Unknown.empty() || Parent.Sets.empty())
      OnAnything.insert(C.Function);
  }
  for (llvm::StringRef Function : OnAnything)
    CallsOn[{Function, Anything}] = CallsOf[Function];
  bool Joined = false;
  for (const auto &[Key, Calls] : CallsOn) {
    const std::string &Run = P.Calls[Calls.front()].Run;
    if (!Run.empty() && llvm::all_of(Calls, [&](unsigned I) { return P.Calls[I].Run == Run; }))
      continue;
    for (unsigned I : Calls) {
      unsigned First = SetOfMaker.at(Calls.front()), Other = SetOfMaker.at(I);
      Joined |= Same.findLeader(First) != Same.findLeader(Other);
      Same.join(First, Other);
    }
  }
  return Joined;
}

/// Joined communicators may be parents, too.
void HandleSets::joinCollectives() {
  llvm::IntEqClasses Same(2 + MakerCalls.size());
  while (joinCollectivesOnce(Same)) {
  }
  for (auto &[Maker, S] : SetOfMaker)
    S = Same.findLeader(S);
  for (std::vector<Set> &Sets : Origins) {
    for (Set &S : Sets)
      S = Same.findLeader(S);
    llvm::sort(Sets);
    Sets.erase(llvm::unique(Sets), Sets.end());
  }
}

void HandleSets::assignEscapes() {
  for (const auto &[Node, M] : EscapeNotes) {
    auto Add = [&, &Escaped = M](Set S) {
      const Mark *&Known = EscapeMarks[S].try_emplace(Escaped.In, &Escaped).first->second;
      if (isBetter(Escaped, *Known))
        Known = &Escaped;
    };
    for (Set S : Origins[Groups[Node]])
      Add(S);
    Add(2 + MakerCalls.size() + Groups[Node]);
  }
}

const Mark *HandleSets::escapes(Set S, Part In) const {
  auto It = EscapeMarks.find(S);
  if (It == EscapeMarks.end())
    return nullptr;
  const Mark *Best = nullptr;
  for (const auto &[Where, M] : It->second)
    if (mayMeet(Where, In) && (!Best || isBetter(*M, *Best)))
      Best = M;
  return Best;
}

std::optional<unsigned> HandleSets::maker(Set S) const {
  return S >= 2 && S - 2 < MakerCalls.size() ? std::optional(MakerCalls[S - 2]) : std::nullopt;
}

HandleValues HandleSets::valuesOf(const std::vector<Operand> &Operands) const {
  HandleValues Result;
  std::set<unsigned> Marks;
  for (const Operand &O : Operands) {
    unsigned Node = nodeOf(O);
    if (Node == NoNode) {
      Result.Anything |= O.Which != Operand::Kind::Null;
      continue;
    }
    unsigned Group = Groups[Node];
    Marks.insert(UnknownOf[Group].begin(), UnknownOf[Group].end());
    if (O.Which == Operand::Kind::Object && Result.Name.empty())
      Result.Name = "'" + P.Objects[Node].Name + "'";
    // Requests and messages are their storage; so are handles of which we do not know by their type what they are.
    if (Node < WorldNode && P.Objects[Node].Kind != Domain::Communicator)
      Result.Sets.push_back(2 + MakerCalls.size() + Group);
    llvm::append_range(Result.Sets, Origins[Group]);
  }
  for (unsigned Index : Marks)
    Result.Unknown.push_back(&UnknownNotes[Index].second);
  llvm::sort(Result.Sets);
  Result.Sets.erase(llvm::unique(Result.Sets), Result.Sets.end());
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Handles.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mpishm;

HandleSets::HandleSets(const Program &Whole)
    : P(Whole), WorldNode(Whole.Objects.size()), SelfNode(WorldNode + 1), Sets(WorldNode + 2) {
  followFlows();
  followArguments();
  followObjects();
  followCalls();
  joinCollectives();
  Sets.compress();
  assignMarks();
}

/// The node of a value; none for those that no communicator or request that is used can have, and for unknown ones.
std::optional<unsigned> HandleSets::nodeOf(const Operand &O) const {
  switch (O.Which) {
  case Operand::Kind::Object:
    return O.ObjectIndex;
  case Operand::Kind::World:
    return WorldNode;
  case Operand::Kind::Self:
    return SelfNode;
  default:
    return std::nullopt;
  }
}

void HandleSets::note(std::vector<std::pair<unsigned, Mark>> &Notes, const Operand &Value, const Place &Where,
                      std::string What) {
  std::optional<unsigned> Node = nodeOf(Value);
  if (!Node)
    return;
  std::string Name = Value.Which == Operand::Kind::World  ? "MPI_COMM_WORLD"
                     : Value.Which == Operand::Kind::Self ? "MPI_COMM_SELF"
                                                          : "'" + P.Objects[*Node].Name + "'";
  Notes.push_back({*Node, {Where, std::move(Name), std::move(What)}});
}

/// A value flows into node \p To.
void HandleSets::flow(unsigned To, const Operand &From, const Place &Where) {
  if (std::optional<unsigned> Node = nodeOf(From)) {
    Sets.join(To, *Node);
    return;
  }
  // Numbers that flow into an integer are no handles, although an integer may carry one (templates, MPICH's handles).
  if (From.Which == Operand::Kind::Null ||
      (From.Which != Operand::Kind::Unknown && P.Objects[To].Kind == Domain::Integer))
    return;
  UnknownNotes.push_back(
      {To,
       {Where, "'" + P.Objects[To].Name + "'", "gets a value here that cannot be followed to where it comes from"}});
}

void HandleSets::followFlows() {
  for (const Flow &F : P.Flows)
    flow(F.To, F.From, F.Where);
  for (const Escape &E : P.Escapes) {
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
    note(UnknownNotes, E.Value, E.Where, What);
    note(EscapeNotes, E.Value, E.Where, std::move(What));
  }
}

void HandleSets::followArguments() {
  for (const Argument &A : P.Arguments) {
    if (P.isSeen(A.Callee)) {
      flow(A.Parameter, A.Value, A.Where);
      continue;
    }
    std::string What = "is handed to '" + A.CalleeName + "', which is not in the database";
    if (A.Both && A.Value.Which == Operand::Kind::Object)
      note(UnknownNotes, A.Value, A.Where, What);
    note(EscapeNotes, A.Value, A.Where, std::move(What));
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
  }
  return Fed;
}

/// What objects are by themselves: results of functions that we do not see, parameters of functions that code which we
/// do not see may call, storage that nobody fills where we see it.
void HandleSets::followObjects() {
  llvm::BitVector Fed = fedObjects();
  for (auto [Index, O] : llvm::enumerate(P.Objects)) {
    auto Unknown = [&, I = unsigned(Index), &Object = O](llvm::StringRef What) {
      UnknownNotes.push_back({I, {Place(), "'" + Object.Name + "'", What.str()}});
    };
    llvm::StringRef Function = functionOfParameter(O), Result = functionOfResult(O);
    if (O.External && !P.isSeen(O.Id))
      Unknown("is defined outside the database");
    else if (!Result.empty() && !P.isSeen(Result))
      Unknown("comes from a function that is not in the database");
    else if (Function.starts_with("indirect:"))
      Unknown("is a parameter of a function that may be called through a pointer from anywhere");
    else if (!P.IsWhole && Result.empty() && isExternal(O.Id))
      Unknown("can be set from outside the database");
    // A parameter that nobody fills belongs to a function that nobody calls. Its calls are left alone, but they are no
    // threat to others.
    else if (O.Kind == Domain::Communicator && !Fed.test(Index) && Function.empty())
      Unknown("is not set anywhere in the database");
  }
}

void HandleSets::followCalls() {
  for (auto [Index, C] : llvm::enumerate(P.Calls)) {
    if (!C.Info || C.Info->Kind != FunctionKind::Maker)
      continue;
    for (const Operand &O : C.NewComm)
      if (std::optional<unsigned> Node = nodeOf(O))
        MakerNotes.push_back({*Node, unsigned(Index)});
  }
}

/// Calls of one maker on one communicator may be one operation, called by different ranks in different places: then
/// they make one communicator. Only where they all stand in one run of statements do ranks make them in the same order.
/// Returns whether sets were joined.
bool HandleSets::joinCollectivesOnce() {
  constexpr unsigned Anything = ~0u; // a parent of which nothing is known
  std::map<std::pair<llvm::StringRef, unsigned>, std::vector<unsigned>> CallsOn;
  std::map<llvm::StringRef, std::vector<unsigned>> CallsOf;
  std::set<llvm::StringRef> OnAnything;
  for (auto [Index, C] : llvm::enumerate(P.Calls)) {
    if (!C.Info || C.Info->Kind != FunctionKind::Maker)
      continue;
    CallsOf[C.Function].push_back(Index);
    for (const Operand &O : C.Comm) {
      std::optional<unsigned> Node = nodeOf(O);
      CallsOn[{C.Function, Node ? Sets.findLeader(*Node) : Anything}].push_back(Index);
      if (!Node && O.Which != Operand::Kind::Null)
        OnAnything.insert(C.Function);
    }
  }
  for (llvm::StringRef Function : OnAnything)
    CallsOn[{Function, Anything}] = CallsOf[Function];
  bool Joined = false;
  for (const auto &[Key, Calls] : CallsOn) {
    const std::string &Run = P.Calls[Calls.front()].Run;
    if (!Run.empty() && llvm::all_of(Calls, [&](unsigned I) { return P.Calls[I].Run == Run; }))
      continue;
    std::optional<unsigned> First;
    for (unsigned I : Calls)
      for (const Operand &O : P.Calls[I].NewComm)
        if (std::optional<unsigned> Node = nodeOf(O)) {
          Joined |= First && Sets.findLeader(*First) != Sets.findLeader(*Node);
          First = First ? Sets.join(*First, *Node) : *Node;
        }
  }
  return Joined;
}

/// Joined communicators may be parents, too.
void HandleSets::joinCollectives() {
  while (joinCollectivesOnce()) {
  }
}

void HandleSets::assignMarks() {
  auto Assign = [&](const std::vector<std::pair<unsigned, Mark>> &Notes, std::map<Set, Mark> &Marks) {
    for (const auto &[Node, M] : Notes) {
      auto [It, New] = Marks.try_emplace(Sets[Node], M);
      // A mark with a place says more than one without.
      auto Key = [](const Mark &X) { return std::tie(X.Where.File, X.Where.Offset, X.Object); };
      bool Better =
          It->second.Where.File.empty() != M.Where.File.empty() ? !M.Where.File.empty() : Key(M) < Key(It->second);
      if (!New && Better)
        It->second = M;
    }
  };
  Assign(EscapeNotes, EscapeMarks);
  Assign(UnknownNotes, UnknownMarks);
  for (auto [Node, Call] : MakerNotes) {
    std::vector<unsigned> &List = Makers[Sets[Node]];
    if (List.empty() || List.back() != Call)
      List.push_back(Call);
  }
  for (unsigned I = 0; I < P.Objects.size(); ++I)
    NamingObject.try_emplace(Sets[I], I);
}

const Mark *HandleSets::find(const std::map<Set, Mark> &Marks, Set S) {
  auto It = Marks.find(S);
  return It == Marks.end() ? nullptr : &It->second;
}

const std::vector<unsigned> &HandleSets::makers(Set S) const {
  static const std::vector<unsigned> None;
  auto It = Makers.find(S);
  return It == Makers.end() ? None : It->second;
}

std::vector<HandleSets::Set> HandleSets::setsOf(const std::vector<Operand> &Values, bool &Unknown) const {
  std::vector<Set> Result;
  for (const Operand &O : Values) {
    if (std::optional<unsigned> Node = nodeOf(O))
      Result.push_back(Sets[*Node]);
    else if (O.Which != Operand::Kind::Null)
      Unknown = true;
  }
  llvm::sort(Result);
  Result.erase(llvm::unique(Result), Result.end());
  return Result;
}

std::string HandleSets::nameOf(Set S) const {
  if (S == world())
    return "MPI_COMM_WORLD";
  if (S == self())
    return "MPI_COMM_SELF";
  auto It = NamingObject.find(S);
  return It == NamingObject.end() ? "unnamed" : "'" + P.Objects[It->second].Name + "'";
}

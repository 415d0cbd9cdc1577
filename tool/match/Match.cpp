// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions. A message class is rewritten when nothing opens it; what opens classes:
//
//   * an operation of the class that cannot be rewritten;
//   * a synchronous send that a wildcard receive of the class may receive;
//   * its communicator: one that code which we do not see may know (it may send or receive there) or may have made (it
//     may be any communicator that such code knows). Since all code knows MPI_COMM_WORLD and MPI_COMM_SELF, operations
//     on a communicator of unknown origin open the classes on these two as well;
//   * its requests: they may reach code that we do not see, or a completion call that cannot be rewritten, or a
//     synchronous send's may reach MPI_Cancel;
//   * its matched probes: their messages may reach code that we do not see;
//   * point-to-point functions used as values: such calls may match anything;
//   * MPI_Init: when it cannot be rewritten, the runtime would not be there.
//
// Communicators that the runtime is not told of go through MPI at run time on all their ranks, which is safe; only a
// class that would never meet another kind is left alone for it. But telling is collective: all calls of a maker that
// may be the same collective operation are renamed together or not at all.

#include "match/Blocks.h"
#include "match/Buffers.h"
#include "match/Classes.h"
#include "match/Makers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace mpishm;

namespace {

class Decider {
public:
  Decider(const Program &Whole, const ProgramContext &Around)
      : P(Whole), Context(Around), Handles(P, TrustedCalls(Around.TrustedCalls)), Integers(P), Blocked(P),
        Makers(P, Handles, Blocked), Ops(partition(P, Handles, Integers)) {}
  Decisions run();

private:
  const ProgramCall &callOf(const Operation &Op) const { return P.Calls[Op.Call]; }
  unsigned addFinding(Finding F);
  void open(unsigned Class, Finding F) { Reasons[Class].insert(addFinding(std::move(F))); }
  template <typename Predicate> void openAll(const Finding &F, Part In, Predicate Condition);

  void openByName(const Operation &Op);
  void openByCommunicator(const Operation &Op);
  void openBySynchronousSend();
  void openWorld();
  void openByRequest(const Operation &Op);
  void openByMessage(const Operation &Op);
  void openByCompletion();
  void openByUses();
  void joinByMacro();
  void openByMacro();
  void openWithoutExchange();
  void openUnregistered();
  void openByInit();
  void reportHalfRewritten();
  bool concernsUs(const std::string &Function) const;
  void reportUnseen();

  void makeSites();
  bool mayMoveMemory();
  void makeRenames();
  void makeHelping();
  void rename(const ProgramCall &C);
  void moveBuffers();
  bool isOpen(unsigned Class) const { return !Reasons[Class].empty(); }

  const Program &P;
  const ProgramContext &Context;
  HandleSets Handles;
  IntegerFacts Integers;
  Blocks Blocked;
  MakerGroups Makers;
  std::vector<Operation> Ops;
  std::vector<std::set<unsigned>> Reasons; ///< per class, into Result.Findings
  llvm::IntEqClasses Together;             ///< classes that have names in macros in common
  std::map<std::tuple<Diagnostic, Place, std::vector<std::string>>, unsigned> KnownFindings;
  std::map<Place, Rename> Renames;
  Decisions Result;
};

unsigned Decider::addFinding(Finding F) {
  auto [It, New] = KnownFindings.try_emplace({F.What, F.Where, F.Args}, Result.Findings.size());
  if (New)
    Result.Findings.push_back(std::move(F));
  return It->second;
}

/// Opens the classes of all operations that \p Condition holds for and that may meet code of \p In.
template <typename Predicate> void Decider::openAll(const Finding &F, Part In, Predicate Condition) {
  std::optional<unsigned> Index;
  for (const Operation &Op : Ops)
    if (mayMeet(Op.In, In) && Condition(Op)) {
      if (!Index)
        Index = addFinding(F);
      Reasons[Op.Class].insert(*Index);
    }
}

void Decider::openByName(const Operation &Op) {
  if (std::optional<Finding> F = Blocked.of(callOf(Op)))
    open(Op.Class, *F);
}

static bool isSynchronousSend(const ProgramCall &C) {
  return llvm::StringRef(C.Function).contains_insensitive("ssend");
}

/// The receive of a message that a wildcard may get is found by the rank that receives: the sender cannot know that it
/// is posted, and a synchronous send would wait until that rank calls the runtime.
void Decider::openBySynchronousSend() {
  std::map<unsigned, const ProgramCall *> WildcardOf; // per class, the first
  for (const Operation &Op : Ops)
    if (Op.Wildcard)
      WildcardOf.try_emplace(Op.Class, &callOf(Op));
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    auto It = WildcardOf.find(Op.Class);
    if (It == WildcardOf.end() || !isSynchronousSend(C))
      continue;
    const ProgramCall &Wildcard = *It->second;
    open(Op.Class, {Diagnostic::SynchronousSend, C.Name, {C.Spelled, Wildcard.Spelled}, Wildcard.Name});
  }
}

/// The first of \p Marks that counts in a program of \p In, or null.
static const Mark *markIn(const std::vector<const Mark *> &Marks, Part In) {
  auto It = llvm::find_if(Marks, [&](const Mark *M) { return mayMeet(M->In, In); });
  return It == Marks.end() ? nullptr : *It;
}

/// Why it is not known where the communicator of \p C comes from, if so.
static std::optional<Finding> whyUnknown(const ProgramCall &C, const HandleValues &Comm) {
  if (const Mark *M = markIn(Comm.Unknown, C.In))
    return Finding{Diagnostic::CommunicatorUnknown, C.Name, {C.Spelled, M->Object + " " + M->What}, M->Where};
  if (Comm.Anything)
    return Finding{
        Diagnostic::CommunicatorUnknown, C.Name, {C.Spelled, "it cannot be followed to where it is made"}, {}};
  return std::nullopt;
}

static bool isNull(const std::vector<Operand> &Values) {
  return !Values.empty() && llvm::all_of(Values, [](const Operand &O) { return O.Which == Operand::Kind::Null; });
}

void Decider::openByCommunicator(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  if (!C.Info->Comm)
    return;
  bool Escapes = false, Known = false;
  for (HandleSets::Set S : Op.Comm.Sets) {
    Known |= S == HandleSets::World || S == HandleSets::Self || Handles.maker(S);
    if (const Mark *M = Handles.escapes(S, Op.In)) {
      open(Op.Class, {Diagnostic::CommunicatorEscapes, M->Where, {M->Object, M->What}, {}});
      Escapes = true;
    }
  }
  if (std::optional<Finding> F = whyUnknown(C, Op.Comm); F && !Escapes)
    open(Op.Class, *F);
  else if (!Known && !F && !isNull(C.Comm)) // MPI refuses MPI_COMM_NULL, rewritten or not
    open(Op.Class, {Diagnostic::CommunicatorUnknown, C.Name, {C.Spelled, "nothing sets " + Op.Comm.Name}, {}});
}

/// MPI_COMM_WORLD and MPI_COMM_SELF are known to all code, also to that which we do not see.
void Decider::openWorld() {
  auto OnWorld = [&](const Operation &Op) {
    return llvm::is_contained(Op.Comm.Sets, HandleSets::World) || llvm::is_contained(Op.Comm.Sets, HandleSets::Self);
  };
  std::set<Part> Done; // one such operation is reason enough
  for (const Operation &Op : Ops)
    if (!Done.count(Op.In) && !Done.count(Shared))
      if (std::optional<Finding> F = whyUnknown(callOf(Op), Op.Comm)) {
        openAll(*F, Op.In, OnWorld);
        Done.insert(Op.In);
      }
  for (const std::string &Source : Context.UnseenSources)
    openAll({Diagnostic::UnseenSource, Place(), {Source}, {}}, Shared, OnWorld);
  if (!P.IsWhole && Context.UnseenSources.empty())
    openAll({Diagnostic::NotWholeProgram, Place(), {}, {}}, Shared, OnWorld);
}

void Decider::openByRequest(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  if (Op.Request.Anything)
    open(Op.Class, {Diagnostic::RequestUnknown, C.Name, {C.Spelled, "it cannot be followed"}, {}});
  bool Escapes = false;
  for (HandleSets::Set S : Op.Request.Sets)
    if (const Mark *M = Handles.escapes(S, Op.In)) {
      open(Op.Class, {Diagnostic::RequestEscapes, M->Where, {M->Object, M->What}, {}});
      Escapes = true;
    }
  if (const Mark *M = markIn(Op.Request.Unknown, Op.In); M && !Escapes)
    open(Op.Class, {Diagnostic::RequestUnknown, C.Name, {C.Spelled, M->Object + " " + M->What}, M->Where});
}

/// A message that the runtime holds means nothing to MPI_Mrecv. (One of MPI's own is as good to the runtime's.)
void Decider::openByMessage(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  auto Open = [&](const Mark &M) {
    open(Op.Class,
         {Diagnostic::MessageEscapes, M.Where.File.empty() ? C.Name : M.Where, {M.Object, M.What}, std::nullopt});
  };
  if (Op.Message.Anything)
    Open({C.Name, "of " + C.Spelled, "cannot be followed", Op.In});
  for (HandleSets::Set S : Op.Message.Sets)
    if (const Mark *M = Handles.escapes(S, Op.In))
      Open(*M);
  if (const Mark *M = markIn(Op.Message.Unknown, Op.In))
    Open(*M);
}

/// Completion calls accept requests of both kinds once they are rewritten, so each that a request may reach must be.
///
/// The runtime never cancels a send, which MPI leaves to it. What must hold is that the wait for it is local
/// afterwards: so it is for each mode but the synchronous one.
void Decider::openByCompletion() {
  // One call of each part is reason enough.
  std::map<HandleSets::Set, std::map<Part, Finding>> BlockedOn, CancelledOn;
  for (const ProgramCall &C : P.Calls) {
    if (!C.Info || C.Info->Kind != FunctionKind::Completion)
      continue;
    std::optional<Finding> F = Blocked.of(C);
    for (HandleSets::Set S : Handles.valuesOf(C.Request).Sets) {
      if (F)
        BlockedOn[S].try_emplace(C.In, *F);
      if (C.Function == "MPI_Cancel")
        CancelledOn[S].try_emplace(C.In, Finding{Diagnostic::CancelledSend, C.Name, {C.Spelled}, {}});
    }
  }
  for (const Operation &Op : Ops)
    for (HandleSets::Set S : Op.Request.Sets) {
      for (const auto &[In, F] : BlockedOn[S])
        if (mayMeet(In, Op.In))
          open(Op.Class, F);
      if (isSynchronousSend(callOf(Op)))
        for (const auto &[In, F] : CancelledOn[S])
          if (mayMeet(In, Op.In))
            open(Op.Class, F);
    }
}

/// A function that is called through a pointer may be given any communicator, tag, request and message.
void Decider::openByUses() {
  auto All = [](const Operation &) { return true; };
  for (FunctionKind Kind : {FunctionKind::Send, FunctionKind::Receive, FunctionKind::SendReceive, FunctionKind::Probe})
    for (const PartOf<Finding> &F : Blocked.usesAsValue(Kind))
      openAll(F, F.In, All);
  for (const PartOf<Finding> &F : Blocked.usesAsValue(FunctionKind::Completion))
    openAll(F, F.In, [](const Operation &Op) { return !Op.Request.Sets.empty() || Op.Request.Anything; });
  for (const PartOf<Finding> &F : Blocked.usesAsValue(FunctionKind::MatchedReceive))
    openAll(F, F.In, [](const Operation &Op) { return !Op.Message.Sets.empty() || Op.Message.Anything; });
}

/// One edit of a name in the body of a macro changes all uses of the macro, whatever their classes.
void Decider::joinByMacro() {
  Together.grow(Reasons.size());
  std::map<Place, unsigned> FirstWith;
  for (const Operation &Op : Ops)
    if (const ProgramCall &C = callOf(Op); C.Edit == Editability::MacroDefinition && !C.isRewritten())
      Together.join(FirstWith.try_emplace(C.Token, Op.Class).first->second, Op.Class);
  Together.compress();
}

void Decider::openByMacro() {
  std::map<Place, const Operation *> OpenName;
  std::map<unsigned, const Operation *> OpenGroup;
  for (const Operation &Op : Ops)
    if (const ProgramCall &C = callOf(Op); C.Edit == Editability::MacroDefinition && isOpen(Op.Class)) {
      OpenName.try_emplace(C.Token, &Op);
      OpenGroup.try_emplace(Together[Op.Class], &Op);
    }
  std::vector<std::pair<unsigned, Finding>> Found;
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    if (C.Edit != Editability::MacroDefinition || C.isRewritten() || isOpen(Op.Class))
      continue;
    auto Name = OpenName.find(C.Token);
    auto Group = OpenGroup.find(Together[Op.Class]);
    if (Name == OpenName.end() && Group == OpenGroup.end())
      continue;
    const ProgramCall &Other = callOf(Name == OpenName.end() ? *Group->second : *Name->second);
    Found.push_back({Op.Class, {Diagnostic::SharedMacro, Other.Name, {Other.Spelled, Other.CauseName}, Other.Token}});
  }
  for (auto &[Class, F] : Found)
    open(Class, std::move(F));
}

void Decider::openWithoutExchange() {
  if (!Context.ExchangesOnly)
    return;
  std::vector<bool> Wanted(Together.getNumClasses());
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    // What is rewritten in part must be finished, whatever it is.
    if (C.Info->Nonblocking || C.Info->Kind == FunctionKind::SendReceive || C.isRewritten())
      Wanted[Together[Op.Class]] = true;
  }
  for (const Operation &Op : Ops)
    if (!Wanted[Together[Op.Class]] && !isOpen(Op.Class))
      open(Op.Class, {Diagnostic::NoExchange, callOf(Op).Name, {}, {}});
}

void Decider::openUnregistered() {
  std::vector<bool> Registered(Together.getNumClasses());
  std::vector<std::optional<Finding>> Why(Reasons.size());
  for (const Operation &Op : Ops)
    for (HandleSets::Set S : Op.Comm.Sets) {
      std::optional<unsigned> Maker = Handles.maker(S);
      std::optional<Finding> F = Maker ? Makers.whyNotRegistered(*Maker) : std::nullopt;
      if (S == HandleSets::World || S == HandleSets::Self || (Maker && !F))
        Registered[Together[Op.Class]] = true;
      else if (F && !Why[Op.Class])
        Why[Op.Class] = F;
    }
  for (unsigned Class = 0; Class < Reasons.size(); ++Class)
    if (const std::optional<Finding> &F = Why[Class]; F && !isOpen(Class) && !Registered[Together[Class]])
      open(Class, *F);
}

void Decider::openByInit() {
  std::vector<PartOf<Finding>> Why = Blocked.usesAsValue(FunctionKind::Initialize);
  bool Initialises = false;
  for (const ProgramCall &C : P.Calls) {
    Initialises |= C.Function == "MPISHM_Attach";
    if (!C.Info || C.Info->Kind != FunctionKind::Initialize)
      continue;
    Initialises = true;
    if (std::optional<Finding> F = Blocked.of(C))
      Why.push_back({*F, C.In});
  }
  bool Any = false;
  std::vector<bool> WasOpen(Reasons.size());
  for (unsigned Class = 0; Class < Reasons.size(); ++Class)
    WasOpen[Class] = isOpen(Class);
  for (const Operation &Op : Ops) {
    if (WasOpen[Op.Class])
      continue;
    Any = true;
    for (const PartOf<Finding> &F : Why)
      if (mayMeet(F.In, Op.In))
        open(Op.Class, F);
  }
  if (Any && !Initialises)
    addFinding({Diagnostic::NoInit, Place(), {}, {}});
}

/// Somebody changed the program after it was rewritten, and now a rewritten call faces one that goes through MPI.
void Decider::reportHalfRewritten() {
  for (const Operation &Op : Ops)
    if (isOpen(Op.Class) && callOf(Op).isRewritten())
      addFinding({Diagnostic::RewrittenInOpenClass, callOf(Op).Name, {callOf(Op).Spelled}, {}});
}

/// Whether a call of \p Function in a branch that was not seen may face what was rewritten.
bool Decider::concernsUs(const std::string &Function) const {
  const FunctionInfo *Row = findFunction(Function);
  if (!Row)
    return llvm::any_of(Result.Buffers, [](const Buffer &B) { return B.Decided != Buffer::Decision::Private; });
  bool IsMessage = Row->Kind == FunctionKind::Send || Row->Kind == FunctionKind::Receive ||
                   Row->Kind == FunctionKind::SendReceive || Row->Kind == FunctionKind::Probe ||
                   Row->Kind == FunctionKind::MatchedReceive;
  return IsMessage || llvm::any_of(Ops, [&](const Operation &Op) { return !isOpen(Op.Class); });
}

/// Branches that no unit takes may have partners of what we rewrite, in other builds.
void Decider::reportUnseen() {
  std::vector<Mention> Unseen = P.Unseen;
  llvm::erase_if(Unseen, [&](const Mention &M) { return !concernsUs(M.Function); });
  for (size_t First = 0, End = 0; First < Unseen.size(); First = End) {
    std::set<std::string> Names;
    std::string Lines;
    unsigned Last = 0;
    for (; End < Unseen.size() && Unseen[End].Where.File == Unseen[First].Where.File; ++End) {
      const Mention &M = Unseen[End];
      Names.insert(M.Function);
      if (M.Where.Line != Last)
        Lines += (Last ? ", " : "line ") + std::to_string(M.Where.Line);
      Last = M.Where.Line;
    }
    addFinding({Diagnostic::UnseenBranch, Unseen[First].Where, {llvm::join(Names, ", "), Lines}, {}});
  }
}

void Decider::makeSites() {
  // Of several reasons the one that comes first in the table counts, then the first by place.
  auto Precedes = [&](unsigned A, unsigned B) {
    const Finding &X = Result.Findings[A], &Y = Result.Findings[B];
    return std::tie(X.What, X.Where, X.Args) < std::tie(Y.What, Y.Where, Y.Args);
  };
  Result.Classes.resize(Reasons.size());
  for (auto [Class, Open] : llvm::zip_equal(Result.Classes, Reasons)) {
    Class.Findings.assign(Open.begin(), Open.end());
    llvm::sort(Class.Findings, Precedes);
  }
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    if (C.Info->Kind == FunctionKind::Probe)
      continue;
    MessageClass &Class = Result.Classes[Op.Class];
    Class.Sites.push_back(Result.Sites.size());
    Site S{C.Name, C.Function, C.Enclosing, C.isRewritten(), !isOpen(Op.Class), Op.Class, {}};
    if (!S.Rewrite)
      S.Reason = Class.Findings.front();
    Result.Sites.push_back(std::move(S));
  }
}

/// Where the name of \p C is replaced, with what qualifies it.
static Place editOf(const ProgramCall &C) {
  Place At = C.Edit == Editability::MacroDefinition ? C.Token : C.Name;
  At.Offset -= C.Qualifier.size();
  At.Column -= C.Qualifier.size();
  return At;
}

void Decider::rename(const ProgramCall &C) {
  if (C.isRewritten())
    return;
  Place At = editOf(C);
  std::string Old = C.Qualifier + C.Spelled, New = "MPISHM_" + C.Function.substr(4);
  if (!C.Qualifier.empty())
    New = "::" + New + InsteadBegin + Old + InsteadEnd;
  Renames.try_emplace(At, Rename{At, Old, New, C.Host});
}

/// Memory of MPISHM_Alloc_mem must come back to MPISHM_Free_mem: all calls of both are replaced, or none is.
bool Decider::mayMoveMemory() {
  std::vector<PartOf<Finding>> Uses = Blocked.usesAsValue(FunctionKind::Memory);
  std::vector<Finding> Why(Uses.begin(), Uses.end());
  bool Any = !Why.empty();
  for (const ProgramCall &C : P.Calls) {
    if (!C.Info || C.Info->Kind != FunctionKind::Memory)
      continue;
    Any = true;
    if (std::optional<Finding> F = Blocked.of(C))
      Why.push_back(*F);
  }
  if (!P.IsWhole) // somebody out of sight may free
    Why.push_back({Diagnostic::MemoryLeft, Place(), {"MPI_Free_mem"}, {}});
  if (Any && !Why.empty())
    addFinding({Diagnostic::MemoryLeft, Why.front().Where, {Why.front().Args.front()}, {}});
  return Why.empty();
}

void Decider::makeRenames() {
  std::set<HandleSets::Set> Comms, Requests;
  std::set<Part> Parts;
  for (const Operation &Op : Ops) {
    if (isOpen(Op.Class))
      continue;
    rename(callOf(Op));
    Comms.insert(Op.Comm.Sets.begin(), Op.Comm.Sets.end());
    Requests.insert(Op.Request.Sets.begin(), Op.Request.Sets.end());
    Parts.insert(Op.In);
  }
  if (Parts.empty())
    return;
  bool MovesMemory = mayMoveMemory();
  auto IsIn = [&](Part In) { return llvm::any_of(Parts, [&](Part Other) { return mayMeet(In, Other); }); };
  std::set<unsigned> Wanted = Makers.wanted(Comms);
  auto MayComplete = [&](const ProgramCall &C) {
    HandleValues Values = Handles.valuesOf(C.Request);
    bool Reached = llvm::any_of(Values.Sets, [&](auto S) { return Requests.count(S); });
    // A request of unknown origin is none of ours; renaming costs nothing, and is right even if we were mistaken.
    return Reached || (Values.Anything && !Requests.empty() && !Blocked.of(C));
  };
  for (auto [Index, C] : llvm::enumerate(P.Calls)) {
    if (!C.Info)
      continue;
    FunctionKind Kind = C.Info->Kind;
    // A program of several that has no rewritten call is left as it is, too.
    if ((Kind == FunctionKind::Initialize && IsIn(C.In)) || (Kind == FunctionKind::Completion && MayComplete(C)) ||
        (Kind == FunctionKind::Maker && Wanted.count(Index)) || (Kind == FunctionKind::Memory && MovesMemory))
      rename(C);
  }
  for (auto &[Where, R] : Renames)
    Result.Renames.push_back(std::move(R));
}

void Decider::makeHelping() {
  std::map<unsigned, unsigned> ClassOf; // of operations, by their calls
  for (const Operation &Op : Ops)
    ClassOf[Op.Call] = Op.Class;
  std::set<Place> Edited;
  for (const Rename &R : Result.Renames)
    Edited.insert(R.Where);
  for (auto [Index, C] : llvm::enumerate(P.Calls)) {
    if (!C.Info || (C.Info->Kind != FunctionKind::Completion && C.Info->Kind != FunctionKind::Probe &&
                    C.Info->Kind != FunctionKind::Maker && C.Info->Kind != FunctionKind::Initialize))
      continue;
    HelpingCall H{C.Name, C.Function, C.Enclosing, C.isRewritten(), C.isRewritten() || Edited.count(editOf(C)), {}};
    if (C.Info->Kind == FunctionKind::Probe)
      H.Class = ClassOf[Index];
    Result.Helping.push_back(std::move(H));
  }
}

void Decider::moveBuffers() {
  std::set<Place> Rewritten;
  for (const Operation &Op : Ops)
    if (!isOpen(Op.Class))
      Rewritten.insert(callOf(Op).Name);
  BufferDecisions Buffers = decideBuffers(P, Rewritten, Context);
  for (Finding &F : Buffers.Findings)
    addFinding(std::move(F));
  Result.Buffers = std::move(Buffers.Buffers);
  llvm::move(Buffers.Renames, std::back_inserter(Result.Renames));
  llvm::sort(Result.Renames, [](const Rename &A, const Rename &B) { return A.Where < B.Where; });
}

Decisions Decider::run() {
  for (const Operation &Op : Ops)
    Reasons.resize(std::max<size_t>(Reasons.size(), Op.Class + 1));
  for (const Operation &Op : Ops) {
    openByName(Op);
    openByCommunicator(Op);
    openByRequest(Op);
    openByMessage(Op);
  }
  openBySynchronousSend();
  openWorld();
  openByCompletion();
  openByUses();
  joinByMacro();
  openUnregistered();
  openWithoutExchange();
  openByMacro();
  openByInit();
  reportHalfRewritten();
  makeSites();
  makeRenames();
  makeHelping();
  moveBuffers();
  reportUnseen();
  if (P.Mains.size() > 1)
    addFinding({Diagnostic::SeveralPrograms, Place(), {std::to_string(P.Mains.size())}, {}});
  return std::move(Result);
}

} // namespace

Decisions mpishm::matchProgram(std::vector<UnitFacts> Units, const ProgramContext &Context) {
  if (Context.AllowChangedText)
    for (UnitFacts &Unit : Units)
      for (Call &C : Unit.Calls)
        if (C.Edit == Editability::Stringized)
          C.Edit = C.Token == C.Name ? Editability::Editable : Editability::MacroDefinition;
  Program P = mergeUnits(std::move(Units), !Context.Together);
  P.IsWhole &= Context.UnseenSources.empty();
  for (const std::string &File : Context.UnreadFiles)
    P.WithoutHeader.insert(File);
  return Decider(P, Context).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Openers.h"
#include "match/Guard.h"
#include "match/Wanted.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static constexpr Guard GuardTable[] = {
#define DIAGNOSTIC(Enumerator, Id, Severity, Guarded, Text) Guard::Guarded,
#include "match/Diagnostics.def"
};

Guard mpishm::guardOf(Diagnostic What) { return GuardTable[static_cast<unsigned>(What)]; }

unsigned FindingList::add(Finding F) {
  auto [It, New] = Known.try_emplace({F.What, F.Where, F.Args}, All.size());
  if (New)
    All.push_back(std::move(F));
  return It->second;
}

Analysis::Analysis(const Program &Whole, const ProgramContext &Around)
    : P(Whole), Context(Around), Handles(P, TrustedCalls(Around.TrustedCalls)), Integers(P), Blocked(P),
      Ops(findOperations(P, Handles, Integers)),
      Ir(Context.Values ? std::optional<IrClasses>(std::in_place, P, Ops, Blocked, *Context.Values) : std::nullopt),
      ByIr(Context.ByIr && Ir && Ir->isComplete()), Makers(P, Handles, Blocked, ByIr && Ir ? &*Ir : nullptr) {
  if (ByIr && Ir)
    Ir->partition(Ops);
  else
    partition(P, Ops);
}

namespace {

class Opener {
public:
  Opener(const Analysis &From, bool GuardToo)
      : A(From), P(From.P), Context(From.Context), Handles(From.Handles), Blocked(From.Blocked), Ops(From.Ops),
        Guarded(GuardToo) {}
  Openings run();

private:
  const ProgramCall &callOf(const Operation &Op) const { return A.callOf(Op); }
  bool isOpen(unsigned Class) const { return Result.isOpen(Class); }
  bool staysOpen(unsigned Class) const { return isOpen(Class) && !(Unguarded[Class].empty() && onlyNet(Class)); }
  bool onlyNet(unsigned Class) const;
  void open(unsigned Class, Finding F, Guard By);
  void open(unsigned Class, Finding F) {
    Guard By = guardOf(F.What);
    open(Class, std::move(F), By);
  }
  void suspect(unsigned Class, Finding F, Guard By);
  void suspect(unsigned Class, Finding F) {
    Guard By = guardOf(F.What);
    suspect(Class, std::move(F), By);
  }
  template <typename Predicate> void suspectAll(const Finding &F, Guard By, Part In, Predicate Condition);

  void openByName(const Operation &Op);
  void openByCommunicator(const Operation &Op);
  void openBySynchronousSend();
  void openWorld();
  void openByCompiler();
  void openByRequest(const Operation &Op);
  void openByMessage(const Operation &Op);
  void openByCompletion();
  void openByUses();
  void joinByMacro();
  void openByMacro();
  void openBySharedNames();
  void openByNames() { return Guarded ? openBySharedNames() : openByMacro(); }
  void openUnwanted();
  void openUnregistered();
  void openByIr();
  std::vector<std::pair<Finding, Guard>> inBetterWords(unsigned Class, Finding F) const;
  void addFurther();
  void openByInit();
  void findKept();
  void sumUp();

  const Analysis &A;
  const Program &P;
  const ProgramContext &Context;
  const HandleSets &Handles;
  const Blocks &Blocked;
  const std::vector<Operation> &Ops;
  const bool Guarded;
  std::vector<std::vector<Finding>> Unguarded; ///< per class: what no net can guard, beside the reasons
  /// Per class, where LLVM IR decides: what the sources would have it left alone for.
  std::vector<std::vector<std::pair<Finding, Guard>>> Suspicions;
  llvm::IntEqClasses Together; ///< classes that have names in macros in common
  Openings Result;
};

} // namespace

bool Opener::onlyNet(unsigned Class) const {
  return llvm::all_of(Result.Reasons[Class], [](const auto &Reason) { return Reason.second == Guard::Net; });
}

void Opener::open(unsigned Class, Finding F, Guard By) {
  Guard &Known = Result.Reasons[Class].try_emplace(Result.Findings.add(std::move(F)), By).first->second;
  Known = std::min(Known, By);
}

/// What is known of values from the sources opens a class; where LLVM IR decides, it only helps to say why that does.
void Opener::suspect(unsigned Class, Finding F, Guard By) {
  if (!A.ByIr)
    return open(Class, std::move(F), By);
  if (By == Guard::None)
    Unguarded[Class].push_back(F);
  Suspicions[Class].push_back({std::move(F), By});
}

/// As suspect, for the classes of all operations that \p Condition holds for and that may meet code of \p In.
template <typename Predicate> void Opener::suspectAll(const Finding &F, Guard By, Part In, Predicate Condition) {
  for (const Operation &Op : Ops)
    if (mayMeet(Op.In, In) && Condition(Op))
      suspect(Op.Class, F, By);
}

void Opener::openByName(const Operation &Op) {
  if (std::optional<Finding> F = Blocked.of(callOf(Op)))
    open(Op.Class, *F);
}

/// On several nodes MPI may give the receive that a synchronous send has claimed to a message of another node, and the
/// send has ended too early. So a program with both is marked, or it stays as it is.
void Opener::openBySynchronousSend() {
  std::map<unsigned, const ProgramCall *> WildcardOf = firstWildcards(A);
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    auto It = WildcardOf.find(Op.Class);
    if (It == WildcardOf.end() || !isSynchronousSend(C) || canBeMarked(A, Op.In, {.Nodewise = true}))
      continue;
    const ProgramCall &Wildcard = *It->second;
    open(Op.Class, {Diagnostic::SynchronousSend, C.Name, {C.Spelled, Wildcard.Spelled}, Wildcard.Name});
  }
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

void Opener::openByCommunicator(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  if (!C.Info->Comm)
    return;
  bool Escapes = false, Known = false;
  for (HandleSets::Set S : Op.Comm.Sets) {
    Known |= S == HandleSets::World || S == HandleSets::Self || Handles.maker(S);
    if (const Mark *M = Handles.escapes(S, Op.In)) {
      suspect(Op.Class, {Diagnostic::CommunicatorEscapes, M->Where, {M->Object, M->What}, {}});
      Escapes = true;
    }
  }
  if (std::optional<Finding> F = whyUnknown(C, Op.Comm); F && !Escapes)
    suspect(Op.Class, *F);
  else if (!Known && !F && !isNull(C.Comm)) // MPI refuses MPI_COMM_NULL, rewritten or not
    suspect(Op.Class, {Diagnostic::CommunicatorUnknown, C.Name, {C.Spelled, "nothing sets " + Op.Comm.Name}, {}});
}

/// MPI_COMM_WORLD and MPI_COMM_SELF are known to all code, also to that which we do not see.
void Opener::openWorld() {
  std::map<llvm::StringRef, std::set<Part>> DoneOf; // one such operation of each collective is reason enough
  for (const Operation &Op : Ops) {
    llvm::StringRef Name = collectiveOf(*callOf(Op).Info);
    std::set<Part> &Done = DoneOf[Name];
    if (Done.count(Op.In) || Done.count(Shared))
      continue;
    if (std::optional<Finding> F = whyUnknown(callOf(Op), Op.Comm)) {
      suspectAll(*F, guardOf(F->What), Op.In,
                 [&](const Operation &Other) { return Other.OnWorld && collectiveOf(*callOf(Other).Info) == Name; });
      Done.insert(Op.In);
    }
  }
  for (const Operation &Op : Ops) {
    if (!Op.OnWorld)
      continue;
    for (const std::string &Source : Context.UnseenSources)
      open(Op.Class, {Diagnostic::UnseenSource, Place(), {Source}, {}});
    if (!P.IsWhole && Context.UnseenSources.empty())
      open(Op.Class, {Diagnostic::NotWholeProgram, Place(), {}, {}});
  }
}

/// What the program's own compiler may see of it, and the tool does not, may use any communicator and request, and
/// choose any number.
void Opener::openByCompiler() {
  for (const PartOf<Reading> &R : P.Readings)
    for (const Operation &Op : Ops)
      if (mayMeet(Op.In, R.In))
        open(Op.Class, {Diagnostic::ReadOtherwise, R.Where, {R.What}, {}});
  auto It = llvm::find_if(P.Unseen, [](const Mention &M) { return M.ByCompiler && findFunction(M.Function); });
  if (It == P.Unseen.end())
    return;
  for (const Operation &Op : Ops)
    open(Op.Class, {Diagnostic::CompilerBranch, It->Where, {It->Function}, {}});
}

void Opener::openByRequest(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  if (Op.Request.Anything)
    suspect(Op.Class, {Diagnostic::RequestUnknown, C.Name, {C.Spelled, "it cannot be followed"}, {}});
  bool Escapes = false;
  for (HandleSets::Set S : Op.Request.Sets)
    if (const Mark *M = Handles.escapes(S, Op.In)) {
      suspect(Op.Class, {Diagnostic::RequestEscapes, M->Where, {M->Object, M->What}, {}});
      Escapes = true;
    }
  if (const Mark *M = markIn(Op.Request.Unknown, Op.In); M && !Escapes)
    suspect(Op.Class, {Diagnostic::RequestUnknown, C.Name, {C.Spelled, M->Object + " " + M->What}, M->Where});
}

/// A message that the runtime holds means nothing to MPI_Mrecv. (One of MPI's own is as good to the runtime's.)
void Opener::openByMessage(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  auto Open = [&](const Mark &M) {
    suspect(Op.Class,
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
void Opener::openByCompletion() {
  // One call of each part is reason enough, and one that the net does not serve.
  std::map<HandleSets::Set, std::map<Part, Finding>> BlockedOn, UnservedOn, CancelledOn;
  for (const ProgramCall &C : P.Calls) {
    if (!C.Info || C.Info->Kind != FunctionKind::Completion)
      continue;
    std::optional<Finding> F = Blocked.of(C);
    for (HandleSets::Set S : Handles.valuesOf(C.Request).Sets) {
      if (F)
        BlockedOn[S].try_emplace(C.In, *F);
      if (F && guardOf(F->What) == Guard::None)
        UnservedOn[S].try_emplace(C.In, *F);
      if (C.Function == "MPI_Cancel")
        CancelledOn[S].try_emplace(C.In, Finding{Diagnostic::CancelledSend, C.Name, {C.Spelled}, {}});
    }
  }
  for (const Operation &Op : Ops)
    for (HandleSets::Set S : Op.Request.Sets) {
      for (const auto &[In, F] : BlockedOn[S])
        if (mayMeet(In, Op.In))
          suspect(Op.Class, F);
      for (const auto &[In, F] : UnservedOn[S])
        if (mayMeet(In, Op.In))
          Unguarded[Op.Class].push_back(F);
      if (isSynchronousSend(callOf(Op)))
        for (const auto &[In, F] : CancelledOn[S])
          if (mayMeet(In, Op.In))
            suspect(Op.Class, F);
    }
}

/// A function that is called through a pointer may be given any communicator, tag, request and message. The net serves
/// it there, too, when it has a counterpart.
void Opener::openByUses() {
  auto SuspectAll = [&](FunctionKind Kind, auto Condition) {
    for (const PartOf<Finding> &F : Blocked.usesAsValue(Kind)) {
      const FunctionInfo &Used = *findFunction(F.Args.front());
      suspectAll(F, Used.Supported == Support::Rewritten ? Guard::Net : Guard::None, F.In,
                 [&](const Operation &Op) { return Condition(Op, Used); });
    }
  };
  for (FunctionKind Kind : {FunctionKind::Send, FunctionKind::Receive, FunctionKind::SendReceive, FunctionKind::Probe})
    SuspectAll(Kind, [&](const Operation &Op, const FunctionInfo &) {
      return !isCollective(callOf(Op).Info->Kind) && !isOneSided(callOf(Op).Info->Kind);
    });
  for (FunctionKind Kind : {FunctionKind::WindowMaker, FunctionKind::OneSided})
    SuspectAll(Kind, [&](const Operation &Op, const FunctionInfo &) { return isOneSided(callOf(Op).Info->Kind); });
  for (FunctionKind Kind : {FunctionKind::Collective, FunctionKind::Reduction})
    SuspectAll(Kind, [&](const Operation &Op, const FunctionInfo &Used) {
      return collectiveOf(*callOf(Op).Info) == collectiveOf(Used);
    });
  SuspectAll(FunctionKind::Completion,
             [](const Operation &Op, const FunctionInfo &) { return !Op.Request.Sets.empty() || Op.Request.Anything; });
  SuspectAll(FunctionKind::MatchedReceive,
             [](const Operation &Op, const FunctionInfo &) { return !Op.Message.Sets.empty() || Op.Message.Anything; });
}

/// One edit of a name in the body of a macro changes all uses of the macro, whatever their classes.
void Opener::joinByMacro() {
  Together.grow(Result.Reasons.size());
  std::map<Place, unsigned> FirstWith;
  for (const Operation &Op : Ops)
    if (const ProgramCall &C = callOf(Op); C.Edit == Editability::MacroDefinition && !C.isRewritten())
      Together.join(FirstWith.try_emplace(C.Token, Op.Class).first->second, Op.Class);
  Together.compress();
}

void Opener::openByMacro() {
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

/// With \p Guarded a name in a macro is kept from being replaced only by a use in a class that stays as it is. The
/// other uses then keep it, too, and leave it to the net.
void Opener::openBySharedNames() {
  for (bool Again = true; Again;) {
    Again = false;
    std::map<Place, const ProgramCall *> Left;
    for (const Operation &Op : Ops)
      if (const ProgramCall &C = callOf(Op); C.Edit == Editability::MacroDefinition && staysOpen(Op.Class))
        Left.try_emplace(C.Token, &C);
    for (const Operation &Op : Ops) {
      const ProgramCall &C = callOf(Op);
      auto It = Left.find(C.Token);
      if (C.Edit != Editability::MacroDefinition || C.isRewritten() || It == Left.end() || staysOpen(Op.Class))
        continue;
      const ProgramCall &Other = *It->second;
      Finding F{Diagnostic::SharedMacro, Other.Name, {Other.Spelled, Other.CauseName}, Other.Token};
      if (C.Info->Kind == FunctionKind::WindowMaker) // which all members have to call, or none
        Unguarded[Op.Class].push_back(F);
      Result.Keeps[Op.Call] = Result.Findings.add(F);
      open(Op.Class, std::move(F));
      Again |= staysOpen(Op.Class); // what opens it here keeps the names that it has in other macros
    }
  }
}

void Opener::openUnwanted() {
  std::vector<bool> Wanted(Together.getNumClasses());
  for (const Operation &Op : Ops)
    // What is rewritten in part must be finished, whatever it is.
    if (callOf(Op).isRewritten() || !whyUnwanted(callOf(Op), Context))
      Wanted[Together[Op.Class]] = true;
  for (const Operation &Op : Ops) {
    std::optional<Finding> F = whyUnwanted(callOf(Op), Context);
    if (!F || Wanted[Together[Op.Class]])
      continue;
    if (isOpen(Op.Class))
      Unguarded[Op.Class].push_back(*F);
    else
      open(Op.Class, *F);
  }
}

void Opener::openUnregistered() {
  std::vector<bool> Registered(Together.getNumClasses());
  std::vector<std::optional<Finding>> Why(Result.Reasons.size());
  for (const Operation &Op : Ops) {
    if (Op.OnWorld)
      Registered[Together[Op.Class]] = true;
    for (unsigned Maker : Op.Makers) {
      std::optional<Finding> F = A.Makers.whyNotRegistered(Maker);
      if (!F)
        Registered[Together[Op.Class]] = true;
      else if (!Why[Op.Class])
        Why[Op.Class] = F;
    }
  }
  for (unsigned Class = 0; Class < Result.Reasons.size(); ++Class)
    if (const std::optional<Finding> &F = Why[Class]; F && !Registered[Together[Class]]) {
      if (!isOpen(Class))
        open(Class, *F);
      else if (guardOf(F->What) == Guard::None) // nor can the net
        Unguarded[Class].push_back(*F);
    }
}

/// Where the sources show the same culprit, they say it better: of a function where it is used or defined, which is
/// elsewhere than the call that LLVM IR shows. Where they only say that they lose sight, LLVM IR knows more.
std::vector<std::pair<Finding, Guard>> Opener::inBetterWords(unsigned Class, Finding F) const {
  std::vector<std::pair<Finding, Guard>> Said;
  bool OfFunction = F.What == Diagnostic::FunctionAsValue || F.What == Diagnostic::FunctionDefined;
  auto IsSame = [&](const Finding &Other) {
    bool Loses = !Other.Args.empty() && llvm::StringRef(Other.Args.back()).ends_with("cannot be followed further");
    return Other.What == F.What && !Loses &&
           (OfFunction ? Other.Args == F.Args : Other.Where.File == F.Where.File && Other.Where.Line == F.Where.Line);
  };
  llvm::copy_if(Suspicions[Class], std::back_inserter(Said), [&](const auto &Each) { return IsSame(Each.first); });
  if (Said.empty())
    Said.push_back({F, guardOf(F.What)});
  return Said;
}

/// Only what the analysis of LLVM IR proves is proved.
void Opener::openByIr() {
  if (!A.Ir)
    return;
  std::set<unsigned> Refused;
  while (A.Ir->refuse([&](unsigned Class) { return isOpen(Class); },
                      [&](unsigned Class, Finding F) {
                        Refused.insert(Class);
                        for (auto &[Said, By] : inBetterWords(Class, std::move(F)))
                          open(Class, std::move(Said), By);
                      }))
    openByNames(); // what is opened may open others
  for (const Operation &Op : Ops)
    if (Refused.count(Op.Class))
      llvm::append_range(Unguarded[Op.Class], findUnguardedOutOfSight(A, Op));
  Result.Completions = A.Ir->completions([&](unsigned Class) { return Guarded ? staysOpen(Class) : isOpen(Class); });
}

/// All that LLVM IR says of what is open, of which one reason was enough to open it.
void Opener::addFurther() {
  constexpr size_t Most = 24;
  Result.Further.resize(Result.Reasons.size());
  if (!A.Ir)
    return;
  A.Ir->tellReasons([&](unsigned Class, Finding F) {
    std::set<unsigned> &Known = Result.Further[Class];
    if (!isOpen(Class))
      return;
    for (auto &[Said, By] : inBetterWords(Class, std::move(F)))
      if (Known.size() < Most)
        if (unsigned Index = Result.Findings.add(std::move(Said)); !Result.Reasons[Class].count(Index))
          Known.insert(Index);
  });
}

void Opener::openByInit() {
  std::vector<PartOf<Finding>> Why = Blocked.usesAsValue(FunctionKind::Initialize);
  bool Initialises = false;
  for (const ProgramCall &C : P.Calls) {
    Initialises |= setsUp(C);
    if (!C.Info || C.Info->Kind != FunctionKind::Initialize)
      continue;
    if (std::optional<Finding> F = Blocked.of(C))
      Why.push_back({*F, C.In});
  }
  bool Any = false;
  std::vector<bool> WasOpen(Result.Reasons.size());
  for (unsigned Class = 0; Class < Result.Reasons.size(); ++Class)
    WasOpen[Class] = isOpen(Class);
  for (const Operation &Op : Ops) {
    if (WasOpen[Op.Class])
      continue;
    Any = true;
    for (const PartOf<Finding> &F : Why)
      if (mayMeet(F.In, Op.In))
        open(Op.Class, F, Guard::None);
  }
  if (Any && !Initialises)
    Result.Findings.add({Diagnostic::NoInit, Place(), {}, {}});
}

/// The calls of classes that can be guarded whose names cannot be replaced.
void Opener::findKept() {
  for (const Operation &Op : Ops)
    if (Result.canBeGuarded(Op.Class))
      if (std::optional<Finding> F = Blocked.of(callOf(Op)))
        Result.Keeps.try_emplace(Op.Call, Result.Findings.add(*F));
}

void Opener::sumUp() {
  Result.Unguarded.resize(Result.Reasons.size());
  for (unsigned Class = 0; Class < Result.Reasons.size(); ++Class) {
    Result.Unguarded[Class] = !Unguarded[Class].empty() || !onlyNet(Class);
    if (Guarded && isOpen(Class))
      for (const Finding &F : Unguarded[Class])
        open(Class, F, Guard::None);
  }
}

Openings Opener::run() {
  Unguarded = findUnguarded(A);
  Result.Reasons.resize(Unguarded.size());
  Suspicions.resize(Unguarded.size());
  for (const Operation &Op : Ops) {
    openByName(Op);
    openByCommunicator(Op);
    openByRequest(Op);
    openByMessage(Op);
  }
  openBySynchronousSend();
  openWorld();
  openByCompiler();
  openByCompletion();
  openByUses();
  joinByMacro();
  openUnregistered();
  openUnwanted();
  openByNames();
  openByIr();
  openByInit();
  sumUp();
  addFurther();
  findKept();
  return std::move(Result);
}

Openings mpishm::openClasses(const Analysis &A, bool Guarded) { return Opener(A, Guarded).run(); }

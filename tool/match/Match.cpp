// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions: which sites are rewritten, with what belongs to them. A proved class is (Openers.h), with every
// completion call that one of its requests may reach. So is, with ProgramContext::Guarded, an open class that the net
// can guard (Guard.h); a call in it whose name cannot be replaced stays and leaves it to the net. A program with such
// classes is marked: the calls that set the runtime up get names that say so. So is one with synchronous sends that
// wildcards may receive. Where a program is marked already, what is rewritten in such classes may stay so in each run.

#include "match/Match.h"
#include "buffers/Buffers.h"
#include "match/Guard.h"
#include "match/Openers.h"
#include "program/Defines.h"
#include "program/ZeroCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace mpishm;

namespace {

/// What becomes of a message class.
enum class Standing : uint8_t {
  Proved, ///< all of it is rewritten
  Guarded,
  Left
};

class Decider {
public:
  Decider(const Analysis &From, bool GuardToo)
      : A(From), P(From.P), Context(From.Context), Blocked(From.Blocked), Ops(From.Ops), Guarding(GuardToo),
        Found(openClasses(From, GuardToo)) {
    findStandings();
  }
  Decisions run();
  unsigned countSites() const {
    return llvm::count_if(Ops, [&](const Operation &Op) { return isSite(Op); });
  }
  /// How many sites are rewritten, or were before.
  unsigned countRewritten() const {
    return llvm::count_if(Ops, [&](const Operation &Op) { return isSite(Op) && rewrites(Op); });
  }

private:
  const ProgramCall &callOf(const Operation &Op) const { return A.callOf(Op); }
  /// A probe is none.
  bool isSite(const Operation &Op) const { return callOf(Op).Info->Kind != FunctionKind::Probe; }
  void findStandings();
  bool rewrites(const Operation &Op) const;
  void reportHalfRewritten();
  bool concernsUs(const std::string &Function) const;
  void reportUnseen();
  void reportUncalled();

  void sortReasons();
  Site makeSite(const Operation &Op);
  void makeSites();
  bool mayMoveMemory();
  void makeRenames();
  void makeHelping();
  void rename(const ProgramCall &C, std::string New);
  void rename(const ProgramCall &C);
  Marks marksFor(const ProgramCall &C) const;
  void setUp(const ProgramCall &C);
  void findNodewise();
  void reportGuarded();
  void reportNodewise();
  void moveBuffers();
  std::string whyCopied(const PackedSend &S) const;
  void packInPlace();

  const Analysis &A;
  const Program &P;
  const ProgramContext &Context;
  const Blocks &Blocked;
  const std::vector<Operation> &Ops;
  const bool Guarding;
  Openings Found;
  std::vector<Standing> Standings; ///< per class
  /// What is rewritten belongs to these programs, and what is so without proof to those.
  std::set<Part> Parts, GuardedParts;
  std::map<Part, Finding> Nodewise; ///< programs whose messages between several nodes are to be MPI's, and why
  std::map<EditKey, Rename> Renames;
  Decisions Result;
};

bool mayMeetAny(Part In, const std::set<Part> &Others) {
  return llvm::any_of(Others, [&](Part Other) { return mayMeet(In, Other); });
}

void Decider::findStandings() {
  std::set<Part> Marked; // programs that say that they need the net
  for (const ProgramCall &C : P.Calls)
    if (setsUp(C) && marksOf(C.Spelled).Guarded)
      Marked.insert(C.In);
  std::vector<bool> Guards(Found.Reasons.size()); // there is something to guard
  for (const Operation &Op : Ops) {
    bool Was = callOf(Op).isRewritten() && (Guarding || mayMeetAny(Op.In, Marked));
    if (Was || (Guarding && isSite(Op) && !Found.Keeps.count(Op.Call)))
      Guards[Op.Class] = true;
  }
  for (unsigned Class = 0; Class < Found.Reasons.size(); ++Class)
    Standings.push_back(!Found.isOpen(Class)                         ? Standing::Proved
                        : Found.canBeGuarded(Class) && Guards[Class] ? Standing::Guarded
                                                                     : Standing::Left);
}

/// Whether the name of \p Op's call is the runtime's in the end.
bool Decider::rewrites(const Operation &Op) const {
  switch (Standings[Op.Class]) {
  case Standing::Proved:
    return true;
  case Standing::Guarded:
    return callOf(Op).isRewritten() || (Guarding && !Found.Keeps.count(Op.Call));
  case Standing::Left:
    break;
  }
  return false;
}

/// Somebody changed the program after it was rewritten, and now a rewritten call faces one that goes through MPI.
void Decider::reportHalfRewritten() {
  for (const Operation &Op : Ops)
    if (Standings[Op.Class] == Standing::Left && callOf(Op).isRewritten())
      Found.Findings.add({Diagnostic::RewrittenInOpenClass, callOf(Op).Name, {callOf(Op).Spelled}, {}});
}

/// Whether a call of \p Function in a branch that was not seen may face what was rewritten.
bool Decider::concernsUs(const std::string &Function) const {
  const FunctionInfo *Row = findFunction(Function);
  if (!Row)
    return llvm::any_of(Result.Buffers, [](const Buffer &B) { return B.Decided != Buffer::Decision::Private; });
  bool IsMessage = Row->Kind == FunctionKind::Send || Row->Kind == FunctionKind::Receive ||
                   Row->Kind == FunctionKind::SendReceive || Row->Kind == FunctionKind::Probe ||
                   Row->Kind == FunctionKind::MatchedReceive;
  if (llvm::StringRef Name = collectiveOf(*Row); !Name.empty())
    return llvm::any_of(Ops,
                        [&](const Operation &Op) { return rewrites(Op) && collectiveOf(*callOf(Op).Info) == Name; });
  if (isOneSided(Row->Kind))
    return llvm::any_of(Ops, [&](const Operation &Op) { return rewrites(Op) && isOneSided(callOf(Op).Info->Kind); });
  return IsMessage || llvm::any_of(Ops, [&](const Operation &Op) { return rewrites(Op); });
}

/// Branches that no unit takes may have partners of what we rewrite, in other builds.
void Decider::reportUnseen() {
  std::vector<Mention> Unseen = P.Unseen;
  llvm::erase_if(Unseen, [&](const Mention &M) { return !concernsUs(M.Function) || M.ByCompiler; });
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
    Found.Findings.add({Diagnostic::UnseenBranch, Unseen[First].Where, {llvm::join(Names, ", "), Lines}, {}});
  }
}

/// What nothing comes to opens nothing, which is wrong when other code does come to it: one remark for each function.
void Decider::reportUncalled() {
  if (llvm::none_of(Ops, [&](const Operation &Op) { return rewrites(Op); }))
    return;
  std::map<std::pair<std::string, std::string>, std::vector<const ProgramCall *>> In; // file and function
  for (unsigned Op : A.Ir.uncalled()) {
    const ProgramCall &C = callOf(Ops[Op]);
    In[{C.Name.File, C.Enclosing}].push_back(&C);
  }
  for (const auto &[Function, Calls] : In) {
    std::set<std::string> Names;
    for (const ProgramCall *C : Calls)
      Names.insert(C->Function);
    Found.Findings.add(
        {Diagnostic::Uncalled, Calls.front()->Name, {Function.second, llvm::join(Names, ", ")}, std::nullopt});
  }
}

/// The reasons of each class in the order in which they count: that of the table, then of places; where the net was to
/// guard the class and cannot, what it cannot do comes first.
void Decider::sortReasons() {
  Result.Classes.resize(Found.Reasons.size());
  for (auto [Class, Open] : llvm::enumerate(Found.Reasons)) {
    bool GuardCounts = Guarding && Standings[Class] == Standing::Left;
    auto Key = [&, &Why = Open](unsigned Reason) {
      const Finding &F = Found.Findings[Reason];
      return std::tuple(GuardCounts ? Why[Reason] : Guard::None, F.What, F.Where, F.Args);
    };
    std::vector<unsigned> &Sorted = Result.Classes[Class].Findings;
    for (const auto &[Reason, By] : Open)
      Sorted.push_back(Reason);
    llvm::sort(Sorted, [&](unsigned X, unsigned Y) { return Key(X) < Key(Y); });
    llvm::append_range(Sorted, Found.Further[Class]);
  }
}

Site Decider::makeSite(const Operation &Op) {
  const ProgramCall &C = callOf(Op);
  Site S;
  S.Name = C.Name;
  S.Function = C.Function;
  S.Enclosing = C.Enclosing;
  S.Already = C.isRewritten();
  S.Rewrite = rewrites(Op);
  S.Guarded = S.Rewrite && Standings[Op.Class] == Standing::Guarded;
  S.Kind = isCollective(C.Info->Kind) ? SiteKind::Collective
           : isOneSided(C.Info->Kind) ? SiteKind::OneSided
                                      : SiteKind::Message;
  S.Class = Op.Class;
  auto Keeps = Found.Keeps.find(Op.Call);
  if (!S.Rewrite && Standings[Op.Class] == Standing::Guarded && Keeps != Found.Keeps.end())
    S.Reason = Keeps->second; // its own, not that of others
  else if (!S.Rewrite || S.Guarded)
    S.Reason = Result.Classes[Op.Class].Findings.front();
  return S;
}

void Decider::makeSites() {
  sortReasons();
  for (const Operation &Op : Ops) {
    if (!isSite(Op))
      continue;
    Result.Classes[Op.Class].Sites.push_back(Result.Sites.size());
    Result.Sites.push_back(makeSite(Op));
  }
}

void Decider::rename(const ProgramCall &C, std::string New) {
  Place At = C.editPlace();
  std::string Old = C.Qualifier + C.Spelled;
  if (!C.Qualifier.empty())
    New = "::" + New + InsteadBegin + Old + InsteadEnd;
  Rename R{At, Old, New, C.Host, C.Defined, C.Lines};
  Renames.try_emplace(keyOf(R), std::move(R));
}

void Decider::rename(const ProgramCall &C) {
  if (!C.isRewritten())
    rename(C, "MPISHM_" + C.Function.substr(4));
}

/// How \p C, which sets the runtime up, marks its program in the end.
Marks Decider::marksFor(const ProgramCall &C) const {
  bool IsNodewise = llvm::any_of(Nodewise, [&](const auto &Each) { return mayMeet(Each.first, C.In); });
  return marksOf(C.Spelled) | Marks{mayMeetAny(C.In, GuardedParts), IsNodewise};
}

/// Has \p C set the runtime up for what is rewritten in its program, if anything is.
void Decider::setUp(const ProgramCall &C) {
  if (!mayMeetAny(C.In, Parts))
    return;
  if (Marks All = marksFor(C); All == marksOf(C.Spelled))
    rename(C); // (MPISHM_Attach is the user's)
  else
    rename(C, markedForm(C.Function, All));
}

/// Synchronous sends that a receive from any source may get, also where they are left alone, since the net serves them
/// then; and in guarded classes all, whose receives may be out of sight.
void Decider::findNodewise() {
  std::map<unsigned, const ProgramCall *> WildcardOf = firstWildcards(A);
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    if (!isSynchronousSend(C) || !mayMeetAny(Op.In, Parts) || Nodewise.count(Op.In))
      continue;
    auto It = WildcardOf.find(Op.Class);
    bool Seen = It != WildcardOf.end();
    if ((!Seen && Standings[Op.Class] != Standing::Guarded) || !canBeMarked(A, Op.In, {.Nodewise = true}))
      continue;
    std::optional<Place> Cause;
    if (Seen)
      Cause = It->second->Name;
    Nodewise.try_emplace(
        Op.In,
        Finding{Diagnostic::Nodewise, C.Name, {C.Spelled, Seen ? It->second->Spelled : "one out of sight"}, Cause});
  }
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
    Found.Findings.add({Diagnostic::MemoryLeft, Why.front().Where, {Why.front().Args.front()}, {}});
  return Why.empty();
}

/// Why the message of \p S is copied; empty: it is packed where it is received.
std::string Decider::whyCopied(const PackedSend &S) const {
  if (!S.Refused.empty())
    return S.Refused;
  if (S.MayBeNegative && !Context.TrustCounts)
    return "the numbers that its loops count to may be negative, and then it is sent without being packed";
  bool Any = false;
  for (const Operation &Op : Ops) {
    const ProgramCall &C = callOf(Op);
    if (!(C.Name == S.Send) || C.Spelled != S.Function)
      continue;
    if (Standings[Op.Class] != Standing::Proved || C.Edit != Editability::Editable || C.Defined || C.Lines ||
        !C.Qualifier.empty())
      return "the send itself is not proved, or not renamed where it stands";
    Any = true;
  }
  if (!Any || Context.Unsheltered.count(S.Loops))
    return "mpi.h may not be in sight where it is packed";
  return whyRead(*Context.Values, S);
}

void Decider::packInPlace() {
  for (const auto &[S, Unit] : Context.Packed) {
    std::string Why = whyCopied(S);
    if (Why.empty() && !addPackedEdits(S, Renames))
      Why = "another edit stands there";
    if (!Why.empty() && Context.Zero == ZeroCopy::Why)
      Found.Findings.add({Diagnostic::CopyStays, S.Send, {S.Function, Why}, {}});
  }
}

void Decider::makeRenames() {
  std::set<unsigned> Makers;
  for (const Operation &Op : Ops) {
    if (Standings[Op.Class] == Standing::Left)
      continue;
    if (rewrites(Op))
      rename(callOf(Op));
    Makers.insert(Op.Makers.begin(), Op.Makers.end());
    Parts.insert(Op.In);
    if (Standings[Op.Class] == Standing::Guarded)
      GuardedParts.insert(Op.In);
  }
  packInPlace();
  if (Parts.empty())
    return;
  findNodewise();
  bool MovesMemory = mayMoveMemory();
  std::set<unsigned> Wanted = A.Makers.wanted(Makers);
  std::set<unsigned> Completions = A.Ir.completions([&](unsigned Class) { return Standings[Class] != Standing::Left; });
  for (auto [Index, C] : llvm::enumerate(P.Calls)) {
    // A program of several that has no rewritten call is left as it is, too.
    if (setsUp(C))
      setUp(C);
    if (!C.Info)
      continue;
    FunctionKind Kind = C.Info->Kind;
    if ((Kind == FunctionKind::Completion && Completions.count(Index) && !Blocked.of(C)) || // else the net serves it
        (Kind == FunctionKind::Maker && Wanted.count(Index)) || (Kind == FunctionKind::Memory && MovesMemory))
      rename(C);
  }
  for (auto &[Key, R] : Renames)
    Result.Renames.push_back(std::move(R));
}

/// One remark for each program, where it sets the runtime up.
void Decider::reportGuarded() {
  std::map<Part, const ProgramCall *> First;
  for (const ProgramCall &C : P.Calls)
    if (setsUp(C) && mayMeetAny(C.In, GuardedParts))
      First.try_emplace(C.In, &C);
  for (const auto &[In, C] : First) {
    unsigned Guarded = 0, All = 0;
    for (const Operation &Op : Ops)
      if (isSite(Op) && mayMeet(Op.In, In)) {
        ++All;
        Guarded += Standings[Op.Class] == Standing::Guarded && rewrites(Op);
      }
    Found.Findings.add({Diagnostic::Guarded,
                        C->Name,
                        {std::to_string(Guarded), std::to_string(All), markedForm(C->Function, marksFor(*C))},
                        {}});
  }
}

/// One remark for each program, at the first send that is the reason.
void Decider::reportNodewise() {
  for (auto &[In, F] : Nodewise) {
    auto It =
        llvm::find_if(P.Calls, [&, &Where = In](const ProgramCall &C) { return setsUp(C) && mayMeet(C.In, Where); });
    F.Args.push_back(markedForm(It->Function, marksFor(*It)));
    Found.Findings.add(F);
  }
}

void Decider::makeHelping() {
  std::map<unsigned, unsigned> ClassOf; // of operations, by their calls
  for (const Operation &Op : Ops)
    ClassOf[Op.Call] = Op.Class;
  std::set<EditKey> Edited;
  for (const Rename &R : Result.Renames)
    Edited.insert(keyOf(R));
  for (auto [Index, C] : llvm::enumerate(P.Calls)) {
    if (!C.Info || (C.Info->Kind != FunctionKind::Completion && C.Info->Kind != FunctionKind::Probe &&
                    C.Info->Kind != FunctionKind::Maker && C.Info->Kind != FunctionKind::Initialize))
      continue;
    HelpingCall H{C.Name,
                  C.Function,
                  C.Enclosing,
                  C.isRewritten(),
                  C.isRewritten() || Edited.count({C.editPlace(), C.Defined ? C.Spelled : ""}),
                  {}};
    if (C.Info->Kind == FunctionKind::Probe)
      H.Class = ClassOf[Index];
    Result.Helping.push_back(std::move(H));
  }
}

void Decider::moveBuffers() {
  std::set<Place> Rewritten;
  for (const Operation &Op : Ops)
    if (rewrites(Op))
      Rewritten.insert(callOf(Op).Name);
  BufferDecisions Buffers = decideBuffers(P, Rewritten, Context);
  for (Finding &F : Buffers.Findings)
    Found.Findings.add(std::move(F));
  Result.Buffers = std::move(Buffers.Buffers);
  llvm::move(Buffers.Renames, std::back_inserter(Result.Renames));
  llvm::sort(Result.Renames, [](const Rename &A, const Rename &B) { return keyOf(A) < keyOf(B); });
}

Decisions Decider::run() {
  reportHalfRewritten();
  makeSites();
  makeRenames();
  makeHelping();
  reportGuarded();
  reportNodewise();
  moveBuffers();
  reportUnseen();
  reportUncalled();
  if (P.Mains.size() > 1)
    Found.Findings.add({Diagnostic::SeveralPrograms, Place(), {std::to_string(P.Mains.size())}, {}});
  Result.Findings = Found.Findings.take();
  return std::move(Result);
}

} // namespace

/// For a call of MPI or of what makes memory, of which a macro makes a string.
static void allowChangedText(auto &C) {
  if (C.Edit == Editability::Stringized || C.Edit == Editability::Printed)
    C.Edit = C.Token == C.Name ? Editability::Editable : Editability::MacroDefinition;
}

Decisions mpishm::matchProgram(std::vector<UnitFacts> Units, const ProgramContext &Context) {
  if (Context.AllowChangedText)
    for (UnitFacts &Unit : Units) {
      llvm::for_each(Unit.Calls, [](Call &C) { allowChangedText(C); });
      llvm::for_each(Unit.Pointers.Calls, [](MemoryCall &C) { allowChangedText(C); });
      llvm::for_each(Unit.Pointers.Results, [](ResultCall &C) { allowChangedText(C.As); });
    }
  findDefined(Units);
  Program P = mergeUnits(std::move(Units), !Context.Together);
  P.IsWhole &= Context.UnseenSources.empty();
  for (const std::string &File : Context.UnreadFiles)
    P.WithoutHeader.insert(File);
  const Analysis A(P, Context);
  Decider Chosen(A, Context.Guarded);
  unsigned Rewritten = Chosen.countRewritten();
  bool AnyLeft = Rewritten < Chosen.countSites();
  unsigned Guardable = AnyLeft && !Context.Guarded ? Decider(A, true).countRewritten() - Rewritten : 0;
  Decisions D = Chosen.run();
  D.Guardable = Guardable;
  return D;
}

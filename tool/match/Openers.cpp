// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Openers.h"
#include "match/Guard.h"
#include "match/Wanted.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static constexpr Guard GuardTable[] = {
#define DIAGNOSTIC(Enumerator, Id, Severity, Guarded, Text) Guard::Guarded,
#include "program/Diagnostics.def"
};

Guard mpishm::guardOf(const Finding &F) {
  if (F.What == Diagnostic::FunctionAsValue)
    if (const FunctionInfo *Info = findFunction(F.Args.front()); !Info || Info->Supported != Support::Rewritten)
      return Guard::None;
  return GuardTable[static_cast<unsigned>(F.What)];
}

unsigned FindingList::add(Finding F) {
  auto [It, New] = Known.try_emplace({F.What, F.Where, F.Args}, All.size());
  if (New)
    All.push_back(std::move(F));
  else if (All[It->second].Way.empty()) // of a class that the user does not ask about
    All[It->second].Way = std::move(F.Way);
  return It->second;
}

static const std::vector<ir::ValueClasses> NothingKnown;

Analysis::Analysis(const Program &Whole, const ProgramContext &Around)
    : P(Whole), Context(Around), Blocked(P), Ops(findOperations(P)),
      Ir(P, Ops, Blocked, Context.Values ? *Context.Values : NothingKnown), Makers(P, Blocked, Ir) {
  Ir.partition(Ops);
}

namespace {

class Opener {
public:
  Opener(const Analysis &From, bool GuardToo)
      : A(From), P(From.P), Context(From.Context), Blocked(From.Blocked), Ops(From.Ops), Guarded(GuardToo) {}
  Openings run();

private:
  const ProgramCall &callOf(const Operation &Op) const { return A.callOf(Op); }
  bool isOpen(unsigned Class) const { return Result.isOpen(Class); }
  bool staysOpen(unsigned Class) const { return isOpen(Class) && !(Unguarded[Class].empty() && onlyNet(Class)); }
  bool onlyNet(unsigned Class) const;
  void open(unsigned Class, Finding F, Guard By);
  void open(unsigned Class, Finding F) {
    Guard By = guardOf(F);
    open(Class, std::move(F), By);
  }

  void openByName(const Operation &Op);
  void openBySynchronousSend();
  void openWorld();
  void openByCompiler();
  void joinByMacro();
  void openByMacro();
  void openBySharedNames();
  void openByNames() { return Guarded ? openBySharedNames() : openByMacro(); }
  void openUnwanted();
  void openUnregistered();
  void openByIr();
  void addFurther();
  void openByInit();
  void findKept();
  void sumUp();

  const Analysis &A;
  const Program &P;
  const ProgramContext &Context;
  const Blocks &Blocked;
  const std::vector<Operation> &Ops;
  const bool Guarded;
  std::vector<std::vector<Finding>> Unguarded; ///< per class: what no net can guard, beside the reasons
  std::vector<Part> In;                        ///< per class: the program that it is of
  llvm::IntEqClasses Together;                 ///< classes that have names in macros in common
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

/// MPI_COMM_WORLD and MPI_COMM_SELF are known to all code, also to that which we do not see.
void Opener::openWorld() {
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
    Found.push_back({Op.Class, sharedName(Other, Other.Name)});
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
      Finding F = sharedName(Other, Other.Name);
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
      else if (guardOf(*F) == Guard::None) // nor can the net
        Unguarded[Class].push_back(*F);
    }
}

/// Only what the analysis of LLVM IR proves is proved.
void Opener::openByIr() {
  std::set<unsigned> Refused;
  A.Ir.tellReasons([&](unsigned Class, const Finding &F) {
    if (!isOpen(Class) && Refused.insert(Class).second)
      open(Class, Blocked.elsewhere(F, In[Class]));
  });
  if (!Refused.empty())
    openByNames(); // what is opened may open others
}

/// All that LLVM IR says of what is open, of which one reason was enough to open it. What happens to handles of several
/// calls at once is told of one.
void Opener::addFurther() {
  constexpr size_t Most = 24;
  Result.Further.resize(Result.Reasons.size());
  std::vector<std::set<std::tuple<Diagnostic, Place, std::string>>> Told(Result.Reasons.size());
  auto Tell = [&](unsigned Class, const Finding &F) {
    return Told[Class].insert({F.What, F.Where, F.Args.empty() ? "" : F.Args.back()}).second;
  };
  for (unsigned Class = 0; Class < Told.size(); ++Class)
    for (const auto &[Reason, By] : Result.Reasons[Class])
      Tell(Class, Result.Findings[Reason]);
  A.Ir.tellReasons([&](unsigned Class, const Finding &F) {
    Finding Said = Blocked.elsewhere(F, In[Class]);
    if (Result.Further[Class].size() < Most && Tell(Class, Said))
      Result.Further[Class].insert(Result.Findings.add(std::move(Said)));
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
  for (auto [Of, More] : llvm::zip_equal(Unguarded, findUnguardedByIr(A)))
    llvm::append_range(Of, More);
  Result.Reasons.resize(Unguarded.size());
  In.resize(Unguarded.size(), Shared);
  for (const Operation &Op : Ops) {
    In[Op.Class] = Op.In;
    openByName(Op);
  }
  openBySynchronousSend();
  openWorld();
  openByCompiler();
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/Classes.h"
#include "classes/CommunicatorGroups.h"
#include "classes/Explained.h"
#include "classes/Scratch.h"
#include "classes/Tags.h"
#include "classes/WindowUses.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace mpishm;
using namespace mpishm::ir;

namespace {

/// Why operations are open, as far as it is kept.
struct Refusals {
  std::vector<Refusal> Whys; ///< as in ClassMember

  /// Of many alike some are enough, but of each function and kind there is one.
  void open(Refusal Why) {
    constexpr size_t Most = 32;
    auto IsAlike = [&](const Refusal &Known) { return Known.Of == Why.Of && Known.Call == Why.Call; };
    if (Whys.size() >= Most ? llvm::none_of(Whys, IsAlike) : !llvm::is_contained(Whys, Why))
      Whys.push_back(std::move(Why));
  }
  void open(const Refusals &More) {
    for (const Refusal &Why : More.Whys)
      open(Why);
  }
};

/// One operation, while classes are made.
struct ClassedCall : Refusals {
  const MpiCall *Call = nullptr;
  bool Sends = false, Receives = false;
  std::set<uint32_t> Comms; ///< groups of communicators
  bool UnknownComm = false, NullComm = false;
  bool KnownOutside = false; ///< code out of sight has the communicator, so that one which is not known may be it
  bool AnyComm = false;      ///< one that was made of a number: nothing tells which it is not
  bool Wildcard = false;
  Tags SendTags, ReceiveTags;
  WindowUse Window;
  std::vector<SharedCompletions> Completions; ///< as in ClassMember
  std::set<CallName> Makers;
};

/// Calls that complete requests and may be given the same ones.
struct CompletionGroup {
  bool IsFollowed = false;        ///< it is known which
  bool IsAnything = false;        ///< which stands for all requests that code out of sight has
  std::vector<uint32_t> Requests; ///< by the numbers of the calls that make them; sorted
  std::set<CallName> Names;
  std::vector<const MpiCall *> Nameless;
  Refusals OfAll, OfReached; ///< for all operations with requests; for those whose requests are given to these
};

class Finder {
public:
  Finder(const LinkedProgram &Program, const Analysis &Values, const ClassesOptions &How)
      : P(Program), A(Values), Explains(Values, How.Asked), Windows(Program, Values, Explains),
        Makers(Program, Values, How.Runs) {}
  ValueClasses find();

private:
  Refusal refusal(const MpiCall &C, std::string Text, Refusal::Subject Of = Refusal::Subject::Other) const;
  Refusal refusal(Refusal::Subject Of, const MpiCall &C, const Reason &Why) const;
  void addOperation(const MpiCall &C);
  void addCommunicator(ClassedCall &Op);
  std::vector<CompletionGroup> completionGroups() const;
  void addCompletions();
  void addCompletions(const CompletionGroup &Group, const SharedCompletions &Names, ClassedCall &Op);
  void add(const MpiCall &Completion, CompletionGroup &To) const;
  void addMatchedReceives();
  bool mayMatch(const ClassedCall &X, const ClassedCall &Y) const;
  void partition();
  static void addMember(ValueClass &Class, const CallName &Name, ClassedCall &Op);
  void openByEscape(ClassedCall &Op, Refusal::Subject Of, const Token &T);
  void openByNumber(ClassedCall &Op, Refusal::Subject Of, const Token &T, const Reason &Why);
  void openByAnything(ClassedCall &Op, Refusal::Subject Of, uint32_t Given, const Reason &Why);

  const LinkedProgram &P;
  const Analysis &A;
  Explained Explains;
  const WindowUses Windows;
  const CommunicatorGroups Makers;
  std::vector<ClassedCall> Ops;
  llvm::IntEqClasses Together;
  std::vector<std::pair<unsigned, unsigned>> Joined; ///< beside those that may match
  bool AnyMessage = false;                           ///< some communicator, but of a collective's, may be anything
  bool AnyCollective = false;                        ///< the same, of those too
};

} // namespace

Refusal Finder::refusal(const MpiCall &C, std::string Text, Refusal::Subject Of) const {
  return {Of, Of == Refusal::Subject::Other ? "" : C.Function, std::move(Text), C.File, C.Line};
}

Refusal Finder::refusal(Refusal::Subject Of, const MpiCall &C, const Reason &Why) const {
  const Reason &First = A.firstOf(Why);
  return {Of, C.Function, A.describe(Why), First.File, First.Line};
}

/// \p T, a handle of \p Op, may be known to code out of sight.
void Finder::openByEscape(ClassedCall &Op, Refusal::Subject Of, const Token &T) {
  std::string Whose = Of != Refusal::Subject::Communicator ? Op.Call->Function
                      : T.Is == Token::Kind::World         ? "MPI_COMM_WORLD"
                      : T.Is == Token::Kind::Self          ? "MPI_COMM_SELF"
                                                           : Op.Call->Function;
  for (EscapeReason &Why : A.whysEscaped(T)) {
    Refusal Found{Of, Whose, std::move(Why.Text), std::move(Why.File), Why.Line};
    Explains.add(Found, T, std::move(Why.Chain));
    Op.open(std::move(Found));
  }
}

/// \p T, a handle of \p Op, may come back as a number.
void Finder::openByNumber(ClassedCall &Op, Refusal::Subject Of, const Token &T, const Reason &Why) {
  Refusal Found = refusal(Of, *Op.Call, Why);
  Explains.add(Found, T, A.chainOf(Why));
  Op.open(std::move(Found));
}

/// \p Given, a handle that \p Op is given, may be anything.
void Finder::openByAnything(ClassedCall &Op, Refusal::Subject Of, uint32_t Given, const Reason &Why) {
  Refusal Found = refusal(Of, *Op.Call, Why);
  Explains.add(Found, Given);
  Op.open(std::move(Found));
}

void Finder::addCommunicator(ClassedCall &Op) {
  const MpiCall &C = *Op.Call;
  using S = Refusal::Subject;
  bool MakesWindow = C.Info->Kind == FunctionKind::WindowMaker;
  S Known = MakesWindow ? S::CommunicatorOfWindow : S::Communicator;
  S Unknown = MakesWindow ? S::CommunicatorOfWindow : S::UnknownCommunicator;
  bool Other = false, Null = false, Computed = false;
  auto NullIs = P.Constants.find("MPI_COMM_NULL");
  for (uint32_t T : A.tokensOf(C.Comm)) {
    const Token &Each = A.token(T);
    if (Each.Is == Token::Kind::Integer)
      (NullIs != P.Constants.end() && Each.Where.isExact() && Each.Where.Offset == NullIs->second.numberOfNull()
           ? Null
           : Other) = true;
    Computed |= Each.Is == Token::Kind::Integer && !Each.Where.isExact() && !A.whyAnything(C.Comm);
    std::optional<uint32_t> Group = Makers.of(Each);
    if (!Group)
      continue;
    Op.Comms.insert(*Group);
    Op.KnownOutside |= *Group < 2 || A.whyEscaped(Each);
    openByEscape(Op, Known, Each);
    if (Each.Is == Token::Kind::Communicator)
      if (std::optional<CallName> Maker = nameOf(P, Makers.maker(Each.Id)))
        Op.Makers.insert(*Maker);
  }
  Op.AnyComm = A.isMadeUp(C.Comm) || (Computed && Op.Comms.empty());
  if (collectiveOf(*C.Info).empty() ? AnyMessage : AnyCollective)
    for (uint32_t T : A.tokensOf(C.Comm))
      if (const Reason *Why = A.whyLeftAsNumber(A.token(T)))
        openByNumber(Op, Known, A.token(T), *Why);
  if (const Reason *Why = A.whyAnything(C.Comm)) {
    Op.UnknownComm = true;
    openByAnything(Op, Unknown, C.Comm, *Why);
  } else if (Op.Comms.empty() && Null && !Other) {
    Op.NullComm = true;
  } else if (Op.Comms.empty()) {
    Op.UnknownComm = true;
    Op.open({Unknown, C.Function, whyNotMade(A, C.Comm), C.File, C.Line});
  }
}

void Finder::addOperation(const MpiCall &C) {
  using K = FunctionKind;
  ClassedCall Op;
  Op.Call = &C;
  Op.Sends = C.Info->Kind == K::Send || C.Info->Kind == K::SendReceive;
  Op.Receives = C.Info->Kind != K::Send && !isCollective(C.Info->Kind) && !isOneSided(C.Info->Kind);
  if (!C.Site)
    Op.open(refusal(C, C.Function + " is called here by its address, or by another name",
                    Refusal::Subject::FunctionAsValue));
  else if (A.isDefined(C.Function))
    Op.open(refusal(C, "the program defines " + C.Function + " itself", Refusal::Subject::FunctionDefined));
  if (C.Comm != NoNode)
    addCommunicator(Op);
  if (C.Tag != NoNode)
    (Op.Sends ? Op.SendTags : Op.ReceiveTags) = tagsOf(P, A, C.Tag, !Op.Sends);
  if (C.SecondTag != NoNode)
    Op.ReceiveTags = tagsOf(P, A, C.SecondTag, true);
  Op.Wildcard =
      C.Source != NoNode && C.Info->Kind != K::Probe && (Op.ReceiveTags.Wild || mayBeAnySource(P, A, C.Source));
  if (isOnWindows(C))
    Op.Window = Windows.of(C);
  for (const Refusal &Why : Op.Window.Whys)
    Op.open(Why);
  if ((isCollective(C.Info->Kind) || isOneSided(C.Info->Kind)) && !C.Info->Request) {
    Ops.push_back(std::move(Op));
    return;
  }
  Token Made{C.Info->Kind == K::Probe ? Token::Kind::Message : Token::Kind::Request, C.Number, {}};
  auto Subject = C.Info->Kind == K::Probe ? Refusal::Subject::Message : Refusal::Subject::Request;
  openByEscape(Op, Subject, Made);
  Ops.push_back(std::move(Op));
}

/// Whether a handle that is given somewhere can only be one of those that are known to go there.
static bool isFollowed(const Analysis &A, uint32_t Node, Token::Kind Kind) {
  bool Known = false, Other = A.isMadeUp(Node);
  for (uint32_t T : A.tokensOf(Node)) {
    const Token &Each = A.token(T);
    // What code out of sight has, has escaped.
    Known |= Each.Is == Kind || (A.whyAnything(Node) && !A.isMadeUp(Node));
    Other |= Each.Is == Token::Kind::Integer && !Each.Where.isExact();
  }
  return !A.isMadeUp(Node) && (Known || !Other);
}

std::vector<CompletionGroup> Finder::completionGroups() const {
  std::vector<CompletionGroup> Result;
  std::map<std::tuple<bool, bool, std::vector<uint32_t>>, size_t> Numbers;
  for (const MpiCall &C : A.calls()) {
    if (C.Requests == NoNode)
      continue;
    std::vector<uint32_t> Reached;
    for (uint32_t T : A.tokensOf(C.Requests))
      if (A.token(T).Is == Token::Kind::Request)
        Reached.push_back(A.token(T).Id);
    llvm::sort(Reached);
    Reached.erase(llvm::unique(Reached), Reached.end());
    const bool IsKnown = isFollowed(A, C.Requests, Token::Kind::Request);
    const bool IsAnything = A.whyAnything(C.Requests);
    auto [It, New] = Numbers.try_emplace({IsKnown, IsAnything, std::move(Reached)}, Result.size());
    if (New)
      Result.push_back({IsKnown, IsAnything, std::get<2>(It->first), {}, {}, {}, {}});
    add(C, Result[It->second]);
  }
  return Result;
}

void Finder::add(const MpiCall &Completion, CompletionGroup &To) const {
  const std::string &Function = Completion.Function;
  if (!To.IsFollowed)
    To.OfAll.open(refusal(Completion, "it is not known which requests " + Function + " is given here"));
  if (A.isDefined(Function))
    To.OfReached.open(
        refusal(Completion, "the program defines " + Function + " itself", Refusal::Subject::FunctionDefined));
  if (std::optional<CallName> Name = nameOf(P, Completion))
    To.Names.insert(std::move(*Name));
  else
    To.Nameless.push_back(&Completion);
}

/// Where one request variable serves all messages of a program, as many completions are given each of them as there
/// are messages: so these are told apart, and kept, by group.
void Finder::addCompletions() {
  for (CompletionGroup &Group : completionGroups()) {
    const auto Names = std::make_shared<const std::set<CallName>>(std::move(Group.Names));
    for (ClassedCall &Op : Ops)
      if (Op.Call->Info->Request)
        addCompletions(Group, Names, Op);
  }
}

void Finder::addCompletions(const CompletionGroup &Group, const SharedCompletions &Names, ClassedCall &Op) {
  const MpiCall &Of = *Op.Call;
  const Token Request{Token::Kind::Request, Of.Number, {}};
  Op.open(Group.OfAll);
  if (const Reason *Why = A.whyLeftAsNumber(Request); Why && Group.IsAnything)
    openByNumber(Op, Refusal::Subject::Request, Request, *Why);
  if (Group.IsFollowed && !llvm::binary_search(Group.Requests, Of.Number) &&
      !(Group.IsAnything && A.whyEscaped(Request)))
    return;
  Op.Completions.push_back(Names);
  Op.open(Group.OfReached);
  for (const MpiCall *C : Group.Nameless)
    Op.open(refusal(*C,
                    "the request of " + Of.Function + " may reach " + C->Function +
                        ", which is called here by its address, or by another name",
                    Refusal::Subject::FunctionAsValue));
}

/// MPI_Mrecv is in the class of each matched probe whose message it may be given.
void Finder::addMatchedReceives() {
  for (unsigned I = 0; I < Ops.size(); ++I) {
    const MpiCall &C = *Ops[I].Call;
    if (C.Message == NoNode)
      continue;
    bool Followed = isFollowed(A, C.Message, Token::Kind::Message);
    bool Anything = A.whyAnything(C.Message); // which stands for all messages that code out of sight has
    for (unsigned J = 0; J < Ops.size(); ++J) {
      if (Ops[J].Call->Info->Kind != FunctionKind::Probe || !Ops[J].Call->Info->Message)
        continue;
      bool Given = llvm::any_of(A.tokensOf(C.Message), [&](uint32_t T) {
        return A.token(T).Is == Token::Kind::Message && A.token(T).Id == Ops[J].Call->Number;
      });
      const Token Made{Token::Kind::Message, Ops[J].Call->Number, {}};
      if (Given || !Followed || (Anything && (A.whyEscaped(Made) || A.whyLeftAsNumber(Made))))
        Joined.push_back({I, J});
    }
    if (const Reason *Why = A.whyAnything(C.Message))
      openByAnything(Ops[I], Refusal::Subject::Message, C.Message, *Why);
    else if (!Followed)
      Ops[I].open(refusal(C, "it is not known which message " + C.Function + " is given here"));
  }
}

/// Two sends are in one class when their tags may be the same, too: which receive gets which is not asked. Collectives
/// match by their order on the communicator, which all members call in the same functions. So do those that make
/// windows.
bool Finder::mayMatch(const ClassedCall &X, const ClassedCall &Y) const {
  if (mayMeet(X.Window, Y.Window))
    return true;
  if (X.NullComm || Y.NullComm || X.Call->Comm == NoNode || Y.Call->Comm == NoNode ||
      collectiveOf(*X.Call->Info) != collectiveOf(*Y.Call->Info) ||
      isPartitioned(*X.Call->Info) != isPartitioned(*Y.Call->Info))
    return false;
  bool Meet = X.AnyComm || Y.AnyComm || (X.UnknownComm && (Y.UnknownComm || Y.KnownOutside)) ||
              (Y.UnknownComm && X.KnownOutside) || llvm::any_of(X.Comms, [&](uint32_t C) { return Y.Comms.count(C); });
  if (!Meet || !collectiveOf(*X.Call->Info).empty())
    return Meet;
  for (const Tags *First : {X.Sends ? &X.SendTags : nullptr, X.Receives ? &X.ReceiveTags : nullptr})
    for (const Tags *Second : {Y.Sends ? &Y.SendTags : nullptr, Y.Receives ? &Y.ReceiveTags : nullptr})
      if (First && Second && mayBeEqual(*First, *Second))
        return true;
  return false;
}

void Finder::partition() {
  Together.grow(Ops.size());
  std::map<uint32_t, unsigned> FirstAt; // several calls of one site: in instances of a template, in several units
  for (unsigned I = 0; I < Ops.size(); ++I) {
    Together.join(FirstAt.try_emplace(Ops[I].Call->Number, I).first->second, I);
    for (unsigned J = 0; J < I; ++J)
      if (mayMatch(Ops[I], Ops[J]))
        Together.join(I, J);
  }
  for (auto [I, J] : Joined)
    Together.join(I, J);
  Together.compress();
}

static void addTo(std::vector<SharedCompletions> &To, llvm::ArrayRef<SharedCompletions> More) {
  for (const SharedCompletions &Each : More)
    if (!llvm::is_contained(To, Each))
      To.push_back(Each);
}

/// Once for each site, of which there may be several calls: in clones of a function, in instances of a template.
void Finder::addMember(ValueClass &Class, const CallName &Name, ClassedCall &Op) {
  auto It = llvm::find_if(Class.Members, [&](const ClassMember &M) { return M.Call == Name; });
  if (It == Class.Members.end())
    It = Class.Members.insert(It, {Name, {}, {}, false, false, {}});
  addTo(It->Completions, Op.Completions);
  It->Makers.merge(Op.Makers);
  It->OnWorld |= Op.Comms.count(0) || Op.Comms.count(1);
  It->Wildcard |= Op.Wildcard;
  for (Refusal &Why : Op.Whys)
    if (!llvm::is_contained(It->Whys, Why))
      It->Whys.push_back(std::move(Why));
}

ValueClasses Finder::find() {
  using K = FunctionKind;
  for (const MpiCall &C : A.calls())
    if (C.Comm != NoNode && A.whyAnything(C.Comm)) {
      AnyMessage |= collectiveOf(*C.Info).empty();
      AnyCollective = true;
    }
  for (const MpiCall &C : A.calls())
    if (C.Info->Kind == K::Send || C.Info->Kind == K::Receive || C.Info->Kind == K::SendReceive ||
        C.Info->Kind == K::Probe || C.Info->Kind == K::MatchedReceive || isCollective(C.Info->Kind) || isOnWindows(C))
      addOperation(C);
  addCompletions();
  addMatchedReceives();
  const std::string Anywhere = A.whyWrittenAnywhere();
  for (unsigned I = 0; !Anywhere.empty() && I < Ops.size(); ++I) {
    Refusal Found = refusal(*Ops[I].Call, Anywhere);
    Explains.addWriting(Found);
    Ops[I].open(std::move(Found));
  }
  partition();
  ValueClasses Result;
  Result.Makers = Makers.groups();
  Result.Released = A.releases();
  auto NameOf = [&](uint32_t Site) { return CallName{P.Sites[Site].Name, P.Sites[Site].Function}; };
  for (const Analysis::MessageMemory &M : A.messageMemory()) {
    std::set<CallName> Messages;
    for (uint32_t Site : M.Sites)
      Messages.insert(NameOf(Site));
    Result.Memory.push_back({M.File, M.Line, std::move(Messages)});
  }
  for (const MpiCall &C : A.calls())
    if (std::optional<CallName> Name = nameOf(P, C))
      Result.Reached.insert(*Name);
  for (uint32_t Site : A.uncalledSites())
    Result.Uncalled.insert(NameOf(Site));
  Result.Classes.resize(Together.getNumClasses());
  for (unsigned I = 0; I < Ops.size(); ++I) {
    ValueClass &Class = Result.Classes[Together[I]];
    if (std::optional<CallName> Name = nameOf(P, *Ops[I].Call))
      addMember(Class, *Name, Ops[I]);
    else {
      for (Refusal &Why : Ops[I].Whys)
        if (!llvm::is_contained(Class.Whys, Why))
          Class.Whys.push_back(std::move(Why));
      addTo(Class.Completions, Ops[I].Completions);
    }
  }
  Explains.addFlows(Result.Classes);
  return Result;
}

ValueClasses mpishm::ir::findClasses(const std::vector<const Unit *> &Units, const ClassesOptions &Options) {
  LinkedProgram P = link(Units);
  AnalysisOptions How;
  const uint32_t *Main = P.function("main");
  How.IsWhole = Options.IsWhole && Main && !P.Functions[*Main].Bodies.empty();
  How.TrustedCalls = Options.TrustedCalls;
  How.TrustedFully = Options.TrustedFully;
  How.MostSteps = Options.MostSteps;
  How.MostTokens = Options.MostTokens;
  How.KeepsTrail = Options.Asked != nullptr;
  Analysis A(P, How);
  ValueClasses Result;
  bool Done = A.run();
  if (!Done)
    Result.GivenUp = Refusal{{}, "", "the program is too large to be followed", "", 0};
  else if (!P.SameConstants)
    Result.GivenUp = Refusal{{}, "", "the program is compiled with several mpi.h", "", 0};
  else if (!P.Replaced.empty())
    Result.GivenUp = Refusal{Refusal::Subject::FunctionDefined, P.Replaced,
                             "the linker may put a function of the program in the place of " + P.Replaced, "", 0};
  else if (!P.AssemblyOfMpi.empty())
    Result.GivenUp = Refusal{{}, "", "assembly code may define or call " + P.AssemblyOfMpi, "", 0};
  else
    Result = Finder(P, A, Options).find();
  if (!Result.GivenUp && !Options.Packed.empty())
    Result.Packed = judgePacked(P, A, Options.Packed);
  Analysis::Size Size = A.size();
  Result.Functions = Size.Functions;
  Result.Nodes = Size.Nodes;
  Result.Objects = Size.Objects;
  Result.Edges = Size.Edges;
  Result.Steps = Size.Steps;
  return Result;
}

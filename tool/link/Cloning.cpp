// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/Cloning.h"
#include "mpi/Functions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {

struct Caller {
  uint32_t Function = 0;
  size_t Size = 0;                          ///< its constraints, and those of the clones in it
  bool IsCandidate = false;                 ///< no reason is known why it cannot be cloned
  bool Allocates = false;                   ///< makes memory, or copies it for its caller, or a clone in it does
  bool Exchanges = false;                   ///< calls one of MPI's functions that MpiCall is about
  bool IsOfString = false;                  ///< of std::string
  std::vector<Caller *> Calls;              ///< by name, each once for each call
  enum { Unseen, Open, Done } Visit = Done; ///< within its recursion, until it is decided
};

/// Who calls which functions with bodies.
struct CallGraph {
  std::vector<Caller> Functions;
  Caller Root; ///< calls each
};

} // namespace

template <> struct llvm::GraphTraits<CallGraph *> {
  using NodeRef = Caller *;
  using ChildIteratorType = std::vector<Caller *>::iterator;
  static NodeRef getEntryNode(CallGraph *G) { return &G->Root; }
  static ChildIteratorType child_begin(NodeRef N) { return N->Calls.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->Calls.end(); }
};

static bool isOfString(llvm::StringRef Name) {
  if (!Name.consume_front("_ZN"))
    return false;
  Name.consume_front("K");
  return Name.starts_with("St7__cxx1112basic_string") || Name.starts_with("Ss");
}

/// Whether \p Name is one of the functions whose calls MpiCall is about. Of blocking collectives only the communicator
/// matters, which few functions are given several of.
static bool isFollowedCall(llvm::StringRef Name) {
  const FunctionInfo *Info = findFunction(Name);
  return Info && Info->Kind != FunctionKind::Memory && (!isCollective(Info->Kind) || Info->Request);
}

/// Whether \p Code copies as much as its caller says from where it says to where it says; or puts an address that it is
/// given to where its caller says.
static bool copiesForCaller(const Function &Code) {
  return llvm::any_of(Code.Constraints, [&](const Constraint &C) {
    bool Copies = C.Is == Constraint::Kind::CopyMemory && C.Second != NoNode;
    bool Puts = C.Is == Constraint::Kind::Store && C.From < Code.Parameters && Code.IsPointer[C.From];
    return (Copies || Puts) && C.To < Code.Parameters && C.From < Code.Parameters;
  });
}

static void addBody(CallGraph &G, Caller &F, const LinkedProgram &P, const Body &B,
                    llvm::function_ref<bool(llvm::StringRef)> MakesMemory) {
  const std::vector<Linked> &Symbols = P.Symbols.at(B.Of);
  F.Size += llvm::count_if(B.Code->Constraints, // those of Member only tell more of accesses
                           [](const Constraint &C) { return C.Is != Constraint::Kind::Member; });
  F.Allocates |= copiesForCaller(*B.Code);
  for (const Call &C : B.Code->Calls) {
    if (!C.Callee || !Symbols[*C.Callee].IsFunction)
      continue;
    const LinkedFunction &Callee = P.Functions[Symbols[*C.Callee].Index];
    F.Exchanges |= isFollowedCall(Callee.Name);
    if (Callee.Bodies.empty())
      F.Allocates |= MakesMemory(Callee.Name);
    else
      F.Calls.push_back(&G.Functions[Symbols[*C.Callee].Index]);
  }
}

static void build(CallGraph &G, const LinkedProgram &P, llvm::function_ref<bool(llvm::StringRef)> MakesMemory) {
  G.Functions.resize(P.Functions.size());
  for (uint32_t Index = 0; Index < P.Functions.size(); ++Index) {
    Caller &F = G.Functions[Index];
    F.Function = Index;
    F.IsCandidate = !P.Functions[Index].Bodies.empty();
    F.IsOfString = isOfString(P.Functions[Index].Name);
    for (const Body &B : P.Functions[Index].Bodies)
      addBody(G, F, P, B, MakesMemory);
    G.Root.Calls.push_back(&F);
  }
}

namespace {

/// Decides of one function after another, callees before their callers.
class Chooser {
public:
  Chooser(size_t Functions, const CloningLimits &Most) : Limits(Most), Cloned(Functions) {}

  void decide(Caller &F);
  void decideRecursion(llvm::ArrayRef<Caller *> Members);
  const std::vector<bool> &cloned() const { return Cloned; }
  size_t size() const { return All; }

private:
  struct Extent {
    size_t Size = 0;
    bool Allocates = false;
  };
  Extent extentOf(const Caller &F) const;
  bool isSmall(const Caller &F, const Extent &E) const;

  CloningLimits Limits;
  std::vector<bool> Cloned;
  size_t All = 0; ///< of all clones, in constraints
};

} // namespace

/// What \p F is with the clones in it, of callees for which it is decided.
Chooser::Extent Chooser::extentOf(const Caller &F) const {
  Extent E{F.Size, F.Allocates};
  for (const Caller *Callee : F.Calls)
    if (Cloned[Callee->Function]) {
      E.Size += Callee->Size;
      E.Allocates |= Callee->Allocates;
    }
  return E;
}

/// Texts are many, and nothing is gained when they are kept apart, since variables of type std::string are one object.
bool Chooser::isSmall(const Caller &F, const Extent &E) const {
  return E.Size <= (F.Exchanges ? Limits.Exchanging : E.Allocates && !F.IsOfString ? Limits.Allocating : Limits.Small);
}

void Chooser::decide(Caller &F) {
  Extent E = extentOf(F);
  All += E.Size - F.Size;
  F.Size = E.Size;
  F.Allocates = E.Allocates;
  F.Visit = Caller::Done;
  Cloned[F.Function] = F.IsCandidate && isSmall(F, E);
}

/// Goes through the calls from \p Start on, within a recursion. Who is called again while it runs is a candidate no
/// more: the others have then no part in a recursion of candidates.
static void cutFrom(Caller &Start, std::vector<Caller *> &CalleesFirst) {
  std::vector<std::pair<Caller *, size_t>> Running; // and how many of its calls have been seen
  auto Enter = [&](Caller &F) {
    if (F.Visit == Caller::Open)
      F.IsCandidate = false;
    if (F.Visit != Caller::Unseen)
      return;
    F.Visit = Caller::Open;
    Running.push_back({&F, 0});
  };
  for (Enter(Start); !Running.empty();) {
    auto &[F, Seen] = Running.back();
    if (F->IsCandidate && Seen < F->Calls.size()) {
      Enter(*F->Calls[Seen++]);
      continue;
    }
    F->Visit = Caller::Done;
    CalleesFirst.push_back(F);
    Running.pop_back();
  }
}

/// Functions that call one another: enough of them stay one for all calls that the clones of the others come to an end
/// there. What makes memory may report that there is none, say, by what makes memory for the text. So those are the
/// first to stay one that neither make memory nor exchange messages, the largest before the others; what is too large
/// stays one in any case.
void Chooser::decideRecursion(llvm::ArrayRef<Caller *> Members) {
  std::vector<std::tuple<bool, size_t, uint32_t, Caller *>> Starts;
  std::vector<Caller *> Order, Others;
  for (Caller *F : Members) {
    Extent E = extentOf(*F);
    F->IsCandidate &= isSmall(*F, E) && !llvm::is_contained(F->Calls, F);
    F->Visit = F->IsCandidate ? Caller::Unseen : Caller::Done;
    if (F->IsCandidate)
      Starts.push_back({E.Allocates || F->Exchanges, SIZE_MAX - E.Size, F->Function, F});
    else
      Others.push_back(F);
  }
  llvm::sort(Starts);
  for (const auto &Start : Starts)
    cutFrom(*std::get<Caller *>(Start), Order);
  for (Caller *F : Order)
    if (F->IsCandidate)
      decide(*F);
    else
      Others.push_back(F); // what is in it may be decided later
  for (Caller *F : Others)
    decide(*F);
}

std::vector<bool> mpishm::ir::findCloned(const LinkedProgram &P, llvm::function_ref<bool(llvm::StringRef)> MakesMemory,
                                         CloningLimits Limits) {
  for (;;) {
    CallGraph G;
    build(G, P, MakesMemory);
    Chooser Choice(P.Functions.size(), Limits);
    for (auto It = llvm::scc_begin(&G); !It.isAtEnd(); ++It) // callees before their callers
      if (It.hasCycle())
        Choice.decideRecursion(*It);
      else if (It->front() != &G.Root)
        Choice.decide(*It->front());
    if (Choice.size() <= Limits.Program)
      return Choice.cloned();
    Limits.Small /= 2;
    Limits.Exchanging /= 2;
    Limits.Allocating /= 2;
  }
}

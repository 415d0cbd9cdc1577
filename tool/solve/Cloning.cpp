// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve/Cloning.h"
#include "mpi/Functions.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

namespace {

struct Caller {
  uint32_t Function = 0;
  size_t Size = 0;             ///< its constraints, and those of the clones in it
  bool IsCandidate = false;    ///< no reason is known why it cannot be cloned
  bool Allocates = false;      ///< makes memory, or copies it for its caller, or a clone in it does
  bool Exchanges = false;      ///< calls one of MPI's functions that MpiCall is about
  bool IsOfString = false;     ///< of std::string
  std::vector<Caller *> Calls; ///< by name, each once for each call
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
  F.Size += B.Code->Constraints.size();
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

/// Adds the clones in \p F, of callees for which it is decided, and how many constraints they have to \p All. Texts are
/// many, and nothing is gained when they are kept apart, since variables of type std::string are one object.
static bool mayBeCloned(Caller &F, const std::vector<bool> &Cloned, const CloningLimits &Limits, size_t &All) {
  for (const Caller *Callee : F.Calls)
    if (Cloned[Callee->Function]) {
      F.Size += Callee->Size;
      F.Allocates |= Callee->Allocates;
      All += Callee->Size;
    }
  return F.IsCandidate && F.Size <= (F.Exchanges                    ? Limits.Exchanging
                                     : F.Allocates && !F.IsOfString ? Limits.Allocating
                                                                    : Limits.Small);
}

std::vector<bool> mpishm::ir::findCloned(const LinkedProgram &P, llvm::function_ref<bool(llvm::StringRef)> MakesMemory,
                                         CloningLimits Limits) {
  for (;;) {
    CallGraph G;
    build(G, P, MakesMemory);
    std::vector<bool> Cloned(P.Functions.size());
    size_t All = 0;
    for (auto It = llvm::scc_begin(&G); !It.isAtEnd(); ++It) // callees before their callers
      for (Caller *F : *It)
        if (F != &G.Root)
          Cloned[F->Function] = mayBeCloned(*F, Cloned, Limits, All) && !It.hasCycle();
    if (All <= Limits.Program)
      return Cloned;
    Limits.Small /= 2;
    Limits.Exchanging /= 2;
    Limits.Allocating /= 2;
  }
}

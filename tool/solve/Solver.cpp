// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From constraints to the graph: a function's are added when it is reached.

#include "solve/Solver.h"
#include "link/Cloning.h"
#include "llvm/ADT/Twine.h"

using namespace mpishm;
using namespace mpishm::ir;
using Kind = Constraint::Kind;

Solver::Solver(const LinkedProgram &Program, const AnalysisOptions &How,
               llvm::function_ref<bool(llvm::StringRef)> MakesMemory)
    : P(Program), InstancesOf(P.Functions.size()), Options(How), HasClones(P.Functions.size()),
      IsCloned(findCloned(P, MakesMemory)), ObjectOf(P.Variables.size()), World(P.constant("MPI_COMM_WORLD")),
      Self(P.constant("MPI_COMM_SELF")), AnySource(P.constant("MPI_ANY_SOURCE")) {
  Reasons[0].Text = "is at an address that was made of a number";
  if (Options.KeepsTrail)
    G.keepTrail();
  for (uint32_t *Each : {&Zero, &AnyNumber, &Exceptions, &Lent, &Written, &StoredOutside})
    *Each = G.newNode();
  G.addInteger(Zero, 0);
  for (uint32_t Each : {AnyNumber, Written, StoredOutside})
    G.addAnyInteger(Each);
  Arguments = newPlainMemory("arguments of the program", newPlainMemory("text of the program's arguments"));
}

bool Solver::isDefined(llvm::StringRef Function) const {
  const uint32_t *Index = P.function(Function);
  return Index && !P.Functions[*Index].Bodies.empty();
}

/// What is there before main: variables, and what is called by nobody in sight when code of the program is out of
/// sight.
void Solver::begin() {
  HasUnread = llvm::any_of(P.Functions, [](const LinkedFunction &F) {
    return F.Bodies.empty() && F.IsOwn && !isMpiName(F.Name) && !llvm::StringRef(F.Name).starts_with("MPISHM_");
  });
  for (const Unit *U : P.Units)
    instantiate({U, &U->Initialisers});
  for (const Unit *U : P.Units)
    for (uint32_t Symbol : U->Started)
      reach(P.Symbols.at(U)[Symbol].Index);
  if (const uint32_t *Main = P.function("main"))
    for (uint32_t I : reach(*Main)) {
      const Instance &In = Instances[I];
      if (In.Of.Code->Parameters > 0)
        G.addAnyInteger(In.Base);
      for (uint32_t A = 1; A < In.Of.Code->Parameters; ++A)
        G.addCopy(Arguments, In.Base + A);
    }
  // What is loaded while the program runs may use its symbols. (Whoever looks them up names them: callLibrary.)
  bool IsExtended = P.function("dlopen") || P.function("dlmopen");
  if (Options.IsWhole && !P.HasAssembly && !IsExtended)
    return;
  uint32_t Why = reason(P.HasAssembly ? "may be used by assembly code"
                        : IsExtended  ? "may be used by what is loaded while the program runs"
                                      : "may be used by units that were not read");
  for (uint32_t I = 0; I < P.Functions.size(); ++I)
    if ((P.HasAssembly || !P.Functions[I].IsInternal) && !P.Functions[I].Bodies.empty())
      exposeFunction(I, Why);
  for (uint32_t I = 0; I < P.Variables.size(); ++I)
    if (P.HasAssembly || !P.Variables[I].IsInternal)
      Heap.escape(variable(I), Why);
}

/// Where addresses are too many to be kept apart, those that leave as numbers are out of sight from then on: one of
/// them stands for all.
bool Solver::solve() {
  if (!MakesUpAddresses && !G.solve(Options.MostSteps / 2, Options.MostTokens / 2))
    letBack();
  return G.solve(Options.MostSteps, Options.MostTokens);
}

bool Solver::run() {
  begin();
  for (;;) {
    while (!CallsWaiting.empty()) {
      uint32_t Index = CallsWaiting.back();
      CallsWaiting.pop_back();
      addConstraints(Index);
    }
    if (!solve())
      return false;
    if (!Heap.settle() && CallsWaiting.empty() && !settleDifferences() && !settleAddresses() && !exposeUncalled() &&
        !settleCounts() && !settleMembers() && !settleExtensions())
      return true;
  }
}

/// The difference of two addresses in one object is a number, and where they may be in one they are: the languages ask
/// for that. Of two objects', which some programs form all the same, it leads from one to the other. False when there
/// is nothing new.
bool Solver::settleDifferences() {
  bool Any = false;
  auto Add = [&](uint32_t To, uint32_t From, uint32_t Other) {
    llvm::DenseSet<uint32_t> Objects;
    bool Escaped = false;
    for (uint32_t T : G.tokensOf(Other))
      if (G.token(T).Is == Token::Kind::Memory) {
        Objects.insert(G.token(T).Id);
        Escaped |= Heap[G.token(T).Id].Escaped;
      }
    // Anything, or one address of memory that has escaped, may stand for all such memory.
    bool First = G.isAnything(From) || G.hasOutside(From), Second = G.isAnything(Other) || G.hasOutside(Other);
    auto IsIn = [&](uint32_t T) {
      const Token &Each = G.token(T);
      return Each.Is == Token::Kind::Memory && (Objects.contains(Each.Id) || (Second && Heap[Each.Id].Escaped));
    };
    bool Shared = (First && (Escaped || Second)) || llvm::any_of(G.tokensOf(From), IsIn);
    for (uint32_t T : std::vector<uint32_t>(G.tokensOf(From))) {
      const Token Each = G.token(T);
      if (!Each.isHandle() && (Each.Is != Token::Kind::Memory || Shared))
        continue;
      uint32_t Part = G.number(Each.partial());
      bool Had = G.has(To, Part);
      G.handOn(From, To, Part); // unless it is there in another form
      Any |= !Had && G.has(To, Part);
    }
    if (G.isAnything(From) && !G.isAnything(Other) && !G.isAnything(To)) {
      Any = true;
      G.addAnything(To, G.whyAnything(From));
    }
  };
  for (const Difference &D : Differences) {
    Add(D.To, D.First, D.Second);
    Add(D.To, D.Second, D.First);
  }
  return Any;
}

/// What is loaded as an address, and is known to be a number only, was put together in memory of single bytes. False
/// when there is nothing new.
bool Solver::settleAddresses() {
  bool Any = false;
  const Token Place{Token::Kind::Integer, MadeUp, {0, 1}};
  for (uint32_t Node : LoadedAddresses) {
    bool Numbers = false, Others = false;
    for (uint32_t T : G.tokensOf(Node)) {
      const Token &Each = G.token(T);
      Others |= (Each.Is != Token::Kind::Integer && Each.Is != Token::Kind::AnySource) || Each.Id;
      Numbers |= Each.Is == Token::Kind::Integer && !Each.Where.isExact();
    }
    if (!Numbers || Others)
      continue;
    FirstMadeUp = std::min(FirstMadeUp, Node);
    G.add(Node, Place);
    Any |= G.has(Node, G.number(Place));
  }
  return Any;
}

/// A function of a library that is not known, or of Fortran, may call one of the program by its name, without being
/// given its address. It does so seldom, and then nobody else does: what is called in sight is not called from there.
/// By the names of C++ no library calls a program. False when there is nothing new.
bool Solver::exposeUncalled() {
  bool Any = false;
  for (uint32_t I = 0; CallsBack && I < P.Functions.size(); ++I) {
    const LinkedFunction &F = P.Functions[I];
    bool IsCalled = !InstancesOf[I].empty() || HasClones[I];
    if (F.IsInternal || F.Bodies.empty() || IsCalled || llvm::StringRef(F.Name).starts_with("_Z"))
      continue;
    exposeFunction(I, *CallsBack);
    Any = true;
  }
  return Any;
}

uint32_t Solver::instantiate(const Body &B) {
  Instance I;
  I.Of = B;
  I.Base = G.nodes();
  for (uint32_t N = 0; N < B.Code->Nodes; ++N)
    G.newNode();
  if (B.Code->IsVariadic)
    I.Variadic = Heap.newObject("a list of variadic arguments", Unknown, 0);
  Instances.push_back(I);
  CallsWaiting.push_back(Instances.size() - 1);
  return Instances.size() - 1;
}

const std::vector<uint32_t> &Solver::reach(uint32_t Function) {
  std::vector<uint32_t> &Result = InstancesOf[Function];
  if (Result.empty())
    for (const Body &B : P.Functions[Function].Bodies)
      Result.push_back(instantiate(B));
  return Result;
}

/// The instances of \p Function for one call: those that all share, or clones.
std::vector<uint32_t> Solver::reachFrom(const CallPlace &At, uint32_t Function) {
  if (!At.What->Callee || !IsCloned[Function])
    return reach(Function);
  HasClones[Function] = true;
  std::vector<uint32_t> Clones;
  for (const Body &B : P.Functions[Function].Bodies) {
    Clones.push_back(instantiate(B));
    Instances.back().ForIn = At.In;
    Instances.back().For = At.What;
  }
  return Clones;
}

/// Code out of sight may call \p Function with whatever it has, and gets what it returns.
void Solver::exposeFunction(uint32_t Function, uint32_t Why) {
  if (isOfTable(Function) || !ExposedFunctions.insert(Function).second)
    return;
  const std::string Name = "'" + P.Functions[Function].Name + "'";
  uint32_t Given = reason("is an argument of " + Name), Returned = reason("is returned by " + Name);
  Reasons[Given].Exposed = Reasons[Returned].Exposed = Why;
  for (uint32_t Index : reach(Function)) {
    const Instance In = Instances[Index];
    for (uint32_t A = 0; A < In.Of.Code->Parameters; ++A)
      if (std::optional<uint32_t> Known = hiddenRecords(*In.Of.Code, A))
        G.addCopy(*Known, In.Base + A);
      else
        G.addAnything(In.Base + A, Given);
    if (In.Variadic) {
      uint32_t Any = G.newNode();
      G.addAnything(Any, Given);
      Heap.fill({Token::Kind::Memory, *In.Variadic, {0, 1}}, Unknown, Any);
    }
    uint32_t Result = In.Base + In.Of.Code->Result;
    if (std::optional<uint32_t> Known = hiddenRecords(*In.Of.Code, In.Of.Code->Parameters)) {
      G.addCopy(Result, *Known);
      G.addRule(Result, {Rule::Kind::EscapeOther, NoNode, NoNode, NoNode, Returned});
    } else {
      escape(Result, Returned);
    }
  }
}

/// The addresses of records of one type that code out of sight knows and can do no more with than hand them back: those
/// that it was given, and of memory of its own, in which only the program knows what is. Nothing where the type of the
/// parameter \p Index, or of the result behind them, is none of these.
std::optional<uint32_t> Solver::hiddenRecords(const Function &Code, uint32_t Index) {
  if (Index >= Code.PointsTo.size() || Code.PointsTo[Index].empty() || P.ExposedRecords.count(Code.PointsTo[Index]))
    return std::nullopt;
  auto [It, New] = HiddenRecords.try_emplace(Code.PointsTo[Index], 0);
  if (New) {
    uint32_t Node = It->second = G.newNode();
    uint32_t Theirs = Heap.newObject("a record of type '" + It->first + "'", Unknown, 0);
    Heap.setZero(Theirs);
    G.add(Node, {Token::Kind::Memory, Theirs, {0, 0}});
    G.addInteger(Node, 0);
    copyMemory(Node, Node, Unknown); // by who knows no more than its size
  }
  return It->second;
}

uint32_t Solver::variable(uint32_t Index) {
  if (const std::optional<uint32_t> Known = ObjectOf[Index])
    return *Known;
  const LinkedVariable &V = P.Variables[Index];
  // Of any text, all that matters is that it is one.
  std::optional<uint32_t> *Text = nullptr;
  if (V.IsConstant && V.IsDefined && V.Text && !V.IsExposed)
    Text = usesAddresses(V.Text->Text) ? &AddressFormats : &Texts;
  if (Text && *Text) {
    ObjectOf[Index] = *Text;
    return **Text;
  }
  if (std::optional<uint32_t> Known = sharedObject(V)) {
    ObjectOf[Index] = Known;
    return *Known;
  }
  const int64_t Size = Text || !V.IsDefined || V.IsExposed ? Unknown : V.Size;
  uint32_t Object = Heap.newObject("'" + V.Name.substr(0, V.Name.find(".llvm.")) + "'", Size, 0);
  ObjectOf[Index] = Object;
  if (Text)
    *Text = Object;
  const bool IsKnown = addContents(Object, V);
  Heap[Object].ReadOnly |= V.IsConstant;
  VariableOf[Object] = Index;
  Heap[Object].Known = V.IsConstant && V.IsDefined;
  if (!IsKnown && (!V.IsDefined || V.IsExposed))
    Heap.escape(Object, reason("is a variable of a library"));
  return Object;
}

void Solver::addAddress(uint32_t To, const Linked &L, int64_t Offset) {
  if (L.IsFunction)
    return G.add(To, {Token::Kind::Function, L.Index, {}});
  const LinkedVariable &V = P.Variables[L.Index];
  auto Is = [&](const std::optional<MpiConstant> &C) { return C && !C->Symbol.empty() && C->Symbol == V.Name; };
  if (Is(World) || Is(Self))
    return G.add(To, {Is(World) ? Token::Kind::World : Token::Kind::Self, 0, {}});
  if (std::optional<Token> Constant = constantOfMpi(V.Name))
    return G.add(To, *Constant);
  G.add(To, {Token::Kind::Memory, variable(L.Index), {Offset, 0}});
}

void Solver::addConstraints(uint32_t Index) {
  const Function &Code = *Instances[Index].Of.Code;
  for (const Constraint &C : Code.Constraints)
    addConstraint(Index, C);
}

void Solver::addConstraint(uint32_t Index, const Constraint &C) {
  const Unit &U = *Instances[Index].Of.Of;
  uint32_t To = nodeOf(Index, C.To), From = nodeOf(Index, C.From), Second = nodeOf(Index, C.Second);
  auto IsZero = [&](Node N) {
    const std::map<Node, int64_t> &Literals = Instances[Index].Of.Code->Literals;
    auto It = Literals.find(N);
    return It != Literals.end() && It->second == 0;
  };
  auto Rules = [&](Rule::Kind Is) { G.addRule(From, {Is, To, NoNode, NoNode, C.A, C.B, C.C}); };
  switch (C.Is) {
  case Kind::Integer:
    if (AnySource == MpiConstant{"", C.A})
      G.add(To, {Token::Kind::AnySource, 0, {}});
    return addNumber(To, {C.A, 0});
  case Kind::AnyInteger:
    return G.addCopy(AnyNumber, To);
  case Kind::Anything:
    return G.addAnything(To, reason(U.Texts[C.Text], &U, C.Where));
  case Kind::LocalAddress: {
    const Object &O = Instances[Index].Of.Code->Objects[C.A];
    if (O.IsString) { // nothing is gained when they are kept apart, and there are thousands
      if (!Strings)
        Strings = Heap.newObject("a std::string", O.Size, 0);
      return G.add(To, {Token::Kind::Memory, *Strings, {0, 0}});
    }
    std::string Name = O.Name.empty() || O.Name == "ref.tmp" ? "a temporary" : "variable '" + O.Name + "'";
    uint32_t Made = Heap.newObject(std::move(Name), O.Size, 0);
    Locals.push_back({Made, Index});
    return G.add(To, {Token::Kind::Memory, Made, {0, 0}});
  }
  case Kind::GlobalAddress:
    return addAddress(To, P.Symbols.at(&U)[C.A], C.B);
  case Kind::Copy:
    return G.addCopy(From, To);
  case Kind::Derive:
    return C.A ? Rules(Rule::Kind::Index) : G.addDerived(From, To);
  case Kind::Offset:
    return Rules(Rule::Kind::Offset);
  case Kind::Part:
    return G.addRule(From,
                     {Rule::Kind::Part, To, NoNode, NoNode, C.A, partNumber(Instances[Index].Of.Code->Parts[C.B])});
  case Kind::Member:
    return addMember(To, From, C.A, U.Texts[C.Text]);
  case Kind::Convert:
    return Rules(Rule::Kind::Convert);
  case Kind::ToAddress:
    return Rules(Rule::Kind::ToAddress);
  case Kind::MovedBy:
    return Rules(Rule::Kind::MovedBy);
  case Kind::Aligned:
    return G.addRule(From, {Rule::Kind::Aligned, To, NoNode, NoNode, Index, C.B, C.A});
  case Kind::VirtualEntry:
    return G.addRule(Second, {Rule::Kind::VirtualEntry, To, From, NoNode});
  case Kind::Load:
    if (C.B)
      LoadedAddresses.push_back(To);
    return Rules(Rule::Kind::Load);
  case Kind::Difference:
    G.addAnyInteger(To);
    return Differences.push_back({To, From, Second});
  case Kind::Binary: {
    Rule R{Rule::Kind::Binary, To, From, Second, C.A, C.B, C.C};
    G.addRule(From, R);
    return G.addRule(Second, R);
  }
  case Kind::Store:
    return G.addRule(To, {Rule::Kind::Store, NoNode, From, NoNode, C.A, 0, C.C});
  case Kind::Initial:
    return initialise(*Instances[Index].Of.Code, C, variable(P.Symbols.at(&U)[C.A].Index), From);
  case Kind::CopyMemory:
    return C.Second == NoNode ? copyMemory(To, From, C.A)
                              : bindCount(Second, {Rule::Kind::CopyCounted, To, From, NoNode, 1});
  case Kind::FillMemory:
    From = IsZero(C.From) ? Zero : From;
    return C.Second == NoNode ? fill(To, From, C.A) : fillCounted(To, From, Second);
  case Kind::OwnText:
    return G.addCopy(stringText(), To);
  case Kind::Head:
    return Rules(Rule::Kind::Head);
  case Kind::Variadic:
    if (const std::optional<uint32_t> List = Instances[Index].Variadic)
      G.add(To, {Token::Kind::Memory, *List, {0, 1}});
    return;
  case Kind::Escape:
    return escape(From, reason(U.Texts[C.Text], &U, C.Where));
  case Kind::BecomeNumber:
    return G.addRule(From,
                     {Rule::Kind::LeaveAsNumber, NoNode, NoNode, NoNode, reason(U.Texts[C.Text], &U, C.Where), 0, C.A});
  case Kind::Throw:
    return G.addCopy(From, Exceptions);
  case Kind::Catch:
    addLibraryException();
    G.addAnyInteger(To);
    return G.addCopy(Exceptions, To);
  case Kind::Call: {
    const Call &What = Instances[Index].Of.Code->Calls[C.A];
    Places.push_back({Index, &What});
    const int64_t Place = Places.size() - 1;
    if (!What.Callee) {
      Node Decides = What.Virtual ? What.Arguments[What.Virtual.Receiver] : What.Pointer;
      Rule::Kind Is = What.Virtual ? Rule::Kind::CallOf : Rule::Kind::Call;
      for (size_t I = 0; What.Virtual && I < What.Virtual.Loaded.size(); ++I)
        G.addRule(nodeOf(Index, What.Virtual.Loaded[I]), {Rule::Kind::CallMadeUp, NoNode, NoNode, NoNode, Place});
      return G.addRule(nodeOf(Index, Decides), {Is, NoNode, NoNode, NoNode, Place});
    }
    const Linked &Callee = P.Symbols.at(&U)[*What.Callee];
    if (Callee.IsFunction)
      return callFunction(Places.size() - 1, Callee.Index);
    return callUnknown(Places.size() - 1, reason("is no function"));
  }
  }
}

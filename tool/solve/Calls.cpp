// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls whom.

#include "libraries/Names.h"
#include "solve/Solver.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace mpishm::ir;

uint32_t Solver::argument(const CallPlace &At, unsigned Index) {
  if (Index < At.What->Arguments.size())
    return nodeOf(At.In, At.What->Arguments[Index]);
  uint32_t Any = G.newNode(); // called with fewer than it has
  G.addAnything(Any, reason(At, "comes from an argument that the call does not give"));
  return Any;
}

uint32_t Solver::result(const CallPlace &At) {
  return At.What->Result == NoNode ? G.newNode() : nodeOf(At.In, At.What->Result);
}

std::optional<int64_t> Solver::literal(const CallPlace &At, unsigned Index) const {
  if (Index >= At.What->Arguments.size())
    return std::nullopt;
  const std::map<Node, int64_t> &Literals = Instances[At.In].Of.Code->Literals;
  auto It = Literals.find(At.What->Arguments[Index]);
  return It == Literals.end() ? std::nullopt : std::optional(It->second);
}

const Symbol *Solver::symbolOf(const CallPlace &At, unsigned Index) const {
  if (Index >= At.What->Arguments.size())
    return nullptr;
  const std::map<Node, uint32_t> &Names = Instances[At.In].Of.Code->Names;
  auto It = Names.find(At.What->Arguments[Index]);
  return It == Names.end() ? nullptr : &Instances[At.In].Of.Of->Symbols[It->second];
}

bool Solver::isPointer(const CallPlace &At, unsigned Index) const {
  return Index < At.What->Arguments.size() && Instances[At.In].Of.Code->IsPointer[At.What->Arguments[Index]];
}

bool Solver::isFloating(const CallPlace &At, unsigned Index) const {
  return Index < At.What->Arguments.size() && Instances[At.In].Of.Code->IsFloating[At.What->Arguments[Index]];
}

std::set<uint32_t> Solver::uncalledSites() const {
  llvm::DenseSet<const Function *> Reached;
  for (const Instance &I : Instances)
    Reached.insert(I.Of.Code);
  std::vector<uint32_t> Next; // functions
  auto Add = [&](uint32_t F) {
    if (llvm::none_of(P.Functions[F].Bodies, [&](const Body &B) { return Reached.contains(B.Code); }))
      Next.push_back(F);
    for (const Body &B : P.Functions[F].Bodies)
      Reached.insert(B.Code);
  };
  std::set<uint32_t> Result;
  for (uint32_t I = 0; I < P.Functions.size(); ++I) {
    if (!P.Functions[I].IsInternal)
      Add(I);
    while (!Next.empty()) {
      uint32_t F = Next.back();
      Next.pop_back();
      for (const Body &B : P.Functions[F].Bodies)
        for (const Call &C : B.Code->Calls) {
          if (C.Site && C.Callee)
            Result.insert(P.SitesOf.at(B.Of)[*C.Site]);
          if (C.Callee && P.Symbols.at(B.Of)[*C.Callee].IsFunction)
            Add(P.Symbols.at(B.Of)[*C.Callee].Index);
        }
    }
  }
  return Result;
}

void Solver::escape(uint32_t Node, uint32_t Why) { G.addRule(Node, {Rule::Kind::Escape, NoNode, NoNode, NoNode, Why}); }

void Solver::copyMemory(uint32_t To, uint32_t From, int64_t Length) {
  uint32_t Copy = Heap.newCopy(Length);
  G.addRule(From, {Rule::Kind::CopyFrom, NoNode, To, NoNode, Copy, Length});
  G.addRule(To, {Rule::Kind::CopyTo, NoNode, From, NoNode, Copy, Length});
}

Solver::MemoryPlace Solver::memoryAt(const CallPlace &At, uint32_t ObjectOrNode) const {
  return {ObjectOrNode, At.In, placeOf(*Instances[At.In].Of.Of, At.What->Where), At.What};
}

uint32_t Solver::newHeap(const CallPlace &At, std::string_view What, int64_t Size) {
  MemoryPlace Made = memoryAt(At, 0);
  std::string Name = "memory of " + std::string(What);
  if (Made.Where.Line)
    Name += " (" + llvm::sys::path::filename(Made.Where.File).str() + ":" + std::to_string(Made.Where.Line) + ")";
  uint32_t Object = Made.ObjectOrNode = Heap.newObject(std::move(Name), Size, 0);
  Allocations.push_back(std::move(Made));
  return Object;
}

void Solver::callFunction(uint32_t Place, uint32_t Function) {
  if (!Called.insert({Place, Function}).second)
    return;
  const CallPlace At = Places[Place];
  if (isOfTable(Function))
    return callTable(At, Function - P.Functions.size());
  const LinkedFunction &F = P.Functions[Function];
  if (!At.What->Callee && At.What->Arguments.size() < F.Parameters) // see fits
    return;
  llvm::StringRef Name = F.Name;
  bool IsMpi = !F.IsInternal && (isMpiName(Name) || (Name.starts_with("MPISHM_") && findFunction(Name)));
  if (IsMpi)
    callMpi(At, Name, !F.Bodies.empty());
  for (uint32_t Callee : reachFrom(At, Function))
    enter(Place, Callee);
  if (IsMpi || !F.Bodies.empty() || (!F.IsInternal && callLibrary(At, Name)))
    return;
  callUnlisted(Place, F);
}

/// The virtual call \p Place is of an object at the address \p Receiver, a token: it goes to what that one leads to,
/// and to no function that another object does which may be there instead. (A table of a library's leads to its
/// function in another way, see Rule::Kind::CallMadeUp.)
void Solver::callOf(uint32_t Place, uint32_t Receiver) {
  const VirtualCall &How = Places[Place].What->Virtual;
  auto [It, New] = VirtualFunctions.try_emplace({Receiver, How.Way}, NoNode);
  if (New) {
    uint32_t From = G.newNode();
    G.addToken(From, Receiver);
    for (auto [Offset, As] : How.Way) {
      uint32_t Address = G.newNode(), Loaded = G.newNode();
      G.addRule(From, {Rule::Kind::Offset, Address, NoNode, NoNode, Offset});
      G.addRule(Address, {Rule::Kind::Load, Loaded, NoNode, NoNode, 8, 0, static_cast<int64_t>(As)});
      From = Loaded;
    }
    It->second = From;
  }
  G.addRule(It->second, {Rule::Kind::CallFor, NoNode, NoNode, NoNode, Place, Receiver});
}

void Solver::callFor(uint32_t Place, uint32_t Receiver, uint32_t Function) {
  callFunction(Place, Function);
  if (isOfTable(Function))
    return;
  uint32_t Index = Places[Place].What->Virtual.Receiver;
  for (uint32_t Callee : InstancesOf[Function])
    if (Index < Instances[Callee].Of.Code->Parameters && Entered.count({Place, Callee}))
      G.addToken(Instances[Callee].Base + Index, Receiver);
}

/// Whether a call by a function's address may be one of \p Code: not with fewer arguments than it has parameters, or
/// with floating-point numbers in the place of others; nor for a number of that kind where Code returns an address, or
/// the other way round. (C and C++ leave open what such calls do.)
bool Solver::fits(const CallPlace &At, const Function &Code) const {
  if (At.What->Arguments.size() < Code.Parameters)
    return false;
  if (const Node To = At.What->Result; To != NoNode) {
    const Function &Caller = *Instances[At.In].Of.Code;
    if ((Caller.IsFloating[To] && Code.IsPointer[Code.Result]) ||
        (Caller.IsPointer[To] && Code.IsFloating[Code.Result]))
      return false;
  }
  for (uint32_t I = 0; I < Code.Parameters; ++I)
    if (isFloating(At, I) != Code.IsFloating[I])
      return false;
  return true;
}

void Solver::enter(uint32_t Place, uint32_t Callee) {
  const CallPlace At = Places[Place];
  if ((!At.What->Callee && !fits(At, *Instances[Callee].Of.Code)) || !Entered.insert({Place, Callee}).second)
    return;
  const Instance In = Instances[Callee];
  uint32_t Given = At.What->Arguments.size(), Taken = In.Of.Code->Parameters;
  for (uint32_t I = 0; I < Taken; ++I)
    if (I != At.What->Virtual.Receiver) // see callFor
      G.addCopy(argument(At, I), In.Base + I);
  if (In.Variadic)
    for (uint32_t I = Taken; I < Given; ++I) {
      G.addCopy(argument(At, I), Heap.stored({Token::Kind::Memory, *In.Variadic, {0, 8}}, 8));
      if (!isPointer(At, I)) // in the list, it is not told from an address of text
        showNumber(argument(At, I), reason(At, "is handed on as a number"), Leaves::Addresses);
    }
  if (At.What->Result != NoNode)
    G.addCopy(In.Base + In.Of.Code->Result, result(At));
}

/// The call of a function that neither uses nor keeps handles. It may still hand the addresses that it was lent to the
/// functions that it was given, return them or store them. False when \p Name is none.
bool Solver::callTrusted(const CallPlace &At, const std::string &Name) {
  bool Fully = Options.TrustedFully.count(Name);
  if (!Fully && !Options.TrustedCalls.count(Name))
    return false;
  uint32_t Any = G.newNode(), Stored = Fully ? AnyNumber : Any;
  G.addAnything(Any, reason(At, "may be stored by '" + Name + "'"));
  uint32_t Why = reason(At, "is handed to a function that '" + Name + "' calls");
  uint32_t Given = G.newNode();
  G.addCopy(Any, Given);
  G.addCopy(Lent, Given);
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I) {
    uint32_t Argument = argument(At, I);
    fill(Argument, Stored, Unknown);
    if (!Fully)
      fill(Argument, Lent, Unknown);
    if (!isPointer(At, I))
      continue;
    G.addCopy(Argument, Lent);
    uint32_t Contents = G.newNode(); // a record of functions
    G.addRule(Argument, {Rule::Kind::Contents, Contents, NoNode, NoNode, Unknown});
    for (uint32_t Function : {Argument, Contents})
      callBack(Function, std::vector<uint32_t>(16, Given), Lent, Why, /*IsTrusted=*/true);
  }
  G.addAnything(result(At), reason(At, "comes from '" + Name + "'"));
  G.addCopy(Lent, result(At));
  return true;
}

/// The call of a function that nothing is known of.
void Solver::callUnlisted(uint32_t Place, const LinkedFunction &F) {
  const CallPlace At = Places[Place];
  llvm::StringRef Name = F.Name;
  if (callTrusted(At, plainName(Name)))
    return;
  bool IsFortran = Name.ends_with("_");
  if (!CallsBack && !(F.IsNumeric && !IsFortran) && !Name.starts_with("_ZSt") && !Name.starts_with("_ZNSt") &&
      !Name.starts_with("_ZNKSt"))
    CallsBack = reason(At, "may be called by '" + Name.str() + "', which is not in the database");
  handOver(At, {"'" + Name.str() + "', which is not in the database", std::nullopt}, &F);
}

/// The call of a function that is anything, because of \p Why; if it is virtual, of the object at \p Receiver, a token.
void Solver::callUnknown(uint32_t Place, uint32_t Why, std::optional<uint32_t> Receiver) {
  // One reason for all objects that it may be of: there may be as many as calls.
  auto [It, New] = CalledUnknown.try_emplace(Place);
  if (New) {
    const CallPlace At = Places[Place];
    const UnknownCallee Callee{"a function", Why};
    It->second = reason(At, "is handed to ", Callee);
    handOver(At, Callee, nullptr, At.What->Virtual.Receiver);
  }
  if (Receiver)
    escapeToken(*Receiver, It->second);
}

/// The call \p Place goes to what was made of a number, or is of such an object.
void Solver::callMadeUp(uint32_t Place) {
  letBack();
  const CallPlace At = Places[Place];
  if (At.What->Virtual)
    escape(argument(At, At.What->Virtual.Receiver), 0);
  callUnknown(Place, 0);
}

/// All arguments but \p Without go to a function without a body, of which \p Known tells what some point to.
void Solver::handOver(const CallPlace &At, const UnknownCallee &Callee, const LinkedFunction *Known, uint32_t Without) {
  G.addAnything(Exceptions, reason(At, "is caught, and may be thrown by ", Callee));
  if (!CallsUnknown)
    meetUnknown(At, Callee);
  CallsUnknown = true;
  uint32_t Out = reason(At, "is handed to ", Callee);
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
    if (Known && llvm::is_contained(Known->Floating, I))
      G.addRule(argument(At, I), {Rule::Kind::Lend, NoNode, NoNode, NoNode, Out});
    else if (Known && llvm::is_contained(Known->Objects, I))
      G.addRule(argument(At, I), {Rule::Kind::Extend, NoNode, NoNode, NoNode, Out});
    else if (I != Without)
      escape(argument(At, I), Out);
  if (At.What->Result != NoNode)
    G.addAnything(result(At), reason(At, "comes from ", Callee));
}

/// A library's function calls what \p Function may be. Code out of sight that it may be gets the arguments.
void Solver::callBack(uint32_t Function, std::vector<uint32_t> Arguments, uint32_t Result, uint32_t Why,
                      bool IsTrusted) {
  Callbacks.push_back({std::move(Arguments), Result, Why, IsTrusted});
  G.addRule(Function, {Rule::Kind::Invoke, NoNode, NoNode, NoNode, static_cast<int64_t>(Callbacks.size() - 1)});
}

void Solver::invoke(uint32_t Callback, uint32_t Function) {
  if (isOfTable(Function)) // the library's own, which keeps no more than what this call is of does
    return;
  const struct Callback Copy = Callbacks[Callback]; // reaching may add others
  const LinkedFunction &F = P.Functions[Function];
  if (F.Bodies.empty() && !keepsNothing(Copy, F))
    for (uint32_t A : Copy.Arguments)
      escape(A, Copy.Why);
  for (uint32_t Index : reach(Function)) {
    const Instance In = Instances[Index];
    const uint32_t First = Copy.OfObject && In.Of.Code->ReturnsByAddress ? 1 : 0;
    for (uint32_t I = 0; I < In.Of.Code->Parameters; ++I) {
      if (I >= First && I - First < Copy.Arguments.size())
        G.addCopy(Copy.Arguments[I - First], In.Base + I);
      else
        G.addAnything(In.Base + I, reason("is an argument that a library gives"));
    }
    if (In.Variadic)
      G.addAnything(Heap.stored({Token::Kind::Memory, *In.Variadic, {0, 8}}, 8),
                    reason("is a further argument that a library gives"));
    if (Copy.OfObject && In.Of.Code->ReturnsObject)
      G.addRule(In.Base + In.Of.Code->Result, {Rule::Kind::Extend, NoNode, NoNode, NoNode, Copy.Why});
    else if (Copy.Result != NoNode)
      G.addCopy(In.Base + In.Of.Code->Result, Copy.Result);
  }
}

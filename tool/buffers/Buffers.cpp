// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffers/Buffers.h"
#include "buffers/BufferDecider.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using Node = PointerNodeIndex;

void BufferDecider::addMaker(Node Memory, const MemoryCall &Call, const std::string &New) {
  Makers[Memory].push_back({&Call, New});
  MovedBy[Call.Token].insert(Memory);
}

/// Which edit moves which memory. What a wrapper makes for its callers moves by an edit in the wrapper, and then all of
/// it does; where the wrapper only forwards its parameters, by one of the call.
void BufferDecider::indexCalls() {
  for (const MemoryCall &C : Facts.Calls) {
    if (C.Makes == NoNode && C.GivesBack == NoNode && !C.Unfit.empty())
      Others.try_emplace(C.Token, &C);
    if (C.Makes != NoNode) {
      addMaker(C.Makes, C, C.New);
      CallOf[C.Makes] = &C;
    }
  }
  std::map<Place, std::string> CalleeAt;
  for (const ResultCall &C : Facts.Results)
    if (CalleeAt.try_emplace(C.As.Token, C.Callee).first->second != C.Callee)
      Ambiguous.insert(C.As.Token);
  std::map<std::string, std::string> Forwards;
  for (const AllocationWrapper &W : Facts.Wrappers) {
    auto [It, New] = Forwards.try_emplace(W.Function, W.Forwards);
    if (!New && It->second != W.Forwards)
      It->second.clear();
  }
  for (const ResultCall &C : Facts.Results) {
    auto It = Pointers.wrappers().find(C.Callee);
    if (It == Pointers.wrappers().end() || C.As.Makes == NoNode || Makers.count(C.As.Makes))
      continue;
    if (!Forwards[C.Callee].empty() && !toEdit(C.As) && !Ambiguous.count(C.As.Token)) {
      addMaker(C.As.Makes, C.As, Forwards[C.Callee] + InsteadBegin + C.As.Old + InsteadEnd);
      continue;
    }
    for (Node Inner : It->second)
      if (const MemoryCall *Call = CallOf[Inner])
        addMaker(C.As.Makes, *Call, Call->New);
  }
}

/// The whole of \p C, when another call can be put around it, or null.
const WholeCall *BufferDecider::surroundable(const MemoryCall &C) const {
  if (!C.Whole || C.Kept || (C.Edit != Editability::Editable && C.Edit != Editability::MacroDefinition) ||
      Ambiguous.count(C.Token) || P.WithoutHeader.contains(C.Whole->Host ? C.Whole->Host->File : C.Whole->Begin.File) ||
      Context.Unsheltered.count(C.Whole->Begin))
    return nullptr;
  return &*C.Whole;
}

/// MPISHM_To_window takes what has just been allocated by a function of the C library: what a wrapper or a macro of the
/// program makes for many can be moved for some.
void BufferDecider::indexSurroundable() {
  auto IsFresh = [](const MemoryCall *C) {
    return C && C->GivesBack == NoNode && !C->Already && !C->New.empty() && C->Function != "new[]";
  };
  std::set<Node> Told;
  for (const AllocationWrapper &W : Facts.Wrappers)
    if (auto It = Pointers.wrappers().find(W.Function); W.IsTold && It != Pointers.wrappers().end())
      Told.insert(It->second.begin(), It->second.end());
  for (const MemoryCall &C : Facts.Calls)
    if (const WholeCall *Whole = surroundable(C); Whole && C.Edit == Editability::MacroDefinition && IsFresh(&C))
      Surroundable[C.Makes] = {&C, Whole};
  for (const ResultCall &C : Facts.Results) {
    auto It = Pointers.wrappers().find(C.Callee);
    if (It != Pointers.wrappers().end())
      InWrappers.insert(It->second.begin(), It->second.end());
    const WholeCall *Whole = surroundable(C.As);
    if (C.As.Makes == NoNode || It == Pointers.wrappers().end() || !Whole ||
        !llvm::all_of(It->second, [&](Node Inner) { return IsFresh(CallOf[Inner]) && !Told.count(Inner); }))
      continue;
    Surrounding &Known = Surroundable[C.As.Makes];
    if (!Known.Call || Whole->Around < Known.Whole->Around) // the macro is right in C and in C++
      Known = {&C.As, Whole};
  }
}

void BufferDecider::findUses() {
  for (const ArrayDeclaration &A : Facts.Arrays) {
    if (A.Storage != NoNode)
      Arrays[A.Storage].push_back(&A);
    ArraysAt[A.End].push_back(&A);
  }
  for (const MessageBuffer &M : Facts.Messages)
    if (Sites.count(M.Call)) {
      for (Node Storage : Pointers.of(M.Value))
        Used[Storage].insert(M.Call);
    } else if (M.IsWindow) {
      for (Node Storage : Pointers.of(M.Value))
        InWindows.try_emplace(Storage, M.Call);
    }
  for (const Computation &C : Facts.Computations)
    for (Node Storage : Pointers.of(C.Value)) {
      auto [It, New] = ComputedOn.try_emplace(Storage, C.Where);
      if (!New && C.Where < It->second)
        It->second = C.Where;
    }
  // By the kernel short accesses take longer than by MPI, which costs more than pages that are not huge.
  auto Accesses = [&](const ProgramCall &C) { return C.Info && isWindowAccess(*C.Info) && Sites.count(C.Name); };
  if (llvm::any_of(P.Calls, Accesses))
    for (const MessageBuffer &M : Facts.Messages)
      if (M.IsWindow)
        for (Node Storage : Pointers.of(M.Value))
          ComputedOn.erase(Storage);
}

void BufferDecider::rename(const MemoryCall &C, const std::string &New) {
  if (C.Already || New.empty())
    return;
  const Place &At = C.Edit == Editability::MacroDefinition ? C.Token : C.Name;
  Renames.try_emplace(At, Rename{At, C.Old, New, C.Host});
  if (C.End)
    Renames.try_emplace(*C.End, Rename{*C.End, "", ")", C.Host});
}

void BufferDecider::surround(const WholeCall &C) {
  Renames.try_emplace(C.Begin, Rename{C.Begin, C.First, C.Around + "(" + C.First, C.Host});
  auto [It, New] = Renames.try_emplace(C.End, Rename{C.End, "", ")", C.Host});
  if (!New)
    It->second.NewName = ")" + It->second.NewName;
}

/// Replaces the calls that make \p Memory, and all that may give back it or what moves with it.
void BufferDecider::move(Node Memory) {
  if (!Moved.insert(Memory).second)
    return;
  bool Around = Surrounded.count(Memory);
  if (Around)
    surround(*Surroundable[Memory].Whole);
  for (const Maker &M : Makers[Memory]) {
    if (Around)
      break;
    rename(*M.Call, M.New);
    if (M.Call->GivesBack != NoNode) // what is resized stays where it is, so that it should be there from the beginning
      for (Node Before : Pointers.of(M.Call->GivesBack))
        if (Makers.count(Before) && !Obstacles.count(Before))
          move(Before);
    for (Node Other : MovedBy[M.Call->Token])
      move(Other);
  }
  for (const MemoryCall *C : Releases.of(Memory)) {
    rename(*C, C->New);
    if (C->Makes != NoNode)
      move(C->Makes);
  }
}

/// Memory that was moved before may have got new calls that give it back.
void BufferDecider::followMoved() {
  for (const MemoryCall &C : Facts.Calls) {
    if (!C.Already || C.Makes == NoNode || C.Function.find("Alloc_mem") != std::string::npos)
      continue;
    for (const MemoryCall *Release : Releases.of(C.Makes)) {
      if (!toEdit(*Release))
        rename(*Release, Release->New);
      else
        Result.Findings.push_back(
            {Diagnostic::MovedBufferReleased, Release->Name, {Release->Function, C.Function}, C.Name});
    }
  }
}

Buffer &BufferDecider::add(const Place &Where, std::string What, const std::set<Place> &Calls) {
  Buffer &B = Buffers[{Where, What}];
  B.Where = Where;
  B.What = std::move(What);
  B.Calls.insert(B.Calls.end(), Calls.begin(), Calls.end());
  return B;
}

/// Whether one of \p Calls may have its message in the memory that is made there, as far as LLVM IR tells. The sources
/// may show less: what they lose sight of may be anywhere. It is only asked to say which memory matters.
bool BufferDecider::mayHold(const Place &Made, const std::set<Place> &Calls) const {
  auto It = Messages.find({Made.File, Made.Line});
  return It == Messages.end() || llvm::any_of(Calls, [&](const Place &Call) { return It->second.count(Call); });
}

void BufferDecider::reportMemory(Node Memory, const std::set<Place> &Calls) {
  // What a wrapper makes is told where the wrapper makes it, unless each of its calls is decided by itself.
  auto Around = Surroundable.find(Memory);
  if (Around == Surroundable.end() && Makers[Memory].empty())
    return;
  const MemoryCall *Call = Around == Surroundable.end() ? Makers[Memory].front().Call : Around->second.Call;
  if (!Call->Already && Obstacles.count(Memory) && !mayHold(Call->Name, Calls))
    return;
  Buffer &B = add(Call->Name, Call->Function, Calls);
  B.Enclosing = Call->Enclosing;
  std::string Name = Call->Function + (Call->Enclosing.empty() ? "" : " in '" + Call->Enclosing + "'");
  auto It = Obstacles.find(Memory);
  if (Call->Already) {
    B.Decided = Buffer::Decision::AlreadyMoved;
  } else if (It == Obstacles.end()) {
    B.Decided = Buffer::Decision::Moved;
    move(Memory);
  } else {
    leave(B, Name, It->second);
  }
}

/// One remark for each root: where memory of one call has it by itself and other memory through that, the first.
void BufferDecider::leave(Buffer &B, const std::string &Name, const Obstacle &Why) {
  B.Reason = Why.Text;
  auto [Known, New] = Reasons.try_emplace({B.Where, Why.root()});
  if (New || Why.Root.empty())
    Known->second = {Diagnostic::BufferPrivate, B.Where, {Name, B.Reason}, Why.Where};
}

void BufferDecider::reportVector(const VectorGroup &G, Buffer &B) {
  if (G.Already) {
    B.Decided = Buffer::Decision::AlreadyMoved;
    return;
  }
  if (std::optional<Obstacle> O = toVectors(G))
    return leave(B, B.What, *O);
  B.Decided = Buffer::Decision::Moved;
  for (const VectorDeclaration *V : G.Members)
    if (V->Angle)
      Renames.try_emplace(*V->Angle, Rename{*V->Angle, ">", ", mpishm::allocator<" + V->Argument + "> >", V->Host});
}

/// The edit of a token that others may have one of as well, or an edit directly before it.
Rename &BufferDecider::editOf(const Place &At, const std::string &Old, const std::string &New,
                              const std::optional<Place> &Host) {
  auto [It, IsNew] = Renames.try_emplace(At, Rename{At, Old, New, Host});
  if (!IsNew && It->second.OldName.empty())
    It->second = {At, Old, It->second.NewName + New, Host};
  return It->second;
}

/// Behind its declaration, and before it where it has to become static. What is declared with it and must not becomes a
/// declaration of its own.
void BufferDecider::placeArray(const ArrayDeclaration &A) {
  if (A.Already)
    return;
  std::string Again = " MPISHM_AND(" + A.Type + ")", Tail = A.Last == "," ? Again : "";
  if (A.Static)
    editOf(*A.Static, A.First, A.First == "," ? "; MPISHM_STATIC" + Again : "MPISHM_STATIC " + A.First, A.Host);
  std::string Says = " MPISHM_ARRAY(" + A.Name + ");";
  std::string &New = editOf(A.End, A.Last, ";" + Says + Tail, A.Host).NewName;
  if (New.find(Says) == std::string::npos)
    New.insert(New.size() - Tail.size(), Says);
}

/// Of a variable there may be several definitions: in a header, or tentative ones.
void BufferDecider::reportArray(Node Array, Buffer &B) {
  auto It = Arrays.find(Array);
  if (It == Arrays.end()) {
    B.Reason = "it is an array of another object, or of a library";
    return;
  }
  for (const ArrayDeclaration *A : It->second)
    if (std::optional<Obstacle> O = toArray(*A)) {
      if (A->Bytes == 0 || A->Bytes >= LeastArray)
        return leave(B, B.What, *O);
      B.Reason = O->Text; // no remark: there is little to be gained
      return;
    }
  bool Already = llvm::all_of(It->second, [](const ArrayDeclaration *A) { return A->Already; });
  B.Decided = Already ? Buffer::Decision::AlreadyMoved : Buffer::Decision::Moved;
  for (const ArrayDeclaration *A : It->second)
    placeArray(*A);
}

void BufferDecider::report(Node Storage, const std::set<Place> &Calls) {
  const PointerNode &N = Facts.Nodes[Storage];
  if (N.What == PointerNode::Kind::Memory)
    reportMemory(Storage, Calls);
  else if (N.What == PointerNode::Kind::Array)
    reportArray(Storage, add(N.Where, "array '" + N.Name + "'", Calls));
  else if (N.What == PointerNode::Kind::Container) {
    bool IsParameter = llvm::StringRef(N.Name).starts_with("parameter ");
    Buffer &B = add(N.Where, IsParameter ? N.Name : "container '" + N.Name + "'", Calls);
    if (const VectorGroup *G = Vectors.of(Storage))
      reportVector(*G, B);
    else
      B.Reason = "its memory is that of a container other than a vector of numbers";
  }
}

void BufferDecider::indexMessages() {
  if (!Context.Values || llvm::any_of(*Context.Values, [](const auto &Each) { return Each.GivenUp.has_value(); }))
    return;
  for (const ir::ValueClasses &Each : *Context.Values)
    for (const ir::MessageMemory &M : Each.Memory) {
      std::set<Place> &Known = Messages[{M.File, M.Line}];
      for (const ir::CallName &Call : M.Messages)
        Known.insert(Call.Where);
    }
}

BufferDecisions BufferDecider::run() {
  indexMessages();
  indexCalls();
  indexSurroundable();
  findUses();
  findObstacles();
  for (const auto &[Storage, Calls] : Used)
    report(Storage, Calls);
  for (auto &[Key, F] : Reasons)
    Result.Findings.push_back(std::move(F));
  followMoved();
  for (auto &[Key, B] : Buffers) {
    llvm::sort(B.Calls);
    B.Calls.erase(llvm::unique(B.Calls), B.Calls.end());
    Result.Buffers.push_back(std::move(B));
  }
  for (auto &[Where, R] : Renames)
    Result.Renames.push_back(std::move(R));
  return std::move(Result);
}

BufferDecisions mpishm::decideBuffers(const Program &P, const std::set<Place> &Sites, const ProgramContext &Context) {
  if (Context.Move == MoveBuffers::None || Sites.empty())
    return {};
  return BufferDecider(P, Sites, Context).run();
}

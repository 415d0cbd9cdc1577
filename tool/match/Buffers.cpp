// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Buffers.h"
#include "match/PointsTo.h"
#include "match/Releases.h"
#include "match/Vectors.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace mpishm;
using Node = PointerNodeIndex;

namespace {

/// Why some memory stays private.
struct Obstacle {
  std::string Text;
  std::optional<Place> Where;
  std::string Root = {}; ///< of other memory, for which this one cannot move either; empty: none

  const std::string &root() const { return Root.empty() ? Text : Root; }
};

/// \p Why, that \p Other keeps memory where it is. A chain of these is as long as the program; only its end is told.
static Obstacle dueTo(const std::string &Why, const Obstacle &Other) {
  return {Why + ": " + Other.root(), Other.Where, Other.root()};
}

class BufferDecider {
public:
  BufferDecider(const Program &Whole, const std::set<Place> &Rewritten, const ProgramContext &Around)
      : P(Whole), Facts(Whole.Pointers), Sites(Rewritten), Context(Around), Pointers(Whole, Whole.Pointers),
        Vectors(Whole.Pointers), Releases(Facts, Pointers, Around.Values) {}
  BufferDecisions run();

private:
  void indexCalls();
  void indexMessages();
  void addMaker(Node Memory, const MemoryCall &Maker, const std::string &New);
  void indexSurroundable();
  const WholeCall *surroundable(const MemoryCall &C) const;
  void findUses();
  std::optional<Obstacle> toProgram() const;
  std::optional<Obstacle> toEdit(const MemoryCall &C) const;
  std::optional<Obstacle> byEdit(Node Memory);
  std::optional<Obstacle> byItself(Node Memory);
  std::optional<Obstacle> byResizing(Node Memory);
  std::optional<Obstacle> byOthers(Node Memory);
  void findObstacles();
  bool movesTooMuch(Node Memory);
  void decideToSurround();
  void move(Node Memory);
  void followMoved();
  void rename(const MemoryCall &C, const std::string &New);
  void surround(const WholeCall &C);
  Buffer &add(const Place &Where, std::string What, const std::set<Place> &Calls);
  std::optional<Obstacle> toVectors(const VectorGroup &G);
  void reportVector(const VectorGroup &G, Buffer &B);
  void leave(Buffer &B, const std::string &Name, const Obstacle &Why);
  void report(Node Storage, const std::set<Place> &Calls);
  void reportMemory(Node Memory, const std::set<Place> &Calls);
  bool mayHold(const Place &Made, const std::set<Place> &Calls) const;

  /// A call that is edited to move some memory, and what it becomes.
  struct Maker {
    const MemoryCall *Call;
    std::string New;
  };

  const Program &P;
  const PointerFacts &Facts;
  const std::set<Place> &Sites;
  const ProgramContext &Context;
  PointsTo Pointers;
  VectorGroups Vectors;
  std::map<Node, std::vector<Maker>> Makers;
  std::map<Place, std::set<Node>> MovedBy; ///< all that moves when the name at this token is replaced
  std::map<Node, std::set<Place>> Used;    ///< the calls that use the storage as a buffer
  std::map<Node, Place> ComputedOn;        ///< where
  std::map<Node, Place> InWindows;         ///< of windows that are left to MPI: the call that makes one
  ReleaseMap Releases;
  /// What LLVM IR shows of memory that is allocated there: the messages that may be in it.
  std::map<std::pair<std::string, unsigned>, std::set<Place>> Messages;
  std::set<Place> Ambiguous;                  ///< calls of several functions, in instances of a template
  std::map<Place, const MemoryCall *> Others; ///< calls of other functions by the same name in a macro
  std::map<Node, Obstacle> Obstacles;
  std::map<Node, const MemoryCall *> CallOf; ///< of an allocating function
  /// A call that another can be put around.
  struct Surrounding {
    const MemoryCall *Call = nullptr;
    const WholeCall *Whole = nullptr; ///< of Call
  };
  std::map<Node, Surrounding> Surroundable; ///< memory that can be moved by a call around the one that makes it
  std::set<Node> InWrappers;                ///< what they make, as they see it
  std::set<Node> Surrounded;                ///< what of that is to be moved so
  std::set<Node> Moved;
  std::map<Place, Rename> Renames;
  std::map<std::pair<Place, std::string>, Buffer> Buffers;
  std::map<std::pair<Place, std::string>, Finding> Reasons; ///< to leave buffers alone, by call and root
  BufferDecisions Result;
};

} // namespace

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
  for (const MemoryCall &C : Facts.Calls)
    if (const WholeCall *Whole = surroundable(C); Whole && C.Edit == Editability::MacroDefinition && IsFresh(&C))
      Surroundable[C.Makes] = {&C, Whole};
  for (const ResultCall &C : Facts.Results) {
    auto It = Pointers.wrappers().find(C.Callee);
    if (It != Pointers.wrappers().end())
      InWrappers.insert(It->second.begin(), It->second.end());
    const WholeCall *Whole = surroundable(C.As);
    if (C.As.Makes == NoNode || It == Pointers.wrappers().end() || !Whole ||
        !llvm::all_of(It->second, [&](Node Inner) { return IsFresh(CallOf[Inner]); }))
      continue;
    Surrounding &Known = Surroundable[C.As.Makes];
    if (!Known.Call || Whole->Around < Known.Whole->Around) // the macro is right in C and in C++
      Known = {&C.As, Whole};
  }
}

void BufferDecider::findUses() {
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
  // By the kernel accumulates take longer than by MPI, which costs more than pages that are not huge.
  auto Accumulates = [&](const ProgramCall &C) { return C.Info && isAccumulate(*C.Info) && Sites.count(C.Name); };
  if (llvm::any_of(P.Calls, Accumulates))
    for (const MessageBuffer &M : Facts.Messages)
      if (M.IsWindow)
        for (Node Storage : Pointers.of(M.Value))
          ComputedOn.erase(Storage);
}

/// What speaks against moving anything.
std::optional<Obstacle> BufferDecider::toProgram() const {
  if (Pointers.gaveUp())
    return Obstacle{"the program's pointers are too many to be followed", std::nullopt};
  if (!Facts.Own.empty())
    return Obstacle{"the program has an allocating function, or a macro of the name of one, of its own",
                    *llvm::min_element(Facts.Own)};
  if (!Facts.Taken.empty())
    return Obstacle{"the program declares a name of the runtime's itself", *llvm::min_element(Facts.Taken)};
  auto Unseen = llvm::find_if(P.Unseen, [](const Mention &M) { return M.ByCompiler; });
  if (Unseen != P.Unseen.end())
    return Obstacle{"the program's own compiler may see a call that was not seen", Unseen->Where};
  if (!P.Readings.empty())
    return Obstacle{"the program's own compiler " + P.Readings.front().What, P.Readings.front().Where};
  if (!P.IsWhole || Context.Partial)
    return Obstacle{"not all sources of the program are read", std::nullopt};
  return std::nullopt;
}

/// What speaks against replacing a name where it stands.
std::optional<Obstacle> BufferDecider::toEdit(const MemoryCall &C) const {
  if (C.Already)
    return std::nullopt;
  if (C.Kept)
    return Obstacle{"a comment asks to keep the call", C.Kept};
  if (!C.Unfit.empty())
    return Obstacle{C.Unfit, C.Name};
  if (auto It = Others.find(C.Token); It != Others.end())
    return Obstacle{It->second->Unfit, It->second->Name};
  if (C.Edit != Editability::Editable && C.Edit != Editability::MacroDefinition)
    return Obstacle{"the name " + C.Function + " cannot be replaced where it stands", C.Name};
  if (P.WithoutHeader.contains(C.Host ? C.Host->File : C.Token.File))
    return Obstacle{"the file is also compiled where mpishm.h may not be found", C.Token};
  if (const Place &At = C.Edit == Editability::MacroDefinition ? C.Token : C.Name; Context.Unsheltered.count(At))
    return Obstacle{"a build without MPI compiles it, too, and would not know the name to put there", At};
  return std::nullopt;
}

/// What speaks against replacing what makes \p Memory.
std::optional<Obstacle> BufferDecider::byEdit(Node Memory) {
  for (const Maker &M : Makers[Memory])
    if (std::optional<Obstacle> O = toEdit(*M.Call))
      return O;
  return std::nullopt;
}

/// What speaks against moving \p Memory, whatever becomes of other memory.
std::optional<Obstacle> BufferDecider::byItself(Node Memory) {
  if (Pointers.isOutside(Memory)) {
    const OutsideMark *Mark = Pointers.whyOutside(Memory);
    if (!Mark)
      return Obstacle{"code that is not in the database may have its address", std::nullopt};
    return Obstacle{"its address " + Mark->What, Mark->Where.File.empty() ? std::nullopt : std::optional(Mark->Where)};
  }
  if (auto It = InWindows.find(Memory); It != InWindows.end()) // who has the window may ask for the address
    return Obstacle{"it is in a window that is left to MPI", It->second};
  if (const Place *Where = Releases.unseen(Memory))
    return Obstacle{"it may be given back by a call that is not seen in the sources", *Where};
  for (const MemoryCall *C : Releases.of(Memory))
    if (std::optional<Obstacle> O = toEdit(*C))
      return Obstacle{"it may be given back by " + C->Function + ", where " + O->Text, O->Where};
  if (auto It = ComputedOn.find(Memory); It != ComputedOn.end() && Context.Move != MoveBuffers::All)
    return Obstacle{"the program computes on it (--move-buffers=all moves it, too)", It->second};
  return std::nullopt;
}

std::optional<Obstacle> BufferDecider::byResizing(Node Memory) {
  for (const MemoryCall *C : Releases.of(Memory))
    if (auto It = Obstacles.find(C->Makes); C->Makes != NoNode && It != Obstacles.end())
      return dueTo("it may be resized by " + C->Function + ", whose result cannot move", It->second);
  return std::nullopt;
}

/// What speaks against moving \p Memory since other memory would move with it.
std::optional<Obstacle> BufferDecider::byOthers(Node Memory) {
  for (const Maker &M : Makers[Memory])
    for (Node Other : MovedBy[M.Call->Token])
      if (auto It = Obstacles.find(Other); It != Obstacles.end() && Other != Memory)
        return dueTo("the same " + M.Call->Function + " makes memory that cannot move", It->second);
  return byResizing(Memory);
}

void BufferDecider::findObstacles() {
  std::optional<Obstacle> Everywhere = toProgram();
  for (const auto &[Memory, Calls] : Makers) {
    std::optional<Obstacle> O = Everywhere ? Everywhere : byEdit(Memory);
    if (!O)
      O = byItself(Memory);
    if (O)
      Obstacles.emplace(Memory, std::move(*O));
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &[Memory, Calls] : Makers)
      if (!Obstacles.count(Memory))
        if (std::optional<Obstacle> O = byOthers(Memory)) {
          Obstacles.emplace(Memory, std::move(*O));
          Changed = true;
        }
  }
  if (!Everywhere)
    decideToSurround();
}

/// True when to replace what makes \p Memory would move other memory than message buffers, which need not be.
bool BufferDecider::movesTooMuch(Node Memory) {
  bool Others = false;
  for (const Maker &M : Makers[Memory])
    for (Node Other : MovedBy[M.Call->Token]) {
      Others |= !Used.count(Other) && !InWrappers.count(Other);
      if (Used.count(Other) && !Surroundable.count(Other)) // it has to be replaced for this one
        return false;
    }
  return Others;
}

void BufferDecider::decideToSurround() {
  for (const auto &[Memory, Call] : Surroundable) {
    std::optional<Obstacle> O = byItself(Memory);
    if (!O)
      O = byResizing(Memory);
    if (O) {
      Obstacles.insert_or_assign(Memory, std::move(*O));
    } else if (Obstacles.count(Memory) || movesTooMuch(Memory)) {
      Surrounded.insert(Memory);
      Obstacles.erase(Memory);
    }
  }
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

/// What speaks against another allocator for all vectors of \p G.
std::optional<Obstacle> BufferDecider::toVectors(const VectorGroup &G) {
  if (std::optional<Obstacle> O = toProgram())
    return O;
  if (G.Misuse)
    return Obstacle{"'" + G.MisusedName + "' " + G.Misuse->What, G.Misuse->Where};
  for (const VectorDeclaration *V : G.Members) {
    if (V->Kept)
      return Obstacle{"a comment asks to keep the declaration", V->Kept};
    if (V->Angle && P.WithoutHeader.contains(V->Host ? V->Host->File : V->Angle->File))
      return Obstacle{"the file is also compiled where mpishm.h may not be found", V->Angle};
    if (V->Angle && Context.Unsheltered.count(*V->Angle))
      return Obstacle{"a build without MPI compiles it, too, and would not know the name to put there", V->Angle};
    if (V->Elements != NoNode)
      if (std::optional<Obstacle> O = byItself(V->Elements))
        return O;
  }
  return std::nullopt;
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

void BufferDecider::report(Node Storage, const std::set<Place> &Calls) {
  const PointerNode &N = Facts.Nodes[Storage];
  if (N.What == PointerNode::Kind::Memory)
    reportMemory(Storage, Calls);
  else if (N.What == PointerNode::Kind::Array)
    add(N.Where, "array '" + N.Name + "'", Calls).Reason = "it is an array, which nobody allocates";
  else if (N.What == PointerNode::Kind::Container) {
    Buffer &B = add(N.Where, "container '" + N.Name + "'", Calls);
    if (const VectorGroup *G = Vectors.of(Storage))
      reportVector(*G, B);
    else
      B.Reason = "its memory is that of a container";
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

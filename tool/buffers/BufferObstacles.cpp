// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What speaks against moving memory.

#include "buffers/BufferDecider.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using Node = PointerNodeIndex;

/// \p Why, that \p Other keeps memory where it is. A chain of these is as long as the program; only its end is told.
static Obstacle dueTo(const std::string &Why, const Obstacle &Other) {
  return {Why + ": " + Other.root(), Other.Where, Other.root()};
}

/// What speaks against moving anything.
std::optional<Obstacle> BufferDecider::toProgram() const {
  if (Pointers.gaveUp())
    return Obstacle{"the program's pointers are too many to be followed", std::nullopt};
  if (!Facts.Own.empty())
    return Obstacle{"the program has an allocating function, or a macro of the name of one, of its own",
                    *llvm::min_element(Facts.Own)};
  if (!Facts.Forks.empty()) // a child gets copies of what moves where fork makes it
    return Obstacle{"the program may make a process in another way than by fork", *llvm::min_element(Facts.Forks)};
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

/// What speaks against moving what the C library may be asked to give back: a copy of an address may go anywhere where
/// LLVM IR does not show where it goes.
std::optional<Obstacle> BufferDecider::toMemory() const {
  if (std::optional<Obstacle> O = toProgram())
    return O;
  if (Context.Values && llvm::any_of(*Context.Values, [](const auto &Each) { return Each.GivenUp.has_value(); }))
    return Obstacle{"the program as it is compiled is not followed, nor where copies of an address go", std::nullopt};
  return std::nullopt;
}

/// What speaks against a name of the runtime's at \p At, with \p Host as in Call.
std::optional<Obstacle> BufferDecider::toNameAt(const Place &At, const std::optional<Place> &Host) const {
  if (P.WithoutHeader.contains(Host ? Host->File : At.File))
    return Obstacle{"the file is also compiled where mpishm.h may not be found, or not be included", At};
  if (Context.Unsheltered.count(At))
    return Obstacle{"a build without MPI compiles it, too, and would not know the name to put there", At};
  return std::nullopt;
}

/// What speaks against moving \p Memory, or what is in it, since the program computes on it.
std::optional<Obstacle> BufferDecider::byComputing(Node Memory) const {
  auto It = ComputedOn.find(Memory);
  if (It == ComputedOn.end() || Context.Move == MoveBuffers::All)
    return std::nullopt;
  return Obstacle{"the program computes on it (--move-buffers=all moves it, too)", It->second};
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
  if (C.Edit == Editability::Stringized || C.Edit == Editability::Printed)
    return Obstacle{"macro '" + C.CauseName + "' makes a string of '" + C.Function + "'", C.Name};
  if (C.Edit != Editability::Editable && C.Edit != Editability::MacroDefinition)
    return Obstacle{"the name " + C.Function + " cannot be replaced where it stands", C.Name};
  return toNameAt(C.Edit == Editability::MacroDefinition ? C.Token : C.Name, C.Host);
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
  if (const ir::MemoryRelease *R = Releases.unseen(Memory))
    return Obstacle{R->Out.empty() ? "it may be given back by a call that is not seen in the sources"
                                   : "a copy of its address " + R->Out,
                    R->Where.File.empty() ? std::nullopt : std::optional(R->Where)};
  for (const MemoryCall *C : Releases.of(Memory))
    if (std::optional<Obstacle> O = toEdit(*C))
      return Obstacle{"it may be given back by " + C->Function + ", where " + O->Text, O->Where};
  return byComputing(Memory);
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
  std::optional<Obstacle> Everywhere = toMemory();
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

/// What speaks against memory of the window in place of the pages of \p A: its address stays, so that it does not
/// matter who has it.
std::optional<Obstacle> BufferDecider::toArray(const ArrayDeclaration &A) const {
  if (A.Already)
    return std::nullopt;
  if (A.Bytes > 0 && A.Bytes < LeastArray)
    return Obstacle{"it is an array of " + std::to_string(A.Bytes) + " bytes, too few to gain by it", std::nullopt};
  if (!A.Unfit.empty())
    return Obstacle{"it is an array that " + A.Unfit, std::nullopt};
  // A file that is included may be one thing here and another there.
  if (auto At = ArraysAt.find(A.End); At != ArraysAt.end())
    for (const ArrayDeclaration *Other : At->second)
      if (Other->Name == A.Name && (!Other->Unfit.empty() || Other->Static.has_value() != A.Static.has_value()))
        return Obstacle{"what its declaration stands for elsewhere cannot be placed", std::nullopt};
  if (A.Static && !Facts.Mains.empty())
    return Obstacle{"it is an array of main, which may be called again", *llvm::min_element(Facts.Mains)};
  if (A.Bytes > MostArray)
    return Obstacle{"it is an array of " + std::to_string(A.Bytes >> 20) + " MiB, more than the runtime places",
                    std::nullopt};
  if (!Facts.Forks.empty())
    return Obstacle{"the program may make a process in another way than by fork", *llvm::min_element(Facts.Forks)};
  if (!Facts.ForkHandlers.empty()) // it runs in the child before that has pages of its own
    return Obstacle{"the program says what runs in a child of fork", *llvm::min_element(Facts.ForkHandlers)};
  if (!Facts.Remaps.empty())
    return Obstacle{"the program may change what memory is at an address", *llvm::min_element(Facts.Remaps)};
  if (!Facts.Taken.empty())
    return Obstacle{"the program declares a name of the runtime's itself", *llvm::min_element(Facts.Taken)};
  if (!P.IsWhole || Context.Partial)
    return Obstacle{"not all sources of the program are read", std::nullopt};
  if (A.Kept)
    return Obstacle{"a comment asks to keep the declaration", A.Kept};
  if (std::optional<Obstacle> O = toNameAt(A.End, A.Host))
    return O;
  return byComputing(A.Storage);
}

/// What speaks against another allocator for all vectors of \p G.
std::optional<Obstacle> BufferDecider::toVectors(const VectorGroup &G) {
  if (std::optional<Obstacle> O = toProgram())
    return O;
  if (G.Misuse)
    return Obstacle{G.MisusedName + " " + G.Misuse->What, G.Misuse->Where};
  for (const VectorDeclaration *V : G.Members) {
    if (V->Kept)
      return Obstacle{"a comment asks to keep the declaration", V->Kept};
    if (V->Angle)
      if (std::optional<Obstacle> O = toNameAt(*V->Angle, V->Host))
        return O;
    if (V->Elements != NoNode)
      if (std::optional<Obstacle> O = byItself(V->Elements))
        return O;
  }
  return std::nullopt;
}

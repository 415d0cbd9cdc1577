// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which buffers calls of MPI have, and what they do to memory: of windows, and what MPI itself makes.

#include "mpi/Functions.h"
#include "pointers/Pointers.h"
#include "clang/AST/ASTContext.h"

using namespace mpishm;
using namespace clang;
using Node = PointerNodeIndex;

/// Whether it makes a window of memory that the program has.
static bool isWindowOfMemory(const FunctionInfo &Info) {
  return Info.Name == "MPI_Win_create" || Info.Name == "MPI_Win_create_c";
}

/// MPI gives the address of a window's memory to whoever asks for it, and addresses of its own. It keeps none of where
/// it puts them.
void PointerReader::windowCall(const CallExpr *E, const FunctionInfo &Info) {
  Node Windows = Nodes.named("memory of windows", "memory of windows");
  auto Tell = [&](unsigned Index) {
    if (Index >= E->getNumArgs())
      return;
    Nodes.store(value(E->getArg(Index)), Windows);
    Nodes.store(value(E->getArg(Index)), OutsideNode);
  };
  if (isWindowOfMemory(Info))
    Nodes.copy(Windows, E->getNumArgs() ? value(E->getArg(0)) : NoNode);
  else if (Info.Name == "MPI_Win_get_attr")
    Tell(2);
  else if (Info.Name.starts_with("MPI_Win_allocate") || Info.Name.starts_with("MPI_Win_shared_query"))
    Tell(4);
}

/// Whether \p E is of a datatype that MPI has: a number in most libraries, Open MPI's are variables.
static bool isPredefinedDatatype(const Expr *E) {
  E = E->IgnoreParenCasts();
  const auto *Address = dyn_cast<UnaryOperator>(E);
  const auto *Name = Address ? dyn_cast<DeclRefExpr>(Address->getSubExpr()->IgnoreParenCasts()) : nullptr;
  return isa<IntegerLiteral>(E) || (Name && Name->getDecl()->getName().starts_with("ompi_mpi_"));
}

/// Whether so few elements are there, as the source says, that they go another way than through their buffer.
static bool isShort(const CallExpr *E, ArgumentIndex Count, const ASTContext &Context) {
  constexpr uint64_t FewElements = 64;
  Expr::EvalResult Number;
  return Count && *Count + 1 < E->getNumArgs() && !E->getArg(*Count)->isValueDependent() &&
         E->getArg(*Count)->EvaluateAsInt(Number, Context) && Number.Val.getInt().ule(FewElements) &&
         isPredefinedDatatype(E->getArg(*Count + 1));
}

/// The buffers of \p E, a collective, that it matters for where they lie, by their arguments.
static llvm::SmallVector<unsigned, 2> buffersThatMatter(const CallExpr *E, const FunctionInfo &Info,
                                                        const ASTContext &Context) {
  llvm::SmallVector<unsigned, 2> Result;
  const CollectiveBuffers *Buffers = collectiveBuffersOf(Info);
  if (!Buffers || Buffers->From.Buffer >= E->getNumArgs())
    return Result;
  const Expr *From = E->getArg(Buffers->From.Buffer)->IgnoreParenCasts();
  const auto *Negative = dyn_cast<UnaryOperator>(From);
  bool InPlace = isa<IntegerLiteral>(From) || (Negative && Negative->getOpcode() == UO_Minus);
  bool IsAllgather = Buffers->Name.starts_with("Allgather");
  if (!isShort(E, Buffers->From.Count, Context))
    Result.push_back(Buffers->From.Buffer);
  if (Buffers->Into && (takesMessages(Info) || (InPlace && IsAllgather)) && !isShort(E, Buffers->Into->Count, Context))
    Result.push_back(Buffers->Into->Buffer);
  return Result;
}

/// \p E calls the function of MPI that \p Info is of, where its \p Name stands in it (null: nowhere).
void PointerReader::mpiCall(const CallExpr *E, const FunctionInfo &Info, const DeclRefExpr *Name) {
  bool IsWindow = isWindowOfMemory(Info);
  auto Message = [&](unsigned Index) {
    if (Node Buffer = Index < E->getNumArgs() ? value(E->getArg(Index)) : NoNode; Buffer != NoNode)
      Nodes.Facts.Messages.push_back(
          {Where.ofName(Name ? Name->getLocation() : E->getExprLoc(), Info.Name).Where, Buffer, IsWindow});
  };
  if (isOneSided(Info.Kind))
    windowCall(E, Info);
  if (Info.Kind == FunctionKind::Send || Info.Kind == FunctionKind::Receive || Info.Kind == FunctionKind::SendReceive ||
      Info.Kind == FunctionKind::MatchedReceive || IsWindow)
    Message(0);
  if (Info.Kind == FunctionKind::SendReceive && !Info.Name.contains("replace"))
    Message(5);
  for (unsigned Index : buffersThatMatter(E, Info, Context))
    Message(Index);
  if (Info.Name == "MPI_Alloc_mem" && E->getNumArgs() > 2) { // a matter of its own: Decider::mayMoveMemory
    MemoryCall C = memoryFact(E, Name, Info.Name);
    C.Makes = Nodes.memory(E->getExprLoc(), "MPI_Alloc_mem");
    C.Already = true;
    Nodes.store(value(E->getArg(2)), Nodes.addressOf(C.Makes));
    Nodes.Facts.Calls.push_back(std::move(C));
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI's functions: the handles that they make and take, and what messages carry.

#include "models/Analysis.h"
#include "llvm/ADT/StringMap.h"

using namespace mpishm;
using namespace mpishm::ir;

static constexpr int64_t StatusSize = 24; // at most, in any library we know

static const llvm::StringMap<llvm::StringRef> &effects() {
  static const llvm::StringMap<llvm::StringRef> Table = {
#define MPI_EFFECTS(Name, Effects) {"MPI_" #Name, Effects},
#include "libraries/Mpi.def"
  };
  return Table;
}

void Analysis::storeHandle(uint32_t Address, const Token &T) {
  uint32_t Handle = G.newNode();
  G.add(Handle, T);
  Access As = HandleWidth == 8 ? Access::Pointer : Access::Integer;
  G.addRule(Address, {Rule::Kind::Store, NoNode, Handle, NoNode, HandleWidth, 0, static_cast<int64_t>(As)});
}

void Analysis::exchangeAll(const CallPlace &At, llvm::StringRef Name, const FunctionInfo &Info) {
  using K = FunctionKind;
  bool IsBoth = Info.Kind == K::SendReceive, Replaces = Name.contains("replace");
  bool Receives = Info.Kind == K::Receive || Info.Kind == K::MatchedReceive;
  if (Info.Kind == K::Send || Receives || IsBoth)
    exchange(At, {0, 1, 2}, Receives ? NoNode : Messages, Receives || Replaces ? Messages : NoNode);
  if (IsBoth && !Replaces)
    exchange(At, {5, 6, 7}, NoNode, Messages);
}

/// The handles that a call makes, and those that it is given.
void Analysis::addHandles(const CallPlace &At, const FunctionInfo &Info, MpiCall &Made) {
  auto Argument = [&](ArgumentIndex I) { return I ? argument(At, *I) : NoNode; };
  auto Array = [&](unsigned Index) { // of requests; or one; or one by value
    uint32_t Given = G.newNode();
    if (Info.Name.starts_with("MPI_Request_get_status") && Index == 0)
      G.addCopy(argument(At, Index), Given);
    else
      G.addRule(argument(At, Index),
                {Index ? Rule::Kind::LoadElement : Rule::Kind::Load, Given, NoNode, NoNode, HandleWidth});
    return Given;
  };
  using K = FunctionKind;
  bool GivesMemory = Info.Name == "MPI_Win_create" || Info.Name == "MPI_Win_create_c";
  if (Info.Kind == K::Send || Info.Kind == K::Receive || Info.Kind == K::MatchedReceive ||
      Info.Kind == K::SendReceive || GivesMemory)
    Made.Buffer = argument(At, 0);
  if (Info.Kind == K::SendReceive && !Info.Name.contains("replace"))
    Made.SecondBuffer = argument(At, 5);
  if (const CollectiveBuffers *Buffers = collectiveBuffersOf(Info)) {
    Made.Buffer = argument(At, Buffers->From.Buffer);
    Made.SecondBuffer = Buffers->Into ? argument(At, Buffers->Into->Buffer) : NoNode;
  }
  Made.Comm = Argument(Info.Comm);
  Made.Tag = Argument(Info.Tag);
  Made.SecondTag = Argument(Info.SecondTag);
  if (Info.Kind != FunctionKind::Send)
    Made.Source = Argument(Info.SecondPeer ? Info.SecondPeer : Info.Peer);
  if (Info.NewComm) {
    const Token New{Token::Kind::Communicator, Made.Number, {}};
    storeHandle(argument(At, *Info.NewComm), New);
    G.add(CommunicatorsCalledFor, New); // it may have the error handler, and copies of the attributes, of another
  }
  if (Info.Request && Info.Kind == FunctionKind::Completion)
    Made.Requests = Array(*Info.Request);
  else if (Info.Request)
    storeHandle(argument(At, *Info.Request), {Token::Kind::Request, Made.Number, {}});
  if (Info.Window && Info.Kind == FunctionKind::WindowMaker) {
    storeHandle(argument(At, *Info.Window), {Token::Kind::Window, Made.Number, {}});
  } else if (Info.Window && Info.Name == "MPI_Win_free") {
    Made.Window = G.newNode();
    G.addRule(argument(At, *Info.Window), {Rule::Kind::Load, Made.Window, NoNode, NoNode, HandleWidth});
  } else if (Info.Window) {
    Made.Window = argument(At, *Info.Window);
  }
  if (Info.Message && Info.Kind == FunctionKind::MatchedReceive) {
    Made.Message = G.newNode();
    G.addRule(argument(At, *Info.Message), {Rule::Kind::Load, Made.Message, NoNode, NoNode, HandleWidth});
  } else if (Info.Message) {
    storeHandle(argument(At, *Info.Message), {Token::Kind::Message, Made.Number, {}});
  }
}

/// Statuses, flags and indices.
void Analysis::addOutputs(const CallPlace &At, llvm::StringRef Name, const FunctionInfo &Info) {
  using K = FunctionKind;
  if (Info.Kind == K::Maker)
    return;
  bool IsData =
      Info.Kind == K::Send || Info.Kind == K::Receive || Info.Kind == K::MatchedReceive || Info.Kind == K::SendReceive;
  bool Several = Name.contains("all") || Name.contains("some");
  unsigned Count = At.What->Arguments.size();
  for (unsigned I = 0; I < Count; ++I) {
    bool IsHandle = Info.Request == I || Info.Message == I || Info.Comm == I;
    bool IsBuffer = IsData && (I == 0 || I == 2 || (Info.Kind == K::SendReceive && (I == 5 || I == 7)));
    if (!isPointer(At, I) || IsHandle || IsBuffer)
      continue;
    fill(argument(At, I), AnyNumber, Several ? Unknown : I + 1 == Count ? StatusSize : 4);
  }
}

void Analysis::addMpiCall(const CallPlace &At, llvm::StringRef Name, const FunctionInfo &Info) {
  const Unit &U = *Instances[At.In].Of.Of;
  MpiCall Made;
  Made.Info = &Info;
  Made.Function = Name.str();
  // A marked name may be the callee by its address only when it is called directly.
  if (At.What->Site && At.What->Callee)
    Made.Site = P.SitesOf.at(&U)[*At.What->Site];
  Made.Number = Made.Site ? *Made.Site : P.Sites.size() + MpiCalls.size();
  Place Where = placeOf(U, At.What->Where);
  Made.File = std::move(Where.File);
  Made.Line = Where.Line;
  addHandles(At, Info, Made);
  if (isCollective(Info.Kind)) {
    // Whatever is spelled there.
    callOtherMpi(At, Info.Name, messagesOf(collectiveOf(Info), Info.Kind == FunctionKind::Reduction));
  } else if (isOneSided(Info.Kind)) {
    callAttributes(At, Info.Name) || callOtherMpi(At, Info.Name, Messages);
  } else {
    exchangeAll(At, Name, Info);
    addOutputs(At, Name, Info);
  }
  MpiCalls.push_back(std::move(Made));
}

std::optional<llvm::StringRef> Analysis::mpiEffects(llvm::StringRef Name) {
  auto It = effects().find(Name);
  return It == effects().end() ? std::nullopt : std::optional(It->second);
}

/// Whether communicators or windows may be arguments of \p Name, by value. What others are given as numbers is an
/// extent or an offset, say, of which MPI may tell again.
static bool takesHandles(llvm::StringRef Name) {
  return !Name.starts_with("MPI_Type_") && !Name.starts_with("MPI_Status_") && !Name.starts_with("MPI_Add_error_") &&
         (!Name.starts_with("MPI_File_") || Name == "MPI_File_open");
}

/// The effects of a function that only matters by what it does with memory. With large counts it does the same, but for
/// the width of the integers that it writes. \p Carried is what messages of its kind carry.
bool Analysis::callOtherMpi(const CallPlace &At, llvm::StringRef Name, uint32_t Carried) {
  llvm::StringRef Plain = Name;
  bool IsCounted = Plain.consume_back("_c");
  std::optional<llvm::StringRef> Row = mpiEffects(Plain);
  if (!Row)
    return false;
  std::string Effects = Row->str();
  if (IsCounted) // K is of wider numbers
    std::replace(Effects.begin(), Effects.end(), 'K', '.');
  uint32_t Why = reason(At, "is handed to " + Name.str() + ", which keeps it");
  for (unsigned I = 0; I < At.What->Arguments.size() && !Effects.empty(); ++I) {
    char Effect = Effects[std::min<size_t>(I, Effects.size() - 1)];
    if (IsCounted && Effect == 'i')
      Effect = 'l';
    if (llvm::StringRef("srbfg").contains(Effect))
      exchangeBuffer(At, I, Effects, Carried, Why);
    else if (llvm::StringRef("mMq").contains(Effect))
      shareMemory(At, Name, I, Effect);
    else if (Effect == 'a' && !llvm::StringRef(Effects).contains('d'))
      G.addRule(argument(At, I), {Rule::Kind::Contents, Addresses, NoNode, NoNode, Unknown});
    else if (Effect == 'u')
      fill(argument(At, I), AnyNumber, StatusSize);
    else if (llvm::StringRef("124").contains(Effect))
      fillCounted(argument(At, I), AnyNumber, argument(At, Effect - '0'), /*Bytes=*/4, /*Element=*/4);
    else if (Effect == 'd')
      makeDatatype(At, Plain, I, Effects);
    else if (Effect == 'c')
      createOperation(At, I, Why);
    else if (!llvm::StringRef("oaktTKpPH").contains(Effect) && isPointer(At, I)) // a with d: see makeDatatype
      applyEffect(At, I, Effect, Why);
    else if (Effect == 'e')
      escape(argument(At, I), Why);
    else if (Effect == '.')
      showNumber(argument(At, I), Why, takesHandles(Plain) ? Leaves::Requests : Leaves::Handles);
  }
  return true;
}

/// MPI calls the operation with the addresses of what messages consist of, of how many elements of that there are, and
/// of their datatype.
void Analysis::createOperation(const CallPlace &At, unsigned Index, uint32_t Why) {
  uint32_t Elements = newPlainMemory("what is reduced", ToReduce), Datatype = G.newNode();
  G.addRule(Elements, {Rule::Kind::Contents, Reduced, NoNode, NoNode, Unknown});
  G.addAnything(Datatype, reason(At, "is a datatype that MPI hands to an operation"));
  callBack(argument(At, Index),
           {Elements, Elements, newPlainMemory("a number of elements"), newPlainMemory("a datatype", Datatype)}, NoNode,
           Why);
}

/// Memory that others may write and read. That of two ranks may lie side by side, so its address is one in any of it.
void Analysis::shareMemory(const CallPlace &At, llvm::StringRef Name, unsigned Index, char Effect) {
  uint32_t Address = argument(At, Index);
  if (Effect == 'm') {
    int64_t Length = literal(At, Index + 1).value_or(Unknown);
    G.addRule(Address, {Rule::Kind::Contents, Messages, NoNode, NoNode, Length});
    fill(Address, Messages, Length);
    return G.addDerived(Address, Windows);
  }
  if (Effect == 'M') {
    uint32_t Made = G.newNode();
    G.add(Made, {Token::Kind::Memory, newHeap(At, Name, Unknown), {0, 1}});
    G.addRule(Made, {Rule::Kind::Contents, Messages, NoNode, NoNode, Unknown});
    fill(Made, Messages, Unknown);
    G.addCopy(Made, Windows);
  }
  G.addRule(Address, {Rule::Kind::Store, NoNode, Windows, NoNode, 8});
}

/// MPI_Init, which may change argc and argv, and the like.
void Analysis::initialize(const CallPlace &At, llvm::StringRef Name) {
  if (Name.contains("Session"))
    return fill(argument(At, 2), AnyNumber, HandleWidth);
  fill(argument(At, 0), AnyNumber, 4);
  G.addRule(argument(At, 1), {Rule::Kind::Store, NoNode, Arguments, NoNode, 8});
  if (Name.contains("thread"))
    fill(argument(At, 3), AnyNumber, 4);
}

void Analysis::callMpi(const CallPlace &At, llvm::StringRef Name, bool IsSeen) {
  G.addAnyInteger(result(At));
  const FunctionInfo *Info = findFunction(Name);
  llvm::StringRef Plain = Name;
  Plain.consume_front("P");
  if (Info && Info->Kind == FunctionKind::Initialize)
    return initialize(At, Plain);
  if (Info && Info->Kind != FunctionKind::HandleLeak && Info->Kind != FunctionKind::Memory)
    return addMpiCall(At, Name, *Info);
  if (Info && Info->Name == "MPI_Alloc_mem") {
    uint32_t Address = G.newNode();
    G.add(Address, {Token::Kind::Memory, newHeap(At, Name, literal(At, 0).value_or(Unknown)), {0, 0}});
    return G.addRule(argument(At, 2), {Rule::Kind::Store, NoNode, Address, NoNode, 8});
  }
  if (Info && Info->Name == "MPI_Free_mem")
    return;
  if (Plain == "MPI_Get_address" || Plain == "MPI_Address") {
    G.addRule(argument(At, 1), {Rule::Kind::Store, NoNode, argument(At, 0), NoNode, 8});
    return;
  }
  if (Plain == "MPI_Aint_add" || Plain == "MPI_Aint_diff") {
    G.addDerived(argument(At, 0), result(At));
    return G.addDerived(argument(At, 1), result(At));
  }
  const bool Reduces = Plain.starts_with("MPI_Reduce_local");
  if (callAttributes(At, Plain) || callOtherMpi(At, Plain, Reduces ? messagesOf("MPI_Reduce_local", true) : Messages))
    return;
  if (IsSeen) // the program's, for all its name says
    return;
  uint32_t Why = reason(At, "is handed to " + Name.str() + ", which is not followed");
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I)
    escape(argument(At, I), Why);
  if (Plain.starts_with("MPI_Type_get_contents"))
    escape(InDatatypes, Why);
  G.addAnything(result(At), reason(At, "comes from " + Name.str()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/Scratch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace mpishm;
using namespace mpishm::ir;
using Kind = Constraint::Kind;

namespace mpishm::ir {

class ScratchFinder {
public:
  ScratchFinder(const LinkedProgram &Program, const Analysis &Values, const std::vector<PackedOfUnit> &Packed)
      : P(Program), A(Values), G(Values.G), Heap(Values.Heap) {
    for (const auto &[Send, Unit] : Packed)
      Forms.push_back({&Send, &Unit, {}, {}, {}});
  }
  PackedVerdicts run();

private:
  using Objects = llvm::DenseSet<uint32_t>;
  struct Form {
    const PackedSend *Is;
    const std::string *Unit;
    std::set<uint32_t> Sites; ///< into LinkedProgram::Sites
    Objects Buffers;          ///< that the message may be in
    std::string Why;          ///< it is none after all
    bool Reached = false;
    bool RunOnce = false; ///< what sends is, for sure
  };

  // What is known of objects.
  void findOwn();
  void findBuffers(Form &F);
  std::string whyUnknown(uint32_t Node) const;
  void addBuffers(Form &F, uint32_t Node);
  std::string whyNotPrivate(uint32_t Object) const;

  // Who reads.
  void findReaders();
  void readAll(uint32_t Node, const std::string &How);
  void readWithin(uint32_t Node, const std::string &How);
  void follow();
  void readByCall(uint32_t Place, uint32_t Function);
  static bool forgets(llvm::StringRef Name);
  bool looksWithin(llvm::StringRef Name, unsigned Index) const;
  std::string lineOf(const Analysis::Instance &In, uint32_t Where) const;
  std::string whyLoaded(const Form &F, uint32_t Object) const;
  std::string whySent(const Form &F, uint32_t Object, const std::set<uint32_t> &Packed) const;
  void checkReaders();

  // What packs.
  void indexCalls();
  std::vector<uint32_t> instancesOf(const LinkedName &Name, const std::string &Unit) const;
  bool isRunOnce(const Form &F) const;
  std::string checkPacker(const Form &F);
  std::string checkCallees(const Form &F, std::set<uint32_t> &Reached);
  std::string reach(uint32_t Instance, std::set<uint32_t> &Reached);
  bool isLocal(uint32_t Object, const std::set<uint32_t> &Reached, const Objects &Given);
  std::string checkWrites(const std::vector<uint32_t> &Instances, const std::set<uint32_t> &Reached);
  std::string checkCounts(const Form &F, const std::set<uint32_t> &Reached) const;
  bool isFloatingCall(uint32_t Place) const;

  template <typename Do> void eachObject(uint32_t Node, Do What) const {
    if (Node == NoNode)
      return;
    for (uint32_t T : G.tokensOf(Node))
      if (const Token &Each = G.token(T); Each.Is == Token::Kind::Memory)
        What(Each.Id);
  }
  uint32_t argument(const Analysis::CallPlace &At, unsigned I) const { return A.nodeOf(At.In, At.What->Arguments[I]); }

  const LinkedProgram &P;
  const Analysis &A;
  const Graph &G;
  const Memory &Heap;
  std::vector<Form> Forms;
  Objects Own;                                         ///< the program's: nobody else knows them by themselves
  llvm::DenseMap<uint32_t, uint32_t> LocalOf;          ///< object of a variable to its instance
  llvm::DenseMap<uint32_t, std::string> Read;          ///< objects, and how
  using Line = std::pair<std::string, uint32_t>;       ///< of a file
  std::map<uint32_t, std::map<Line, unsigned>> Loaded; ///< objects, and how many instructions of a line read them
  std::map<uint32_t, std::set<uint32_t>> SentAt; ///< objects, and the marked sends that they are the first argument of
  std::vector<std::pair<uint32_t, std::string>> Within; ///< objects in which a function may look for addresses
  std::optional<Objects> Stored;                        ///< whose addresses are in memory
  std::vector<std::vector<uint32_t>> PlacesOf;          ///< calls, by instance
  std::vector<std::vector<uint32_t>> CalledAt;          ///< functions, by call; NoNode: anything
  std::vector<std::vector<uint32_t>> EnteredAt;         ///< instances, by call
};

} // namespace mpishm::ir

// ---- Objects. ----

/// Variables of the program, and what it allocates; all other memory is a library's in some way.
void ScratchFinder::findOwn() {
  for (const Analysis::MemoryPlace &M : A.Allocations)
    Own.insert(M.ObjectOrNode);
  for (const std::optional<uint32_t> &Variable : A.ObjectOf)
    if (Variable && !Heap[*Variable].ReadOnly && !Heap[*Variable].Table)
      Own.insert(*Variable);
  for (auto [Object, Instance] : A.Locals) {
    Own.insert(Object);
    LocalOf[Object] = Instance;
  }
}

/// Why code out of sight, or another process, may see \p Object without being given its address.
std::string ScratchFinder::whyNotPrivate(uint32_t Object) const {
  const MemoryObject &O = Heap[Object];
  if (!Own.contains(Object))
    return O.Name + " is not the program's alone";
  if (O.Escaped || A.LentObjects.contains(Object))
    return O.Name + " is known to code that was not read";
  if (A.LeftObjects.count(Object))
    return "the address of " + O.Name + " becomes a number";
  if (!O.Heads.empty())
    return O.Name + " holds a container";
  bool InWindow = false;
  eachObject(A.Windows, [&](uint32_t Each) { InWindow |= Each == Object; });
  return InWindow ? O.Name + " is in a window" : "";
}

/// Why \p Node, as an address, may be that of another object than those that it is known to be of; empty: it may not. A
/// number or a handle that was written beside, as far as is known, is none, unless addresses have become numbers.
std::string ScratchFinder::whyUnknown(uint32_t Node) const {
  if (Node == NoNode)
    return "it is not given";
  if (const Reason *Why = A.whyAnything(Node))
    return "it " + A.describe(*Why);
  if (G.isAnything(Node) || G.hasOutside(Node))
    return "it may be known to code that was not read";
  for (uint32_t T : G.tokensOf(Node)) {
    const Token &Each = G.token(T);
    // What was computed of an address, or of null, as of an allocation that has failed, is in the objects beside.
    bool IsNumber = (Each.Is == Token::Kind::Integer && Each.Id != MadeUp) || Each.Is == Token::Kind::AnySource;
    if (IsNumber && Each.Is == Token::Kind::Integer && !Each.Where.isExact() && !A.LeftObjects.empty())
      return "it may be a number, and the address of " + Heap[A.LeftObjects.begin()->first].Name + " " +
             A.describe(A.Reasons[A.LeftObjects.begin()->second]);
    if (!IsNumber && Each.Is != Token::Kind::Memory && !Each.isHandle())
      return "it may be made of a number";
  }
  return "";
}

void ScratchFinder::addBuffers(Form &F, uint32_t Node) {
  F.Reached = true;
  if (std::string Why = whyUnknown(Node); !Why.empty())
    F.Why = "its buffer may be any memory: " + Why;
  eachObject(Node, [&](uint32_t Object) { F.Buffers.insert(Object); });
}

void ScratchFinder::findBuffers(Form &F) {
  for (uint32_t S = 0; S < P.Sites.size(); ++S)
    if (P.Sites[S].Name == F.Is->Send && P.Sites[S].Function == F.Is->Function)
      F.Sites.insert(S);
  for (const MpiCall &C : A.calls())
    if (C.Site && F.Sites.count(*C.Site))
      addBuffers(F, C.Buffer);
  for (uint32_t Object : F.Buffers)
    if (std::string Why = whyNotPrivate(Object); !Why.empty())
      F.Why = Why;
}

// ---- Readers. ----

std::string ScratchFinder::lineOf(const Analysis::Instance &In, uint32_t Where) const {
  Place At = placeOf(*In.Of.Of, Where);
  return At.Line ? " in line " + std::to_string(At.Line) : "";
}

void ScratchFinder::readAll(uint32_t Node, const std::string &How) {
  eachObject(Node, [&](uint32_t Object) { Read.try_emplace(Object, How); });
}

void ScratchFinder::readWithin(uint32_t Node, const std::string &How) {
  eachObject(Node, [&](uint32_t Object) { Within.push_back({Object, How}); });
}

/// All that addresses in Within lead to.
void ScratchFinder::follow() {
  Objects Done;
  auto Add = [&](uint32_t Node, const std::string &How) {
    eachObject(Node, [&](uint32_t Object) {
      Read.try_emplace(Object, How);
      Within.push_back({Object, How});
    });
  };
  while (!Within.empty()) {
    auto [Object, How] = std::move(Within.back());
    Within.pop_back();
    if (!Done.insert(Object).second)
      continue;
    for (const Cell &C : Heap[Object].Cells) {
      Add(C.Stored, How);
      Add(C.Loaded, How);
    }
    for (const auto &[Kind, Head] : Heap[Object].Heads) {
      Read.try_emplace(Head, How);
      Within.push_back({Head, How});
    }
  }
}

/// Functions that do not look at what their arguments point to.
bool ScratchFinder::forgets(llvm::StringRef Name) {
  Name.consume_front("P");
  return Name == "free" || Name == "cfree" || Name == "MPISHM_Free" || Name == "MPI_Free_mem" ||
         Name == "MPISHM_Free_mem" || Name.starts_with("_ZdlPv") || Name.starts_with("_ZdaPv");
}

/// Whether the function \p Name may follow addresses that it finds where its argument \p Index points to.
bool ScratchFinder::looksWithin(llvm::StringRef Name, unsigned Index) const {
  if (Name.starts_with("__kmpc_") || Name == "pthread_create" || Name == "thrd_create" || Analysis::makesMemory(Name))
    return false; // the program's own code does
  const FunctionInfo *Info = findFunction(Name);
  if (Info && Info->Kind != FunctionKind::HandleLeak)
    return false; // bytes are moved, and an address among them comes out elsewhere in a process
  std::optional<llvm::StringRef> Effects = Analysis::mpiEffects(Name);
  if (!Effects || Effects->empty())
    return true;
  return !llvm::StringRef(".niolu").contains((*Effects)[std::min<size_t>(Index, Effects->size() - 1)]);
}

/// A call of a function that has no body, or one of MPI's.
void ScratchFinder::readByCall(uint32_t Place, uint32_t Function) {
  const Analysis::CallPlace &At = A.Places[Place];
  bool IsTable = A.isOfTable(Function);
  llvm::StringRef Name = IsTable ? "a function of a library" : llvm::StringRef(P.Functions[Function].Name);
  bool IsMpi = !IsTable && !P.Functions[Function].IsInternal && (isMpiName(Name) || Name.starts_with("MPISHM_"));
  if ((!IsTable && !IsMpi && !P.Functions[Function].Bodies.empty()) || (!IsTable && forgets(Name)))
    return;
  const Analysis::Instance &In = A.Instances[At.In];
  std::string How = "is handed to " + Name.str() + lineOf(In, At.What->Where);
  std::optional<uint32_t> Site;
  if (IsMpi && At.What->Site && At.What->Callee)
    Site = P.SitesOf.at(In.Of.Of)[*At.What->Site];
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I) {
    if (Site && I == 0)
      eachObject(argument(At, I), [&](uint32_t Object) { SentAt[Object].insert(*Site); });
    else
      readAll(argument(At, I), How);
    if (IsTable || looksWithin(Name, I))
      readWithin(argument(At, I), How);
  }
}

void ScratchFinder::findReaders() {
  for (uint32_t I = 0; I < A.Instances.size(); ++I)
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints)
      if (C.Is == Kind::Load) {
        Place At = placeOf(*A.Instances[I].Of.Of, C.Where);
        eachObject(A.nodeOf(I, C.From), [&](uint32_t Object) { ++Loaded[Object][{At.File, At.Line}]; });
      } else if (C.Is == Kind::CopyMemory || C.Is == Kind::OwnText || C.Is == Kind::Head)
        readAll(A.nodeOf(I, C.From), "is read" + lineOf(A.Instances[I], C.Where));
  for (auto [Place, Function] : A.Called)
    if (Function != NoNode) // what goes to a function that is anything has escaped
      readByCall(Place, Function);
  follow();
}

/// By which line \p Object is read, but for reads of what is apart from the buffer of \p F.
std::string ScratchFinder::whyLoaded(const Form &F, uint32_t Object) const {
  auto It = Loaded.find(Object);
  if (It == Loaded.end())
    return "";
  for (const auto &[Where, Times] : It->second) {
    auto Is = [&, &At = Where](const Place &P) { return P.Line && Line(P.File, P.Line) == At; };
    if (!F.RunOnce || Times > llvm::count_if(F.Is->ApartReads, Is))
      return Heap[Object].Name + " is read" + (Where.second ? " in line " + std::to_string(Where.second) : "");
  }
  return "";
}

/// Which call of MPI has \p Object, but for sends of what is \p Packed, and calls that have what is apart from the
/// buffer of \p F.
std::string ScratchFinder::whySent(const Form &F, uint32_t Object, const std::set<uint32_t> &Packed) const {
  auto It = SentAt.find(Object);
  if (It == SentAt.end())
    return "";
  for (uint32_t Site : It->second)
    if (!Packed.count(Site) && !(F.RunOnce && llvm::is_contained(F.Is->ApartCalls, P.Sites[Site].Name)))
      return Heap[Object].Name + " is sent, or used, by another call of MPI";
  return "";
}

/// A message that is no form reads its buffer, so that others of this buffer are none either.
void ScratchFinder::checkReaders() {
  for (Form &F : Forms)
    F.RunOnce = isRunOnce(F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::set<uint32_t> Packed;
    for (const Form &F : Forms)
      if (F.Why.empty())
        Packed.insert(F.Sites.begin(), F.Sites.end());
    for (Form &F : Forms)
      for (uint32_t Object : F.Buffers) {
        if (!F.Why.empty())
          break;
        if (auto It = Read.find(Object); It != Read.end())
          F.Why = Heap[Object].Name + " " + It->second;
        else if (F.Why = whyLoaded(F, Object); F.Why.empty())
          F.Why = whySent(F, Object, Packed);
        Changed |= !F.Why.empty();
      }
  }
}

// ---- Functions that pack. ----

void ScratchFinder::indexCalls() {
  PlacesOf.resize(A.Instances.size());
  CalledAt.resize(A.Places.size());
  EnteredAt.resize(A.Places.size());
  for (uint32_t I = 0; I < A.Places.size(); ++I)
    PlacesOf[A.Places[I].In].push_back(I);
  for (auto [Place, Function] : A.Called)
    CalledAt[Place].push_back(Function);
  for (auto [Place, Instance] : A.Entered)
    EnteredAt[Place].push_back(Instance);
}

std::vector<uint32_t> ScratchFinder::instancesOf(const LinkedName &Name, const std::string &Unit) const {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < A.Instances.size(); ++I) {
    const Body &Of = A.Instances[I].Of;
    if (Of.Code == &Of.Of->Initialisers)
      continue;
    const Symbol &S = Of.Of->Symbols[Of.Code->Symbol];
    if (S.Name == Name.Name && S.IsInternal == Name.IsInternal && (!S.IsInternal || Of.Of->MainFile == Unit))
      Result.push_back(I);
  }
  return Result;
}

/// Whether what sends is run once for sure: main, which nobody calls.
bool ScratchFinder::isRunOnce(const Form &F) const {
  std::vector<uint32_t> Senders = instancesOf(F.Is->Sender, *F.Unit);
  return F.Is->Sender.Name == "main" && !F.Is->Sender.IsInternal && Senders.size() == 1 &&
         llvm::none_of(A.Entered, [&](const auto &Each) { return Each.second == Senders.front(); });
}

bool ScratchFinder::isFloatingCall(uint32_t Place) const {
  const Analysis::CallPlace &At = A.Places[Place];
  const Function &Code = *A.Instances[At.In].Of.Code;
  return !At.What->Arguments.empty() && At.What->Result != NoNode && Code.IsFloating[At.What->Result] &&
         llvm::all_of(At.What->Arguments, [&](Node N) { return Code.IsFloating[N]; });
}

/// Adds \p Instance and all that it calls. Says why it must not be called between the packing and the sending.
std::string ScratchFinder::reach(uint32_t Instance, std::set<uint32_t> &Reached) {
  if (!Reached.insert(Instance).second)
    return "";
  const Analysis::Instance &In = A.Instances[Instance];
  if (In.Of.Of->HasAssembly || !In.Of.Of->AssemblyWords.empty())
    return "there is assembly code in the unit that packs";
  for (const Constraint &C : In.Of.Code->Constraints)
    if (C.Is == Kind::Throw || C.Is == Kind::Catch || C.Is == Kind::Escape || C.Is == Kind::Variadic ||
        C.Is == Kind::Anything)
      return "what packs it does something that is not followed" + lineOf(In, C.Where);
  for (uint32_t Place : PlacesOf[Instance]) {
    const Analysis::CallPlace &At = A.Places[Place];
    std::string Where = lineOf(In, At.What->Where);
    if (!At.What->Callee)
      return "what packs it calls a function by its address" + Where;
    for (uint32_t Function : CalledAt[Place]) {
      if (Function == NoNode || A.isOfTable(Function))
        return "what packs it calls a function that is not known" + Where;
      const LinkedFunction &Callee = P.Functions[Function];
      bool IsMpi = isMpiName(Callee.Name) || llvm::StringRef(Callee.Name).starts_with("MPISHM_");
      if (IsMpi || (Callee.Bodies.empty() && !isFloatingCall(Place)))
        return "what packs it calls '" + Callee.Name + "'" + Where;
    }
    for (uint32_t Callee : EnteredAt[Place])
      if (std::string Why = reach(Callee, Reached); !Why.empty())
        return Why;
  }
  return "";
}

/// Whether \p Object is a variable of one of the instances \p Reached. Or it is one of another caller of these: then
/// its address comes to them by that call alone, and not from what packs, which has the addresses \p Given.
bool ScratchFinder::isLocal(uint32_t Object, const std::set<uint32_t> &Reached, const Objects &Given) {
  auto It = LocalOf.find(Object);
  if (It == LocalOf.end())
    return false;
  if (Reached.count(It->second))
    return true;
  if (!Stored) {
    Stored.emplace();
    for (uint32_t O = 0; O < Heap.size(); ++O)
      for (const Cell &C : Heap[O].Cells)
        for (uint32_t Node : {C.Stored, C.Loaded})
          eachObject(Node, [&](uint32_t Each) { Stored->insert(Each); });
  }
  return !Given.contains(Object) && !Stored->contains(Object) && whyNotPrivate(Object).empty();
}

/// What packs writes the message's memory, by one statement, which the sources have shown, and its own variables.
std::string ScratchFinder::checkWrites(const std::vector<uint32_t> &Instances, const std::set<uint32_t> &Reached) {
  Objects Given; // what the function itself, not one that it calls, has the address of
  for (uint32_t I : Instances)
    for (uint32_t N = 0; N < A.Instances[I].Of.Code->Nodes; ++N)
      eachObject(A.nodeOf(I, N), [&](uint32_t Object) { Given.insert(Object); });
  for (uint32_t I : Reached) {
    unsigned Most = llvm::is_contained(Instances, I) ? 1 : 0;
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints) {
      if (C.Is != Kind::Store && C.Is != Kind::CopyMemory && C.Is != Kind::FillMemory)
        continue;
      uint32_t To = A.nodeOf(I, C.To);
      bool OfItself = whyUnknown(To).empty();
      eachObject(To, [&](uint32_t Object) { OfItself &= isLocal(Object, Reached, Given); });
      if (!OfItself && (!Most-- || C.Is != Kind::Store))
        return "what packs it writes elsewhere, too" + lineOf(A.Instances[I], C.Where);
    }
  }
  return "";
}

/// How long the message is was found out before other functions of MPI were called: these write none of the numbers and
/// addresses that what packs goes by.
std::string ScratchFinder::checkCounts(const Form &F, const std::set<uint32_t> &Reached) const {
  Objects Numbers;
  auto Add = [&](uint32_t Object) { Numbers.insert(Object); };
  for (uint32_t I : Reached)
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints)
      if (C.Is == Kind::CopyMemory || (C.Is == Kind::Load && static_cast<Access>(C.C) != Access::Floating))
        eachObject(A.nodeOf(I, C.From), Add);
  bool Written = false;
  auto Check = [&](uint32_t Object) { Written |= Numbers.contains(Object); };
  for (const MpiCall &C : A.calls())
    if (C.Info->Kind != FunctionKind::Send) {
      eachObject(C.Buffer, Check);
      eachObject(C.SecondBuffer, Check);
    }
  eachObject(A.Windows, Check);
  for (uint32_t I : instancesOf(F.Is->Sender, *F.Unit))
    for (uint32_t Place : PlacesOf[I])
      for (uint32_t Function : CalledAt[Place])
        if (Function == NoNode || A.isOfTable(Function) || P.Functions[Function].Bodies.empty())
          for (unsigned Each = 0; Each < A.Places[Place].What->Arguments.size(); ++Each)
            eachObject(argument(A.Places[Place], Each), Check);
  return Written ? "how much is packed may change after it was found out how much is sent" : "";
}

/// The functions that loops in the sender call write nothing but their own variables.
std::string ScratchFinder::checkCallees(const Form &F, std::set<uint32_t> &Reached) {
  for (const LinkedName &Name : F.Is->Calls) {
    std::vector<uint32_t> Instances = instancesOf(Name, *F.Unit);
    if (Instances.empty())
      return "what packs it calls '" + Name.Name + "'";
    for (uint32_t I : Instances)
      if (std::string Why = reach(I, Reached); !Why.empty())
        return Why;
  }
  for (uint32_t I : Reached)
    for (const Constraint &C : A.Instances[I].Of.Code->Constraints) {
      if (C.Is != Kind::Store && C.Is != Kind::CopyMemory && C.Is != Kind::FillMemory)
        continue;
      uint32_t To = A.nodeOf(I, C.To);
      bool OfItself = whyUnknown(To).empty();
      eachObject(To, [&](uint32_t Object) {
        auto It = LocalOf.find(Object);
        OfItself &= It != LocalOf.end() && Reached.count(It->second);
      });
      if (!OfItself)
        return "what packs it writes elsewhere, too" + lineOf(A.Instances[I], C.Where);
    }
  return "";
}

std::string ScratchFinder::checkPacker(const Form &F) {
  if (F.Is->InSender) {
    std::set<uint32_t> Reached;
    if (std::string Why = checkCallees(F, Reached); !Why.empty())
      return Why;
    std::vector<uint32_t> Senders = instancesOf(F.Is->Sender, *F.Unit);
    Reached.insert(Senders.begin(), Senders.end());
    return F.Is->CountsBefore ? checkCounts(F, Reached) : "";
  }
  std::vector<uint32_t> Instances = instancesOf(F.Is->Packer, *F.Unit);
  if (Instances.empty())
    return "what packs it is not seen in the compiled program";
  std::set<uint32_t> Reached;
  for (uint32_t I : Instances)
    if (std::string Why = reach(I, Reached); !Why.empty())
      return Why;
  std::string Why = checkWrites(Instances, Reached);
  return Why.empty() && F.Is->CountsBefore ? checkCounts(F, Reached) : Why;
}

PackedVerdicts ScratchFinder::run() {
  findOwn();
  indexCalls();
  for (Form &F : Forms)
    findBuffers(F);
  const std::string Anywhere = A.whyWrittenAnywhere();
  for (Form &F : Forms)
    if (F.Reached && F.Why.empty())
      F.Why = Anywhere.empty() ? checkPacker(F) : Anywhere;
  findReaders();
  checkReaders();
  PackedVerdicts Result;
  for (const Form &F : Forms)
    if (F.Reached)
      Result[{F.Is->Send, F.Is->Function}] = F.Why;
  return Result;
}

PackedVerdicts mpishm::ir::judgePacked(const LinkedProgram &Program, const Analysis &Values,
                                       const std::vector<PackedOfUnit> &Packed) {
  return ScratchFinder(Program, Values, Packed).run();
}

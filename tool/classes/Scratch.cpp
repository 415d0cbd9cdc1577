// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/Scratch.h"
#include "classes/Packers.h"
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
      : P(Program), A(Values), Heap(Values.Heap), Own(Values), Packing(Program, Values, Own) {
    for (const auto &[Send, Unit] : Packed)
      Forms.push_back({&Send, &Unit, {}, {}, {}});
  }
  PackedVerdicts run();

private:
  struct Form {
    const PackedSend *Is;
    const std::string *Unit;
    std::set<uint32_t> Sites; ///< into LinkedProgram::Sites
    Objects Buffers;          ///< that the message may be in
    std::string Why;          ///< it is none after all
    bool Reached = false;
    bool RunOnce = false; ///< what sends is, for sure
  };

  void findBuffers(Form &F);
  void addBuffers(Form &F, uint32_t Node);

  // Who reads.
  void findReaders();
  void readAll(uint32_t Node, const std::string &How);
  void readWithin(uint32_t Node, const std::string &How);
  void follow();
  void readByCall(uint32_t Place, uint32_t Function);
  static bool forgets(llvm::StringRef Name);
  bool looksWithin(llvm::StringRef Name, unsigned Index) const;
  std::string whyLoaded(const Form &F, uint32_t Object) const;
  std::string whySent(const Form &F, uint32_t Object, const std::set<uint32_t> &Packed) const;
  void checkReaders();

  uint32_t argument(const Analysis::CallPlace &At, unsigned I) const { return A.nodeOf(At.In, At.What->Arguments[I]); }

  const LinkedProgram &P;
  const Analysis &A;
  const Memory &Heap;
  std::vector<Form> Forms;
  const ProgramMemory Own;
  Packers Packing;
  llvm::DenseMap<uint32_t, std::string> Read;          ///< objects, and how
  using Line = std::pair<std::string, uint32_t>;       ///< of a file
  std::map<uint32_t, std::map<Line, unsigned>> Loaded; ///< objects, and how many instructions of a line read them
  std::map<uint32_t, std::set<uint32_t>> SentAt; ///< objects, and the marked sends that they are the first argument of
  std::vector<std::pair<uint32_t, std::string>> Within; ///< objects in which a function may look for addresses
};

} // namespace mpishm::ir

// ---- Buffers. ----

void ScratchFinder::addBuffers(Form &F, uint32_t Node) {
  F.Reached = true;
  if (std::string Why = Own.whyUnknown(Node); !Why.empty())
    F.Why = "its buffer may be any memory: " + Why;
  Own.eachObject(Node, [&](uint32_t Object) { F.Buffers.insert(Object); });
}

void ScratchFinder::findBuffers(Form &F) {
  for (uint32_t S = 0; S < P.Sites.size(); ++S)
    if (P.Sites[S].Name == F.Is->Send && P.Sites[S].Function == F.Is->Function)
      F.Sites.insert(S);
  for (const MpiCall &C : A.calls())
    if (C.Site && F.Sites.count(*C.Site))
      addBuffers(F, C.Buffer);
  for (uint32_t Object : F.Buffers)
    if (std::string Why = Own.whyNotPrivate(Object); !Why.empty())
      F.Why = Why;
}

// ---- Readers. ----

void ScratchFinder::readAll(uint32_t Node, const std::string &How) {
  Own.eachObject(Node, [&](uint32_t Object) { Read.try_emplace(Object, How); });
}

void ScratchFinder::readWithin(uint32_t Node, const std::string &How) {
  Own.eachObject(Node, [&](uint32_t Object) { Within.push_back({Object, How}); });
}

/// All that addresses in Within lead to.
void ScratchFinder::follow() {
  Objects Done;
  auto Add = [&](uint32_t Node, const std::string &How) {
    Own.eachObject(Node, [&](uint32_t Object) {
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
  return !llvm::StringRef(".niolu124").contains((*Effects)[std::min<size_t>(Index, Effects->size() - 1)]);
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
  std::string How = "is handed to " + Name.str() + lineOf(In.Of, At.What->Where);
  std::optional<uint32_t> Site;
  if (IsMpi && At.What->Site && At.What->Callee)
    Site = P.SitesOf.at(In.Of.Of)[*At.What->Site];
  for (unsigned I = 0; I < At.What->Arguments.size(); ++I) {
    if (Site && I == 0)
      Own.eachObject(argument(At, I), [&](uint32_t Object) { SentAt[Object].insert(*Site); });
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
        Own.eachObject(A.nodeOf(I, C.From), [&](uint32_t Object) { ++Loaded[Object][{At.File, At.Line}]; });
      } else if (C.Is == Kind::CopyMemory || C.Is == Kind::OwnText || C.Is == Kind::Head)
        readAll(A.nodeOf(I, C.From), "is read" + lineOf(A.Instances[I].Of, C.Where));
  std::vector<std::pair<uint32_t, uint32_t>> Called(A.Called.begin(), A.Called.end());
  llvm::sort(Called); // the first reader is told of
  for (auto [Place, Function] : Called)
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
    F.RunOnce = Packing.isRunOnce(*F.Is, *F.Unit);
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

PackedVerdicts ScratchFinder::run() {
  for (Form &F : Forms)
    findBuffers(F);
  const std::string Anywhere = A.whyWrittenAnywhere();
  for (Form &F : Forms)
    if (F.Reached && F.Why.empty())
      F.Why = Anywhere.empty() ? Packing.whyNot(*F.Is, *F.Unit) : Anywhere;
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

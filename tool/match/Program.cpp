// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Program.h"
#include "match/Memory.h"
#include "match/Pointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <tuple>

using namespace mpishm;

static bool definesMain(const UnitFacts &Unit) {
  // The USR of main: "c:@F@main" in C, with a signature ("c:@F@main#I#**C#") in C++.
  return llvm::any_of(Unit.Bodies, [](llvm::StringRef Id) {
    return Id.consume_front("c:@F@main") && (Id.empty() || Id.front() == '#');
  });
}

namespace {

/// Moves units into one program; objects get their number in the program when first seen.
class Merger {
public:
  explicit Merger(Program &P) : P(P), Pointers(P.Pointers) {}
  void add(UnitFacts Unit, Part In);
  void finish();

private:
  void renumber(Operand &O) const {
    if (O.Which == Operand::Kind::Object)
      O.ObjectIndex = Numbers[O.ObjectIndex];
  }
  void addCall(Call C, Part In);

  Program &P;
  llvm::StringMap<uint32_t> IndexOf;
  std::vector<uint32_t> Numbers; ///< of the unit's objects in the program
  std::vector<ProgramCall> Calls;
  std::set<Place> Read; ///< places of names that some unit reads
  std::vector<MemoryUse> Memory;
  PointerMerger Pointers;
};

auto operandLists(Call &C) {
  return std::array<std::vector<Operand> *, 8>{&C.Comm,      &C.Peer,    &C.Tag,     &C.SecondPeer,
                                               &C.SecondTag, &C.Request, &C.NewComm, &C.Message};
}

void Merger::add(UnitFacts Unit, Part In) {
  Numbers.clear();
  for (Object &O : Unit.Objects) {
    auto [It, New] = IndexOf.try_emplace(O.Id, P.Objects.size());
    Numbers.push_back(It->second);
    if (!New)
      P.Objects[It->second].Hidden &= O.Hidden;
    if (New)
      P.Objects.push_back(std::move(O));
    else if (P.Objects[It->second].Kind == Domain::Integer) // one view of it may have lost the typedef
      P.Objects[It->second].Kind = O.Kind;
  }
  for (Flow &F : Unit.Flows) {
    F.To = Numbers[F.To];
    renumber(F.From);
    P.Flows.push_back({std::move(F), In});
  }
  for (Sum &S : Unit.Sums) {
    S.To = Numbers[S.To];
    for (Sum::Term &T : S.Terms)
      renumber(T.Value);
    P.Sums.push_back(std::move(S));
  }
  for (Argument &A : Unit.Arguments) {
    A.Parameter = Numbers[A.Parameter];
    renumber(A.Value);
    P.Arguments.push_back({std::move(A), In});
  }
  for (Escape &E : Unit.Escapes) {
    renumber(E.Value);
    P.Escapes.push_back({std::move(E), In});
  }
  llvm::move(Unit.Memory, std::back_inserter(Memory));
  for (Call &C : Unit.Calls)
    addCall(std::move(C), In);
  for (FunctionUse &U : Unit.Uses)
    P.Uses.push_back({std::move(U), In});
  for (FunctionDefinition &D : Unit.Definitions)
    P.Definitions.push_back({std::move(D), In});
  for (Reading &R : Unit.Readings)
    P.Readings.push_back({std::move(R), In});
  llvm::move(Unit.Skipped, std::back_inserter(P.Unseen));
  for (const Mention &M : Unit.Read)
    Read.insert(M.Where);
  P.ForeignNames.insert(Unit.ForeignNames.begin(), Unit.ForeignNames.end());
  P.MainFiles.insert(Unit.MainFile);
  P.HasMain |= definesMain(Unit);
  for (const std::string &Id : Unit.Bodies)
    P.Bodies.insert(Id);
  for (const std::string &Id : Unit.OwnFunctionTypes)
    P.OwnFunctionTypes.insert(Id);
  for (const std::string &Id : Unit.ConvertedFunctionTypes)
    P.ConvertedFunctionTypes.insert(Id);
  Pointers.add(std::move(Unit.Pointers));
}

void Merger::addCall(Call C, Part In) {
  for (std::vector<Operand> *List : operandLists(C))
    for (Operand &O : *List)
      renumber(O);
  ProgramCall Merged;
  static_cast<Call &>(Merged) = std::move(C);
  Merged.In = In;
  Merged.Info = findFunction(Merged.Function);
  Calls.push_back(std::move(Merged));
}

/// Adds the operands of \p From, another view of the same call.
void addView(ProgramCall &To, ProgramCall &From) {
  for (auto [Into, More] : llvm::zip_equal(operandLists(To), operandLists(From)))
    for (const Operand &O : *More)
      if (llvm::none_of(*Into, [&](const Operand &Known) {
            return Known.Which == O.Which && Known.ObjectIndex == O.ObjectIndex && Known.Value == O.Value;
          }))
        Into->push_back(O);
  if (!To.Kept)
    To.Kept = From.Kept;
  if (!To.Host)
    To.Host = From.Host;
  if (To.In != From.In)
    To.In = Shared;
}

void Merger::finish() {
  llvm::erase_if(P.Unseen, [&](const Mention &M) { return Read.count(M.Where); });
  llvm::sort(P.Unseen, [](const Mention &A, const Mention &B) { return A.Where < B.Where; });
  P.Unseen.erase(llvm::unique(P.Unseen, [](const Mention &A, const Mention &B) { return A.Where == B.Where; }),
                 P.Unseen.end());
  auto Key = [](const ProgramCall &C) {
    return std::tie(C.Name.File, C.Name.Offset, C.Function, C.Spelled, C.Edit, C.Token.File, C.Token.Offset);
  };
  llvm::sort(Calls, [&](const ProgramCall &A, const ProgramCall &B) { return Key(A) < Key(B); });
  for (ProgramCall &C : Calls) {
    if (!P.Calls.empty() && Key(P.Calls.back()) == Key(C))
      addView(P.Calls.back(), C);
    else
      P.Calls.push_back(std::move(C));
  }
  // Different calls at one place: two from one macro's body are what they are, but what one unit would let us edit and
  // another sees otherwise must not be touched.
  for (size_t First = 0, End = 0; First < P.Calls.size(); First = End) {
    while (End < P.Calls.size() && P.Calls[End].Name == P.Calls[First].Name)
      ++End;
    llvm::MutableArrayRef<ProgramCall> Views(&P.Calls[First], End - First);
    if (Views.size() == 1 || llvm::none_of(Views, [](const Call &C) { return C.Edit == Editability::Editable; }))
      continue;
    for (ProgramCall &C : Views) {
      const ProgramCall &Other = &C == &Views.front() ? Views.back() : Views.front();
      C.OtherView = Other.Spelled == C.Spelled ? Other.Spelled + " of another kind" : Other.Spelled;
    }
  }
  forgetMemory(P, Memory);
}

} // namespace

llvm::StringRef mpishm::functionOfParameter(const Object &O) {
  auto [Parameter, Field] = llvm::StringRef(O.Id).split(".c:"); // "<function>#<index>.<USR of a field>"
  auto [Function, Index] = Parameter.rsplit('#');
  return !Index.empty() && llvm::all_of(Index, llvm::isDigit) ? Function : llvm::StringRef();
}

bool mpishm::isField(const Object &O) {
  llvm::StringRef Parameter = llvm::StringRef(O.Id).split(".c:").first;
  return Parameter.size() != O.Id.size();
}

llvm::StringRef mpishm::functionOfResult(const Object &O) {
  llvm::StringRef Id = O.Id;
  return Id.consume_back("#result") ? Id : llvm::StringRef();
}

bool mpishm::isExternal(llvm::StringRef Id) { return Id.starts_with("c:@"); }

std::vector<Part> mpishm::partsOf(const std::vector<UnitFacts> &Units, std::vector<std::string> &Mains) {
  // One file may be there for several targets; of the mains of one target we know no more than of those without.
  llvm::StringMap<unsigned> MainsOfTarget;
  for (const UnitFacts &Unit : Units)
    if (definesMain(Unit) && !Unit.Target.empty())
      ++MainsOfTarget[Unit.Target];
  llvm::StringMap<Part> PartOfTarget;
  std::vector<Part> Parts(Units.size(), Shared);
  for (auto [Unit, In] : llvm::zip_equal(Units, Parts))
    if (definesMain(Unit)) {
      Mains.push_back(Unit.MainFile);
      In = Mains.size();
      if (MainsOfTarget.lookup(Unit.Target) == 1)
        PartOfTarget[Unit.Target] = In;
    }
  if (Mains.size() < 2) {
    Mains.clear();
    return std::vector<Part>(Units.size(), Shared);
  }
  for (auto [Unit, In] : llvm::zip_equal(Units, Parts))
    if (In == Shared && !Unit.Target.empty())
      In = PartOfTarget.lookup(Unit.Target);
  return Parts;
}

/// Fills in Program::WithoutHeader. Where there are several programs, a unit that does not include mpi.h may be linked
/// into one that has nothing to do with MPI.
static void findWithoutHeader(const std::vector<UnitFacts> &Units, Program &P) {
  llvm::StringSet<> MpiCompilers;
  for (const UnitFacts &Unit : Units)
    if (Unit.IncludesMpi)
      MpiCompilers.insert(Unit.Compiler);
  for (const UnitFacts &Unit : Units)
    if (!Unit.IncludesMpi && !(P.Mains.empty() && Unit.FindsMpi && MpiCompilers.contains(Unit.Compiler)))
      for (const std::string &File : Unit.Files)
        P.WithoutHeader.insert(File);
}

Program mpishm::mergeUnits(std::vector<UnitFacts> Units, bool Apart) {
  llvm::stable_sort(Units, [](const UnitFacts &A, const UnitFacts &B) {
    return std::tie(A.MainFile, A.Target) < std::tie(B.MainFile, B.Target);
  });
  Program P;
  std::vector<Part> Parts(Units.size(), Shared);
  if (Apart)
    Parts = partsOf(Units, P.Mains);
  findWithoutHeader(Units, P);
  Merger M(P);
  for (auto [Unit, In] : llvm::zip_equal(Units, Parts))
    M.add(std::move(Unit), In);
  M.finish();
  P.IsWhole = P.HasMain;
  return P;
}

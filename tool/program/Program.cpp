// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Program.h"
#include "program/Pointers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace mpishm;

static bool definesMain(const UnitFacts &Unit) {
  // The USR of main: "c:@F@main" in C, with a signature ("c:@F@main#I#**C#") in C++.
  return llvm::any_of(Unit.Bodies, [](llvm::StringRef Id) {
    return Id.consume_front("c:@F@main") && (Id.empty() || Id.front() == '#');
  });
}

namespace {

/// Moves units into one program.
class Merger {
public:
  explicit Merger(Program &P) : P(P), Pointers(P.Pointers) {}
  void add(UnitFacts Unit, Part In);
  void finish();

private:
  void addCall(Call C, Part In);

  Program &P;
  std::vector<ProgramCall> Calls;
  std::set<Place> Read; ///< places of names that some unit reads
  std::vector<FunctionPointerOrigin> Origins;
  PointerMerger Pointers;
};

void Merger::add(UnitFacts Unit, Part In) {
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
  llvm::move(Unit.FunctionPointerOrigins, std::back_inserter(Origins));
  Pointers.add(std::move(Unit.Pointers));
}

void Merger::addCall(Call C, Part In) {
  ProgramCall Merged;
  static_cast<Call &>(Merged) = std::move(C);
  Merged.In = In;
  Merged.Info = findFunction(Merged.Function);
  Calls.push_back(std::move(Merged));
}

/// Adds what \p From, another view of the same call, says of it.
void addView(ProgramCall &To, const ProgramCall &From) {
  if (!To.Kept)
    To.Kept = From.Kept;
  if (!To.Host)
    To.Host = From.Host;
  if (To.In != From.In)
    To.In = Shared;
}

void Merger::finish() {
  for (const FunctionPointerOrigin &O : Origins)
    if (!P.Bodies.contains(O.From))
      P.ForeignFunctionTypes.insert(O.Type);
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
}

} // namespace

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

/// Fills in Program::WithoutHeader. Names of its own that mpi.h has, too, are in the way of it in a unit. Where there
/// are several programs, a unit that does not include mpi.h may be linked into one that has nothing to do with MPI.
static void findWithoutHeader(const std::vector<UnitFacts> &Units, Program &P) {
  llvm::StringSet<> MpiCompilers;
  for (const UnitFacts &Unit : Units)
    if (Unit.IncludesMpi)
      MpiCompilers.insert(Unit.Compiler);
  for (const UnitFacts &Unit : Units)
    if (!Unit.IncludesMpi &&
        (Unit.HasNamesOfMpi || !(P.Mains.empty() && Unit.FindsMpi && MpiCompilers.contains(Unit.Compiler))))
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

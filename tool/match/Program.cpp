// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <tuple>

using namespace mpishm;

namespace {

/// Moves units into one program; objects get their number in the program when first seen.
class Merger {
public:
  explicit Merger(Program &P) : P(P) {}
  void add(UnitFacts Unit);
  void finish();

private:
  void renumber(Operand &O) const {
    if (O.Which == Operand::Kind::Object)
      O.ObjectIndex = Numbers[O.ObjectIndex];
  }
  void addCall(Call C);

  Program &P;
  llvm::StringMap<uint32_t> IndexOf;
  std::vector<uint32_t> Numbers; ///< of the unit's objects in the program
  std::vector<ProgramCall> Calls;
  std::set<Place> Read; ///< places of names that some unit reads
};

auto operandLists(Call &C) {
  return std::array<std::vector<Operand> *, 7>{&C.Comm,      &C.Peer,    &C.Tag,    &C.SecondPeer,
                                               &C.SecondTag, &C.Request, &C.NewComm};
}

void Merger::add(UnitFacts Unit) {
  Numbers.clear();
  for (Object &O : Unit.Objects) {
    auto [It, New] = IndexOf.try_emplace(O.Id, P.Objects.size());
    Numbers.push_back(It->second);
    if (New)
      P.Objects.push_back(std::move(O));
  }
  for (Flow &F : Unit.Flows) {
    F.To = Numbers[F.To];
    renumber(F.From);
    P.Flows.push_back(std::move(F));
  }
  for (Argument &A : Unit.Arguments) {
    A.Parameter = Numbers[A.Parameter];
    renumber(A.Value);
    P.Arguments.push_back(std::move(A));
  }
  for (Escape &E : Unit.Escapes) {
    renumber(E.Value);
    P.Escapes.push_back(std::move(E));
  }
  for (Call &C : Unit.Calls)
    addCall(std::move(C));
  llvm::move(Unit.Uses, std::back_inserter(P.Uses));
  llvm::move(Unit.Definitions, std::back_inserter(P.Definitions));
  llvm::move(Unit.MpiIncludes, std::back_inserter(P.MpiIncludes));
  llvm::move(Unit.Skipped, std::back_inserter(P.Unseen));
  for (const Mention &M : Unit.Read)
    Read.insert(M.Where);
  P.ForeignNames.insert(Unit.ForeignNames.begin(), Unit.ForeignNames.end());
  P.MainFiles.insert(Unit.MainFile);
  for (const std::string &Id : Unit.Bodies) {
    P.Bodies.insert(Id);
    // The USR of main: "c:@F@main" in C, with a signature ("c:@F@main#I#**C#") in C++.
    llvm::StringRef Rest = Id;
    if (Rest.consume_front("c:@F@main") && (Rest.empty() || Rest.front() == '#'))
      P.IsWhole = true;
  }
}

void Merger::addCall(Call C) {
  for (std::vector<Operand> *List : operandLists(C))
    for (Operand &O : *List)
      renumber(O);
  ProgramCall Merged;
  static_cast<Call &>(Merged) = std::move(C);
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
}

void Merger::finish() {
  llvm::sort(P.MpiIncludes);
  P.MpiIncludes.erase(llvm::unique(P.MpiIncludes), P.MpiIncludes.end());
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

llvm::StringRef mpishm::functionOfParameter(const Object &O) {
  auto [Parameter, Field] = llvm::StringRef(O.Id).split(".c:"); // "<function>#<index>.<USR of a field>"
  auto [Function, Index] = Parameter.rsplit('#');
  return !Index.empty() && llvm::all_of(Index, llvm::isDigit) ? Function : llvm::StringRef();
}

llvm::StringRef mpishm::functionOfResult(const Object &O) {
  llvm::StringRef Id = O.Id;
  return Id.consume_back("#result") ? Id : llvm::StringRef();
}

bool mpishm::isExternal(llvm::StringRef Id) { return Id.starts_with("c:@"); }

Program mpishm::mergeUnits(std::vector<UnitFacts> Units) {
  llvm::sort(Units, [](const UnitFacts &A, const UnitFacts &B) { return A.MainFile < B.MainFile; });
  Program P;
  Merger M(P);
  for (UnitFacts &Unit : Units)
    M.add(std::move(Unit));
  M.finish();
  return P;
}

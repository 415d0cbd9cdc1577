// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "link/Program.h"
#include "mpi/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace mpishm;
using namespace mpishm::ir;

namespace {

class Linker {
public:
  explicit Linker(LinkedProgram &Program) : P(Program) {}
  void add(const Unit &U);
  void addBodies(const Unit &U);
  void addAssembly();
  void addWrapped();

private:
  Linked linked(const Symbol &S);
  uint32_t site(const SiteMark &Mark);
  bool areEqual(const Body &A, const Body &B) const;
  bool areEqual(const Body &A, const Constraint &X, const Body &B, const Constraint &Y) const;

  LinkedProgram &P;
  std::map<std::tuple<Place, Place, std::string>, uint32_t> Sites;
};

} // namespace

Linked Linker::linked(const Symbol &S) {
  Linked Fresh{S.IsFunction, static_cast<uint32_t>(S.IsFunction ? P.Functions.size() : P.Variables.size())};
  if (!S.IsInternal) {
    auto [It, New] = P.External.try_emplace(S.Name, Fresh);
    if (!New && It->second.IsFunction == S.IsFunction) {
      if (S.IsFunction) {
        LinkedFunction &F = P.Functions[It->second.Index];
        F.IsNumeric &= S.IsNumeric;
        F.IsOwn |= S.IsOwn;
        F.Parameters = std::min(F.Parameters, S.Parameters);
        llvm::erase_if(F.Floating, [&](uint32_t Parameter) { return !llvm::is_contained(S.Floating, Parameter); });
        llvm::erase_if(F.Objects, [&](uint32_t Parameter) { return !llvm::is_contained(S.Objects, Parameter); });
      } else {
        LinkedVariable &V = P.Variables[It->second.Index];
        const bool WasDefined = V.IsDefined;
        V.IsConstant &= S.IsConstant;
        V.IsDefined |= S.IsDefined;
        V.IsExposed |= S.IsExposed;
        if (S.IsDefined) // of several, as of common symbols, the linker takes the largest
          V.Size = WasDefined ? std::max(V.Size, S.Size) : S.Size;
      }
      return It->second;
    }
  }
  if (S.IsFunction)
    P.Functions.push_back({S.Name, S.IsInternal, {}, S.Floating, S.IsNumeric, S.Parameters, S.Objects, S.IsOwn});
  else
    P.Variables.push_back(
        {S.Name, S.IsInternal, S.IsDefined, S.IsConstant, S.Size, S.HasText ? &S : nullptr, S.IsExposed});
  return Fresh;
}

uint32_t Linker::site(const SiteMark &Mark) {
  auto [It, New] = Sites.try_emplace({Mark.Name, Mark.Token, Mark.Function}, P.Sites.size());
  if (New)
    P.Sites.push_back(Mark);
  return It->second;
}

void Linker::add(const Unit &U) {
  P.Units.push_back(&U);
  P.HasAssembly |= U.HasAssembly;
  P.ExposedRecords.insert(U.ExposedRecords.begin(), U.ExposedRecords.end());
  for (const Symbol &S : U.Symbols)
    P.Symbols[&U].push_back(linked(S));
  for (const SiteMark &Mark : U.Sites)
    P.SitesOf[&U].push_back(site(Mark));
  for (auto [Name, Target] : U.Aliases)
    if (!U.Symbols[Target].IsFunction)
      P.Variables[P.Symbols[&U][Target].Index].IsExposed = true;
  for (const ClassTable &Table : U.Tables)
    P.Tables[{P.Symbols[&U][Table.Symbol].Index, Table.Point}].push_back(&Table);
  for (const auto &[Name, Bases] : U.Classes) {
    std::vector<BaseClass> &Known = P.Classes[Name];
    for (const BaseClass &Base : Bases)
      if (!llvm::is_contained(Known, Base))
        Known.push_back(Base);
  }
  for (const auto &[Name, Mine] : U.SystemParts) {
    auto [It, New] = P.SystemParts.try_emplace(Name, Mine);
    SystemPart &Known = It->second;
    if (!New) // a unit that makes addresses of such objects need not be the other; and two classes may have one name
      Known.Part = Known.Part && Mine.Part && Known.Size == Mine.Size ? std::max(Known.Part, Mine.Part) : 0;
  }
  for (const auto &[Name, Value] : U.Constants) {
    auto [It, New] = P.Constants.try_emplace(Name, Value);
    P.SameConstants &= New || It->second == Value;
  }
}

/// Whether two bodies, of two units, say the same.
bool Linker::areEqual(const Body &A, const Constraint &X, const Body &B, const Constraint &Y) const {
  auto Same = [&](uint32_t M, uint32_t N) {
    const Linked &First = P.Symbols.at(A.Of)[M], &Second = P.Symbols.at(B.Of)[N];
    if (First.IsFunction == Second.IsFunction && First.Index == Second.Index)
      return true;
    // Each unit has texts of its own; what they say matters to the analysis only where it is a format.
    const Symbol &S = A.Of->Symbols[M], &T = B.Of->Symbols[N];
    return S.HasText && T.HasText && S.Text == T.Text;
  };
  if (X.Is != Y.Is || X.To != Y.To || X.From != Y.From || X.Second != Y.Second || X.B != Y.B || X.C != Y.C)
    return false;
  if (X.Is == Constraint::Kind::GlobalAddress || X.Is == Constraint::Kind::Initial)
    return Same(X.A, Y.A);
  if (X.Is == Constraint::Kind::Member && A.Of->Texts[X.Text] != B.Of->Texts[Y.Text])
    return false;
  if (X.A != Y.A || X.Is != Constraint::Kind::Call)
    return X.A == Y.A;
  const Call &C = A.Code->Calls[X.A], &D = B.Code->Calls[Y.A];
  auto SiteOf = [&](const Body &In, const Call &Of) { return Of.Site ? P.SitesOf.at(In.Of)[*Of.Site] : NoNode; };
  return C.Callee.has_value() == D.Callee.has_value() && (!C.Callee || Same(*C.Callee, *D.Callee)) &&
         C.Pointer == D.Pointer && C.Virtual == D.Virtual && C.Arguments == D.Arguments && C.Result == D.Result &&
         SiteOf(A, C) == SiteOf(B, D);
}

bool Linker::areEqual(const Body &A, const Body &B) const {
  const std::vector<Constraint> &First = A.Code->Constraints, &Second = B.Code->Constraints;
  if (First.size() != Second.size() || A.Code->Nodes != B.Code->Nodes || A.Code->PointsTo != B.Code->PointsTo ||
      A.Code->ReturnsByAddress != B.Code->ReturnsByAddress || A.Code->ReturnsObject != B.Code->ReturnsObject ||
      A.Code->Objects.size() != B.Code->Objects.size() || A.Code->Parts != B.Code->Parts)
    return false;
  for (size_t I = 0; I < First.size(); ++I)
    if (!areEqual(A, First[I], B, Second[I]))
      return false;
  return true;
}

void Linker::addBodies(const Unit &U) {
  auto Add = [&](uint32_t Symbol, Body New) {
    LinkedFunction &F = P.Functions[P.Symbols[&U][Symbol].Index];
    if (llvm::none_of(F.Bodies, [&](const Body &Known) { return areEqual(Known, New); }))
      F.Bodies.push_back(New);
  };
  for (const Function &F : U.Functions)
    Add(F.Symbol, {&U, &F});
  for (auto [Name, Target] : U.Aliases) {
    if (!U.Symbols[Name].IsFunction || !U.Symbols[Target].IsFunction)
      continue;
    for (const Function &F : U.Functions)
      if (F.Symbol == Target)
        Add(Name, {&U, &F});
  }
}

/// Assembly code in functions counts where it may name what the program has.
void Linker::addAssembly() {
  std::set<std::string> Words;
  for (const Unit *U : P.Units)
    Words.insert(U->AssemblyWords.begin(), U->AssemblyWords.end());
  for (const std::string &Word : Words)
    if (isMpiName(Word))
      P.AssemblyOfMpi = Word;
  if (Words.empty())
    return;
  P.HasAssembly |= llvm::any_of(P.Functions, [&](const LinkedFunction &F) {
    return (!F.Bodies.empty() || isMpiName(F.Name)) && Words.count(F.Name);
  });
  P.HasAssembly |= llvm::any_of(P.Variables, [&](const LinkedVariable &V) { return Words.count(V.Name) > 0; });
}

/// With --wrap=NAME, of which only the command that links knows, a call of NAME comes to __wrap_NAME, and one of
/// __real_NAME to NAME. Where the program has such functions, either may be meant.
void Linker::addWrapped() {
  std::vector<std::pair<uint32_t, std::vector<Body>>> More;
  for (const auto &Each : P.External) {
    llvm::StringRef Name = Each.getKey();
    bool Real = Name.starts_with("__real_");
    if (!Each.getValue().IsFunction || (!Name.consume_front("__wrap_") && !Name.consume_front("__real_")))
      continue;
    const LinkedFunction &Special = P.Functions[Each.getValue().Index];
    const uint32_t *Plain = P.function(Name);
    if (isMpiName(Name) || (!Real && Plain && P.Functions[*Plain].Bodies.empty() && !Special.Bodies.empty()))
      P.Replaced = Name.str();
    else if (Plain && Real)
      More.push_back({Each.getValue().Index, P.Functions[*Plain].Bodies});
    else if (Plain)
      More.push_back({*Plain, Special.Bodies});
  }
  for (auto &[Function, Bodies] : More)
    llvm::append_range(P.Functions[Function].Bodies, Bodies);
}

Place mpishm::ir::placeOf(const Unit &U, uint32_t Where) {
  if (Where >= U.Lines.size() || !U.Lines[Where].Line)
    return {};
  const SourceLine &L = U.Lines[Where];
  return {U.Files[L.File], 0, L.Line, L.Column};
}

LinkedProgram mpishm::ir::link(const std::vector<const Unit *> &Units) {
  LinkedProgram P;
  Linker L(P);
  for (const Unit *U : Units)
    L.add(*U);
  for (const Unit *U : Units)
    L.addBodies(*U);
  L.addAssembly();
  L.addWrapped();
  return P;
}

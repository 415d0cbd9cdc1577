// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "flows/Places.h"
#include "libraries/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;

FlowPlaces::FlowPlaces(const Solver &Of) : S(Of) {
  auto Add = [&](uint32_t In, Node N, const Constraint &C) {
    if (N != NoNode)
      Uses.push_back({S.Instances[In].Base + N, In, &C});
  };
  for (uint32_t In = 0; In < S.Instances.size(); ++In) {
    const Function &Code = *S.Instances[In].Of.Code;
    for (const Constraint &C : Code.Constraints)
      if (C.Is == Constraint::Kind::Load || C.Is == Constraint::Kind::ToAddress)
        Add(In, C.To, C);
      else if (C.Is == Constraint::Kind::Store) {
        Add(In, C.From, C);
        Add(In, C.To, C);
      } else if (C.Is == Constraint::Kind::Call) {
        Add(In, Code.Calls[C.A].Result, C);
        for (Node N : Code.Calls[C.A].Arguments)
          Add(In, N, C);
      }
    for (uint32_t Index = 0; Index < Code.Parameters; ++Index)
      ParameterAt.try_emplace(S.Instances[In].Base + Index, Parameter{In, Index});
  }
  llvm::stable_sort(Uses, [](const Use &A, const Use &B) { return A.Node < B.Node; });
  for (uint32_t Object = 0; Object < S.Heap.size(); ++Object)
    for (const Cell &C : S.Heap[Object].Cells)
      for (uint32_t Node : {C.Stored, C.Loaded})
        if (Node != NoNode)
          ObjectAt.try_emplace(Node, Object);
}

llvm::ArrayRef<FlowPlaces::Use> FlowPlaces::usesOf(uint32_t Node) const {
  auto Begin = llvm::partition_point(Uses, [&](const Use &U) { return U.Node < Node; });
  auto End = std::find_if(Begin, Uses.end(), [&](const Use &U) { return U.Node != Node; });
  return {Uses.data() + (Begin - Uses.begin()), static_cast<size_t>(End - Begin)};
}

Place FlowPlaces::placeOf(const Use &U) const { return ir::placeOf(*S.Instances[U.In].Of.Of, U.Is->Where); }

const Call &FlowPlaces::callOf(const Use &U) const { return S.Instances[U.In].Of.Code->Calls[U.Is->A]; }

std::string FlowPlaces::functionOf(uint32_t Instance) const {
  const Body &Of = S.Instances[Instance].Of;
  return Of.Code == &Of.Of->Initialisers ? "" : "'" + plainName(Of.Of->Symbols[Of.Code->Symbol].Name) + "'";
}

/// Whether it is one of the standard library, whose ways nobody wants to read.
bool FlowPlaces::isOfLibrary(uint32_t Instance) const {
  const std::string Name = functionOf(Instance);
  return llvm::StringRef(Name).starts_with("'std::") || llvm::StringRef(Name).starts_with("'__gnu_cxx::");
}

std::optional<FlowStep> FlowPlaces::madeBy(const Token &T) const {
  using K = Token::Kind;
  if ((T.Is != K::Communicator && T.Is != K::Request && T.Is != K::Message && T.Is != K::Window) ||
      T.Id >= S.P.Sites.size())
    return std::nullopt;
  const SiteMark &Site = S.P.Sites[T.Id];
  return FlowStep{Site.Function + " makes it", Site.Name};
}

/// Where one of \p Before, values, is stored; without a place where a library does that.
std::optional<FlowStep> FlowPlaces::storeIn(const std::string &Object, llvm::ArrayRef<uint32_t> Before) const {
  if (Object.empty())
    return std::nullopt;
  bool ByLibrary = false;
  for (uint32_t Node : llvm::reverse(Before))
    for (const Use &U : usesOf(Node)) {
      if (U.Is->Is != Constraint::Kind::Store || S.Instances[U.In].Base + U.Is->From != Node)
        continue;
      if (!isOfLibrary(U.In))
        return FlowStep{"is put in " + Object, placeOf(U)};
      ByLibrary = true;
    }
  if (ByLibrary && llvm::StringRef(Object).starts_with("variable ")) // one of its own
    return std::nullopt;
  return FlowStep{"is put in " + Object, {}};
}

/// The call by which one of \p Before, values, comes to \p P.
std::optional<FlowStep> FlowPlaces::argumentOf(const Parameter &P, llvm::ArrayRef<uint32_t> Before) const {
  const auto &In = S.Instances[P.In];
  const std::string Name = functionOf(P.In);
  if (isOfLibrary(P.In))
    return std::nullopt;
  if (In.For)
    return FlowStep{"is given to " + Name, ir::placeOf(*S.Instances[In.ForIn].Of.Of, In.For->Where)};
  for (uint32_t Node : llvm::reverse(Before))
    for (const Use &U : usesOf(Node)) {
      if (U.Is->Is != Constraint::Kind::Call || P.Index >= callOf(U).Arguments.size() ||
          S.Instances[U.In].Base + callOf(U).Arguments[P.Index] != Node)
        continue;
      const std::optional<uint32_t> Callee = callOf(U).Callee;
      const Body &Caller = S.Instances[U.In].Of;
      if (!Callee ||
          plainName(Caller.Of->Symbols[*Callee].Name) == plainName(In.Of.Of->Symbols[In.Of.Code->Symbol].Name))
        return FlowStep{"is given to " + Name, placeOf(U)};
    }
  return FlowStep{"comes to " + Name, {}};
}

/// What is loaded from \p Held, or returned, at \p Node.
std::optional<FlowStep> FlowPlaces::resultAt(uint32_t Node, const std::string &Held) const {
  for (const Use &U : usesOf(Node))
    if (U.Is->Is == Constraint::Kind::Load && !Held.empty() && !isOfLibrary(U.In))
      return FlowStep{"is read from " + Held, placeOf(U)};
  for (const Use &U : usesOf(Node)) {
    if (U.Is->Is != Constraint::Kind::Call || callOf(U).Result == NoNode || isOfLibrary(U.In) ||
        S.Instances[U.In].Base + callOf(U).Result != Node)
      continue;
    const Unit &Of = *S.Instances[U.In].Of.Of;
    const std::optional<uint32_t> Callee = callOf(U).Callee;
    return FlowStep{"is returned by " + (Callee ? "'" + plainName(Of.Symbols[*Callee].Name) + "'" : "a function"),
                    placeOf(U)};
  }
  return std::nullopt;
}

/// Adds \p Step to \p To. What is read to be handed on in the same line need not be told, and where a step has no place
/// the one before tells of it.
static void add(FlowStep Step, bool AfterReading, llvm::StringRef Subject, Flow &To) {
  auto IsAtLast = [&] { return To.back().Where.File == Step.Where.File && To.back().Where.Line == Step.Where.Line; };
  if (AfterReading && IsAtLast())
    To.pop_back();
  Step.Text = Subject.str() + " " + Step.Text;
  if (Step.Where.File.empty() && !To.empty())
    To.back().Text += ", then " + Step.Text;
  else if (To.empty() || !(To.back() == Step))
    To.push_back(std::move(Step));
}

void FlowPlaces::tell(llvm::StringRef Subject, Constraint::Kind Is, llvm::StringRef Becomes, uint32_t Node,
                      Flow &To) const {
  for (const Use &U : usesOf(Node))
    if (U.Is->Is == Is && S.Instances[U.In].Base + U.Is->To == Node)
      return add({Becomes.str(), placeOf(U)}, /*AfterReading=*/false, Subject, To);
}

void FlowPlaces::tell(llvm::StringRef Subject, llvm::ArrayRef<uint32_t> Path, Flow &To) const {
  std::string Held;     // what it is in
  bool WasRead = false; // by the last step
  std::optional<uint32_t> LastObject;
  size_t Told = 0; // nodes before this one have been told of
  for (size_t I = 0; I < Path.size(); ++I) {
    llvm::ArrayRef<uint32_t> Before = Path.slice(Told, I - Told);
    std::optional<FlowStep> Step;
    bool Reads = false;
    if (auto At = ObjectAt.find(Path[I]); At != ObjectAt.end()) {
      if (LastObject == At->second)
        continue;
      LastObject = At->second;
      Held = S.Heap[At->second].Name;
      Step = storeIn(Held, Before);
    } else if (auto Into = ParameterAt.find(Path[I]); Into != ParameterAt.end()) {
      Step = argumentOf(Into->second, Before);
      Held.clear();
    } else if (Step = resultAt(Path[I], Held); Step) {
      Reads = !Held.empty();
      Held.clear();
    }
    if (!Step)
      continue;
    Step->Text = withPlainNames(Step->Text);
    add(std::move(*Step), WasRead, Subject, To);
    WasRead = Reads;
    Told = I;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "match/Guard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;

bool mpishm::setsUp(const ProgramCall &C) {
  return C.Info ? C.Info->Kind == FunctionKind::Initialize : isAttach(C.Function);
}

bool mpishm::canBeMarked(const Analysis &A, Part In, Marks Wanted) {
  bool Any = false;
  for (const ProgramCall &C : A.P.Calls) {
    if (!setsUp(C) || !mayMeet(C.In, In))
      continue;
    if (A.Blocked.ofMark(C, Wanted))
      return false;
    Any = true;
  }
  return Any && A.P.HasMain;
}

std::map<unsigned, const ProgramCall *> mpishm::firstWildcards(const Analysis &A) {
  std::map<unsigned, const ProgramCall *> Result;
  for (const Operation &Op : A.Ops)
    if (Op.Wildcard)
      Result.try_emplace(Op.Class, &A.callOf(Op));
  return Result;
}

bool mpishm::isSynchronousSend(const ProgramCall &C) {
  return llvm::StringRef(C.Function).contains_insensitive("ssend");
}

namespace {

class Search {
public:
  explicit Search(const Analysis &From) : A(From), P(From.P) {}
  std::vector<std::vector<Finding>> run();

private:
  void add(Part In, Finding F) { OfPrograms.push_back({std::move(F), In}); }
  void add(const std::string &Function, Part In, Finding F);
  void findRoundabout();
  void findUnmarkable();

  const Analysis &A;
  const Program &P;
  std::vector<PartOf<Finding>> OfPrograms;    ///< concerns all classes of a program
  std::vector<PartOf<Finding>> OfCollectives; ///< concerns those of collectives
  std::vector<PartOf<Finding>> OfWindows;     ///< concerns those of windows
};

} // namespace

/// Whether the net has to do with functions of this kind.
static bool isServed(FunctionKind Kind) {
  switch (Kind) {
  case FunctionKind::Send:
  case FunctionKind::Receive:
  case FunctionKind::SendReceive:
  case FunctionKind::Probe:
  case FunctionKind::MatchedReceive:
  case FunctionKind::Completion:
  case FunctionKind::Maker:
  case FunctionKind::Collective:
  case FunctionKind::Reduction:
  case FunctionKind::WindowMaker:
  case FunctionKind::OneSided:
    return true;
  case FunctionKind::Initialize:
  case FunctionKind::Memory:
  case FunctionKind::HandleLeak:
    break;
  }
  return false;
}

/// Adds what is known of \p Function, if that is one that the net serves. A collective goes round it alone, and so does
/// what is done on windows.
void Search::add(const std::string &Function, Part In, Finding F) {
  const FunctionInfo *Info = findFunction(Function);
  if (Info && isServed(Info->Kind))
    (isCollective(Info->Kind) ? OfCollectives
     : isOneSided(Info->Kind) ? OfWindows
                              : OfPrograms)
        .push_back({std::move(F), In});
}

/// Calls and definitions that the net never learns of, or that stand before its own.
void Search::findRoundabout() {
  for (const ProgramCall &C : P.Calls)
    if (llvm::StringRef(C.Spelled).starts_with("PMPI_"))
      add(C.Function, C.In, {Diagnostic::ProfilingName, C.Name, {C.Spelled}, {}});
  for (const PartOf<FunctionUse> &U : P.Uses)
    if (U.GoesRound)
      add(U.Function, U.In, {Diagnostic::FunctionAsValue, U.Where, {U.Function}, {}});
  for (const PartOf<FunctionDefinition> &D : P.Definitions)
    if (!D.IsMacro)
      add(D.Function, D.In, {Diagnostic::FunctionDefined, D.Where, {D.Function}, {}});
  for (const std::string &Source : A.Context.ProfilingSources)
    add(Shared, {Diagnostic::UnseenSource, Place(), {Source}, {}});
}

/// What keeps a program from being marked.
void Search::findUnmarkable() {
  if (!P.HasMain)
    add(Shared, {Diagnostic::NotWholeProgram, Place(), {}, {}});
  for (const PartOf<Finding> &F : A.Blocked.usesAsValue(FunctionKind::Initialize))
    add(F.In, F);
  for (const ProgramCall &C : P.Calls)
    if (setsUp(C))
      if (std::optional<Finding> F = A.Blocked.ofMark(C, {.Guarded = true}))
        add(C.In, *F);
}

/// One of each kind in each program is reason enough.
static void keepFirst(std::vector<PartOf<Finding>> &List) {
  auto Key = [](const PartOf<Finding> &F) { return std::tie(F.In, F.What, F.Where, F.Args); };
  llvm::sort(List, [&](const auto &X, const auto &Y) { return Key(X) < Key(Y); });
  List.erase(llvm::unique(List, [](const auto &X, const auto &Y) { return X.In == Y.In && X.What == Y.What; }),
             List.end());
}

std::vector<std::vector<Finding>> Search::run() {
  findRoundabout();
  findUnmarkable();
  keepFirst(OfPrograms);
  keepFirst(OfCollectives);
  keepFirst(OfWindows);
  std::set<Part> SetUp;
  for (const ProgramCall &C : P.Calls)
    if (setsUp(C))
      SetUp.insert(C.In);

  std::vector<std::vector<Finding>> Result;
  for (const Operation &Op : A.Ops) {
    Result.resize(std::max<size_t>(Result.size(), Op.Class + 1));
    std::vector<Finding> &Of = Result[Op.Class];
    auto AddAll = [&](const std::vector<PartOf<Finding>> &List) {
      llvm::copy_if(List, std::back_inserter(Of), [&](const PartOf<Finding> &F) { return mayMeet(F.In, Op.In); });
    };
    AddAll(OfPrograms);
    if (isCollective(A.callOf(Op).Info->Kind))
      AddAll(OfCollectives);
    if (isOneSided(A.callOf(Op).Info->Kind))
      AddAll(OfWindows);
    if (A.callOf(Op).Info->Kind == FunctionKind::WindowMaker)
      if (std::optional<Finding> F = A.Blocked.of(A.callOf(Op)))
        Of.push_back(*F);
    if (llvm::none_of(SetUp, [&](Part In) { return mayMeet(In, Op.In); }))
      Of.push_back({Diagnostic::NoInit, Place(), {}, {}});
  }
  return Result;
}

/// Completion calls without a counterpart, of which the net knows nothing.
static std::vector<PartOf<Finding>> findOtherCompletions(const Analysis &A) {
  std::vector<PartOf<Finding>> Result;
  for (const ProgramCall &C : A.P.Calls)
    if (C.Info && C.Info->Kind == FunctionKind::Completion && C.Info->Supported != Support::Rewritten)
      Result.push_back({{Diagnostic::UnsupportedOperation, C.Name, {C.Function}, {}}, C.In});
  llvm::copy_if(A.Blocked.usesAsValue(FunctionKind::Completion), std::back_inserter(Result),
                [](const Finding &F) { return guardOf(F) == Guard::None; });
  return Result;
}

std::vector<std::vector<Finding>> mpishm::findUnguardedByIr(const Analysis &A) {
  unsigned Classes = 0;
  for (const Operation &Op : A.Ops)
    Classes = std::max(Classes, Op.Class + 1);
  std::vector<std::vector<Finding>> Result(Classes);
  std::vector<bool> Any(Classes);
  A.Ir.tellReasons([&](unsigned Class, const Finding &F) {
    Any[Class] = true;
    if (guardOf(F) == Guard::None)
      Result[Class].push_back(F);
  });
  const std::vector<PartOf<Finding>> Others = findOtherCompletions(A);
  for (const Operation &Op : A.Ops)
    if (Any[Op.Class] && A.callOf(Op).Info->Request)
      llvm::copy_if(Others, std::back_inserter(Result[Op.Class]),
                    [&](const PartOf<Finding> &F) { return mayMeet(F.In, Op.In); });
  return Result;
}

std::vector<std::vector<Finding>> mpishm::findUnguarded(const Analysis &A) { return Search(A).run(); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is executed because others call it: libraries that were given the address of a function, or code out of sight.

#include "models/LibraryModels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace mpishm::ir;

/// Whether a function without a body, by \p Name, may leave the functions that called it, or let other code of them go
/// on. What is not known may.
static bool mayJump(llvm::StringRef Name) {
  const bool IsKnown = isMpiName(Name) || Name.starts_with("MPISHM_") || LibraryModels::isModelled(Name);
  const bool Jumps = llvm::StringSwitch<bool>(Name)
                         .Cases("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "setcontext", "swapcontext", true)
                         .Cases("__cxa_throw", "__cxa_rethrow", "_Unwind_RaiseException", "_Unwind_Resume_or_Rethrow",
                                "_Unwind_ForcedUnwind", true)
                         .Default(Name.starts_with("_ZSt") && Name.contains("__throw_"));
  return !IsKnown || Jumps;
}

std::vector<bool> LibraryModels::enteredByOthers() const {
  std::vector<bool> Result(Instances.size());
  std::vector<uint32_t> Next;
  auto Add = [&](uint32_t Index) {
    if (!Result[Index])
      Next.push_back(Index);
    Result[Index] = true;
  };
  auto Enter = [&](uint32_t Function) {
    if (!isOfTable(Function))
      llvm::for_each(InstancesOf[Function], Add);
  };
  for (auto [Callback, Function] : Invoked)
    Enter(Function);
  llvm::for_each(ExposedFunctions, Enter);
  for (const Unit *U : P.Units)
    for (uint32_t Symbol : U->Started)
      Enter(P.Symbols.at(U)[Symbol].Index);
  std::vector<std::vector<uint32_t>> Callees(Instances.size());
  for (auto [Place, Callee] : Entered)
    Callees[Places[Place].In].push_back(Callee);
  while (!Next.empty()) {
    const uint32_t Index = Next.back();
    Next.pop_back();
    llvm::for_each(Callees[Index], Add);
  }
  return Result;
}

LibraryModels::Entries LibraryModels::entries() const {
  const std::vector<bool> IsIn = enteredByOthers();
  Entries Result;
  for (auto [Index, I] : llvm::enumerate(Instances))
    for (const Call &C : I.Of.Code->Calls)
      if (IsIn[Index] && C.Site)
        Result.Sites.insert(P.SitesOf.at(I.Of.Of)[*C.Site]);
  for (auto [Place, Function] : Called)
    if (IsIn[Places[Place].In] && !isOfTable(Function) && P.Functions[Function].Bodies.empty())
      Result.MayJump |= mayJump(P.Functions[Function].Name);
  for (const auto &[Place, Why] : CalledUnknown)
    Result.MayJump |= IsIn[Places[Place].In];
  return Result;
}

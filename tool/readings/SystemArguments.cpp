// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/SystemArguments.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace mpishm;
using namespace clang;

using Tokens = llvm::ArrayRef<ReadToken>;

/// Where \p Some stand in \p All, one after the other, at \p From or behind; nothing where they do not.
static std::optional<size_t> findTokens(Tokens All, Tokens Some, size_t From = 0) {
  for (size_t At = From; At + Some.size() <= All.size(); ++At)
    if (llvm::equal(Some, All.slice(At, Some.size()),
                    [](const ReadToken &A, const ReadToken &B) { return isSame(A, B); }))
      return At;
  return std::nullopt;
}

/// The stretches of \p All that only have tokens that \p Is says, as long as they can be.
static std::vector<Tokens> stretchesOf(Tokens All, llvm::function_ref<bool(const ReadToken &)> Is) {
  std::vector<Tokens> Result;
  for (size_t First = 0, Last; First < All.size(); First = Last + 1) {
    for (Last = First; Last < All.size() && Is(All[Last]); ++Last)
      ;
    if (Last > First)
      Result.push_back(All.slice(First, Last - First));
  }
  return Result;
}

/// Of arguments: what macros put around them, or between.
static bool separates(const ReadToken &T) { return llvm::is_contained({"(", ",", ")"}, T.Text); }

static bool isPrograms(const ReadToken &T, const Places &Where) {
  const SourceManager &SM = Where.sources();
  SourceLocation Spelled = SM.getSpellingLoc(T.Where);
  return SM.isWrittenInCommandLineFile(Spelled) ||
         (SM.getFileEntryForID(SM.getFileID(Spelled)) && !Where.isLibrary(Spelled));
}

/// Whether \p Others have all \p Given, in that order. Clang's macro may repeat what the other compiler's has once.
static bool hasInOrder(Tokens Others, llvm::ArrayRef<Tokens> Given) {
  size_t At = 0;
  for (size_t I = 0; I < Given.size(); ++I) {
    if (llvm::any_of(Given.take_front(I), [&](Tokens Earlier) { return findTokens(Earlier, Given[I]).has_value(); }))
      continue;
    std::optional<size_t> Found = findTokens(Others, Given[I], At);
    if (!Found)
      return false;
    At = *Found;
  }
  return true;
}

/// Whether all that \p Others have, and not the system, is in \p Clangs.
static bool hasNothingElse(Tokens Others, Tokens Clangs, const Places &Where) {
  llvm::StringSet<> Macros;
  for (const ReadToken &T : Clangs)
    for (llvm::StringRef Name : macrosOf(T.Where, Where))
      Macros.insert(Name);
  auto IsOthers = [&](const ReadToken &T) { return !T.IsSystems && !separates(T) && !Macros.contains(T.Text); };
  auto IsDefined = [&](const ReadToken &T) { // by the compiler, which does not say so
    return llvm::any_of(Clangs, [&](const ReadToken &C) { return !isPrograms(C, Where) && isSame(C, T); });
  };
  return llvm::all_of(stretchesOf(Others, IsOthers),
                      [&](Tokens Each) { return findTokens(Clangs, Each) || llvm::all_of(Each, IsDefined); });
}

bool mpishm::haveSameArguments(Tokens Clangs, Tokens Others, const Places &Where) {
  std::vector<Tokens> Given =
      stretchesOf(Clangs, [&](const ReadToken &T) { return isPrograms(T, Where) && !separates(T); });
  return Given.empty() || (hasInOrder(Others, Given) && hasNothingElse(Others, Clangs, Where));
}

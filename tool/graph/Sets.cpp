// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "graph/Sets.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <optional>

using namespace mpishm::ir;

/// So many numbers, or places in one object, a set has singly; more are put together. A method is called of each
/// member of its class: of places there must be more than a large class has members of a type, since put together they
/// are all of the object.
static constexpr unsigned MostNumbers = 16, MostPlaces = 64;

bool TokenSets::contains(Id Set, uint32_t T) const {
  const std::vector<uint32_t> &List = All[Set].List;
  return std::binary_search(List.begin(), List.end(), T, [&](uint32_t X, uint32_t Y) { return isBefore(X, Y); });
}

TokenSets::Id TokenSets::intern(std::vector<uint32_t> List, bool Outside) {
  if (List.empty())
    return None;
  size_t Hash = llvm::hash_combine(llvm::hash_combine_range(List.begin(), List.end()), Outside);
  llvm::SmallVector<Id, 1> &Known = ByHash[Hash];
  for (Id Each : Known)
    if (All[Each].Outside == Outside && All[Each].List == List)
      return Each;
  Id Result = All.size();
  if (Free.empty()) {
    All.emplace_back();
  } else {
    Result = Free.back();
    Free.pop_back();
  }
  Known.push_back(Result);
  List.shrink_to_fit();
  Held += List.size();
  bool Anything = llvm::any_of(List, [&](uint32_t T) { return Tokens[T].Is == Token::Kind::Anything; });
  All[Result] = {std::move(List), Hash, Anything, Outside};
  return Result;
}

TokenSets::Id TokenSets::single(uint32_t T) {
  auto [It, New] = Singles.try_emplace(T, None);
  if (New)
    It->second = intern({T}, false);
  return It->second;
}

TokenSets::Id TokenSets::joined(std::vector<uint32_t> List) {
  llvm::sort(List, [&](uint32_t T, uint32_t U) { return isBefore(T, U); });
  List.erase(llvm::unique(List), List.end());
  return merge(None, intern(std::move(List), false));
}

void TokenSets::setEscaped(uint32_t Object, bool IsConstant) {
  if (Object >= Reached.size())
    Reached.resize(Object + 1);
  Reached[Object] = IsConstant ? Reach::Constant : Reach::Escaped;
}

bool TokenSets::includes(Id A, Id B) {
  if (A == B || B == None)
    return true;
  if (auto It = United.find({A, B}); It != United.end())
    return It->second == A;
  if (!isWithin(B, A))
    return false;
  remember(A, B, A);
  return true;
}

/// That \p Result is what comes of \p A and \p B. It costs little to find that out again.
void TokenSets::remember(Id A, Id B, Id Result) {
  constexpr unsigned Most = 1U << 21;
  if (United.size() >= Most)
    United.clear();
  United[{A, B}] = Result;
}

bool TokenSets::isWithin(Id B, Id A) const {
  if (All[B].Outside && !All[A].Outside)
    return false;
  const std::vector<uint32_t> &Large = All[A].List, &Small = All[B].List;
  if (Small.size() > Large.size())
    return false;
  auto Before = [&](uint32_t X, uint32_t Y) { return isBefore(X, Y); };
  if (Small.size() * 8 < Large.size())
    return llvm::all_of(Small, [&](uint32_t T) { return contains(A, T); });
  return std::includes(Large.begin(), Large.end(), Small.begin(), Small.end(), Before);
}

TokenSets::Id TokenSets::unite(Id A, Id B) {
  if (A == B || B == None)
    return A;
  if (A == None)
    return B;
  if (auto It = United.find({A, B}); It != United.end())
    return It->second;
  Id Result = isWithin(B, A) ? A : merge(A, B);
  remember(A, B, Result);
  return Result;
}

/// Takes the tokens of \p Group from the beginning of \p From.
TokenSets::Range TokenSets::takeGroup(Range &From, uint64_t Group) const {
  size_t Count = 0;
  while (Count < From.size() && Tokens.group(From[Count]) == Group)
    ++Count;
  Range Result = From.take_front(Count);
  From = From.drop_front(Count);
  return Result;
}

/// Whether several objects that have escaped are in \p A and \p B: then one address stands for them.
bool TokenSets::joinsOutside(Id A, Id B) const {
  if (All[A].Outside || All[B].Outside)
    return true;
  std::optional<uint32_t> First;
  for (Id Set : {A, B})
    for (uint32_t T : All[Set].List) {
      const Token &Each = Tokens[T];
      if (Each.Is != Token::Kind::Memory || reachOf(Each.Id) != Reach::Escaped)
        continue;
      if (First && *First != Each.Id)
        return true;
      First = Each.Id;
    }
  return false;
}

TokenSets::Id TokenSets::merge(Id A, Id B) {
  bool Anything = All[A].Anything || All[B].Anything, Outside = !Anything && joinsOutside(A, B), Stands = false;
  Range Left = All[A].List, Right = All[B].List;
  std::vector<uint32_t> Result;
  Result.reserve(Left.size() + Right.size());
  while (!Left.empty() || !Right.empty()) {
    if (!Anything && !Outside) { // up to what is in B as well, all of A stays
      size_t Count = Left.size();
      if (!Right.empty())
        Count = llvm::partition_point(Left, [&](uint32_t T) { return Tokens.group(T) < Tokens.group(Right.front()); }) -
                Left.begin();
      llvm::append_range(Result, Left.take_front(Count));
      Left = Left.drop_front(Count);
      if (Right.empty())
        break;
    }
    uint64_t Group = std::min(Left.empty() ? ~0ULL : Tokens.group(Left.front()),
                              Right.empty() ? ~0ULL : Tokens.group(Right.front()));
    Range First = takeGroup(Left, Group), Second = takeGroup(Right, Group);
    const Token Each = Tokens[First.empty() ? Second.front() : First.front()];
    Reach Known = Each.Is == Token::Kind::Memory ? reachOf(Each.Id) : Reach::Hidden;
    if (Known != Reach::Hidden && (Anything || Outside)) {
      if (!Anything && !Stands && Known == Reach::Escaped) {
        Result.push_back(Tokens.number(Each.partial()));
        Stands = true;
      }
    } else if (Each.Is == Token::Kind::Memory) {
      mergePlaces(First, Second, Result);
    } else if (Each.Is == Token::Kind::Integer && Each.Id == 0) {
      if (!Anything)
        mergeNumbers(First, Second, Result);
    } else {
      std::set_union(First.begin(), First.end(), Second.begin(), Second.end(), std::back_inserter(Result));
    }
  }
  return intern(std::move(Result), Outside);
}

/// Whether all that \p B stands for, \p A stands for too, and all that B may be moved to.
static bool includes(const Region &A, const Region &B) {
  if (A.isExact())
    return A == B || (B.isExact() && A.Offset == B.Offset && !A.isBounded());
  if (B.Stride % A.Stride != 0 || remainder(B.Offset - A.Offset, A.Stride) != 0)
    return false;
  if (B.isExact() && A.isBounded() && B.Element != A.Stride) // the elements of A lead nowhere else
    return false;
  return A.Low <= B.Low && B.High <= A.High;
}

/// Addresses in one object: those of \p B that are not among \p A in some form are added.
void TokenSets::mergePlaces(Range A, Range B, std::vector<uint32_t> &To) {
  size_t Begin = To.size();
  llvm::append_range(To, A);
  for (uint32_t T : B) {
    const Token New = Tokens[T];
    auto Places = llvm::ArrayRef(To).drop_front(Begin);
    if (llvm::any_of(Places, [&](uint32_t P) { return ::includes(Tokens[P].Where, New.Where); }))
      continue;
    if (Places.size() < MostPlaces) {
      To.push_back(T);
      continue;
    }
    int64_t Stride = New.Where.Stride;
    for (uint32_t P : Places)
      Stride = std::gcd(std::gcd(Stride, Tokens[P].Where.Stride), New.Where.Offset - Tokens[P].Where.Offset);
    To.push_back(
        Tokens.number({Token::Kind::Memory, New.Id, normalised({New.Where.Offset, std::max<int64_t>(Stride, 1)})}));
  }
  std::sort(To.begin() + Begin, To.end());
}

/// Whether the numbers of \p Progression, which has a stride, include those of \p Number.
static bool covers(const Region &Progression, const Region &Number) {
  int64_t Distance = 0;
  return Progression.Stride == 1 ||
         (Number.Stride % Progression.Stride == 0 &&
          !__builtin_sub_overflow(Number.Offset, Progression.Offset, &Distance) && Distance % Progression.Stride == 0);
}

/// \p Numbers put together: those that leave one remainder, or else any.
uint32_t TokenSets::widened(Range Numbers) {
  int64_t Stride = 0, First = Tokens[Numbers.front()].Where.Offset;
  for (uint32_t T : Numbers) {
    const Region &Each = Tokens[T].Where;
    int64_t Difference = 0;
    if (__builtin_sub_overflow(Each.Offset, First, &Difference))
      Difference = 1;
    Stride = std::gcd(std::gcd(Stride, Each.Stride), Difference);
  }
  return Tokens.number({Token::Kind::Integer, 0, normalised({First, std::max<int64_t>(Stride, 1)})});
}

/// Numbers: those of \p B that no progression among \p A covers are added.
void TokenSets::mergeNumbers(Range A, Range B, std::vector<uint32_t> &To) {
  size_t Begin = To.size();
  llvm::append_range(To, A);
  auto Added = [&] { return llvm::ArrayRef(To).drop_front(Begin); };
  auto IsCovered = [&](uint32_t T) {
    const Region New = Tokens[T].Where;
    return llvm::any_of(
        Added(), [&](uint32_t P) { return P == T || (!Tokens[P].Where.isExact() && covers(Tokens[P].Where, New)); });
  };
  for (uint32_t T : B) {
    if (IsCovered(T))
      continue;
    To.push_back(T);
    size_t Single = llvm::count_if(Added(), [&](uint32_t Each) { return Tokens[Each].Where.isExact(); });
    if (llvm::is_contained(Added(), AnyInteger) || (Single <= MostNumbers && Added().size() - Single <= 1))
      continue;
    if (uint32_t Sum = widened(Added()); !IsCovered(Sum))
      To.push_back(Sum);
  }
  std::sort(To.begin() + Begin, To.end());
}

TokenSets::Id TokenSets::derived(Id Set) {
  if (auto It = Derived.find(Set); It != Derived.end())
    return It->second;
  std::vector<uint32_t> Parts;
  for (uint32_t T : All[Set].List) {
    const Token Each = Tokens[T];
    bool IsNumber = Each.Is == Token::Kind::Integer && !Each.Id;
    if (!IsNumber)
      Parts.push_back(Tokens.number(Each.partial()));
    else // of zero, all bits are
      Parts.push_back(Each.Where == Region() ? T : AnyInteger);
  }
  llvm::sort(Parts, [&](uint32_t T, uint32_t U) { return isBefore(T, U); });
  Parts.erase(llvm::unique(Parts), Parts.end());
  Id Result = intern(std::move(Parts), All[Set].Outside);
  Derived[Set] = Result;
  return Result;
}

llvm::SmallVector<uint32_t, 16> TokenSets::difference(Id A, Id B) const {
  llvm::SmallVector<uint32_t, 16> Result;
  std::set_difference(All[A].List.begin(), All[A].List.end(), All[B].List.begin(), All[B].List.end(),
                      std::back_inserter(Result), [&](uint32_t T, uint32_t U) { return isBefore(T, U); });
  return Result;
}

void TokenSets::drop(const std::vector<bool> &IsUsed) {
  Singles.clear();
  United.clear();
  Derived.clear();
  for (Id Each = 1; Each < All.size(); ++Each) {
    Set &S = All[Each];
    if (S.List.empty() || IsUsed[Each])
      continue;
    auto It = ByHash.find(S.Hash);
    llvm::erase(It->second, Each);
    if (It->second.empty())
      ByHash.erase(It);
    Held -= S.List.size();
    S = Set();
    Free.push_back(Each);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "graph/Tokens.h"
#include "constraints/Constraints.h"
#include <algorithm>
#include <numeric>

using namespace mpishm::ir;

bool mpishm::ir::operator==(const Token &A, const Token &B) {
  return A.Is == B.Is && A.Id == B.Id && A.Where == B.Where;
}

Region mpishm::ir::normalised(Region R) {
  if (R.Stride < 0)
    R.Stride = -R.Stride;
  // No end, however far it was moved.
  if (R.High > Highest / 2 && R.High != Highest)
    R.High = Highest - 1;
  if (R.Low < Lowest / 2 && R.Low != Lowest)
    R.Low = R.High == Highest - 1 ? Lowest : Lowest + 1;
  bool IsOutside = R.Stride == 0 && (R.Offset < R.Low || R.Offset >= R.High);
  if (!R.isBounded() || IsOutside) {
    R.Low = Lowest;
    R.High = Highest;
  }
  if (!R.isBounded() || R.Stride != 0)
    R.Element = 0;
  if (R.Stride != 0)
    R.Offset = remainder(R.Offset, R.Stride);
  return R;
}

/// The bounds of \p To, which \p From has become, an address in an array. An element at a known distance is taken to be
/// one of this array or one beside it, and an address that moves down may come from behind the last element, which is
/// not among those of From.
static void moveBounds(Region &To, const Region &From, int64_t By, int64_t Extent) {
  bool ByElements = By % From.Stride == 0;
  To.Low = From.Low + (ByElements ? std::min<int64_t>(By, 0) : By);
  To.High = From.High + (ByElements ? std::max<int64_t>(By, 0) : By + (By < 0 ? From.Stride : 0)) + Extent;
}

/// What moved() says of an address at a known offset.
static Region movedFrom(const Region &From, int64_t By, int64_t Stride, int64_t Extent) {
  Region To{From.Offset + By, Stride};
  bool ByElements = From.Element && By % From.Element == 0 && (Stride == 0 || Stride == From.Element);
  if (Stride != 0 && Extent != Unknown) {
    To.Low = To.Offset;
    To.High = To.Offset + Extent + 1;
  } else if (ByElements) {
    To = {To.Offset, Stride, From.Low, From.High, From.Element};
  }
  return normalised(To);
}

llvm::SmallVector<Region, 1> mpishm::ir::moved(const Region &From, int64_t By, int64_t Stride, int64_t Extent) {
  constexpr int64_t MostElements = 16;
  if (From.isExact())
    return {movedFrom(From, By, Stride, Extent)};
  Region To{From.Offset + By, std::gcd(From.Stride, Stride)};
  if (From.isBounded() && (Extent != Unknown || Stride == From.Stride)) {
    moveBounds(To, From, By, Extent == Unknown ? 0 : Extent);
  }
  bool IsElement = Stride > 0 && Extent != Unknown;
  if (To.Stride == From.Stride || !IsElement || Extent / Stride >= MostElements)
    return {normalised(To)};
  llvm::SmallVector<Region, 1> Result;
  for (int64_t At = 0; At <= Extent; At += Stride) {
    Region Each{From.Offset + By + At, From.Stride};
    if (From.isBounded())
      moveBounds(Each, From, By + At, 0);
    Result.push_back(normalised(Each));
  }
  return Result;
}

llvm::SmallVector<Region, 1> mpishm::ir::movedToPart(const Region &From, int64_t By, const Part &Of) {
  if (!From.isExact())
    return moved(From, By, 0, 0);
  int64_t Begin = From.Offset;
  Region To{Begin + By, 0, Begin + Of.Low, Begin + Of.High, Of.Element};
  bool HasBounds = From.isBounded() && From.Low <= Begin && Begin + Of.Record <= From.High;
  if (Of.Element && Of.Low == 0)
    To.Low = HasBounds ? From.Low : Lowest + 1;
  if (Of.Element && Of.High == Of.Record)
    To.High = HasBounds ? From.High : Highest - 1;
  if (Of.Element) // as bounds of elements are: behind where the last one begins
    To.High -= Of.Element - 1;
  return {normalised(To)};
}

uint32_t TokenTable::number(const Token &T) {
  auto [It, New] = Numbers.try_emplace(T, All.size());
  if (New) {
    All.push_back(T);
    Groups.push_back(static_cast<uint64_t>(T.Is) << 32 | T.Id);
  }
  return It->second;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "graph/Memory.h"
#include <algorithm>
#include <numeric>

using namespace mpishm::ir;

uint32_t Memory::newObject(std::string Name, int64_t Size, uint32_t Line) {
  Objects.emplace_back();
  Objects.back().Name = std::move(Name);
  Objects.back().Size = Size;
  Objects.back().Line = Line;
  return Objects.size() - 1;
}

/// The first byte that may be accessed, and the one after the last.
static std::pair<int64_t, int64_t> bounds(const Cell &C) {
  const Region &R = C.Where;
  if (R.isExact())
    return {R.Offset, R.Offset + C.Width};
  if (!R.isBounded())
    return {Lowest, Highest};
  return {R.Low + remainder(R.Offset - R.Low, R.Stride),
          R.High - 1 - remainder(R.High - 1 - R.Offset, R.Stride) + C.Width};
}

namespace {
enum class Overlap { None, Same, Partial };
}

/// Whether what lies from \p Low up to \p High is between the elements of \p C, all of it.
static bool isBetween(int64_t Low, int64_t High, const Cell &C) {
  if (C.Where.isExact() || High - Low >= C.Where.Stride)
    return false;
  const int64_t Distance = remainder(C.Where.Offset - Low, C.Where.Stride);
  return Distance >= High - Low && C.Where.Stride - Distance >= C.Width;
}

static Overlap overlapOf(const Cell &A, const Cell &B) {
  if (A.As != Access::Any && B.As != Access::Any && A.As != B.As)
    return Overlap::None;
  auto [ALow, AHigh] = bounds(A);
  auto [BLow, BHigh] = bounds(B);
  if (AHigh <= BLow || BHigh <= ALow || isBetween(ALow, AHigh, B) || isBetween(BLow, BHigh, A))
    return Overlap::None;
  int64_t Stride = std::gcd(A.Where.Stride, B.Where.Stride), Distance = B.Where.Offset - A.Where.Offset;
  if (Stride == 0) // the bounds have told
    return Distance == 0 && A.Width == B.Width ? Overlap::Same : Overlap::Partial;
  Distance %= Stride;
  if (Distance < 0)
    Distance += Stride;
  if (Distance >= A.Width && Stride - Distance >= B.Width)
    return Overlap::None;
  return Distance == 0 && A.Width == B.Width && A.Width <= Stride ? Overlap::Same : Overlap::Partial;
}

void Memory::relate(const Cell &A, const Cell &B) {
  Overlap How = overlapOf(A, B);
  if (How == Overlap::Same) {
    G.addCopy(A.Stored, B.Loaded);
    G.addCopy(B.Stored, A.Loaded);
  } else if (How == Overlap::Partial) {
    G.addDerived(A.Stored, B.Loaded);
    G.addDerived(B.Stored, A.Loaded);
  }
}

/// So wide are values that are kept whole where an object has too many cells.
static constexpr int64_t Widest = 8;

/// \p Where, or any number of accesses of \p Width bytes from there: what is accessed as something else stays apart,
/// and so do whole values from parts of them.
static Region anywhere(const Region &Where, int64_t Width) {
  return normalised({Where.Offset, Width > Widest ? 1 : std::gcd(Where.Stride, Width)});
}

/// How many cells \p O has before what is accessed at \p Where gets none of its own: at a known place so many that
/// edges between these and cells of many places are not more than those between cells that all overlap.
size_t Memory::mostCells(const MemoryObject &O, const Region &Where) {
  constexpr size_t MostEdges = MostCells * MostCells;
  return Where.isExact() ? std::clamp(MostEdges / (O.OfMany + 1), MostCells, MostMembers) : MostCells;
}

uint32_t Memory::cell(uint32_t Object, Region Where, int64_t Width, Access As, size_t Most) {
  MemoryObject &O = Objects[Object];
  if (O.Outside != NoNode)
    return O.Outside;
  Where = Where.isExact() ? Region{Where.Offset, 0} : normalised(Where); // an access goes no further
  if (O.Cells.size() >= std::min(Most, mostCells(O, Where))) {
    Where = anywhere(Where, Width);
    Width = std::min(Width, Widest + 1);
  }
  auto [It, New] = O.Index.try_emplace({Where.Offset, Where.Stride, Where.Low, Where.High, Width, As}, O.Cells.size());
  if (!New)
    return It->second;
  Cell C{Where, Width, As, G.newNode(), G.newNode()};
  uint32_t Result = O.Cells.size();
  O.Cells.push_back(C);
  O.OfMany += !Where.isExact();
  G.addCopy(C.Stored, C.Loaded);
  // A wide cell of many places: one element may be stored over another, at some distance.
  if (!Where.isExact() && overlapOf(C, C) == Overlap::Partial)
    G.addDerived(C.Stored, C.Loaded);
  for (uint32_t Other = 0; Other < Result; ++Other)
    relate(C, Objects[Object].Cells[Other]);
  if (O.Zero)
    G.addInteger(C.Loaded, 0);
  if (O.Escaped)
    Owner.exposeCell(Object, C);
  for (auto [Copy, From] : O.Copied)
    Later.push_back({Copy, From, Object, Result});
  return Result;
}

bool Memory::isWithin(const Token &T, int64_t Width) const {
  const int64_t Size = Objects[T.Id].Size;
  return Size == Unknown || !T.Where.isExact() || (T.Where.Offset >= 0 && T.Where.Offset + Width <= Size);
}

bool Memory::leadsAway(uint32_t Object, const Region &From, const Region &To) const {
  const int64_t Size = Objects[Object].Size;
  if (Size == Unknown || !From.isExact() || !To.isExact())
    return false;
  return (From.Offset < 0 && To.Offset < From.Offset) || (From.Offset > Size && To.Offset > From.Offset);
}

uint32_t Memory::loaded(const Token &T, int64_t Width, Access As) {
  return Objects[T.Id].Cells[cell(T.Id, T.Where, Width, As)].Loaded;
}

uint32_t Memory::stored(const Token &T, int64_t Width, Access As) {
  if (Objects[T.Id].ReadOnly)
    return NoNode;
  return Objects[T.Id].Cells[cell(T.Id, T.Where, Width, As)].Stored;
}

/// All bytes of \p Length from an address on, in an object of \p Size bytes.
static Region span(const Region &From, int64_t Length, int64_t Size) {
  Region R{0, 1, Lowest, Highest};
  if (From.isExact()) {
    R.Low = From.Offset;
    R.High = Length == Unknown ? Highest - 1 : From.Offset + Length;
    if (Size != Unknown && R.Low >= 0 && R.Low < Size)
      R.High = std::min(R.High, Size);
  } else if (From.isBounded() && Length != Unknown) {
    R.Low = From.Low;
    R.High = From.High - 1 + Length;
  }
  return R;
}

/// \p Length, or how many bytes there may be where that is Unknown: of elements of \p Element bytes.
static int64_t lengthOf(const Region &From, int64_t Length, int64_t Element) {
  const bool IsElement = Element && From.isExact() && From.isBounded() && From.Element == Element;
  return Length == Unknown && IsElement ? From.High - From.Offset + Element - 1 : Length;
}

void Memory::initialise(uint32_t Object, int64_t Offset, int64_t Width, uint32_t From, Access As) {
  bool Single = Width <= 8;
  uint32_t At = Single ? cell(Object, {Offset, 0}, Width, As, MostCells) // a table has as many as it has elements
                       : cell(Object, span({Offset, 0}, Width, Unknown), 1);
  if (Single)
    G.addCopy(From, Objects[Object].Cells[At].Stored);
  else
    G.addDerived(From, Objects[Object].Cells[At].Stored);
}

/// The cell for \p Length bytes from the address \p T on: of each element of an array, where there is room between
/// them. See fill() of \p Element.
uint32_t Memory::bytes(const Token &T, int64_t Length, int64_t Element) {
  if (Length > 0 && Length < T.Where.Stride)
    return cell(T.Id, T.Where, Length);
  return cell(T.Id, span(T.Where, lengthOf(T.Where, Length, Element), Objects[T.Id].Size), 1);
}

void Memory::fill(const Token &T, int64_t Length, uint32_t From, int64_t Element) {
  if (Objects[T.Id].ReadOnly)
    return;
  const uint32_t At = bytes(T, Length, Element);
  G.addDerived(From, Objects[T.Id].Cells[At].Stored);
}

void Memory::contents(const Token &T, int64_t Length, uint32_t To, int64_t Element) {
  const uint32_t At = bytes(T, Length, Element);
  G.addDerived(Objects[T.Id].Cells[At].Loaded, To);
}

void Memory::setZero(uint32_t Object) {
  MemoryObject &O = Objects[Object];
  if (O.Zero || O.ReadOnly)
    return;
  O.Zero = true;
  for (size_t I = 0; I < O.Cells.size(); ++I)
    G.addInteger(O.Cells[I].Loaded, 0);
  for (size_t I = 0; I < O.Copied.size(); ++I)
    for (uint32_t To : Copies[O.Copied[I].first].To)
      setZero(G.token(To).Id);
}

void Memory::escape(uint32_t Object, uint32_t Why) {
  MemoryObject &O = Objects[Object];
  if (O.Escaped)
    return;
  O.Escaped = true;
  O.WhyEscaped = Why;
  if (!O.Known) { // others may write it: apart from what is in the cells already, all of it is alike
    O.Outside = O.Cells.size();
    O.Cells.push_back({{0, 1}, 1, Access::Any, G.newNode(), G.newNode()});
  }
  G.setEscaped(Object, O.Known);
  for (size_t I = 0; I < O.Cells.size(); ++I) {
    const Cell C = O.Cells[I];
    Owner.exposeCell(Object, C);
  }
  for (auto [Kind, Head] : O.Heads)
    Owner.exposeHead(Object, Head);
  for (size_t I = 0; I < O.Copied.size(); ++I) {
    auto [Copy, From] = O.Copied[I];
    for (size_t To = 0; To < Copies[Copy].To.size(); ++To)
      copyWhole(Copies[Copy], From, Copies[Copy].To[To]);
  }
}

/// \p R, as far from others as no node is long.
static Region apart(const Region &R) {
  constexpr int64_t Far = 1 << 12, Most = int64_t(1) << 40;
  Region Result{0, Far};
  if (std::abs(R.Offset) >= Most || R.Stride >= Most)
    return Result;
  Result.Offset = R.Offset * Far;
  Result.Stride = R.Stride * Far;
  if (R.Stride && R.isBounded() && std::abs(R.Low) < Most && std::abs(R.High) < Most) {
    Result.Low = R.Low * Far;
    Result.High = R.High * Far;
  }
  return normalised(Result);
}

Token Memory::head(const Token &T, int64_t Kind) {
  MemoryObject &O = Objects[T.Id];
  if (O.Escaped || O.ReadOnly || O.Table || O.IsHead)
    return T;
  auto [It, New] = O.Heads.try_emplace(Kind, Objects.size());
  if (New) {
    newObject(O.Name, Unknown, O.Line);
    Objects[It->second].IsHead = true;
    setZero(It->second);
  }
  return {Token::Kind::Memory, It->second, apart(T.Where)};
}

uint32_t Memory::newCopy(int64_t Length) {
  Copies.push_back({Length, {}, {}, {}});
  return Copies.size() - 1;
}

/// A copy from many places to many others is made one to an object of its own, and one from that: so its cost is their
/// sum, not their product. Nothing when they are few.
std::optional<std::pair<uint32_t, uint32_t>> Memory::divide(uint32_t Copy) {
  constexpr size_t Few = 4;
  if (Copies[Copy].Parts || std::min(Copies[Copy].From.size(), Copies[Copy].To.size()) < Few)
    return Copies[Copy].Parts;
  const CopyOf Whole = Copies[Copy];
  uint32_t Between = G.number({Token::Kind::Memory, newObject("what is copied", Unknown, 0), {0, 0}});
  uint32_t In = newCopy(Whole.Length), Out = newCopy(Whole.Length);
  Copies[Copy] = {Whole.Length, {}, {}, {{In, Out}}};
  copyTo(In, Between);
  copyFrom(Out, Between);
  for (uint32_t T : Whole.From)
    copyFrom(In, T);
  for (uint32_t T : Whole.To)
    copyTo(Out, T);
  return Copies[Copy].Parts;
}

void Memory::copyFrom(uint32_t Copy, uint32_t T) {
  if (auto Parts = divide(Copy))
    return copyFrom(Parts->first, T);
  Copies[Copy].From.push_back(T);
  uint32_t Object = G.token(T).Id;
  Objects[Object].Copied.push_back({Copy, T});
  for (size_t To = 0; To < Copies[Copy].To.size(); ++To)
    copyWhole(Copies[Copy], T, Copies[Copy].To[To]);
  if (Objects[Object].Outside != NoNode)
    return;
  for (uint32_t I = 0; I < Objects[Object].Cells.size(); ++I)
    Later.push_back({Copy, T, Object, I});
}

void Memory::copyTo(uint32_t Copy, uint32_t T) {
  if (auto Parts = divide(Copy))
    return copyTo(Parts->second, T);
  Copies[Copy].To.push_back(T);
  for (size_t I = 0; I < Copies[Copy].From.size(); ++I) {
    uint32_t From = Copies[Copy].From[I], Object = G.token(From).Id;
    copyWhole(Copies[Copy], From, T);
    if (Objects[Object].Outside != NoNode)
      continue;
    for (uint32_t Each = 0; Each < Objects[Object].Cells.size(); ++Each) {
      const Cell C = Objects[Object].Cells[Each];
      copyCell(Copies[Copy], From, T, C);
    }
  }
}

/// What holds for all that is copied, whether the program accesses it there or not.
void Memory::copyWhole(const CopyOf &C, uint32_t From, uint32_t To) {
  const Token Source = G.token(From), Target = G.token(To);
  if (Objects[Target.Id].ReadOnly)
    return;
  if (Objects[Source.Id].Zero)
    setZero(Target.Id);
  if (Objects[Source.Id].Outside != NoNode && Source.Id != Target.Id) {
    uint32_t Any = G.newNode();
    G.addAnything(Any, Objects[Source.Id].WhyEscaped);
    fill(Target, C.Length, Any);
  }
}

void Memory::copyCell(const CopyOf &C, uint32_t From, uint32_t To, const Cell &Each) {
  const Token Source = G.token(From), Target = G.token(To);
  if (Objects[Target.Id].ReadOnly)
    return;
  const Region &S = Source.Where, &T = Target.Where;
  const Region Read = span(S, C.Length, Objects[Source.Id].Size), Written = span(T, C.Length, Objects[Target.Id].Size);
  auto [Low, High] = bounds(Each);
  if (High <= Read.Low || Low >= Read.High)
    return;
  if (C.Length > 0 && overlapOf({S, C.Length}, {Each.Where, Each.Width}) == Overlap::None)
    return; // between what is copied of each element of an array
  Region Where;
  Where.Offset = Each.Where.Offset - S.Offset + T.Offset;
  Where.Stride = std::gcd(std::gcd(S.Stride, T.Stride), Each.Where.Stride);
  // Where one of the three alone has a stride, its bounds move along.
  if (S.isExact() && T.isExact() && Each.Where.isBounded()) {
    int64_t End = C.Length == Unknown ? Highest : S.Offset + C.Length;
    Where.Low = std::max(Each.Where.Low, S.Offset - Each.Width + 1) - S.Offset + T.Offset;
    Where.High = std::min(Each.Where.High, End) - S.Offset + T.Offset;
    if (Where.Low >= Where.High)
      return;
  } else if (S.isExact() && Each.Where.isExact() && T.isBounded()) {
    Where.Low = T.Low + Each.Where.Offset - S.Offset;
    Where.High = T.High + Each.Where.Offset - S.Offset;
  } else if (Written.isBounded() && C.Length != Unknown) {
    Where.Low = Written.Low - Each.Width + 1;
    Where.High = Written.High;
  }
  if (!isWithin({Token::Kind::Memory, Target.Id, Where}, Each.Width))
    return;
  const size_t Most = Where.isExact() ? MostMembers : MostWithElements;
  uint32_t At = cell(Target.Id, Where, Each.Width, Access::Any, Most);
  G.addCopy(Each.Stored, Objects[Target.Id].Cells[At].Stored);
}

bool Memory::settle() {
  bool Any = !Later.empty();
  while (!Later.empty()) {
    Due D = Later.front();
    Later.pop_front();
    const Cell C = Objects[D.Object].Cells[D.Cell];
    for (size_t To = 0; To < Copies[D.Copy].To.size(); ++To)
      copyCell(Copies[D.Copy], D.From, Copies[D.Copy].To[To], C);
  }
  return Any;
}

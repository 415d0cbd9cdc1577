// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed of numbers, addresses and handles.

#include "solve/Solver.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mpishm;
using namespace mpishm::ir;

/// Numbers are left out.
void Solver::derive(uint32_t To, const Token &T) {
  if (T.Is != Token::Kind::Integer && T.Is != Token::Kind::Narrow)
    G.add(To, T.partial());
}

/// \p IsPointer: by pointer arithmetic, which leads nowhere from out of an object; that of integers may.
void Solver::offset(const Rule &R, uint32_t T, bool IsPointer) {
  const Token Each = G.token(T);
  const Region &From = Each.Where;
  if (Each.Is == Token::Kind::Integer && !Each.Id) {
    if (From.isExact() && (R.B == 0 || R.Is == Rule::Kind::Part))
      addNumber(R.To, {From.Offset + R.A, 0});
    else if (From == Region()) // of null comes no more than of an address
      G.add(R.To, {Token::Kind::Integer, OfAddress, {0, 1}});
    else
      G.addAnyInteger(R.To);
    return;
  }
  if (Each.Is != Token::Kind::Memory)
    return G.addToken(R.To, T);
  for (const Region &To : R.Is == Rule::Kind::Part ? movedToPart(From, R.A, *Parts[R.B]) : moved(From, R.A, R.B, R.C))
    if (!IsPointer || !Heap.leadsAway(Each.Id, From, To))
      G.add(R.To, {Token::Kind::Memory, Each.Id, To});
}

/// An address in memory that its own maker aligns: all offsets count from there, where they are known, and the memory's
/// first address is anywhere before. What malloc of the program's own returns is no such memory.
void Solver::aligned(const Rule &R, uint32_t T) {
  const Token Each = G.token(T);
  const Call *By = &Instances[R.A].Of.Code->Calls[R.C];
  auto Made = llvm::partition_point(Allocations, [&](const MemoryPlace &M) { return M.ObjectOrNode < Each.Id; });
  const bool IsOwn = Each.Is == Token::Kind::Memory && Each.Where == Region() && Made != Allocations.end() &&
                     Made->ObjectOrNode == Each.Id && Made->In == R.A && Made->By == By;
  if (IsOwn)
    return G.add(R.To, R.B ? Each : Each.partial());
  if (!R.B)
    return G.addToken(R.To, T);
  offset({Rule::Kind::Offset, R.To, NoNode, NoNode, 0, 1, Unknown}, T);
}

/// Whether memory may be at the number \p N: it is not one that only stands for itself, as null and constants of MPI.
bool Solver::isPlace(const Region &N) const {
  constexpr int64_t FirstPage = 1 << 16;
  return !N.isExact() || (std::abs(N.Offset) >= FirstPage && llvm::none_of(P.Constants, [&](const auto &Constant) {
                            return Constant.second.Symbol.empty() && Constant.second.Number == N.Offset;
                          }));
}

/// It is not made of another's address, and no address itself.
bool Solver::isDistance(const Token &T) {
  const bool IsNumber = T.Is == Token::Kind::Integer && !T.Id;
  return T.Is == Token::Kind::Narrow || (IsNumber && (!T.Where.isExact() || llvm::isInt<32>(T.Where.Offset)));
}

/// \p To may be an address that was made of a number.
void Solver::addMadeUp(uint32_t To) {
  FirstMadeUp = std::min(FirstMadeUp, To);
  G.add(To, {Token::Kind::Integer, MadeUp, {0, 1}});
}

/// What an address is that was moved by \p T, or cut, but for one in its own object.
void Solver::movedBy(const Rule &R, const Token &T) {
  const bool IsOfAddress = T.Is == Token::Kind::Integer && T.Id == OfAddress; // which is among the tokens, too
  if (isDistance(T) || IsOfAddress)
    return;
  if (T.Is != Token::Kind::Integer)
    return derive(R.To, T);
  addMadeUp(R.To);
}

/// The numbers of \p Stride's that are left apart when results are cut to some bits.
static int64_t powerOfTwoIn(int64_t Stride) { return Stride & -Stride; }

void Solver::convert(const Rule &R, uint32_t T) {
  const Token Each = G.token(T);
  if (Each.Is == Token::Kind::Memory && R.B < 64)
    return G.add(R.To, Each.partial());
  if (Each.Is != Token::Kind::Integer)
    return G.addToken(R.To, T);
  Region Number = Each.Where;
  if (Each.Id && R.B == 64) // made an address, or of one
    return G.addToken(R.To, T);
  if (R.Is == Rule::Kind::ToAddress && !R.C && isPlace(Number))
    addMadeUp(R.To);
  if (R.Is == Rule::Kind::ToAddress && !Number.isExact())
    return;
  if (!Number.isExact()) {
    bool Keeps = R.C && R.B >= R.A;
    Number.Stride = Keeps ? Number.Stride : powerOfTwoIn(Number.Stride);
    return addNumber(R.To, Number);
  }
  llvm::APInt Value = llvm::APInt(64, Number.Offset).trunc(R.A);
  Value = R.C ? Value.sextOrTrunc(R.B) : Value.zextOrTrunc(R.B);
  addNumber(R.To, {Value.getSExtValue(), 0});
}

/// A pointer to a member function that is virtual is odd. The address of one that is not is even, as null is.
void Solver::virtualEntry(const Rule &R, const Token &T) {
  const bool IsNumber = T.Is == Token::Kind::Integer && !T.Id && T.Where.isExact();
  if (T.Is == Token::Kind::Function || (IsNumber && T.Where.Offset % 2 == 0))
    return;
  if (!IsNumber)
    derive(R.To, T);
  Rule Place{Rule::Kind::Offset, R.To, NoNode, NoNode};
  Place.A = IsNumber ? T.Where.Offset - 1 : 0;
  Place.B = IsNumber ? 0 : 1;
  Place.C = IsNumber ? 0 : Unknown;
  G.addRule(R.Other, Place);
}

void Solver::addNumber(uint32_t To, const Region &Number) {
  if (!Number.isExact())
    return Number.Stride == 1 ? G.addAnyInteger(To) : G.add(To, {Token::Kind::Integer, 0, normalised(Number)});
  // MPI's handles may be integers; which ones is found out from mpi.h.
  if (World && World->Symbol.empty() && World->Number == Number.Offset)
    G.add(To, {Token::Kind::World, 0, {}});
  if (Self && Self->Symbol.empty() && Self->Number == Number.Offset)
    G.add(To, {Token::Kind::Self, 0, {}});
  G.addInteger(To, Number.Offset);
}

/// A op B for single numbers, in \p Bits bits; nothing where it is not defined.
static std::optional<int64_t> compute(Operation Op, int64_t A, int64_t B, unsigned Bits) {
  llvm::APInt X = llvm::APInt(64, A).trunc(Bits), Y = llvm::APInt(64, B).trunc(Bits);
  bool Shifts = Op == Operation::Shl || Op == Operation::LShr || Op == Operation::AShr;
  bool Divides = Op == Operation::SDiv || Op == Operation::UDiv || Op == Operation::SRem || Op == Operation::URem;
  if ((Shifts && Y.uge(Bits)) || (Divides && Y.isZero()))
    return std::nullopt;
  auto Signed = [](const llvm::APInt &V) { return V.getSExtValue(); };
  switch (Op) {
  case Operation::Add:
    return Signed(X + Y);
  case Operation::Sub:
    return Signed(X - Y);
  case Operation::Mul:
    return Signed(X * Y);
  case Operation::And:
    return Signed(X & Y);
  case Operation::Or:
    return Signed(X | Y);
  case Operation::Xor:
    return Signed(X ^ Y);
  case Operation::Shl:
    return Signed(X.shl(Y));
  case Operation::LShr:
    return Signed(X.lshr(Y));
  case Operation::AShr:
    return Signed(X.ashr(Y));
  case Operation::SDiv:
    return Signed(X.sdiv(Y));
  case Operation::UDiv:
    return Signed(X.udiv(Y));
  case Operation::SRem:
    return Signed(X.srem(Y));
  case Operation::URem:
    return Signed(X.urem(Y));
  }
  return std::nullopt;
}

/// A op B where one is a progression; any number where that tells nothing.
static Region computeProgression(Operation Op, const Region &A, const Region &B, bool Wraps) {
  constexpr int64_t Small = 1 << 24; // so that nothing here overflows
  const Region Any{0, 1};
  auto IsSmall = [](const Region &R) { return std::abs(R.Offset) < Small && R.Stride < Small; };
  if (!IsSmall(A) || !IsSmall(B))
    return Any;
  Region Result;
  switch (Op) {
  case Operation::Add:
    Result = {A.Offset + B.Offset, std::gcd(A.Stride, B.Stride)};
    break;
  case Operation::Sub:
    Result = {A.Offset - B.Offset, std::gcd(A.Stride, B.Stride)};
    break;
  case Operation::Mul:
    Result = {A.Offset * B.Offset, std::gcd(std::gcd(A.Offset * B.Stride, B.Offset * A.Stride), A.Stride * B.Stride)};
    break;
  case Operation::Shl:
    if (!B.isExact() || B.Offset < 0 || B.Offset > 24)
      return Any;
    Result = {A.Offset << B.Offset, A.Stride << B.Offset};
    break;
  default:
    return Any;
  }
  if (Wraps)
    Result.Stride = powerOfTwoIn(Result.Stride);
  return Result;
}

/// An address in \p Address and the numbers in \p Numbers added, where these are all known: false where they are not.
bool Solver::addExactly(const Rule &R, uint32_t Address, llvm::ArrayRef<uint32_t> Numbers, int64_t Sign) {
  auto IsExact = [&](uint32_t T) {
    const Token &Each = G.token(T);
    return Each.Is == Token::Kind::Integer && !Each.Id && Each.Where.isExact();
  };
  if (!llvm::all_of(Numbers, IsExact))
    return false;
  for (uint32_t T : Numbers)
    offset({Rule::Kind::Offset, R.To, NoNode, NoNode, Sign * G.token(T).Where.Offset, 0, 0}, Address,
           /*IsPointer=*/false);
  return true;
}

/// Whether \p Tokens are nothing but addresses, null among them, or were computed from such.
bool Solver::areAddresses(llvm::ArrayRef<uint32_t> Tokens) const {
  bool Any = false;
  for (uint32_t T : Tokens) {
    const Token &Each = G.token(T);
    if (Each.Is == Token::Kind::AnySource) // its number is among them, too
      continue;
    bool IsAddress = Each.Is == Token::Kind::Memory || (Each.Is == Token::Kind::Integer && Each.Id == OfAddress);
    if (!IsAddress && (Each.Is != Token::Kind::Integer || Each.Id || !(Each.Where == Region())))
      return false;
    Any |= IsAddress;
  }
  return Any;
}

/// Whether MPI_ANY_SOURCE as an operand of \p Op, which may be \p Operand, is it in the result: a sum may put it
/// together again. What counts down from a variable has no such in it, though the number, -1, may be the same.
bool Solver::staysAnySource(Operation Op, unsigned Side, llvm::ArrayRef<uint32_t> Operand) const {
  auto IsLess = [&](uint32_t T) {
    const Token &Each = G.token(T);
    return Each.Is == Token::Kind::AnySource || Each == Token{Token::Kind::Integer, 0, {-1, 0}};
  };
  return (Op == Operation::Add && (Side == 0 || !llvm::all_of(Operand, IsLess))) || Op == Operation::Sub ||
         Op == Operation::Mul;
}

/// Whether what is left of an address when it is divided by \p Tokens is too small a part of it to lead anywhere: in a
/// table it is an index.
bool Solver::leavesIndex(llvm::ArrayRef<uint32_t> Tokens) const {
  constexpr int64_t Most = 1 << 16; // of a known number, which may have been chosen to take addresses apart
  return llvm::all_of(Tokens, [&](uint32_t T) {
    const Token &Each = G.token(T);
    const Region &N = Each.Where;
    return Each.Is == Token::Kind::Integer && !Each.Id && N.Stride < Most &&
           (!N.isExact() || (N.Offset >= 0 && N.Offset < Most)); // a negative one may be meant as a large one
  });
}

void Solver::combine(const Rule &R) {
  Operation Op = static_cast<Operation>(R.A % MayWrap);
  bool Wraps = R.A >= MayWrap;
  bool MixesBits = llvm::is_contained({Operation::And, Operation::Or, Operation::Xor, Operation::Shl}, Op);
  const llvm::SmallVector<uint32_t, 16> Tokens[2] = {llvm::SmallVector<uint32_t, 16>(G.tokensOf(R.Other)),
                                                     llvm::SmallVector<uint32_t, 16>(G.tokensOf(R.Second))};
  llvm::SmallVector<Region, 16> Numbers[2];
  bool Others = false, Addresses = false;
  const bool AreAddresses[2] = {areAddresses(Tokens[0]), areAddresses(Tokens[1])};
  const bool IsIndex = (Op == Operation::URem || Op == Operation::SRem) && R.B == 64 && leavesIndex(Tokens[1]);
  for (unsigned Side : {0, 1}) {
    bool Adds = R.B == 64 && (Op == Operation::Add || (Op == Operation::Sub && Side == 0));
    for (uint32_t T : Tokens[Side]) {
      const Token Each = G.token(T);
      if (Each.Is == Token::Kind::AnySource) {
        if (staysAnySource(Op, Side, Tokens[Side]))
          G.addToken(R.To, T);
        continue;
      }
      if (IsIndex && (Each.Is == Token::Kind::Memory || Each.Is == Token::Kind::Anything)) {
        Others = true;
        if (Each.Is == Token::Kind::Anything)
          G.add(R.To, {Token::Kind::Narrow, G.whyAnything(R.Other), {}});
        continue;
      }
      Addresses |= Each.Is == Token::Kind::Memory || (Each.Is == Token::Kind::Integer && Each.Id == OfAddress);
      if (Each.Is == Token::Kind::Integer) {
        if (Each.Id == MadeUp && R.B == 64)
          G.addToken(R.To, T);
        if (Each.Id != OfAddress && !AreAddresses[Side]) // of null comes no more than of an address
          Numbers[Side].push_back(Each.Where);
        continue;
      }
      if (Each.Is == Token::Kind::Narrow && !MixesBits && AreAddresses[1 - Side]) { // a distance
        Numbers[Side].push_back({0, 1});
        continue;
      }
      Others |= Each.Is != Token::Kind::Memory;
      if (Each.Is == Token::Kind::Memory && Adds && addExactly(R, T, Tokens[1 - Side], Op == Operation::Add ? 1 : -1))
        continue;
      if (Each.Is == Token::Kind::Anything)
        G.addAnything(R.To, G.whyAnything(Side ? R.Second : R.Other));
      else if (Each.Is == Token::Kind::Narrow)
        G.addToken(R.To, T);
      else
        derive(R.To, Each);
    }
  }
  if (Others)
    G.addAnyInteger(R.To);
  if (Addresses) // what is added to an address does not lead out of its object, unless it is made of another's
    G.add(R.To, {Token::Kind::Integer, OfAddress, {0, 1}});
  for (const Region &A : Numbers[0])
    for (const Region &B : Numbers[1]) {
      if (!A.isExact() || !B.isExact()) {
        if (Region N = computeProgression(Op, A, B, Wraps); !Addresses || N.Stride != 1)
          addNumber(R.To, N);
      } else if (std::optional<int64_t> Value = compute(Op, A.Offset, B.Offset, R.B))
        addNumber(R.To, {*Value, 0});
    }
}

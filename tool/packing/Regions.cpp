// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Regions.h"
#include "syntax/Callees.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// What \p Buffer, an argument of a call of MPI, points to.
static QualType elementOf(const Expr *Buffer) {
  QualType Type = Buffer->IgnoreParenImpCasts()->getType();
  return Type->isPointerType() ? Type->getPointeeType().getCanonicalType().getUnqualifiedType() : QualType();
}

/// What \p Call, of MPI, sends or receives.
std::optional<RegionReader::Region> RegionReader::regionOf(const CallExpr *Call) const {
  bool HasBuffer = llvm::StringSwitch<bool>(mpiNameOf(Call->getDirectCallee()))
                       .Cases("MPI_Isend", "MPI_Irecv", "MPI_Send", "MPI_Recv", true)
                       .Default(false);
  if (!HasBuffer || Call->getNumArgs() < 6 || Call->getCallee()->getExprLoc().isMacroID() ||
      elementOf(Call->getArg(0)) != Element || !isOfElement(Call->getArg(2), Element))
    return std::nullopt;
  Terms Values(Context, OfSender);
  Values.settle(&InOrder, Call);
  Values.settleAll();
  std::optional<Address> Begin = Values.address(Call->getArg(0));
  std::optional<Polynomial> Number = Values.count(Call->getArg(1));
  if (!Begin || !Number || !Values.isExact())
    return std::nullopt;
  return Region{*Begin, *Number};
}

/// What \p Read, in loops that read, may be.
std::optional<RegionReader::Region> RegionReader::regionOf(const ArraySubscriptExpr *Read) const {
  for (const Stmt *S = Read; S; S = InOrder.parentOf(S)) {
    const auto *Loops = dyn_cast<ForStmt>(S);
    const auto *Block = dyn_cast_or_null<CompoundStmt>(InOrder.parentOf(S));
    if (!Loops || !Block)
      continue;
    Terms Values(Context, OfSender), Indices(Context, OfSender);
    Values.settle(&InOrder, Loops);
    Values.settleAll();
    Indices.settle(&InOrder, Loops);
    std::optional<Polynomial> Number = elementsRead(Read, Loops, Block, OfSender, Values, Indices, Context);
    Values.beExact();
    std::optional<Address> Begin = Number ? Values.address(Read->getBase()) : std::nullopt;
    if (Begin && Values.isExact())
      return Region{*Begin, *Number};
  }
  return std::nullopt;
}

/// Whether \p A is zero or more, where \p B is more than zero.
static bool isNotNegative(const Polynomial &A, const Polynomial &B) {
  if (A.empty())
    return true;
  const auto &[Factors, Number] = *A.begin();
  if (A.size() == 1 && Factors.empty())
    return Number > 0;
  auto It = B.find(Factors);
  if (It == B.end() || !It->second || Number % It->second || Number / It->second < 1)
    return false;
  std::optional<Polynomial> Rest = add(A, B, -(Number / It->second));
  return Rest && Rest->empty();
}

/// Whether of \p Other, no element is one of Sent.
bool RegionReader::isApart(const std::optional<Region> &Other) const {
  if (!Other || Other->Begin.From != Sent.Begin.From)
    return false;
  auto IsBehind = [](const Region &A, const Region &B) { // A behind B
    std::optional<Polynomial> Gap = add(A.Begin.By, B.Begin.By, -1);
    Gap = Gap ? add(*Gap, B.Number, -1) : std::nullopt;
    return Gap && (isNotNegative(*Gap, A.Number) || isNotNegative(*Gap, B.Number));
  };
  return IsBehind(*Other, Sent) || IsBehind(Sent, *Other);
}

void RegionReader::read(PackedSend &Result) {
  Element = elementOf(argument(0));
  std::optional<Region> Own = Sender->isMain() && !Element.isNull() ? regionOf(Both.Sends) : std::nullopt;
  if (!Own)
    return;
  Sent = *Own;
  for (const Stmt *S : InOrder.all()) {
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && Call != Both.Sends && isApart(regionOf(Call)))
      Result.ApartCalls.push_back(Where.at(Call->getCallee()->getExprLoc()));
    const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
    const auto *Read = Cast && Cast->getCastKind() == CK_LValueToRValue
                           ? dyn_cast<ArraySubscriptExpr>(Cast->getSubExpr()->IgnoreParens())
                           : nullptr;
    if (Read && Read->getType().getCanonicalType().getUnqualifiedType() == Element && isApart(regionOf(Read)))
      Result.ApartReads.push_back(Where.at(SM.getExpansionLoc(Read->getBeginLoc())));
  }
}

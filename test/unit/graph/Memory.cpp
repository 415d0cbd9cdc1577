// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is stored in memory is loaded where it overlaps.

#include "graph/Memory.h"
#include "gtest/gtest.h"

using namespace mpishm::ir;

namespace {

class MemoryTest : public testing::Test, Graph::Client, Memory::Client {
protected:
  void apply(const Rule &, uint32_t, uint32_t) override { ADD_FAILURE() << "memory has no rules"; }
  void combine(const Rule &) override {}
  void exposeHead(uint32_t, uint32_t) override {}
  void exposeCell(uint32_t, const Cell &C) override {
    ++Exposed;
    G.addAnything(C.Loaded, 1);
  }

  Token at(int64_t Offset, int64_t Stride = 0, int64_t Low = Lowest, int64_t High = Highest) const {
    return {Token::Kind::Memory, Object, normalised({Offset, Stride, Low, High})};
  }
  /// Stores the request \p Id.
  void store(const Token &T, uint32_t Id, int64_t Width = 4, Access As = Access::Any) {
    uint32_t To = M.stored(T, Width, As);
    if (To != NoNode)
      G.add(To, {Token::Kind::Request, Id, {}});
  }
  /// 'w' when a load may give the request \p Id, 'p' when some bits of it, '-' when nothing.
  char load(const Token &T, uint32_t Id, int64_t Width = 4, Access As = Access::Any) {
    uint32_t From = M.loaded(T, Width, As);
    do
      EXPECT_TRUE(G.solve(100000));
    while (M.settle());
    Token Request{Token::Kind::Request, Id, {}};
    if (G.has(From, G.number(Request)))
      return 'w';
    return G.has(From, G.number(Request.partial())) ? 'p' : '-';
  }

  Graph G{*this};
  Memory M{G, *this};
  uint32_t Object = M.newObject("x", 64, 0);
  unsigned Exposed = 0;
};

TEST_F(MemoryTest, FieldsAreApart) {
  store(at(0), 1);
  store(at(4), 2);
  EXPECT_EQ(load(at(0), 1), 'w');
  EXPECT_EQ(load(at(0), 2), '-');
  EXPECT_EQ(load(at(4), 2), 'w');
}

TEST_F(MemoryTest, NoContainerIsInAHead) {
  const Token Head = M.head(at(8), 0);
  EXPECT_NE(Head.Id, Object);
  for (int64_t Kind : {0, 1})
    EXPECT_TRUE(M.head(Head, Kind) == Head) << "else there were no end of heads";
}

TEST_F(MemoryTest, BytesBetweenElementsAreApartFromThem) {
  Object = M.newObject("y", Unknown, 0);
  const uint32_t Stored = G.newNode();
  G.add(Stored, {Token::Kind::Request, 1, {}});
  M.fill(at(40), 48, Stored);
  EXPECT_EQ(load(at(24, 392), 1, 8), '-');
  EXPECT_EQ(load(at(32, 392), 1, 8), '-');
  EXPECT_EQ(load(at(88, 392), 1, 8), '-');
  EXPECT_EQ(load(at(84, 392), 1, 8), 'p');
  EXPECT_EQ(load(at(33, 392), 1, 8), 'p');
  EXPECT_EQ(load(at(0, 24), 1, 8), 'p');
  EXPECT_EQ(load(at(40, 392, 400, 4000), 1, 8), '-') << "all behind it";
  store(at(8, 392), 2, 8);
  M.fill(at(16), 384, Stored);
  EXPECT_EQ(load(at(8), 1, 8), '-');
  EXPECT_EQ(load(at(8, 392), 1, 8), '-');
  EXPECT_EQ(load(at(400), 2, 8), 'w');
}

TEST_F(MemoryTest, WhatIsAccessedAtVeryManyPlacesIsWhole) {
  for (int64_t I = 0; I < 5000; ++I)
    M.loaded(at(4 * I), 4);
  EXPECT_EQ(load(at(0), 1), '-');
  EXPECT_LT(M[Object].Cells.size(), 4100U);
  store(at(80000), 1, 4, Access::Integer);
  EXPECT_EQ(load(at(80000), 1, 4, Access::Integer), 'w');
  EXPECT_EQ(load(at(80004), 1, 4, Access::Integer), 'w') << "where that is, is not kept any more";
  EXPECT_EQ(load(at(80000), 1), 'w');
  EXPECT_EQ(load(at(80000), 1, 8, Access::Floating), '-');
  EXPECT_EQ(load(at(80000), 1, 8, Access::Pointer), '-');
  EXPECT_EQ(load(at(80000), 1, 8), 'p');
  EXPECT_EQ(load(at(80003), 1, 1), 'p');
  EXPECT_EQ(load(at(80002), 1), 'p');
  EXPECT_EQ(load(at(0), 1), 'w') << "which may be there, too";
  store(at(0, 1), 2, 1);
  EXPECT_EQ(load(at(80004), 2, 4, Access::Integer), 'p');
  store(at(3, 12), 3);
  EXPECT_EQ(load(at(80003), 3), 'w');
  EXPECT_EQ(load(at(80000), 3), 'p');
}

TEST_F(MemoryTest, MembersOfALargeRecordStayApart) {
  for (int64_t I = 0; I < 1000; ++I)
    store(at(4 * I), I);
  EXPECT_EQ(load(at(4 * 900), 900), 'w');
  EXPECT_EQ(load(at(4 * 900), 901), '-');
  EXPECT_EQ(load(at(4 * 900, 0), 0), '-');
  EXPECT_EQ(load(at(0, 4), 900), 'w') << "who goes through all of them finds all";
  EXPECT_EQ(load(at(4 * 900 + 2), 901), 'p') << "and who reads two, some bits of both";
}

TEST_F(MemoryTest, MembersAndElementsOfManyPlacesBecomeOne) {
  for (int64_t I = 0; I < 399; ++I) // which overlap all members
    M.stored(at(I, 1000 + I), 4);
  for (int64_t I = 0; I < 1000; ++I)
    store(at(4 * I), I);
  EXPECT_LT(M[Object].Cells.size(), 500U);
  EXPECT_EQ(load(at(4 * 900), 901), 'w');
}

TEST_F(MemoryTest, OtherWidthsHaveSomeBits) {
  store(at(4), 1);
  EXPECT_EQ(load(at(0), 1, 8), 'p');
  EXPECT_EQ(load(at(7), 1, 1), 'p');
  EXPECT_EQ(load(at(8), 1, 8), '-');
}

TEST_F(MemoryTest, WhatIsStoredIsLoadedAsWhatItIs) {
  G.add(M.stored(at(0), 4, Access::Pointer), {Token::Kind::Request, 1, {}});
  auto Loads = [&](Access As) {
    uint32_t From = M.loaded(at(0, 4), 4, As);
    EXPECT_TRUE(G.solve(1000));
    return G.has(From, G.number({Token::Kind::Request, 1, {}}));
  };
  EXPECT_TRUE(Loads(Access::Pointer));
  EXPECT_TRUE(Loads(Access::Any));
  EXPECT_FALSE(Loads(Access::Integer));
  EXPECT_FALSE(Loads(Access::Floating));
}

TEST_F(MemoryTest, Strides) {
  store(at(4, 8), 1); // the second field of each record of two
  EXPECT_EQ(load(at(12), 1), 'w');
  EXPECT_EQ(load(at(8), 1), '-');
  EXPECT_EQ(load(at(0, 8), 1), '-');
  EXPECT_EQ(load(at(0, 4), 1), 'w');
  EXPECT_EQ(load(at(2, 8), 1), 'p');
}

// Such as the texts in an array of records, where handles stand beside each.
TEST_F(MemoryTest, SomeBytesOfEachElement) {
  store(at(12, 16), 1); // behind them
  store(at(6, 16), 2);  // half of it among them
  uint32_t Read = G.newNode(), All = G.newNode(), Handle = G.newNode();
  auto Has = [&](uint32_t Node, uint32_t Id) {
    EXPECT_TRUE(G.solve(100000));
    return G.has(Node, G.number(Token{Token::Kind::Request, Id, {}}.partial()));
  };
  M.contents(at(0, 16), 8, Read);
  EXPECT_FALSE(Has(Read, 1));
  EXPECT_TRUE(Has(Read, 2));
  M.contents(at(0, 16), 13, All);
  EXPECT_TRUE(Has(All, 1));
  M.contents(at(0, 4), 8, Read);
  EXPECT_TRUE(Has(Read, 1));
  G.add(Handle, {Token::Kind::Request, 3, {}});
  M.fill(at(2, 16), 6, Handle);
  EXPECT_EQ(load(at(0, 16), 3), 'p');
  EXPECT_EQ(load(at(4), 3), 'p');
  EXPECT_EQ(load(at(20), 3), 'p');
  EXPECT_EQ(load(at(8, 16), 3), '-');
  EXPECT_EQ(load(at(12), 3), '-');
}

TEST_F(MemoryTest, CopiesOfSomeBytesOfEachElement) {
  store(at(4, 16), 1);
  store(at(12, 16), 2);
  uint32_t Other = M.newObject("y", 64, 0), Copy = M.newCopy(8);
  M.copyFrom(Copy, G.number(at(0, 16)));
  M.copyTo(Copy, G.number({Token::Kind::Memory, Other, {0, 0}}));
  EXPECT_EQ(load({Token::Kind::Memory, Other, {4, 0}}, 1), 'w');
  EXPECT_EQ(load({Token::Kind::Memory, Other, {4, 0}}, 2), '-');
}

TEST_F(MemoryTest, BoundsKeepAnArrayFromWhatStandsBesideIt) {
  store(at(8, 4, 8, 21), 1);
  EXPECT_EQ(load(at(8), 1), 'w');
  EXPECT_EQ(load(at(20), 1), 'w');
  EXPECT_EQ(load(at(4), 1), '-');
  EXPECT_EQ(load(at(24), 1), '-');
}

TEST_F(MemoryTest, CopiesBeforeAndAfter) {
  uint32_t Other = M.newObject("y", 64, 0), Copy = M.newCopy(8);
  store(at(16), 1);
  M.copyFrom(Copy, G.number(at(16)));
  M.copyTo(Copy, G.number({Token::Kind::Memory, Other, {32, 0}}));
  store(at(20), 2);
  store(at(24), 3); // behind what is copied
  Token Target{Token::Kind::Memory, Other, {32, 0}};
  EXPECT_EQ(load(Target, 1), 'w');
  Target.Where.Offset = 36;
  EXPECT_EQ(load(Target, 2), 'w');
  Target.Where.Offset = 40;
  EXPECT_EQ(load(Target, 3), '-');
}

TEST_F(MemoryTest, CopiesTakeOfAnArrayWhatStandsThere) {
  uint32_t Other = M.newObject("y", 64, 0), Copy = M.newCopy(8);
  auto InOther = [&](int64_t Offset) { return Token{Token::Kind::Memory, Other, {Offset, 0}}; };
  store(at(0, 4, 0, 64), 1);
  M.copyFrom(Copy, G.number(at(16)));
  M.copyTo(Copy, G.number(InOther(32)));
  EXPECT_EQ(load(InOther(32), 1), 'w');
  EXPECT_EQ(load(InOther(36), 1), 'w');
  EXPECT_EQ(load(InOther(40), 1), '-');
  EXPECT_EQ(load(InOther(28), 1), '-');
  EXPECT_EQ(load(InOther(30), 1), 'p');
}

// A record of an array in memory goes to a record behind it: of what stands between them nothing is copied.
TEST_F(MemoryTest, CopiesOfAnElementTakeNothingFromBesideTheArray) {
  store(at(8), 1);
  store(at(40), 2);
  store(at(26), 3); // half of it is in the last element
  uint32_t Copy = M.newCopy(8);
  M.copyFrom(Copy, G.number(at(4, 8, 4, 21)));
  M.copyTo(Copy, G.number(at(52)));
  EXPECT_EQ(load(at(56), 1), 'w');
  EXPECT_EQ(load(at(52), 2), '-');
  EXPECT_EQ(load(at(56), 2), '-');
  EXPECT_NE(load(at(58), 3), '-');
}

// Where it goes may be an array, too, whose neighbours are not written.
TEST_F(MemoryTest, CopiesOfAnElementGoToTheArrayOnly) {
  store(at(8), 1);
  uint32_t Other = M.newObject("y", 64, 0), Copy = M.newCopy(8);
  auto OfOther = [Other](Region Where) { return Token{Token::Kind::Memory, Other, normalised(Where)}; };
  M.copyFrom(Copy, G.number(at(4, 8, 4, 21)));
  M.copyTo(Copy, G.number(OfOther({16, 8, 16, 33})));
  EXPECT_EQ(load(OfOther({20, 0}), 1), 'w');
  EXPECT_EQ(load(OfOther({36, 0}), 1), 'w');
  EXPECT_EQ(load(OfOther({12, 0}), 1), '-');
  EXPECT_EQ(load(OfOther({40, 0}), 1), '-');
}

TEST_F(MemoryTest, NothingIsCopiedBehindTheEnd) {
  store(at(40), 1);
  uint32_t Other = M.newObject("y", 16, 0), Copy = M.newCopy(Unknown);
  M.copyFrom(Copy, G.number(at(32)));
  M.copyTo(Copy, G.number({Token::Kind::Memory, Other, {8, 0}}));
  EXPECT_EQ(load({Token::Kind::Memory, Other, {16, 0}}, 1), '-');
  M.copyTo(Copy, G.number({Token::Kind::Memory, Other, {4, 0}}));
  EXPECT_EQ(load({Token::Kind::Memory, Other, {12, 0}}, 1), 'w');
}

TEST_F(MemoryTest, AddressesOutOfAnObjectGoNoFartherAway) {
  uint32_t Object = M.newObject("y", 16, 0), Other = M.newObject("z", Unknown, 0);
  EXPECT_FALSE(M.leadsAway(Object, {16, 0}, {24, 0}));
  EXPECT_FALSE(M.leadsAway(Object, {0, 0}, {-800, 0}));
  EXPECT_FALSE(M.leadsAway(Object, {24, 0}, {-8, 0}));
  EXPECT_FALSE(M.leadsAway(Object, {-8, 0}, {0, 8}));
  EXPECT_FALSE(M.leadsAway(Other, {24, 0}, {32, 0}));
  EXPECT_TRUE(M.leadsAway(Object, {24, 0}, {32, 0}));
  EXPECT_TRUE(M.leadsAway(Object, {-8, 0}, {-16, 0}));
}

TEST_F(MemoryTest, CopiesWithinAnObjectComeToAnEnd) {
  uint32_t Number = G.newNode(), Some = M.newCopy(640), All = M.newCopy(Unknown);
  G.addAnyInteger(Number);
  M.fill(at(616), Unknown, Number); // of unknown length
  for (uint32_t Copy : {Some, All}) {
    M.copyFrom(Copy, G.number(at(3488)));
    M.copyTo(Copy, G.number(at(2208)));
  }
  EXPECT_EQ(load(at(2208), 1), '-');
  EXPECT_LT(M[Object].Cells.size(), 9U);
}

TEST_F(MemoryTest, ZerosAreCopied) {
  uint32_t Other = M.newObject("y", 64, 0), Copy = M.newCopy(Unknown);
  M.copyFrom(Copy, G.number(at(0)));
  M.copyTo(Copy, G.number({Token::Kind::Memory, Other, {}}));
  M.setZero(Object);
  EXPECT_TRUE(M[Other].Zero);
}

TEST_F(MemoryTest, ReadOnlyMemoryKeepsItsFirstValue) {
  uint32_t Node = G.newNode();
  G.add(Node, {Token::Kind::Request, 1, {}});
  M.initialise(Object, 0, 4, Node);
  M[Object].ReadOnly = true;
  store(at(0), 2);
  EXPECT_EQ(load(at(0), 1), 'w');
  EXPECT_EQ(load(at(0), 2), '-');
}

TEST_F(MemoryTest, EscapedMemoryIsExposedWithWhatItHasAndMayGet) {
  store(at(0), 1);
  M.escape(Object, 0);
  EXPECT_EQ(Exposed, 2U);
  EXPECT_EQ(load(at(8), 1), '-');
  EXPECT_EQ(Exposed, 2U);
  EXPECT_TRUE(G.isAnything(M.loaded(at(8), 4)));
}

TEST_F(MemoryTest, CopiesOfManyCostTheirSum) {
  uint32_t Copy = M.newCopy(16);
  auto Other = [&] { return G.number({Token::Kind::Memory, M.newObject("y", 16, 0), {}}); };
  store(at(4), 1);
  M.copyFrom(Copy, G.number(at(0)));
  for (unsigned I = 0; I < 50; ++I)
    M.copyFrom(Copy, Other());
  for (unsigned I = 0; I < 50; ++I)
    M.copyTo(Copy, Other());
  uint32_t Last = Other();
  M.copyTo(Copy, Last);
  EXPECT_EQ(load(G.token(Last), 1), '-');
  Token At = G.token(Last);
  At.Where.Offset = 4;
  EXPECT_EQ(load(At, 1), 'w');
  EXPECT_LT(G.nodes(), 400U);
}

TEST_F(MemoryTest, CopiesOfEscapedMemoryAreAnything) {
  uint32_t Other = M.newObject("y", 64, 0), Copy = M.newCopy(8);
  Token Target{Token::Kind::Memory, Other, {}};
  M.copyFrom(Copy, G.number(at(0)));
  M.copyTo(Copy, G.number(Target));
  M.escape(Object, 0);
  uint32_t From = M.loaded(Target, 4);
  EXPECT_TRUE(G.solve(1000));
  EXPECT_FALSE(G.tokensOf(From).empty());
}

TEST_F(MemoryTest, CopiesOfManyElementsBecomeOne) {
  const uint32_t Other = M.newObject("y", Unknown, 0), Copy = M.newCopy(Unknown);
  auto There = [&](int64_t Offset, int64_t Stride) {
    return Token{Token::Kind::Memory, Other, normalised({Offset, Stride, Lowest, Highest})};
  };
  const uint32_t Large = M.newObject("x", Unknown, 0);
  for (int64_t I = 0; I < 200; ++I) // members of elements of two sizes
    store({Token::Kind::Memory, Large, normalised({4 * I, I % 2 ? 1600 : 800, Lowest, Highest})}, I);
  M.copyFrom(Copy, G.number({Token::Kind::Memory, Large, {}}));
  M.copyTo(Copy, G.number(There(0, 0)));
  for (int64_t I : {0, 1, 100, 199})
    EXPECT_EQ(load(There(4 * I, 1600), I), 'w');
  EXPECT_LT(M[Other].Cells.size(), 100U);
  EXPECT_LT(G.edges(), 3000U);
}

TEST_F(MemoryTest, CopiesOfManyMembersStayApart) {
  const uint32_t Other = M.newObject("y", Unknown, 0), Copy = M.newCopy(Unknown);
  auto There = [&](int64_t Offset) { return Token{Token::Kind::Memory, Other, {Offset, 0}}; };
  const uint32_t Large = M.newObject("x", Unknown, 0);
  for (int64_t I = 0; I < 200; ++I)
    store({Token::Kind::Memory, Large, {4 * I, 0}}, I);
  M.copyFrom(Copy, G.number({Token::Kind::Memory, Large, {}}));
  M.copyTo(Copy, G.number(There(0)));
  EXPECT_EQ(load(There(4 * 150), 150), 'w');
  EXPECT_EQ(load(There(4 * 150), 151), '-');
}

TEST_F(MemoryTest, VeryManyCellsBecomeOne) {
  for (int64_t I = 0; I < 5000; ++I)
    store(at(4 * I), 1);
  EXPECT_LT(M[Object].Cells.size(), 4100U);
  EXPECT_NE(load(at(4 * 20000), 1), '-');
}

TEST_F(MemoryTest, WhatHasEscapedIsAllAlike) {
  store(at(0), 1);
  EXPECT_EQ(load(at(0), 1), 'w');
  M.escape(Object, 1);
  size_t Before = G.nodes();
  for (int64_t Offset = 0; Offset < 64; ++Offset) {
    uint32_t From = M.loaded(at(Offset), 4);
    EXPECT_TRUE(G.solve(1000));
    EXPECT_TRUE(G.isAnything(From));
  }
  EXPECT_EQ(G.nodes(), Before);
}

TEST_F(MemoryTest, ConstantsThatEscapeKeepTheirValues) {
  M[Object].ReadOnly = M[Object].Known = true;
  uint32_t Value = G.newNode();
  G.add(Value, {Token::Kind::Function, 7, {}});
  M.initialise(Object, 8, 8, Value);
  M.escape(Object, 1);
  uint32_t From = M.loaded(at(8), 8);
  EXPECT_TRUE(G.solve(1000));
  EXPECT_TRUE(G.has(From, G.number({Token::Kind::Function, 7, {}})));
  EXPECT_FALSE(G.has(M.loaded(at(16), 8), G.number({Token::Kind::Function, 7, {}})));
}

TEST_F(MemoryTest, OneAddressStandsForAllThatEscaped) {
  uint32_t Node = G.newNode();
  for (unsigned I = 0; I < 100; ++I) {
    uint32_t Each = M.newObject("y", 8, 0);
    M.escape(Each, 1);
    G.add(Node, {Token::Kind::Memory, Each, {0, 0}});
  }
  uint32_t Apart = M.newObject("z", 8, 0);
  G.add(Node, {Token::Kind::Memory, Apart, {0, 0}});
  EXPECT_EQ(G.tokensOf(Node).size(), 2U);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of tokens: what is in two of them together, and that each is kept once.

#include "graph/Sets.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mpishm::ir;

namespace {

class SetsTest : public testing::Test {
protected:
  uint32_t memory(uint32_t Object, Region Where = {}) { return Tokens.number({Token::Kind::Memory, Object, Where}); }
  uint32_t integer(int64_t Value) { return Tokens.number({Token::Kind::Integer, 0, {Value, 0}}); }
  TokenSets::Id of(std::initializer_list<uint32_t> All) {
    TokenSets::Id Result = TokenSets::None;
    for (uint32_t T : All)
      Result = Sets.unite(Result, Sets.single(T));
    return Result;
  }

  TokenTable Tokens;
  TokenSets Sets{Tokens};
  uint32_t Anything = Tokens.number({Token::Kind::Anything, 0, {}});
};

TEST_F(SetsTest, OneSetForOneContent) {
  TokenSets::Id A = of({memory(1), memory(2), integer(3)}), B = of({integer(3), memory(2), memory(1)});
  EXPECT_EQ(A, B);
  EXPECT_EQ(Sets[A].size(), 3U);
  EXPECT_TRUE(Sets.contains(A, memory(2)));
  EXPECT_FALSE(Sets.contains(A, memory(3)));
  EXPECT_EQ(Sets.unite(A, of({memory(2)})), A);
  EXPECT_EQ(Sets.unite(TokenSets::None, A), A);
  EXPECT_EQ(Sets.unite(A, TokenSets::None), A);
}

TEST_F(SetsTest, Differences) {
  TokenSets::Id A = of({memory(1), memory(2), integer(3)}), B = of({memory(2), memory(4)});
  llvm::SmallVector<uint32_t, 16> Left = Sets.difference(A, B);
  EXPECT_EQ(Left.size(), 2U);
  EXPECT_TRUE(llvm::is_contained(Left, memory(1)) && llvm::is_contained(Left, integer(3)));
  EXPECT_EQ(Sets.difference(A, TokenSets::None).size(), 3U);
}

TEST_F(SetsTest, AnythingCoversNumbersAndWhatHasEscaped) {
  Sets.setEscaped(1, false);
  Sets.setEscaped(3, true);
  for (TokenSets::Id A : {Sets.unite(of({memory(1), memory(2), memory(3), integer(5)}), of({Anything})),
                          Sets.unite(of({Anything}), of({memory(1), memory(2), memory(3), integer(5)}))}) {
    EXPECT_EQ(Sets[A].size(), 2U);
    EXPECT_TRUE(Sets.hasAnything(A) && Sets.contains(A, memory(2)));
  }
}

TEST_F(SetsTest, OneAddressStandsForAllThatEscaped) {
  TokenSets::Id Before = of({memory(1), memory(2), memory(4)});
  for (uint32_t Object : {1, 2, 3})
    Sets.setEscaped(Object, false);
  EXPECT_FALSE(Sets.hasOutside(of({memory(1), memory(4)}))) << "alone it stands for itself";
  TokenSets::Id After = Sets.unite(Before, of({memory(3)}));
  EXPECT_TRUE(Sets.hasOutside(After));
  EXPECT_EQ(Sets[After].size(), 2U);
  EXPECT_TRUE(Sets.contains(After, memory(1, {0, 1})) && Sets.contains(After, memory(4)));
  EXPECT_EQ(Sets.unite(After, of({memory(2), memory(3)})), After);
  EXPECT_TRUE(Sets.hasOutside(Sets.unite(of({memory(4)}), After)));
  EXPECT_TRUE(Sets.hasOutside(Sets.derived(After)));
}

TEST_F(SetsTest, ConstantsThatEscapedStandForThemselves) {
  Sets.setEscaped(1, true);
  Sets.setEscaped(2, true);
  TokenSets::Id A = of({memory(1), memory(2)});
  EXPECT_FALSE(Sets.hasOutside(A));
  EXPECT_EQ(Sets[A].size(), 2U);
}

TEST_F(SetsTest, AnAddressThatMayBeMovedFurtherStays) {
  Region Elements = normalised({8, 4, 8, 20}), Bounded{8, 0, 8, 20, 4};
  EXPECT_EQ(Sets[of({memory(1, Elements), memory(1, {8, 0})})].size(), 2U);
  EXPECT_EQ(Sets[of({memory(1, Elements), memory(1, Bounded)})].size(), 1U);
  EXPECT_EQ(Sets[of({memory(1, Elements), memory(1, {8, 0, 8, 20, 2})})].size(), 2U);
  EXPECT_EQ(Sets[of({memory(1, {8, 0}), memory(1, Bounded)})].size(), 1U);
  EXPECT_EQ(Sets[of({memory(1, Bounded), memory(1, {8, 0})})].size(), 2U);
  EXPECT_EQ(Sets[of({memory(1, normalised({0, 4})), memory(1, {8, 0})})].size(), 1U);
}

TEST_F(SetsTest, WhatIsNotUsedIsDropped) {
  TokenSets::Id Kept = of({memory(1), memory(2), memory(3)});
  EXPECT_GT(Sets.held(), 3U);
  std::vector<bool> IsUsed(Sets.ids());
  IsUsed[Kept] = true;
  Sets.drop(IsUsed);
  EXPECT_EQ(Sets.held(), 3U);
  TokenSets::Id Other = of({memory(7), memory(8), memory(9), memory(10)});
  EXPECT_NE(Other, Kept);
  EXPECT_EQ(Sets[Other].size(), 4U);
  EXPECT_EQ(of({memory(3), memory(2), memory(1)}), Kept);
}

} // namespace

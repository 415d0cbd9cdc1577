// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of tokens, and how they go from node to node.

#include "graph/Graph.h"
#include "gtest/gtest.h"

using namespace mpishm::ir;

namespace {

/// Counts what it is asked for.
struct Counter : Graph::Client {
  void apply(const Rule &, uint32_t, uint32_t) override { ++Applied; }
  void combine(const Rule &) override { ++Combined; }
  unsigned Applied = 0, Combined = 0;
};

class GraphTest : public testing::Test {
protected:
  static Token memory(uint32_t Object, Region Where) { return {Token::Kind::Memory, Object, Where}; }
  bool hasInteger(uint32_t Node, int64_t Value) { return G.has(Node, G.number({Token::Kind::Integer, 0, {Value, 0}})); }
  bool hasProgression(uint32_t Node, int64_t Offset, int64_t Stride) {
    return G.has(Node, G.number({Token::Kind::Integer, 0, {Offset, Stride}}));
  }

  Counter C;
  Graph G{C};
};

TEST_F(GraphTest, TokensGoAlongCopies) {
  uint32_t A = G.newNode(), B = G.newNode(), D = G.newNode();
  G.addInteger(A, 1);
  G.addCopy(A, B);
  G.addCopy(B, D);
  G.addInteger(B, 2);
  EXPECT_TRUE(G.solve(100));
  EXPECT_EQ(G.tokensOf(A).size(), 1U);
  EXPECT_EQ(G.tokensOf(D).size(), 2U);
  uint32_t Late = G.newNode();
  G.addCopy(D, Late);
  EXPECT_TRUE(G.solve(100));
  EXPECT_TRUE(hasInteger(Late, 1) && hasInteger(Late, 2));
}

TEST_F(GraphTest, CyclesEndAndWorkIsBounded) {
  std::vector<uint32_t> Ring;
  for (unsigned I = 0; I < 100; ++I)
    Ring.push_back(G.newNode());
  for (unsigned I = 0; I < 100; ++I)
    G.addCopy(Ring[I], Ring[(I + 1) % 100]);
  G.addInteger(Ring[0], 3);
  EXPECT_FALSE(G.solve(10));
  EXPECT_TRUE(G.solve(1000));
  EXPECT_TRUE(hasInteger(Ring[99], 3));
}

TEST_F(GraphTest, WhatIsHeldIsBounded) {
  // Ever larger sets, each at a node of its own.
  uint32_t Last = G.newNode();
  for (uint32_t Object = 0; Object < 40; ++Object) {
    uint32_t Next = G.newNode();
    G.add(Next, memory(Object, {}));
    G.addCopy(Last, Next);
    Last = Next;
  }
  EXPECT_FALSE(G.solve(1000, 200));
  EXPECT_TRUE(G.solve(1000, 1000));
  EXPECT_EQ(G.tokensOf(Last).size(), 40U);
}

TEST_F(GraphTest, EqualSetsAreHeldOnce) {
  uint32_t First = G.newNode();
  std::vector<uint32_t> Others;
  for (unsigned I = 0; I < 200; ++I) {
    Others.push_back(G.newNode());
    G.addCopy(First, Others.back());
  }
  for (uint32_t Object = 0; Object < 10; ++Object)
    G.add(First, memory(Object, {}));
  EXPECT_TRUE(G.solve(1000, 100));
  for (uint32_t Node : Others)
    EXPECT_EQ(G.tokensOf(Node).size(), 10U);
}

TEST_F(GraphTest, OnlyBitsGoAlongDerivedEdges) {
  uint32_t A = G.newNode(), B = G.newNode(), D = G.newNode();
  G.addDerived(A, B);
  G.addDerived(B, D);
  G.add(A, memory(3, {8, 0}));
  G.add(A, {Token::Kind::Request, 5, {}});
  G.addInteger(A, 7);
  EXPECT_TRUE(G.solve(100));
  for (uint32_t Node : {B, D}) {
    EXPECT_EQ(G.tokensOf(Node).size(), 3U);
    EXPECT_TRUE(G.has(Node, G.number(memory(3, {0, 1}))));
    EXPECT_TRUE(G.has(Node, G.number({Token::Kind::Request, 5, {1, 0}})));
    EXPECT_TRUE(hasProgression(Node, 0, 1));
  }
  G.addAnything(A, 9);
  EXPECT_TRUE(G.solve(100));
  EXPECT_EQ(G.whyAnything(D), 9U);
}

TEST_F(GraphTest, LargeSetsGetAllThatComes) {
  uint32_t All = G.newNode(), Next = G.newNode();
  G.addCopy(All, Next);
  for (uint32_t Object = 0; Object < 2000; ++Object) {
    uint32_t From = G.newNode();
    G.add(From, memory(Object, {}));
    if (Object == 1500 || Object == 1700)
      G.addAnything(From, Object);
    G.addCopy(From, All);
  }
  EXPECT_TRUE(G.solve(10000));
  for (uint32_t Node : {All, Next}) {
    EXPECT_EQ(G.tokensOf(Node).size(), 2001U);
    EXPECT_EQ(G.whyAnything(Node), 1500U);
  }
  uint64_t Before = G.steps();
  G.add(All, memory(1000, {}));
  EXPECT_TRUE(G.solve(10000));
  EXPECT_EQ(G.steps(), Before);
}

TEST_F(GraphTest, LargeCyclesAreOneNode) {
  // More steps than are made between two looks for cycles.
  std::vector<uint32_t> Ring;
  for (unsigned I = 0; I < 6000; ++I)
    Ring.push_back(G.newNode());
  for (unsigned I = 0; I < 6000; ++I)
    G.addCopy(Ring[I], Ring[(I + 1) % 6000]);
  for (uint32_t Object = 0; Object < 12; ++Object) {
    G.add(Ring[Object * 17], memory(Object, {}));
    EXPECT_TRUE(G.solve(10'000'000));
  }
  uint64_t Before = G.steps();
  G.add(Ring[5], memory(100, {}));
  EXPECT_TRUE(G.solve(10'000'000));
  EXPECT_LT(G.steps() - Before, 10U);
  EXPECT_EQ(G.tokensOf(Ring[5999]).size(), 13U);
}

TEST_F(GraphTest, ManyNumbersBecomeAProgression) {
  uint32_t Even = G.newNode(), All = G.newNode();
  for (int64_t I = 0; I < 40; ++I) {
    G.addInteger(Even, 6 * I + 1);
    G.addInteger(All, I);
  }
  EXPECT_TRUE(hasProgression(Even, 1, 6));
  EXPECT_FALSE(hasProgression(Even, 0, 1));
  EXPECT_TRUE(hasProgression(All, 0, 1));
  EXPECT_LT(G.tokensOf(Even).size(), 40U);
}

TEST_F(GraphTest, AnyNumberCoversEach) {
  uint32_t A = G.newNode();
  G.addAnyInteger(A);
  G.addInteger(A, 5);
  EXPECT_EQ(G.tokensOf(A).size(), 1U);
}

TEST_F(GraphTest, ManyPlacesOfOneObjectAreOne) {
  uint32_t A = G.newNode();
  for (int64_t I = 0; I < 100; ++I)
    G.add(A, memory(7, {8 * I + 4, 0}));
  EXPECT_TRUE(G.has(A, G.number(memory(7, {4, 8}))));
  EXPECT_LT(G.tokensOf(A).size(), 70U);
  size_t Before = G.tokensOf(A).size();
  G.add(A, memory(7, {8 * 1000 + 4, 0}));
  EXPECT_EQ(G.tokensOf(A).size(), Before);
  G.add(A, memory(8, {0, 0}));
  EXPECT_EQ(G.tokensOf(A).size(), Before + 1);
}

TEST_F(GraphTest, RulesSeeOldAndNewTokensOnce) {
  uint32_t A = G.newNode();
  G.addInteger(A, 1);
  EXPECT_TRUE(G.solve(10));
  G.addRule(A, {Rule::Kind::Index});
  EXPECT_EQ(C.Applied, 1U);
  G.addInteger(A, 2);
  EXPECT_TRUE(G.solve(10));
  EXPECT_EQ(C.Applied, 2U);
}

TEST_F(GraphTest, AnythingKeepsItsReason) {
  uint32_t A = G.newNode(), B = G.newNode();
  G.addCopy(A, B);
  G.addAnything(A, 42);
  EXPECT_TRUE(G.solve(10));
  EXPECT_TRUE(G.isAnything(B));
  EXPECT_EQ(G.whyAnything(B), 42U);
}

} // namespace

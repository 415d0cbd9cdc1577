// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of additions, found from what sums tell.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

extern "C" {
#include "orders/order.h"
}

namespace {

// Additions as somebody else does them: the second value goes into the first, and is gone.
using Additions = std::vector<std::pair<unsigned, unsigned>>;

double sum(const Additions &Steps, std::vector<double> Values) {
  double Result = Values[0];
  for (auto [Into, From] : Steps)
    Result = Values[Into] += Values[From];
  return Result;
}

double sum(const order &Found, std::vector<double> Values) {
  for (unsigned I = 0; I + 1 < Found.members; ++I)
    Values[Found.steps[I].into] += Values[Found.steps[I].from];
  return Values[0];
}

// What the sums of some additions tell.
struct Sizes {
  uint8_t Of[ORDER_MEMBERS][ORDER_MEMBERS] = {};
  Sizes(const Additions &Steps, unsigned Members) {
    for (unsigned I = 0; I < Members; ++I)
      for (unsigned J = I + 1; J < Members; ++J) {
        std::vector<double> Values(Members, 1);
        Values[I] = 0x1p100;
        Values[J] = -0x1p100;
        Of[I][J] = static_cast<uint8_t>(Members - sum(Steps, Values));
      }
  }
};

std::vector<double> anyValues(unsigned Members, std::mt19937 &Random) {
  std::vector<double> Values;
  for (unsigned I = 0; I < Members; ++I)
    Values.push_back(std::ldexp(std::uniform_real_distribution<>(-1, 1)(Random), static_cast<int>(Random() % 40)));
  return Values;
}

void expectFound(const Additions &Steps, unsigned Members, std::mt19937 &Random) {
  Sizes S(Steps, Members);
  order Found;
  ASSERT_TRUE(order_from_sizes(&Found, Members, S.Of));
  for (int Trial = 0; Trial < 20; ++Trial) {
    std::vector<double> Values = anyValues(Members, Random);
    EXPECT_EQ(sum(Found, Values), sum(Steps, Values));
  }
}

TEST(Order, OfLibraries) {
  std::mt19937 Random(1);
  expectFound({{0, 1}, {2, 3}, {0, 2}}, 4, Random);                 // recursive doubling
  expectFound({{0, 1}, {0, 2}, {0, 3}, {0, 4}}, 5, Random);         // one after the other
  expectFound({{4, 3}, {4, 2}, {4, 1}, {4, 0}}, 5, Random);         // from the last one on
  expectFound({{0, 1}, {2, 3}, {0, 2}, {4, 5}, {0, 4}}, 6, Random); // a binomial tree
}

TEST(Order, OfAnyTree) {
  std::mt19937 Random(2);
  for (int Trial = 0; Trial < 300; ++Trial) {
    unsigned Members = 2 + Random() % (ORDER_MEMBERS - 1);
    std::vector<unsigned> Left(Members);
    std::iota(Left.begin(), Left.end(), 0);
    Additions Steps;
    while (Left.size() > 1) {
      std::shuffle(Left.begin(), Left.end(), Random);
      Steps.emplace_back(Left[0], Left.back());
      Left.pop_back();
    }
    expectFound(Steps, Members, Random);
  }
}

// Three at once, as by a sum of more than two operands; sizes that no additions have; too many members.
TEST(Order, WhatIsNoTree) {
  order Found;
  uint8_t Three[ORDER_MEMBERS][ORDER_MEMBERS] = {{0, 3, 3}, {0, 0, 3}};
  EXPECT_FALSE(order_from_sizes(&Found, 3, Three));
  uint8_t Strange[ORDER_MEMBERS][ORDER_MEMBERS] = {{0, 2, 3, 4}, {0, 0, 3, 4}, {0, 0, 0, 2}};
  EXPECT_FALSE(order_from_sizes(&Found, 4, Strange));
  uint8_t TwoPairs[ORDER_MEMBERS][ORDER_MEMBERS] = {{0, 2, 4, 4}, {0, 0, 4, 3}, {0, 0, 0, 2}};
  EXPECT_FALSE(order_from_sizes(&Found, 4, TwoPairs));
  uint8_t Zeros[ORDER_MEMBERS][ORDER_MEMBERS] = {};
  EXPECT_FALSE(order_from_sizes(&Found, 2, Zeros));
  EXPECT_FALSE(order_from_sizes(&Found, ORDER_MEMBERS + 1, Zeros));
  EXPECT_FALSE(order_from_sizes(&Found, 1, Zeros));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which way messages take whose cost is told: the cheaper one, but for a few that try the other.

extern "C" {
#include "channel/ways.h"
}
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace {

using Cost = std::function<uint64_t(way Way, size_t Bytes)>;

/// Messages that took the kernel's way, of Count of so many bytes, each of which costs what Of says.
unsigned byKernel(ways &Ways, size_t Bytes, unsigned Count, const Cost &Of) {
  unsigned Kernel = 0;
  for (unsigned I = 0; I < Count; I++) {
    choice Choice = ways_choose(&Ways, WAYS, Bytes);
    Kernel += Choice.way == WAY_KERNEL;
    if (Choice.timed)
      ways_learn(&Ways, Bytes, Choice.way, Of(Choice.way, Bytes));
  }
  return Kernel;
}

/// The kernel needs so many times what two copies take, in either way.
Cost kernelTakes(double Times) {
  return [=](way Way, size_t Bytes) {
    double Staged = static_cast<double>(Bytes) / 8;
    return static_cast<uint64_t>(Way == WAY_KERNEL ? Staged * Times : Staged);
  };
}

/// Messages before the first trial, where the kernel copies.
constexpr unsigned First = 104;

TEST(Ways, AreLeftToTheKernelAtFirst) {
  for (size_t Bytes : {size_t(20000), size_t(100000), size_t(1) << 20}) {
    ways Ways = {};
    EXPECT_EQ(byKernel(Ways, Bytes, First, kernelTakes(3)), First) << "20 exchanges of 5 are through before any trial";
  }
}

TEST(Ways, AreTheCheaperOneSoon) {
  for (double Times : {0.7, 1.4}) {
    ways Ways = {};
    byKernel(Ways, 100000, First + 32, kernelTakes(Times));
    EXPECT_EQ(byKernel(Ways, 100000, 16, kernelTakes(Times)), Times < 1 ? 16U : 0U) << Times;
  }
}

TEST(Ways, StayWhereTheOtherCostsMoreAndTryItRarely) {
  ways Ways = {};
  EXPECT_EQ(byKernel(Ways, 100000, First, kernelTakes(1.4)), First);
  unsigned Kernel = byKernel(Ways, 100000, 20000, kernelTakes(1.4));
  EXPECT_GE(Kernel, 8U);
  EXPECT_LE(Kernel, 120U);
}

TEST(Ways, StayWhereTheOtherCostsHardlyLess) {
  ways Ways = {};
  EXPECT_GE(byKernel(Ways, 100000, 20000, kernelTakes(1.05)), 20000U - 240U) << "of two others";
}

TEST(Ways, ChangeWhenTheirCostsDo) {
  ways Ways = {};
  byKernel(Ways, 100000, 200, kernelTakes(2));
  byKernel(Ways, 100000, 600, kernelTakes(0.5));
  EXPECT_GE(byKernel(Ways, 100000, 1000, kernelTakes(0.5)), 950U);
}

TEST(Ways, AreOfEachClassOfSizes) {
  ways Ways = {};
  Cost Of = [](way Way, size_t Bytes) { return kernelTakes(Bytes > 200000 ? 0.5 : 2)(Way, Bytes); };
  byKernel(Ways, 100000, First + 33, Of);
  byKernel(Ways, 1000000, First + 33, Of);
  EXPECT_EQ(byKernel(Ways, 100000, 5, Of), 0U);
  EXPECT_EQ(byKernel(Ways, 1000000, 5, Of), 5U);
  EXPECT_EQ(byKernel(Ways, 600000, 5, Of), 5U) << "of the class of 1,000,000";
}

TEST(Ways, AreNotMisledByAMessageThatWasHeldUp) {
  ways Ways = {};
  unsigned Timed = 0;
  Cost Of = [&](way Way, size_t Bytes) {
    bool HeldUp = Way == WAY_KERNEL && Timed++ % 8 == 3;
    return kernelTakes(0.5)(Way, Bytes) + (HeldUp ? 4000000U : 0U);
  };
  byKernel(Ways, 100000, First + 32, Of);
  EXPECT_EQ(byKernel(Ways, 100000, 16, Of), 16U);
}

TEST(Ways, AreTriedAgainSoonAfterTheFirstCopiesIntoNewMemory) {
  ways Ways = {};
  unsigned Timed = 0;
  Cost Of = [&](way Way, size_t Bytes) {
    bool IsNew = Way != WAY_KERNEL && Timed++ < 16;
    return kernelTakes(1.6)(Way, Bytes) * (IsNew ? 2U : 1U);
  };
  byKernel(Ways, 100000, First + 32, Of);
  EXPECT_EQ(byKernel(Ways, 100000, 16, Of), 16U);
  byKernel(Ways, 100000, 160, Of);
  EXPECT_EQ(byKernel(Ways, 100000, 16, Of), 0U);
}

TEST(Ways, StayWhereTooFewAreToldOf) {
  ways Ways = {};
  unsigned Kernel = 0;
  for (unsigned I = 0; I < 3000; I++) {
    choice Choice = ways_choose(&Ways, WAYS, 100000);
    Kernel += Choice.way == WAY_KERNEL;
    if (Choice.timed && Choice.way == WAY_KERNEL)
      ways_learn(&Ways, 100000, Choice.way, 10000);
  }
  EXPECT_GE(Kernel, 3000U * 3 / 4);
  EXPECT_LE(Kernel, 3000U - 16U) << "others are tried again";
}

TEST(Ways, AreTriedAnewWhereSendersWaitInVain) {
  ways Ways = {};
  byKernel(Ways, 100000, 5000, kernelTakes(0.5));
  unsigned Kernel = 0;
  for (unsigned I = 0; I < 160; I++) {
    choice Choice = ways_choose(&Ways, WAYS, 100000);
    bool InVain = Choice.way == WAY_KERNEL;
    Kernel += InVain;
    if (InVain)
      ways_waited_in_vain(&Ways, 100000);
    if (Choice.timed)
      ways_learn(&Ways, 100000, Choice.way, InVain ? 50000 : 12500);
  }
  EXPECT_LE(Kernel, 160U / 2);
  EXPECT_EQ(byKernel(Ways, 100000, 5, kernelTakes(4)), 0U);
}

TEST(Ways, StayWhereFewWaitInVain) {
  ways Ways = {};
  byKernel(Ways, 100000, 200, kernelTakes(0.5));
  unsigned Staged = 0;
  for (unsigned I = 0; I < 2000; I++) {
    choice Choice = ways_choose(&Ways, WAYS, 100000);
    Staged += Choice.way == WAY_STAGED;
    if (I % 10 == 0)
      ways_waited_in_vain(&Ways, 100000);
    if (Choice.timed)
      ways_learn(&Ways, 100000, Choice.way, Choice.way == WAY_KERNEL ? 6000 : 12000);
  }
  EXPECT_LE(Staged, 80U);
}

/// So many of Count messages went each way, of which the first Ways of them may be taken.
std::array<unsigned, WAYS> taken(ways &Ways, unsigned Allowed, unsigned Count, std::array<uint64_t, WAYS> Costs) {
  std::array<unsigned, WAYS> Taken = {};
  for (unsigned I = 0; I < Count; I++) {
    choice Choice = ways_choose(&Ways, Allowed, 100000);
    Taken[Choice.way]++;
    if (Choice.timed)
      ways_learn(&Ways, 100000, Choice.way, Costs[Choice.way]);
  }
  return Taken;
}

TEST(Ways, AreTheCheapestOfThree) {
  for (unsigned Best = 0; Best < WAYS; Best++)
    for (unsigned Second = 0; Second < WAYS; Second++) {
      ways Ways = {};
      std::array<uint64_t, WAYS> Costs = {40000, 40000, 40000};
      Costs[Second] = 20000;
      Costs[Best] = 10000;
      taken(Ways, WAYS, 2000, Costs);
      EXPECT_GE(taken(Ways, WAYS, 1000, Costs)[Best], 900U) << Best << ", then " << Second;
      std::swap(Costs[Best], Costs[(Best + 1) % WAYS]);
      taken(Ways, WAYS, 10000, Costs);
      EXPECT_GE(taken(Ways, WAYS, 1000, Costs)[(Best + 1) % WAYS], 900U) << "it has changed";
    }
}

/// What that many messages of Bytes cost, as a part of what they would cost all on the cheapest way.
double loss(ways &Ways, size_t Bytes, unsigned Count, const std::array<uint64_t, WAYS> &Costs) {
  uint64_t Spent = 0, Least = *std::min_element(Costs.begin(), Costs.end());
  for (unsigned I = 0; I < Count; I++) {
    choice Choice = ways_choose(&Ways, WAYS, Bytes);
    Spent += Costs[Choice.way];
    if (Choice.timed)
      ways_learn(&Ways, Bytes, Choice.way, Costs[Choice.way]);
  }
  return static_cast<double>(Spent) / static_cast<double>(Least * Count) - 1;
}

TEST(Ways, AreTriedForLittleThoughOthersCostMore) {
  for (size_t Bytes : {size_t(20000), size_t(100000), size_t(400000), size_t(1) << 20})
    for (uint64_t Bad : {11000, 13000, 15000, 20000})
      for (unsigned Best = 0; Best < WAYS; Best++) {
        ways Ways = {};
        std::array<uint64_t, WAYS> Costs = {Bad, Bad, Bad};
        Costs[Best] = 10000;
        loss(Ways, Bytes, 300, Costs);
        EXPECT_LE(loss(Ways, Bytes, 4000, Costs), 0.03) << Bytes << ", " << Bad << ", " << Best;
      }
}

TEST(Ways, TryOthersWithFewOfLongMessages) {
  ways Ways = {};
  std::array<uint64_t, WAYS> Costs = {10000, 20000, 12000};
  loss(Ways, size_t(1) << 20, First, Costs);
  EXPECT_LE(loss(Ways, size_t(1) << 20, 20, Costs), 0.5);
  EXPECT_EQ(loss(Ways, size_t(1) << 20, 100, Costs), 0) << "the next period makes up for that";
}

TEST(Ways, ChangeSoonAfterTheFirstTrials) {
  ways Ways = {};
  loss(Ways, 100000, First + 32, {10000, 200000, 12000}); // held up, as it may be
  loss(Ways, 100000, 200, {10000, 20000, 5000});
  EXPECT_EQ(loss(Ways, 100000, 16, {10000, 20000, 5000}), 0);
}

TEST(Ways, PassCachesByOnlyWherePlainStoresDoNotLose) {
  for (uint64_t Staged : {12000, 13000}) {
    ways Ways = {};
    EXPECT_EQ(taken(Ways, WAYS, 400, {Staged, 20000, 10000})[WAY_STREAMED], Staged < 12500 ? 16U : 0U);
  }
}

TEST(Ways, RestWhereTheyHaveLostByFar) {
  std::array<uint64_t, WAYS> Staged = {10000, 20000, 12000};
  ways Ways = {};
  taken(Ways, WAYS, First + 32, Staged);
  auto Next = taken(Ways, WAYS, 136 + 32, Staged);
  EXPECT_EQ(Next[WAY_STREAMED], 0U);
  EXPECT_EQ(Next[WAY_KERNEL], 16U) << "has lost, not by far";
  auto Later = taken(Ways, WAYS, 30000, Staged);
  EXPECT_GE(Later[WAY_STREAMED], 8U);
  EXPECT_LE(Later[WAY_STREAMED], Later[WAY_KERNEL] / 2);
}

TEST(Ways, AreTriedThoughAllOthersRest) {
  ways Ways = {};
  std::array<uint64_t, WAYS> Costs = {30000, 40000, 10000};
  taken(Ways, WAYS, 5000, Costs);
  EXPECT_GE(taken(Ways, WAYS, 50000, Costs)[WAY_STAGED], 8U);
  Costs[WAY_STAGED] = 5000;
  taken(Ways, WAYS, 80000, Costs);
  EXPECT_GE(taken(Ways, WAYS, 1000, Costs)[WAY_STAGED], 900U);
}

TEST(Ways, AreThoseThatThereAre) {
  ways Ways = {};
  EXPECT_EQ(taken(Ways, WAY_KERNEL, 16, {20000, 10000, 1})[WAY_STAGED], 16U) << "at first";
  auto Taken = taken(Ways, WAY_KERNEL, 5000, {20000, 10000, 1});
  EXPECT_EQ(Taken[WAY_KERNEL], 0U);
  EXPECT_GE(Taken[WAY_STREAMED], 4800U);
}

TEST(Ways, TakeEverySize) {
  ways Ways = {};
  for (size_t Bytes : {size_t(0), size_t(1), size_t(16384), size_t(1) << 22, SIZE_MAX}) {
    ways_choose(&Ways, WAYS, Bytes);
    ways_learn(&Ways, Bytes, WAY_KERNEL, 1);
    ways_waited_in_vain(&Ways, Bytes);
  }
}

} // namespace

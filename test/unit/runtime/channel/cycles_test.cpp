// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether messages out of the window are read in place or copied first: what makes the program's whole cycle shorter.

extern "C" {
#include "channel/cycles.h"
}
#include "gtest/gtest.h"
#include <functional>

namespace {

uint64_t Now;
uint64_t now() { return Now; }

/// Nanoseconds from the start of a message to that of the next one.
using Cycle = std::function<uint64_t(bool Copied)>;

/// Messages that were copied first, of Count of so many bytes.
unsigned copied(cycles &Cycles, size_t Bytes, unsigned Count, const Cycle &Takes) {
  unsigned Copied = 0;
  for (unsigned I = 0; I < Count; I++) {
    bool First = cycles_copied(&Cycles, Bytes, now);
    Copied += First;
    Now += Takes(First);
  }
  return Copied;
}

Cycle takes(uint64_t InPlace, uint64_t CopiedFirst) {
  return [=](bool Copied) { return Copied ? CopiedFirst : InPlace; };
}

constexpr unsigned Untried = 96; // messages before the first trial
constexpr size_t Bytes = 100000;

TEST(Cycles, AreReadInPlaceAtFirst) {
  cycles Cycles = {};
  EXPECT_EQ(copied(Cycles, Bytes, Untried, takes(3000, 1000)), 0U) << "a program of few messages meets no trial";
}

TEST(Cycles, OfShortMessagesAreCopiedFirstAtFirst) {
  for (size_t Short : {size_t(CYCLES_LEAST) + 1, size_t(CYCLES_SHORT)}) {
    cycles Cycles = {};
    EXPECT_EQ(copied(Cycles, Short, Untried, takes(300, 1000)), Untried) << Short;
    copied(Cycles, Short, 256, takes(300, 1000));
    EXPECT_LE(copied(Cycles, Short, 5000, takes(300, 1000)), 300U) << Short;
    Cycles = {};
    EXPECT_GE(copied(Cycles, Short, 10000, takes(1000, 900)), 9300U) << Short;
  }
}

TEST(Cycles, OfLongMessagesAreCopiedOftenEnoughToLearnHow) {
  cycles Cycles = {};
  copied(Cycles, CYCLES_MOST, Untried, takes(1000, 3000));
  EXPECT_EQ(copied(Cycles, CYCLES_MOST, 44, takes(1000, 3000)), 44U) << "32 untimed ones, and the first run";
}

TEST(Cycles, AreCopiedFirstWhereThatTakesClearlyLess) {
  cycles Cycles = {};
  copied(Cycles, Bytes, Untried + 256, takes(20000, 7000));
  EXPECT_GE(copied(Cycles, Bytes, 5000, takes(20000, 7000)), 4700U);
}

TEST(Cycles, StayInPlaceWhereNothingIsGained) {
  for (uint64_t Copied : {uint64_t(9500), uint64_t(10000), uint64_t(12000)}) {
    cycles Cycles = {};
    EXPECT_LE(copied(Cycles, Bytes, 10000, takes(10000, Copied)), 700U) << Copied;
  }
}

TEST(Cycles, TryRarelyWhatHasLostByFar) {
  cycles Cycles = {};
  copied(Cycles, Bytes, 1000, takes(1400, 30000));
  EXPECT_LE(copied(Cycles, Bytes, 30000, takes(1400, 30000)), 5U * 24U);
}

TEST(Cycles, AreWhatNoTimeCanBeToldOf) {
  cycles Cycles = {};
  copied(Cycles, Bytes, Untried + 256, takes(5000000, 4990000)); // the program computes
  EXPECT_LE(copied(Cycles, Bytes, 10000, takes(5000000, 4990000)), 700U);
}

TEST(Cycles, FollowWhatChanges) {
  cycles Cycles = {};
  copied(Cycles, Bytes, 3000, takes(20000, 7000));
  copied(Cycles, Bytes, 3000, takes(12000, 40000)); // another state of the machine
  EXPECT_LE(copied(Cycles, Bytes, 3000, takes(12000, 40000)), 100U);
  copied(Cycles, Bytes, 9000, takes(20000, 7000));
  EXPECT_GE(copied(Cycles, Bytes, 3000, takes(20000, 7000)), 2700U);
}

TEST(Cycles, CountsLostTimeSlicesForNothing) {
  cycles Cycles = {};
  unsigned I = 0;
  auto Takes = [&](bool Copied) { return uint64_t(Copied ? 7000 : 20000) + (++I % 37 == 0 ? 4000000 : 0); };
  copied(Cycles, Bytes, 2000, Takes);
  EXPECT_GE(copied(Cycles, Bytes, 3000, Takes), 2700U);
}

TEST(Cycles, OfOtherSizesAreReadInPlace) {
  cycles Cycles = {};
  for (size_t Other : {size_t(8), size_t(CYCLES_LEAST), size_t(CYCLES_MOST) + 1, size_t(1) << 30})
    EXPECT_EQ(copied(Cycles, Other, 1000, takes(3000, 1000)), 0U) << Other;
}

TEST(Cycles, MayBeOfSizesThatDiffer) {
  cycles Cycles = {};
  unsigned Copied = 0;
  for (unsigned I = 0; I < 6000; I++) {
    bool First = cycles_copied(&Cycles, 70000 + I * 7919 % 60000, now);
    Copied += First && I >= 1000;
    Now += First ? 7000 : 20000;
  }
  EXPECT_GE(Copied, 4700U);
}

TEST(Cycles, OfEachClassAreTheirOwn) {
  cycles Cycles = {};
  copied(Cycles, CYCLES_SHORT + 1, 1000, takes(3000, 1000));
  EXPECT_EQ(copied(Cycles, CYCLES_MOST, Untried, takes(3000, 1000)), 0U);
  EXPECT_EQ(copied(Cycles, size_t(2) * CYCLES_SHORT, 8, takes(3000, 1000)), 8U) << "of the first class";
}

} // namespace

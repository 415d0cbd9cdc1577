// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that messages have in turn: what was given back comes again late, nothing is given out twice, and how much is
// used grows with use.
extern "C" {
#include "memory/turns.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr size_t Page = size_t{1} << HEAP_PAGE_SHIFT;

class TurnsTest : public testing::Test {
protected:
  void create(size_t bytes) {
    Bytes = bytes;
    Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(Memory, MAP_FAILED);
    ASSERT_TRUE(heap_init(&Heap, Memory, Bytes));
  }
  void SetUp() override { create(size_t{64} << 20); }
  void TearDown() override {
    heap_destroy(&Heap);
    munmap(Memory, Bytes);
  }
  char *allocate(size_t bytes) { return static_cast<char *>(turns_allocate(&Turns, &Heap, bytes)); }

  size_t Bytes = 0;
  struct heap Heap;
  struct turns Turns = {};
  void *Memory = nullptr;
};

TEST_F(TurnsTest, WhatIsGivenBackComesAgainLate) {
  std::vector<char *> Last;
  for (int I = 0; I < 2000; ++I) {
    char *One = allocate(16 * Page);
    ASSERT_NE(One, nullptr);
    Last.push_back(One);
    ASSERT_TRUE(turns_free(&Turns, One, 16 * Page));
  }
  EXPECT_EQ(std::set<char *>(Last.end() - 32, Last.end()).size(), 32U) << "2 MiB in all";
  EXPECT_EQ(Last[Last.size() - 33], Last.back());
}

TEST_F(TurnsTest, LittleIsUsedAtFirst) {
  size_t Before = Heap.committed_pages;
  for (int I = 0; I < 4; ++I)
    turns_free(&Turns, allocate(16 * Page), 16 * Page);
  EXPECT_LE(Heap.committed_pages - Before, 64U);
  for (int I = 0; I < 1000; ++I)
    turns_free(&Turns, allocate(16 * Page), 16 * Page);
  EXPECT_LE(Heap.committed_pages - Before, size_t{TURNS_PAGES});
}

TEST_F(TurnsTest, NothingIsGivenOutTwice) {
  std::mt19937 Random(7);
  struct piece {
    char *Start;
    size_t Bytes;
  };
  std::vector<piece> Held;
  unsigned None = 0;
  for (int I = 0; I < 20000; ++I) {
    size_t bytes = 1 + Random() % (40 * Page);
    if (char *Start = allocate(bytes)) {
      for (const piece &Other : Held)
        ASSERT_TRUE(Start + bytes <= Other.Start || Other.Start + Other.Bytes <= Start);
      memset(Start, 1, bytes);
      Held.push_back({Start, bytes});
    } else {
      None++;
    }
    while (Held.size() > Random() % 30) {
      size_t Which = Random() % Held.size();
      ASSERT_TRUE(turns_free(&Turns, Held[Which].Start, Held[Which].Bytes));
      Held.erase(Held.begin() + static_cast<long>(Which));
    }
  }
  EXPECT_GT(None, 0U) << "small ones, and where there is no room";
}

TEST_F(TurnsTest, WhatStaysForEverIsPassed) {
  char *Stays = allocate(10 * Page);
  ASSERT_NE(Stays, nullptr);
  for (int I = 0; I < 1000; ++I) {
    char *One = allocate(30 * Page);
    ASSERT_NE(One, nullptr);
    EXPECT_TRUE(One + 30 * Page <= Stays || Stays + 10 * Page <= One);
    turns_free(&Turns, One, 30 * Page);
  }
}

TEST_F(TurnsTest, SomeIsForTheHeap) {
  EXPECT_EQ(allocate(100), nullptr);
  EXPECT_EQ(allocate((TURNS_PAGES / 2 + 1) * Page), nullptr);
  EXPECT_NE(allocate(TURNS_PAGES / 2 * Page), nullptr);
  EXPECT_NE(allocate(TURNS_PAGES / 2 * Page), nullptr);
  EXPECT_EQ(allocate(4 * Page), nullptr) << "all is taken";
  void *Other = heap_allocate(&Heap, 4 * Page);
  EXPECT_FALSE(turns_free(&Turns, Other, 4 * Page));
}

TEST_F(TurnsTest, ASmallHeapKeepsItsMemory) {
  TearDown();
  create(size_t{2} << 20);
  EXPECT_EQ(allocate(4 * Page), nullptr);
  EXPECT_FALSE(turns_free(&Turns, Memory, 4 * Page));
}

} // namespace

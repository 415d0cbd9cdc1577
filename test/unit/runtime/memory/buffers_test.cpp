// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's heap in the window: pieces do not overlap, keep their contents, and come back whole.
extern "C" {
#include "memory/buffers.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t Page = size_t{1} << HEAP_PAGE_SHIFT;

/// A heap in shared pages, of which the first `backed` bytes exist.
class BuffersTest : public testing::Test {
protected:
  void create(size_t bytes, size_t backed) {
    Bytes = bytes;
    int file = memfd_create("buffers", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(backed)), 0);
    Memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    ASSERT_NE(Memory, MAP_FAILED);
    ASSERT_TRUE(buffers_init(&Buffers, Memory, bytes));
  }
  void SetUp() override { create(16 << 20, 16 << 20); }
  void TearDown() override {
    buffers_destroy(&Buffers);
    munmap(Memory, Bytes);
  }
  void recreate(size_t bytes, size_t backed) {
    TearDown();
    create(bytes, backed);
  }
  unsigned char *allocate(size_t bytes, size_t alignment = 16) {
    return static_cast<unsigned char *>(buffers_allocate(&Buffers, alignment, bytes));
  }
  size_t committed() const { return Buffers.pages.committed_pages * Page; }

  struct buffers Buffers;
  void *Memory = nullptr;
  size_t Bytes = 0;
  size_t Holds = 0; ///< What buffers_resize said.
};

TEST_F(BuffersTest, EveryPieceStartsWithACacheLine) {
  for (size_t bytes : {0, 1, 63, 64, 65, 500, 513, 1024, 1025, 2048, 2049, 4096, 100000}) {
    unsigned char *piece = allocate(bytes);
    ASSERT_NE(piece, nullptr) << bytes;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % BUFFER_ALIGNMENT, 0u) << bytes;
    memset(piece, 1, bytes);
  }
  for (size_t alignment = 64; alignment <= Page; alignment *= 2)
    EXPECT_EQ(reinterpret_cast<uintptr_t>(allocate(10, alignment)) % alignment, 0u) << alignment;
  EXPECT_EQ(allocate(10, 2 * Page), nullptr);
}

TEST_F(BuffersTest, OnePieceMayTakeAllThatIsFreeSideBySide) {
  // No power of two, as the heap is whose first page holds something else.
  recreate((16 << 20) - Page, (16 << 20) - Page);
  unsigned char *first = allocate(Page), *most = allocate((15 << 20) + 5);
  ASSERT_NE(most, nullptr);
  memset(most, 1, (15 << 20) + 5);
  EXPECT_EQ(allocate(1 << 20), nullptr);
  unsigned char *rest = allocate(256 << 10);
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(buffers_resize(&Buffers, most, 3 << 20, &Holds), false);
  EXPECT_EQ(Holds, (15 << 20) + Page);
  ASSERT_TRUE(buffers_free(&Buffers, most));
  // A hole between two others is not enough, even if there is as much elsewhere.
  unsigned char *low = allocate(5 << 20), *middle = allocate(5 << 20), *high = allocate(5 << 20);
  ASSERT_TRUE(low && middle && high);
  ASSERT_TRUE(buffers_free(&Buffers, low));
  ASSERT_TRUE(buffers_free(&Buffers, high));
  EXPECT_EQ(allocate(9 << 20), nullptr);
  ASSERT_TRUE(buffers_free(&Buffers, middle));
  ASSERT_TRUE(buffers_free(&Buffers, first));
  ASSERT_TRUE(buffers_free(&Buffers, rest));
  EXPECT_NE(allocate((16 << 20) - Page), nullptr);
}

TEST_F(BuffersTest, RandomPiecesKeepTheirContents) {
  struct Piece {
    unsigned char *Start;
    size_t Bytes;
    unsigned char Fill;
  };
  std::vector<Piece> pieces;
  std::mt19937 random(7);
  auto holds = [](const Piece &piece) {
    for (size_t i = 0; i < piece.Bytes; i++)
      if (piece.Start[i] != piece.Fill)
        return false;
    return true;
  };
  size_t refused = 0;
  for (int step = 0; step < 20000; step++) {
    size_t action = random() % 8;
    if (pieces.empty() || action < 4) {
      size_t bytes = random() % (size_t{1} << random() % 21);
      if (unsigned char *start = allocate(bytes)) {
        pieces.push_back({start, bytes, static_cast<unsigned char>(random())});
        memset(start, pieces.back().Fill, bytes);
      } else {
        refused++;
      }
      continue;
    }
    std::swap(pieces[random() % pieces.size()], pieces.back());
    Piece &piece = pieces.back();
    ASSERT_TRUE(holds(piece));
    size_t holdsBytes, bytes = piece.Bytes + piece.Bytes / 4;
    if (action < 6) {
      ASSERT_TRUE(buffers_free(&Buffers, piece.Start));
      pieces.pop_back();
    } else if (buffers_resize(&Buffers, piece.Start, bytes, &holdsBytes)) {
      ASSERT_TRUE(holds(piece));
      memset(piece.Start, piece.Fill, bytes);
      piece.Bytes = bytes;
    } else {
      EXPECT_GE(holdsBytes, piece.Bytes);
    }
  }
  EXPECT_GT(refused, 0u) << "the heap was never full";
  for (Piece &piece : pieces) {
    ASSERT_TRUE(holds(piece));
    ASSERT_TRUE(buffers_free(&Buffers, piece.Start));
  }
}

TEST_F(BuffersTest, FreedPagesBecomeOnePieceAgain) {
  std::vector<unsigned char *> pieces;
  for (size_t pages = 1; unsigned char *piece = allocate(pages * Page); pages = pages * 5 % 47)
    pieces.push_back(piece);
  EXPECT_GT(pieces.size(), 50u);
  EXPECT_EQ(allocate(16 << 20), nullptr);
  std::shuffle(pieces.begin(), pieces.end(), std::mt19937(7));
  for (unsigned char *piece : pieces)
    ASSERT_TRUE(buffers_free(&Buffers, piece));
  EXPECT_NE(allocate(16 << 20), nullptr);
}

TEST_F(BuffersTest, APieceTakesNoMorePagesThanItNeeds) {
  size_t sum = 0;
  for (size_t pages : {1, 3, 5, 7, 9, 33, 65, 129, 257})
    sum += (allocate(pages * Page) ? pages : 0) * Page;
  EXPECT_EQ(sum, (1 + 3 + 5 + 7 + 9 + 33 + 65 + 129 + 257) * Page);
  size_t rest = 0;
  while (allocate(Page))
    rest += Page;
  EXPECT_EQ(sum + rest, size_t{16} << 20);
}

TEST_F(BuffersTest, ASteadyProgramCommitsNothingNew) {
  auto step = [this] {
    std::vector<unsigned char *> pieces;
    for (size_t bytes : {40, 700, 3000, 20000, 300000, 1000000})
      for (int i = 0; i < 4; i++)
        pieces.push_back(allocate(bytes));
    for (unsigned char *piece : pieces)
      ASSERT_TRUE(buffers_free(&Buffers, piece));
  };
  step();
  size_t after = committed();
  for (int i = 0; i < 1000; i++)
    step();
  EXPECT_EQ(committed(), after);
}

TEST_F(BuffersTest, ShortageIsNull) {
  recreate(16 << 20, 1 << 20);
  std::vector<unsigned char *> pieces;
  while (unsigned char *piece = allocate(40000)) {
    memset(piece, 1, 40000);
    pieces.push_back(piece);
  }
  EXPECT_EQ(pieces.size(), (size_t{1} << 20) / (16 * Page));
  EXPECT_EQ(allocate(2 << 20), nullptr);
  ASSERT_TRUE(buffers_free(&Buffers, pieces.back()));
  EXPECT_EQ(allocate(40000), pieces.back());
  EXPECT_NE(allocate(Page), nullptr);
}

TEST_F(BuffersTest, AFewPagesWillDo) {
  recreate(2 * RUN_BYTES, 2 * RUN_BYTES);
  EXPECT_NE(allocate(64), nullptr);
  EXPECT_NE(allocate(2048), nullptr);
  EXPECT_EQ(allocate(500), nullptr);
}

TEST_F(BuffersTest, WhatIsNoPieceIsRefused) {
  unsigned char *small = allocate(200), *large = allocate(20000);
  EXPECT_FALSE(buffers_free(&Buffers, small + 64));
  EXPECT_FALSE(buffers_free(&Buffers, large + Page));
  EXPECT_FALSE(buffers_free(&Buffers, large + 64));
  EXPECT_TRUE(buffers_free(&Buffers, small));
  EXPECT_TRUE(buffers_free(&Buffers, large));
  EXPECT_FALSE(buffers_free(&Buffers, small));
  EXPECT_FALSE(buffers_free(&Buffers, large));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pages of a heap are committed: what is asked for, a little more of what is free, and nothing of what is
// reserved.
extern "C" {
#include "memory/heap.h"
}

#include <gtest/gtest.h>

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr size_t Page = size_t{1} << HEAP_PAGE_SHIFT;

/// A heap of 16 MiB in shared pages, of which the first `backed` bytes exist.
class HeapTest : public testing::Test {
protected:
  void create(size_t backed) {
    int file = memfd_create("heap", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(backed)), 0);
    Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    ASSERT_NE(Memory, MAP_FAILED);
    ASSERT_TRUE(heap_init(&Heap, Memory, Bytes));
  }
  void SetUp() override { create(Bytes); }
  void TearDown() override {
    heap_destroy(&Heap);
    munmap(Memory, Bytes);
  }
  void recreate(size_t backed) {
    TearDown();
    create(backed);
  }

  static constexpr size_t Bytes = 16 << 20;
  struct heap Heap;
  void *Memory = nullptr;
};

TEST_F(HeapTest, TheFirstBlocksTakeFewPages) {
  ASSERT_NE(heap_allocate(&Heap, 4 * Page), nullptr);
  EXPECT_EQ(Heap.committed_pages, 4u);
  ASSERT_NE(heap_allocate(&Heap, 4 * Page), nullptr);
  EXPECT_EQ(Heap.committed_pages, 8u);
  ASSERT_NE(heap_allocate(&Heap, Page), nullptr);
  EXPECT_EQ(Heap.committed_pages, 16u) << "as many as there were, behind it";
  for (int I = 0; I < 1000; ++I)
    ASSERT_NE(heap_allocate(&Heap, Page), nullptr);
  EXPECT_GE(Heap.committed_pages, 1009u);
  EXPECT_LE(Heap.committed_pages, 1009u + 64u);
}

TEST_F(HeapTest, WhatIsReservedIsCommittedInParts) {
  ASSERT_NE(heap_allocate(&Heap, Page), nullptr);
  char *Block = static_cast<char *>(heap_reserve(&Heap, 64 * Page));
  ASSERT_NE(Block, nullptr);
  EXPECT_EQ(Heap.committed_pages, 1u);
  for (size_t Pages = 1; Pages <= 64; Pages *= 2) {
    ASSERT_TRUE(heap_commit(&Heap, Block, Pages * Page));
    EXPECT_EQ(Heap.committed_pages, 1 + Pages);
    memset(Block, 1, Pages * Page);
  }
  heap_free(&Heap, Block);
  EXPECT_EQ(heap_allocate(&Heap, 64 * Page), Block);
  EXPECT_EQ(Heap.committed_pages, 65u) << "committed once more";
}

TEST_F(HeapTest, WhatIsCommittedFurtherIsFree) {
  heap_allocate(&Heap, 64 * Page);
  char *Block = static_cast<char *>(heap_reserve(&Heap, 64 * Page));
  heap_allocate(&Heap, 64 * Page);
  ASSERT_TRUE(heap_commit(&Heap, Block, 2 * Page));
  heap_free(&Heap, Block);
  size_t Before = Heap.committed_pages;
  heap_allocate(&Heap, Page); // in the pages that were reserved
  heap_allocate(&Heap, 2 * Page);
  EXPECT_LE(Heap.committed_pages, Before + 62);
}

TEST_F(HeapTest, ABlockThatWasReservedInPartIsCommittedWhole) {
  char *Block = static_cast<char *>(heap_reserve(&Heap, 64 * Page));
  ASSERT_TRUE(heap_commit(&Heap, Block, 3 * Page));
  heap_free(&Heap, Block);
  ASSERT_EQ(heap_allocate(&Heap, 2 * Page), Block);
  EXPECT_EQ(Heap.committed_pages, 3u);
  char *Next = static_cast<char *>(heap_allocate(&Heap, 2 * Page));
  ASSERT_EQ(Next, Block + 2 * Page);
  memset(Next, 1, 2 * Page);
  EXPECT_GE(Heap.committed_pages, 4u);
}

TEST_F(HeapTest, TheRunsOfCommittedPagesAreAllOfThem) {
  size_t Count;
  EXPECT_EQ(heap_committed_run(&Heap, 0, &Count), Bytes / Page);
  EXPECT_EQ(Count, 0u);
  heap_allocate(&Heap, 2 * Page);
  char *Block = static_cast<char *>(heap_reserve(&Heap, 256 * Page));
  heap_commit(&Heap, Block, 100 * Page);
  EXPECT_EQ(heap_committed_run(&Heap, 0, &Count), 0u);
  EXPECT_EQ(Count, 2u);
  EXPECT_EQ(heap_committed_run(&Heap, 2, &Count), 256u);
  EXPECT_EQ(Count, 100u);
  EXPECT_EQ(heap_committed_run(&Heap, 356, &Count), Bytes / Page);
  EXPECT_EQ(Count, 0u);
}

TEST_F(HeapTest, AShortageIsReported) {
  recreate(32 * Page);
  char *Block = static_cast<char *>(heap_reserve(&Heap, 64 * Page));
  ASSERT_NE(Block, nullptr);
  ASSERT_TRUE(heap_commit(&Heap, Block, 16 * Page));
  EXPECT_FALSE(heap_commit(&Heap, Block, 33 * Page));
  memset(Block, 1, 16 * Page);
  ASSERT_TRUE(heap_commit(&Heap, Block, 32 * Page));
  memset(Block, 1, 32 * Page);
  EXPECT_EQ(heap_allocate(&Heap, Page), nullptr) << "behind it nothing is backed";
  heap_free(&Heap, Block);
  EXPECT_NE(heap_allocate(&Heap, 32 * Page), nullptr);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by the kernel give the bytes that are there, and write nothing beside them, at every distance in a page of the
// two: at some they go in pieces. Both processes are this one.
extern "C" {
#include "channel/reach.h"
}

#include <gtest/gtest.h>

#include <cstring>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

constexpr size_t Page = 4096, Longest = 24 * Page + 1, Start = 24;

class Reach : public testing::Test {
protected:
  void SetUp() override {
    for (size_t I = 0; I < Given.size(); ++I)
      Given[I] = static_cast<unsigned char>(I * 31 + I / Page);
    if (!reach_read(getpid(), addressOf(Given.data()), Got.data(), 1))
      GTEST_SKIP() << "the kernel does not permit it";
  }

  static uint64_t addressOf(const void *Memory) { return reinterpret_cast<uintptr_t>(Memory); }
  // So many bytes behind the first page that begins there.
  static unsigned char *behindPage(std::vector<unsigned char> &Memory, size_t Bytes) {
    return Memory.data() + (Page - addressOf(Memory.data()) % Page) % Page + Bytes;
  }

  template <typename Function> void copies(Function Copy, size_t Distance, size_t Bytes) {
    unsigned char *From = behindPage(Given, Start), *To = behindPage(Got, (Start + Distance) % Page);
    std::fill(Got.begin(), Got.end(), 0xa5);
    ASSERT_TRUE(Copy(To, From, Bytes)) << Bytes << " bytes, distance " << Distance;
    ASSERT_EQ(memcmp(To, From, Bytes), 0) << Bytes << " bytes, distance " << Distance;
    for (const unsigned char *At = Got.data(); At < Got.data() + Got.size(); ++At)
      if (At < To || At >= To + Bytes)
        ASSERT_EQ(*At, 0xa5) << At - To << " of " << Bytes << " bytes, distance " << Distance;
  }
  template <typename Function> void copiesAtEachDistance(Function Copy) {
    for (size_t Distance : {0, 1, 8, 16, 31, 32, 64, 2048, 4064, 4095})
      for (size_t Bytes : {size_t{8}, 2 * Page - 1, 2 * Page, 8 * Page, 8 * Page + 1, 16 * Page, Longest})
        copies(Copy, Distance, Bytes);
  }

  // A batch of a short copy, and of what is given in two halves.
  static reach_batch batchOf(unsigned char *Here, unsigned char *There, size_t Bytes) {
    reach_batch Batch = {};
    Batch.pid = getpid();
    for (auto [At, Length] : {std::pair{size_t{0}, size_t{8}},
                              {size_t{8}, (Bytes - 8) / 2},
                              {8 + (Bytes - 8) / 2, Bytes - 8 - (Bytes - 8) / 2}}) {
      Batch.here[Batch.count] = {Here + At, Length};
      Batch.there[Batch.count++] = {There + At, Length};
      Batch.bytes += Length;
    }
    return Batch;
  }

  std::vector<unsigned char> Given = std::vector<unsigned char>(Longest + 4 * Page), Got = Given;
};

TEST_F(Reach, ReadsAtEachDistance) {
  copiesAtEachDistance([](unsigned char *To, unsigned char *From, size_t Bytes) {
    return reach_read(getpid(), addressOf(From), To, Bytes);
  });
}

TEST_F(Reach, WritesAtEachDistance) {
  copiesAtEachDistance([](unsigned char *To, unsigned char *From, size_t Bytes) {
    return reach_write(getpid(), addressOf(To), From, Bytes);
  });
}

TEST_F(Reach, ReadsBatchesAtEachDistance) {
  copiesAtEachDistance([](unsigned char *To, unsigned char *From, size_t Bytes) {
    reach_batch Batch = batchOf(To, From, Bytes);
    return reach_read_batch(&Batch);
  });
}

TEST_F(Reach, WritesBatchesAtEachDistance) {
  copiesAtEachDistance([](unsigned char *To, unsigned char *From, size_t Bytes) {
    reach_batch Batch = batchOf(From, To, Bytes);
    return reach_write_batch(&Batch);
  });
}

// What is not there is refused, in pieces as in whole.
TEST_F(Reach, RefusesWhatIsNotThere) {
  for (uint64_t Distance : {0, 16}) {
    unsigned char *Memory = behindPage(Got, Distance);
    EXPECT_FALSE(reach_read(getpid(), 0, Memory, 4 * Page)) << Distance;
    EXPECT_FALSE(reach_write(getpid(), Distance, behindPage(Got, 0), 4 * Page)) << Distance;
  }
}

} // namespace

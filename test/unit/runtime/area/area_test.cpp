// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What members of a communicator share for its collectives, with threads as members.

#include "harness.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>

namespace {

constexpr uint32_t SlotBytes = 512;
constexpr unsigned Collectives = 200;

struct Deleter {
  void operator()(members *M) const { members_destroy(M); }
};
using Members = std::unique_ptr<members, Deleter>;

void onEach(unsigned Count, const std::function<void(unsigned)> &Function) {
  std::vector<std::thread> Threads;
  for (unsigned Place = 0; Place < Count; ++Place)
    Threads.emplace_back(Function, Place);
  for (std::thread &Thread : Threads)
    Thread.join();
}

// Members, and the epoch that they start at: a barrier's wrap after 30 bits, those of other collectives never.
class Area : public testing::TestWithParam<std::tuple<unsigned, uint32_t>> {
protected:
  unsigned Count = std::get<0>(GetParam());
  Members M{members_create(Count, SlotBytes, std::get<1>(GetParam()))};
};

TEST_P(Area, BarrierOrdersPlainMemory) {
  std::vector<unsigned> Told(Count);
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 1; I <= Collectives; ++I) {
      Told[Place] = I;
      EXPECT_EQ(members_agree(M.get(), Place, 0), 0u);
      for (unsigned Other = 0; Other < Count; ++Other)
        EXPECT_EQ(Told[Other], I);
      members_agree(M.get(), Place, 0);
    }
  });
}

TEST_P(Area, BitsOfAnyMemberReachAll) {
  auto Of = [&](unsigned I, unsigned Place) { // of each bit, one member's or none's
    return unsigned(I % (Count + 1) == Place) | unsigned(I / 3 % (Count + 1) == Place) << 1;
  };
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < Collectives; ++I) {
      unsigned All = 0;
      for (unsigned Other = 0; Other < Count; ++Other)
        All |= Of(I, Other);
      EXPECT_EQ(members_agree(M.get(), Place, Of(I, Place)), All) << I;
    }
  });
}

TEST_P(Area, EachGetsWhatAllPublish) {
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < Collectives; ++I) {
      unsigned Mine[2] = {I, Place}, Got[2];
      members_publish(M.get(), Place, Mine, sizeof Mine, true);
      for (unsigned From = 0; From < Count; ++From) {
        ASSERT_EQ(members_fetch(M.get(), Place, From, Got), sizeof Mine);
        EXPECT_EQ(Got[0], I);
        EXPECT_EQ(Got[1], From);
      }
      members_end(M.get(), Place, true);
    }
  });
}

TEST_P(Area, EachGetsWhatOnePublishes) {
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < Collectives; ++I) {
      unsigned Root = I / 7 % Count, Got = 0;
      if (Place == Root)
        members_publish(M.get(), Place, &I, sizeof I, true);
      else
        members_publish(M.get(), Place, nullptr, 0, true);
      if (Place != Root) {
        members_fetch(M.get(), Place, Root, &Got);
        EXPECT_EQ(Got, I);
      }
      members_end(M.get(), Place, false);
    }
  });
}

// Memory that a slot only refers to is its owner's again when all are done.
TEST_P(Area, MemoryIsFreeWhenAllAreDone) {
  std::vector<unsigned> Memory(8);
  onEach(Count, [&](unsigned Place) {
    const unsigned *At = Memory.data();
    for (unsigned I = 0; I < Collectives; ++I) {
      if (Place == 0) {
        Memory.assign(Memory.size(), I);
        members_publish(M.get(), Place, &At, sizeof At, true);
      } else {
        const unsigned *Got = nullptr;
        members_publish(M.get(), Place, nullptr, 0, true);
        members_fetch(M.get(), Place, 0, &Got);
        EXPECT_EQ(Got[I % Memory.size()], I);
      }
      members_end(M.get(), Place, false);
      if (Place == 0)
        members_wait_done(M.get(), Place);
    }
  });
}

// Told by all between two broadcasts, and there so many broadcasts later that nobody waits; and again, and again.
TEST_P(Area, FindingsAreThereInTime) {
  onEach(Count, [&](unsigned Place) {
    uint64_t Known = 0;
    uint32_t Number = 0;
    for (unsigned I = 0; I < Collectives; ++I) {
      unsigned Root = I / 5 % Count, Got = 0;
      members_publish(M.get(), Place, Place == Root ? &I : nullptr, sizeof I, true);
      if (Place != Root)
        members_fetch(M.get(), Place, Root, &Got);
      members_end(M.get(), Place, false);
      if (Number > 0 && members_epoch(M.get(), Place) < Known)
        continue;
      for (unsigned From = 0; Number > 0 && From < Count; ++From) {
        uint64_t Costs[2] = {0, 0};
        ASSERT_TRUE(members_told(M.get(), Place, From, Number, Costs)) << I;
        EXPECT_EQ(Costs[0], Number * 10 + From);
        EXPECT_EQ(Costs[1], Number * 10 + From + 5);
      }
      ++Number;
      const uint64_t Mine[] = {Number * 10 + Place, Number * 10 + Place + 5};
      Known = members_tell(M.get(), Place, Number, Mine);
    }
    EXPECT_GT(Number, Collectives / 7);
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Area,
                         testing::Combine(testing::Values(2u, 3u, 4u, 7u),
                                          testing::Values(0u, 0x3ffffff0u, 0xfffffff0u)));

TEST(AreaAlone, SlotWaitsForTheLastReader) {
  Members M(members_create(3, SlotBytes, 0));
  unsigned I = 0, Got;
  auto Follow = [&](unsigned Place, bool Reads) {
    members_publish(M.get(), Place, nullptr, 0, false);
    ASSERT_TRUE(members_can_fetch(M.get(), Place, 0));
    if (Reads)
      members_fetch(M.get(), Place, 0, &Got);
    members_end(M.get(), Place, false);
  };
  unsigned Ahead = 0;
  for (; members_publish(M.get(), 0, &I, sizeof I, false); ++Ahead, ++I)
    members_end(M.get(), 0, false);
  EXPECT_EQ(Ahead, 4u); // as many slots as there are
  Follow(1, true);
  EXPECT_FALSE(members_publish(M.get(), 0, &I, sizeof I, false)) << "the third member has not read";
  Follow(2, true);
  EXPECT_EQ(Got, 0u);
  EXPECT_TRUE(members_publish(M.get(), 0, &I, sizeof I, false));
  EXPECT_FALSE(members_can_fetch(M.get(), 0, 1)) << "that member has published nothing";
}

TEST(AreaAlone, IsLeftWhenTheLastHasLeft) {
  Members M(members_create(3, SlotBytes, 5));
  for (unsigned Place : {1u, 0u}) {
    members_leave(M.get(), Place);
    EXPECT_FALSE(members_have_left(M.get()));
  }
  members_leave(M.get(), 2);
  EXPECT_TRUE(members_have_left(M.get()));
}

TEST(AreaAlone, SlotHoldsItsRoom) {
  Members M(members_create(2, SlotBytes, 0));
  std::vector<unsigned char> Data(members_room(M.get()), 7), Got(Data.size());
  EXPECT_EQ(Data.size(), SlotBytes - 16u);
  for (unsigned Place : {0u, 1u})
    members_publish(M.get(), Place, Data.data(), Data.size(), false);
  EXPECT_EQ(members_fetch(M.get(), 0, 1, Got.data()), Data.size());
  EXPECT_EQ(Got, Data);
  std::vector<unsigned char>(Got.size()).swap(Got);
  members_fetch(M.get(), 1, 0, Got.data());
  EXPECT_EQ(Got, Data);
}

} // namespace

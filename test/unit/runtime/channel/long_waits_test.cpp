// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank tells of its long waits.

#include "long_waits.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>

namespace {

struct Rank {
  waiting_rank *Waiting = waiting_rank_create();
  Rank() = default;
  Rank(const Rank &) = delete;
  Rank &operator=(const Rank &) = delete;
  ~Rank() { waiting_rank_destroy(Waiting); }
};

/// What the wait of that number tells, at some time.
told toldOf(uint32_t Number, uint64_t Milliseconds) {
  return {Number * 2654435761U, Number, static_cast<uint16_t>(Number * 7), static_cast<uint16_t>(Number * 11),
          Milliseconds};
}

bool isWhatWasTold(const told &Told, uint32_t Number) {
  told Should = toldOf(Number, 0);
  return Told.context == Should.context && Told.call == Should.call && Told.awaited == Should.awaited;
}

TEST(LongWaits, TellNothingAtFirst) {
  Rank Rank;
  EXPECT_EQ(waiting_rank_look(Rank.Waiting).milliseconds, 0U);
}

TEST(LongWaits, KeepAllBits) {
  Rank Rank;
  waiting_rank_tell(Rank.Waiting, {0xfedcba98U, 0xfedcbaU, 0xfedcU, 0xba98U, 0xfedcba9876U});
  told Told = waiting_rank_look(Rank.Waiting);
  EXPECT_EQ(Told.context, 0xfedcba98U);
  EXPECT_EQ(Told.number, 0xfedcbaU);
  EXPECT_EQ(Told.call, 0xfedcU);
  EXPECT_EQ(Told.awaited, 0xba98U);
  EXPECT_EQ(Told.milliseconds, 0xfedcba9876U);
}

// One look may find words of two waits. Of two looks with one number and the same words, what the second one finds is
// of that wait if it was told after the first.
TEST(LongWaits, AreToldWhole) {
  enum { WAITS = 2000, LOOKS = 20 };
  Rank Rank;
  std::atomic<uint64_t> Clock = 0;
  std::thread Waits([&] {
    for (uint32_t Number = 1; Number <= WAITS; Number++)
      for (int Look = 0; Look < LOOKS; Look++)
        waiting_rank_tell(Rank.Waiting, toldOf(Number, ++Clock));
  });
  told First = waiting_rank_look(Rank.Waiting);
  uint64_t SeenAt = Clock;
  for (uint64_t Last = 0; Last < uint64_t(WAITS) * LOOKS;) {
    told Second = waiting_rank_look(Rank.Waiting);
    bool IsSame = Second.number == First.number && Second.context == First.context && Second.call == First.call &&
                  Second.awaited == First.awaited;
    if (!IsSame) {
      First = Second;
      SeenAt = Clock;
    } else if (Second.milliseconds > SeenAt) {
      EXPECT_TRUE(isWhatWasTold(Second, Second.number));
    }
    Last = Second.milliseconds;
  }
  Waits.join();
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What members of a window share for its epochs, with threads as members. Memory that the epochs order is plain, so
// that ThreadSanitizer sees an order that is missing.

#include "harness.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr unsigned Times = 300;

void onEach(unsigned Count, const std::function<void(unsigned)> &Function) {
  std::vector<std::thread> Threads;
  for (unsigned Place = 0; Place < Count; ++Place)
    Threads.emplace_back(Function, Place);
  for (std::thread &Thread : Threads)
    Thread.join();
}

class Epochs : public testing::TestWithParam<unsigned> {
protected:
  unsigned Count = GetParam();
  sharers *S = sharers_create(Count);
  std::vector<unsigned> Memory = std::vector<unsigned>(Count);

  void TearDown() override {
    for (unsigned Place = 0; Place < Count; ++Place)
      sharers_leave(S, Place);
    EXPECT_TRUE(sharers_destroy(S));
  }
};

TEST_P(Epochs, FencesOrderPutsAndLoads) {
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 1; I <= Times; ++I) {
      Memory[(Place + I) % Count] = I; // each puts into another's
      sharers_barrier(S, Place);
      EXPECT_EQ(Memory[Place], I);
      sharers_barrier(S, Place);
    }
  });
}

TEST_P(Epochs, WritersAreAlone) {
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < Times; ++I)
      for (unsigned Target : {0u, Count - 1}) {
        sharers_lock(S, Place, Target, true);
        ++Memory[Target];
        sharers_unlock(S, Place, Target, true);
      }
  });
  EXPECT_EQ(Memory[0], Times * Count * (Count == 1 ? 2 : 1));
}

TEST_P(Epochs, ReadersSeeNoWriterInTheMiddle) {
  unsigned First = 0, Second = 0;
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < Times; ++I) {
      bool Writes = (I + Place) % 3 == 0;
      sharers_lock(S, Place, 0, Writes);
      if (Writes)
        ++First, ++Second;
      else
        EXPECT_EQ(First, Second);
      sharers_unlock(S, Place, 0, Writes);
    }
  });
}

TEST_P(Epochs, LatchesKeepAccumulatesApart) {
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < Times; ++I) {
      sharers_latch(S, Place, Count - 1);
      Memory[Count - 1] += Place + 1;
      sharers_unlatch(S, Place, Count - 1);
    }
  });
  EXPECT_EQ(Memory[Count - 1], Times * Count * (Count + 1) / 2);
}

// Some change all words, with the latch; most change one, by an instruction where the latch is open.
TEST_P(Epochs, WordsAndLatchesKeepAccumulatesApart) {
  std::vector<unsigned> Words(8);
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 0; I < 4 * Times; ++I) {
      if ((I + Place) % 16 == 15) {
        sharers_latch(S, Place, Count - 1);
        for (unsigned &Word : Words)
          ++Word;
        sharers_unlatch(S, Place, Count - 1);
      } else {
        sharers_add(S, Place, Count - 1, &Words[I % 8], 1);
      }
      if (I % 4 == 0)
        std::this_thread::yield(); // others take turns
    }
  });
  unsigned Sum = 0, All = 0;
  for (unsigned Word : Words)
    Sum += Word;
  for (unsigned Place = 0; Place < Count; ++Place)
    for (unsigned I = 0; I < 4 * Times; ++I)
      All += (I + Place) % 16 == 15 ? 8 : 1;
  EXPECT_EQ(Sum, All);
}

// Each puts into the next one's memory, between that one's post and wait.
TEST_P(Epochs, PostsAndWaitsOrderPutsAndLoads) {
  onEach(Count, [&](unsigned Place) {
    unsigned Next = (Place + 1) % Count, Before = (Place + Count - 1) % Count;
    for (unsigned I = 1; I <= Times; ++I) {
      sharers_post(S, Place, Before);
      sharers_start(S, Place, Next);
      EXPECT_EQ(Memory[Next], I - 1);
      Memory[Next] = I;
      sharers_complete(S, Place, Next);
      sharers_wait(S, Place, Before);
      EXPECT_EQ(Memory[Place], I);
    }
  });
}

// The first hands to one after the other of the rest, each of which brings it to its own memory when it has waited;
// where one of them may still read the last, it puts there itself.
TEST_P(Epochs, WhatIsHandedIsReadBeforeItIsWrittenAgain) {
  unsigned Handed = 0, For = 0, Number = 0;
  onEach(Count, [&](unsigned Place) {
    for (unsigned I = 1; Place == 0 && I <= Times; ++I)
      for (unsigned Target = 1; Target < Count; ++Target) {
        sharers_start(S, 0, Target);
        if (For == 0 || sharers_can_hand(S, 0, For)) {
          Handed = ++Number;
          sharers_hand(S, 0, For = Target, 1);
        } else {
          Memory[Target] = ++Number;
        }
        sharers_complete(S, 0, Target);
      }
    for (unsigned I = 1; Place > 0 && I <= Times; ++I) {
      sharers_post(S, Place, 0);
      sharers_wait(S, Place, 0);
      if (sharers_handed(S, Place, 0)) {
        Memory[Place] = Handed;
        sharers_brought(S, Place, 0);
      }
      EXPECT_EQ(Memory[Place], (I - 1) * (Count - 1) + Place);
    }
  });
}

TEST_P(Epochs, NobodyStartsBeforeThePost) {
  unsigned Other = Count - 1;
  EXPECT_FALSE(sharers_can_start(S, 0, Other));
  sharers_post(S, Other, 0);
  EXPECT_TRUE(sharers_can_start(S, 0, Other));
  sharers_complete(S, 0, Other);
  EXPECT_FALSE(sharers_can_start(S, 0, Other)) << "one access for each post";
  sharers_wait(S, Other, 0);
}

INSTANTIATE_TEST_SUITE_P(Members, Epochs, testing::Values(1, 2, 3, 5));

TEST(EpochsLatch, OpensWhereMembersTakeTurns) {
  sharers *S = sharers_create(3);
  unsigned Word = 0;
  for (unsigned I = 0; I < 20; ++I)
    sharers_add(S, 0, 2, &Word, 1);
  EXPECT_FALSE(sharers_word(S, 0, 2, &Word, 1)) << "there is only one";
  for (unsigned I = 0; I < 4; ++I)
    sharers_add(S, 1 - I % 2, 2, &Word, 1);
  EXPECT_TRUE(sharers_word(S, 0, 2, &Word, 1));
  EXPECT_TRUE(sharers_word(S, 2, 2, &Word, 1));
  EXPECT_FALSE(sharers_word(S, 0, 1, &Word, 1)) << "of another target";
  sharers_latch(S, 1, 2);
  EXPECT_FALSE(sharers_word(S, 0, 2, &Word, 1));
  sharers_unlatch(S, 1, 2);
  EXPECT_FALSE(sharers_word(S, 0, 2, &Word, 1)) << "not before they take turns again";
  EXPECT_EQ(Word, 26u);
  unsigned Before = sharers_latch(S, 1, 2);
  sharers_unlatch_word(S, 1, 2, Before);
  EXPECT_FALSE(sharers_word(S, 0, 2, &Word, 1));
  for (unsigned Place = 0; Place < 3; ++Place)
    sharers_leave(S, Place);
  EXPECT_TRUE(sharers_destroy(S));
}

// In the order of coming: two readers together, then the writer, though others hold the lock as readers when it comes,
// and a reader that comes after it waits for it.
TEST(EpochsLock, ServesInTheOrderOfComing) {
  sharers *S = sharers_create(2);
  unsigned First = sharers_lock(S, 0, 1, false), Second = sharers_lock(S, 1, 1, false);
  EXPECT_EQ(Second, First + 1);
  unsigned Writer = sharers_queue(S, 0, 1), Late = sharers_queue(S, 1, 1);
  EXPECT_FALSE(sharers_try(S, 0, 1, Writer, true));
  EXPECT_FALSE(sharers_try(S, 1, 1, Late, false));
  sharers_unlock(S, 1, 1, false);
  EXPECT_FALSE(sharers_try(S, 0, 1, Writer, true)) << "one reader is left";
  sharers_unlock(S, 0, 1, false);
  EXPECT_FALSE(sharers_try(S, 1, 1, Late, false)) << "the writer came first";
  EXPECT_TRUE(sharers_try(S, 0, 1, Writer, true));
  sharers_unlock(S, 0, 1, true);
  EXPECT_TRUE(sharers_try(S, 1, 1, Late, false));
  sharers_unlock(S, 1, 1, false);
  sharers_leave(S, 0);
  sharers_leave(S, 1);
  EXPECT_TRUE(sharers_destroy(S));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The board: which receive a sender claims for its message, and that nobody else gets it. The senders are ranks 0 to 2
// of a node, their receiver is another rank.

#include "channels.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <thread>
#include <vector>

namespace {

constexpr int Any = -1, Open = -1;

class Board : public testing::Test {
protected:
  ChannelPtr First = makeChannel(), Second = ChannelPtr(channel_create_beside(First.get())),
             Third = ChannelPtr(channel_create_beside(First.get()));

  bool await(int Tag, int Source = Any, uint32_t Context = 6) {
    channel_lock_board(First.get());
    bool Fits = channel_await(First.get(), Context, Tag, Source);
    channel_unlock_board(First.get());
    return Fits;
  }

  std::vector<int> claimers() {
    std::vector<int> Claimers;
    channel_lock_board(First.get());
    for (unsigned I = 0; I < channel_on_board(First.get()); ++I)
      Claimers.push_back(channel_claimer(First.get(), I));
    channel_unlock_board(First.get());
    return Claimers;
  }

  /// Sends a message and returns its position.
  static uint64_t send(const ChannelPtr &L, int Tag, uint32_t Context = 6) {
    EXPECT_TRUE(channel_send(L.get(), Context, Tag, &Tag, sizeof Tag));
    return channel_last(L.get());
  }

  static bool claim(const ChannelPtr &L, uint64_t Position) { return channel_claim(L.get(), Position); }
};

using Claimers = std::vector<int>;

TEST_F(Board, IsClaimedInOrder) {
  for (int I = 0; I < 3; ++I)
    ASSERT_TRUE(await(Any));
  uint64_t A = send(First, 5), B = send(First, 5);
  EXPECT_TRUE(claim(First, A));
  EXPECT_EQ(claimers(), (Claimers{0, Open, Open}));
  EXPECT_TRUE(claim(First, B));
  EXPECT_EQ(claimers(), (Claimers{0, 0, Open}));
  EXPECT_TRUE(claim(First, B)) << "what is claimed stays claimed";
  EXPECT_EQ(claimers(), (Claimers{0, 0, Open}));
}

TEST_F(Board, HasNothingForAMessageWhenItIsEmpty) { EXPECT_FALSE(claim(First, send(First, 5))); }

TEST_F(Board, GivesAReceiveToOneSenderOnly) {
  ASSERT_TRUE(await(Any));
  uint64_t A = send(First, 5), B = send(Second, 5), C = send(Third, 5);
  EXPECT_TRUE(claim(Second, B));
  EXPECT_FALSE(claim(First, A));
  EXPECT_FALSE(claim(Third, C));
  EXPECT_EQ(claimers(), Claimers{1});
  ASSERT_TRUE(await(Any));
  EXPECT_TRUE(claim(Third, C));
  EXPECT_FALSE(claim(First, A));
  EXPECT_EQ(claimers(), (Claimers{1, 2}));
}

TEST_F(Board, GivesTheEarlierReceivesToTheEarlierMessages) {
  ASSERT_TRUE(await(5));
  send(First, 5);
  uint64_t Later = send(First, 5);
  EXPECT_FALSE(claim(First, Later)) << "the only receive is that of the message before";
  EXPECT_EQ(claimers(), Claimers{0}) << "which has it, since no other rank is to get between them";
  ASSERT_TRUE(await(5));
  EXPECT_TRUE(claim(First, Later));
  EXPECT_EQ(claimers(), (Claimers{0, 0}));
}

TEST_F(Board, PassesOverEarlierMessagesThatNothingMatches) {
  ASSERT_TRUE(await(5));
  send(First, 4);
  send(First, 5, 8);
  EXPECT_TRUE(claim(First, send(First, 5)));
}

TEST_F(Board, PassesOverReceivesThatDoNotMatch) {
  ASSERT_TRUE(await(4));
  ASSERT_TRUE(await(Any, Any, 8)); // another communicator
  ASSERT_TRUE(await(Any, 1));
  uint64_t Position = send(First, 5);
  EXPECT_FALSE(claim(First, Position));
  EXPECT_EQ(claimers(), (Claimers{Open, Open, Open}));
  ASSERT_TRUE(await(5));
  EXPECT_TRUE(claim(First, Position));
  EXPECT_EQ(claimers(), (Claimers{Open, Open, Open, 0}));
}

// A receive from one rank that waits behind another rank's wildcard.
TEST_F(Board, GivesAReceiveFromOneRankToThatRank) {
  ASSERT_TRUE(await(7));
  ASSERT_TRUE(await(7, 2));
  uint64_t A = send(First, 7), B = send(Second, 7), C = send(Third, 7);
  EXPECT_TRUE(claim(First, A));
  EXPECT_FALSE(claim(Second, B));
  EXPECT_TRUE(claim(Third, C));
  EXPECT_EQ(claimers(), (Claimers{0, 2}));
}

// An odd context is that of a call that was not rewritten.
TEST_F(Board, MeetsWhatWasNotRewritten) {
  ASSERT_TRUE(await(Any, Any, 7));
  EXPECT_TRUE(claim(First, send(First, 5, 6)));
}

TEST_F(Board, HasRoomForAllReceives) {
  constexpr unsigned Receives = 500;
  for (unsigned I = 0; I < Receives; ++I)
    ASSERT_TRUE(await(Any));
  for (unsigned I = 0; I < Receives; ++I)
    EXPECT_TRUE(claim(First, send(First, 5)));
  EXPECT_FALSE(claim(First, send(First, 5)));
  EXPECT_FALSE(claim(Second, send(Second, 5)));
  EXPECT_EQ(claimers(), Claimers(Receives, 0));
}

TEST_F(Board, MovesUpBehindWhatIsRemoved) {
  for (int Source : {0, 1, 2})
    ASSERT_TRUE(await(Any, Source));
  ASSERT_TRUE(claim(Third, send(Third, 5)));
  channel_lock_board(First.get());
  channel_remove(First.get(), 1);
  channel_unlock_board(First.get());
  EXPECT_EQ(claimers(), (Claimers{Open, 2}));
  EXPECT_FALSE(claim(Second, send(Second, 5)));
  EXPECT_TRUE(claim(First, send(First, 5)));
}

TEST_F(Board, IsNotClaimedWhileReceivesAreHidden) {
  ASSERT_TRUE(await(Any));
  channel_hide(First.get());
  EXPECT_FALSE(claim(First, send(First, 5))) << "it may be that of a receive which only its rank knows";
}

TEST_F(Board, IsNotClaimedWhileItsRankMatches) {
  ASSERT_TRUE(await(Any));
  uint64_t Position = send(First, 5);
  channel_lock_board(First.get());
  EXPECT_FALSE(claim(First, Position));
  channel_unlock_board(First.get());
  EXPECT_TRUE(claim(First, Position));
}

TEST_F(Board, ComesAfterThePostedReceives) {
  int Got = 0;
  posted *Exact = channel_post(First.get(), 6, 5, &Got, sizeof Got);
  ASSERT_TRUE(await(Any));
  uint64_t A = send(First, 5);
  EXPECT_FALSE(claim(First, A)) << "it is that of the posted receive";
  EXPECT_EQ(claimers(), Claimers{Open});
  uint64_t B = send(First, 5);
  EXPECT_TRUE(claim(First, B)) << "the one before it has the posted receive";
  EXPECT_TRUE(channel_poll(First.get(), Exact));
  posted_free(First.get(), Exact);
}

// A message that its sender has delivered stands in the ring, but is none any more.
TEST_F(Board, CountsNoMessageThatItsSenderHasDelivered) {
  int Value = 3, Got = 0;
  posted *Exact = channel_post(First.get(), 6, 5, &Got, sizeof Got);
  message *M = channel_offer(First.get(), 6, 5, &Value, sizeof Value);
  ASSERT_TRUE(message_match(M, true));
  ASSERT_TRUE(await(Any));
  EXPECT_TRUE(claim(First, send(First, 5)));
  EXPECT_TRUE(channel_poll(First.get(), Exact));
  EXPECT_EQ(Got, 3);
  posted_free(First.get(), Exact);
  message_free(M);
}

TEST_F(Board, IsNotClaimedForAMessageThatItsRankHasSeen) {
  uint64_t Position = send(First, 5);
  channel_poll(First.get(), nullptr);
  ASSERT_TRUE(await(Any)); // and would take it
  EXPECT_FALSE(claim(First, Position));
  EXPECT_EQ(claimers(), Claimers{Open});
}

// The rank has seen the message, but cannot give it to its receive yet: nobody else gets that, and not the next message
// of the same sender.
TEST_F(Board, KeepsAClaimForTheMessageThatItWasMadeFor) {
  ASSERT_TRUE(await(Any));
  uint64_t A = send(First, 5);
  ASSERT_TRUE(claim(First, A));
  channel_poll(First.get(), nullptr);
  EXPECT_TRUE(claim(First, A)) << "it is still the one's";
  uint64_t B = send(First, 5);
  EXPECT_FALSE(claim(First, B));
  ASSERT_TRUE(await(Any));
  EXPECT_TRUE(claim(First, B));
  EXPECT_EQ(claimers(), (Claimers{0, 0}));
}

// The same of messages that nobody had claimed a receive for when they were seen.
TEST_F(Board, KeepsAPromise) {
  uint64_t B = send(Second, 5), A = send(First, 5);
  channel_poll(Second.get(), nullptr);
  channel_poll(First.get(), nullptr);
  for (int I = 0; I < 2; ++I)
    ASSERT_TRUE(await(Any));
  channel_lock_board(First.get());
  channel_promise(Second.get(), 0, B);
  channel_unlock_board(First.get());
  EXPECT_TRUE(claim(Second, B));
  EXPECT_FALSE(claim(First, A));
  channel_lock_board(First.get());
  channel_promise(First.get(), 1, A);
  channel_unlock_board(First.get());
  EXPECT_TRUE(claim(First, A));
  EXPECT_FALSE(claim(First, send(First, 5))) << "both are taken";
  EXPECT_EQ(claimers(), (Claimers{1, 0}));
}

TEST_F(Board, IsClaimedFromALargerRing) {
  for (int I = 0; I < 600; ++I)
    send(First, 4);
  channel_poll(First.get(), nullptr);
  ASSERT_TRUE(await(5));
  send(First, 4);
  EXPECT_TRUE(claim(First, send(First, 5)));
}

TEST_F(Board, IsClaimedBehindVeryManyMessages) {
  ASSERT_TRUE(await(5));
  for (int I = 0; I < 300; ++I)
    send(First, 4);
  uint64_t Position = send(First, 5);
  EXPECT_TRUE(claim(First, Position));
  EXPECT_TRUE(claim(First, Position)) << "what is claimed stays claimed";
  channel_poll(First.get(), nullptr);
  EXPECT_TRUE(claim(First, Position));
}

TEST_F(Board, LooksAgainForWhatHadNoReceive) {
  uint64_t A = send(First, 5), B = send(First, 6);
  ASSERT_TRUE(await(6));
  EXPECT_FALSE(claim(First, A));
  EXPECT_TRUE(claim(First, B));
  ASSERT_TRUE(await(5));
  EXPECT_TRUE(claim(First, A));
  EXPECT_EQ(claimers(), (Claimers{0, 0}));
}

// A receive that was claimed goes another way. Then the message needs the next one, before those behind it.
TEST_F(Board, LooksAgainForWhatHasLostItsClaim) {
  for (int I = 0; I < 3; ++I)
    ASSERT_TRUE(await(Any));
  uint64_t A = send(First, 5), B = send(First, 5);
  EXPECT_TRUE(claim(First, A));
  channel_lock_board(First.get());
  channel_void(First.get());
  channel_remove(First.get(), 0);
  channel_unlock_board(First.get());
  EXPECT_TRUE(claim(First, B));
  EXPECT_EQ(claimers(), (Claimers{0, 0}));
}

TEST_F(Board, IsNotClaimedBySendersThatHaveLeftTheWindow) {
  ASSERT_TRUE(await(Any));
  uint64_t Position = send(First, 5);
  channel_leave(First.get());
  EXPECT_FALSE(claim(First, Position));
}

// ---- With threads. Whether the other is through is told without any order: only the locks make one. ----

constexpr int Rounds = 300, PerRound = 4;

struct Progress {
  std::atomic<int> Round = 0, Claimed = 0;
};

/// Sends a standard and a synchronous message per round; each is its number.
void sendAndClaim(channel *L, Progress &P) {
  for (int Round = 1; Round <= Rounds; ++Round) {
    while (P.Round.load(std::memory_order_relaxed) < Round)
      std::this_thread::yield();
    for (int Number : {2 * Round - 2, 2 * Round - 1})
      if (!channel_send(L, 6, Number % 3, &Number, sizeof Number))
        abort();
    while (!channel_claim(L, channel_last(L)))
      std::this_thread::yield();
    P.Claimed.fetch_add(1, std::memory_order_relaxed);
  }
}

struct Receiving {
  std::array<channel *, 2> From;
  std::array<int, 2> Next = {};

  /// What a rank does with a receive that is claimed: it takes the oldest message of that rank. With others, here: the
  /// oldest of all.
  void take(unsigned I) {
    int Claimer = channel_claimer(From[0], I), Tag = 0, Got = -1;
    std::array<uint64_t, 2> Order = {UINT64_MAX, UINT64_MAX};
    for (int Rank : {0, 1})
      if (Claimer == Open || Claimer == Rank)
        channel_peek(From[Rank], 6, Any, &Tag, &Order[Rank]);
    int Rank = Order[0] < Order[1] ? 0 : 1;
    posted *P = channel_take(From[Rank], 6, Any, &Got, sizeof Got);
    ASSERT_NE(P, nullptr);
    EXPECT_EQ(Got, Next[Rank]++);
    posted_free(From[Rank], P);
    channel_remove(From[0], I);
  }

  void takeAll() {
    channel_lock_board(From[0]);
    for (channel *L : From)
      channel_poll(L, nullptr);
    while (channel_on_board(From[0]) > 0 && !testing::Test::HasFatalFailure())
      take(0);
    channel_unlock_board(From[0]);
  }
};

// The receiver puts up receives for a round, before or while the others send, and does not look what has come before
// both have claimed one.
TEST_F(Board, IsClaimedByAnotherThread) {
  Progress P;
  std::thread A(sendAndClaim, First.get(), std::ref(P)), B(sendAndClaim, Second.get(), std::ref(P));
  Receiving Receiver = {{First.get(), Second.get()}};
  for (int Round = 1; Round <= Rounds; ++Round) {
    if (Round % 2)
      P.Round.store(Round, std::memory_order_relaxed);
    for (int I = 0; I < PerRound; ++I)
      EXPECT_TRUE(await(Any));
    P.Round.store(Round, std::memory_order_relaxed);
    while (P.Claimed.load(std::memory_order_relaxed) < 2 * Round)
      std::this_thread::yield();
    Receiver.takeAll();
  }
  A.join();
  B.join();
  EXPECT_EQ(Receiver.Next, (std::array<int, 2>{2 * Rounds, 2 * Rounds}));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that no receive was posted for, and those that the window has no memory for.

#include "channels.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(Unexpected, TheOldestIsFoundWhateverItsTag) {
  ChannelPtr L = makeChannel();
  int Other = 99, Found = -1, Got = -1;
  uint64_t Order = 0, Last = 0;
  channel_send(L.get(), 2, 5, &Other, sizeof Other); /* another communicator */
  for (int I = 0; I < 60; ++I)
    channel_send(L.get(), 1, (I * 7) % 20, &I, sizeof I);
  EXPECT_FALSE(channel_peek(L.get(), 1, -1, &Found, &Order)) << "not consumed yet";
  channel_poll(L.get(), nullptr);
  EXPECT_FALSE(channel_peek(L.get(), 4, -1, &Found, &Order));
  EXPECT_FALSE(channel_peek(L.get(), 1, 20, &Found, &Order));
  for (int I = 0; I < 60; ++I) {
    ASSERT_TRUE(channel_peek(L.get(), 1, -1, &Found, &Order));
    EXPECT_EQ(Found, (I * 7) % 20);
    EXPECT_GT(Order, Last);
    Last = Order;
    posted *P = channel_take(L.get(), 1, I % 2 ? -1 : Found, &Got, sizeof Got);
    EXPECT_EQ(Got, I);
    posted_free(L.get(), P);
  }
  EXPECT_EQ(channel_take(L.get(), 1, -1, &Got, sizeof Got), nullptr);
  EXPECT_EQ(channel_unexpected(L.get()), 1u);
}

TEST(Unexpected, WhatComesBehindTheWantedMessageStaysInTheRing) {
  ChannelPtr L = makeChannel();
  int Values[] = {0, 1, 2, 3}, Got[4] = {-1, -1, -1, -1};
  posted *Posted[4];
  for (int I = 0; I < 4; ++I)
    channel_send(L.get(), 1, I % 2, &Values[I], sizeof(int));
  for (int I : {0, 2}) { /* their messages are the first and the third */
    Posted[I] = channel_post(L.get(), 1, 0, &Got[I], sizeof(int));
    EXPECT_TRUE(channel_poll(L.get(), Posted[I]));
    EXPECT_EQ(Got[I], I);
    EXPECT_EQ(channel_unexpected(L.get()), I == 0 ? 0u : 1u) << "only what was in the way is kept";
  }
  Posted[3] = channel_post(L.get(), 1, 1, &Got[3], sizeof(int));
  EXPECT_EQ(channel_unexpected(L.get()), 0u) << "it gets the second, which was kept";
  EXPECT_EQ(Got[3], 1);
  channel_poll(L.get(), nullptr);
  EXPECT_EQ(channel_unexpected(L.get()), 1u) << "who asks for nothing gets to know all";
  for (int I : {0, 2, 3})
    posted_free(L.get(), Posted[I]);
}

TEST(Unexpected, WhatHasItsReceiveDoesNotStayInTheRing) {
  ChannelPtr L = makeChannel();
  int Values[] = {0, 1, 2}, Got[3] = {-1, -1, -1};
  posted *Posted[3];
  for (int I = 0; I < 3; ++I)
    Posted[I] = channel_post(L.get(), 1, I, &Got[I], sizeof(int));
  for (int I = 0; I < 3; ++I)
    channel_send(L.get(), 1, I, &Values[I], sizeof(int));
  EXPECT_TRUE(channel_poll(L.get(), Posted[0]));
  for (int I = 0; I < 3; ++I) {
    EXPECT_EQ(Got[I], I);
    posted_free(L.get(), Posted[I]);
  }
}

TEST(Unexpected, TheSenderMatchesWhatStayedInTheRing) {
  ChannelPtr L = makeChannel();
  int Small = 7, Got = -1;
  std::vector<int> Large(4096, 5), Filled(4096);
  channel_send(L.get(), 1, 0, &Small, sizeof Small);
  message *M = channel_offer(L.get(), 1, 0, Large.data(), Large.size() * sizeof(int));
  posted *First = channel_post(L.get(), 1, 0, &Got, sizeof Got);
  EXPECT_TRUE(channel_poll(L.get(), First));
  EXPECT_EQ(channel_unexpected(L.get()), 0u);
  EXPECT_FALSE(message_match(M, true)) << "there is no receive for it yet";
  posted *Second = channel_post(L.get(), 1, 0, Filled.data(), Filled.size() * sizeof(int));
  EXPECT_TRUE(message_match(M, true));
  EXPECT_TRUE(channel_poll(L.get(), Second));
  EXPECT_EQ(Filled, Large);
  message_free(M);
  posted_free(L.get(), First);
  posted_free(L.get(), Second);
}

TEST(Unexpected, WhatIsTakenLeavesTheRestInOrder) {
  ChannelPtr L = makeChannel();
  int Got = -1;
  for (int I = 0; I < 3; ++I)
    channel_send(L.get(), 1, 4, &I, sizeof I);
  channel_poll(L.get(), nullptr);
  posted_free(L.get(), channel_take(L.get(), 1, 4, &Got, sizeof Got));
  EXPECT_EQ(Got, 0);
  for (int I = 1; I < 5; ++I) {
    int Value = I + 2;
    channel_send(L.get(), 1, 4, &Value, sizeof Value);
    posted *P = channel_post(L.get(), 1, 4, &Got, sizeof Got);
    EXPECT_TRUE(channel_poll(L.get(), P));
    EXPECT_EQ(Got, I);
    posted_free(L.get(), P);
  }
}

TEST(Exhaustion, WhatFollowsIsAnnounced) {
  ChannelPtr L = makeChannel();
  int Value = 3, Got = 0, None = 0;
  channel_send(L.get(), 1, 0, &Value, sizeof Value);
  channel_leave(L.get());
  EXPECT_FALSE(channel_send(L.get(), 1, 0, &Value, sizeof Value));
  uint64_t First = channel_note_left(L.get(), 1, 0), Second = channel_note_left(L.get(), 1, 1);
  posted *Before = channel_post(L.get(), 1, 0, &Got, sizeof Got);
  EXPECT_FALSE(channel_is_met(L.get(), 1, 0, First)) << "the one receive is that of the message in the ring";
  posted *After = channel_post(L.get(), 1, 0, &None, sizeof None);
  EXPECT_TRUE(channel_is_met(L.get(), 1, 0, First));
  EXPECT_FALSE(channel_is_met(L.get(), 1, 1, Second));
  EXPECT_TRUE(channel_poll(L.get(), Before));
  EXPECT_EQ(Got, 3);
  EXPECT_FALSE(posted_is_mpi(Before));
  EXPECT_FALSE(channel_poll(L.get(), After));
  EXPECT_TRUE(channel_is_met(L.get(), 1, 0, First));
  channel_announced(L.get(), 1, 0, 17);
  EXPECT_FALSE(channel_is_met(L.get(), 1, 0, First)) << "the receiver has looked";
  EXPECT_TRUE(channel_poll(L.get(), After));
  EXPECT_TRUE(posted_is_mpi(After));
  EXPECT_EQ(posted_bytes(After), 17u);
  EXPECT_EQ(posted_position(After), First);
  channel_announced(L.get(), 1, 1, 18);
  EXPECT_EQ(channel_unexpected(L.get()), 1u);
  posted *Later = channel_post(L.get(), 1, 1, &None, sizeof None);
  EXPECT_TRUE(channel_poll(L.get(), Later));
  EXPECT_TRUE(posted_is_mpi(Later));
  EXPECT_EQ(posted_position(Later), Second);
  for (posted *P : {Before, After, Later})
    posted_free(L.get(), P);
}

TEST(Exhaustion, AnnouncementsAreCountedWithoutARing) {
  ChannelPtr L = makeChannel();
  int None = 0;
  channel_leave(L.get());
  for (unsigned I = 0; I < 100; ++I) {
    uint64_t Position = channel_note_left(L.get(), 1, I % 3), Other = channel_note_left(L.get(), 1, 7);
    posted *P = channel_post(L.get(), 1, I % 3, &None, sizeof None);
    EXPECT_TRUE(channel_is_met(L.get(), 1, I % 3, Position));
    EXPECT_FALSE(channel_is_met(L.get(), 1, 7, Other));
    EXPECT_FALSE(channel_poll(L.get(), P));
    channel_announced(L.get(), 1, I % 3, 1);
    channel_announced(L.get(), 1, 7, 1);
    EXPECT_TRUE(channel_poll(L.get(), P));
    EXPECT_EQ(posted_position(P), Position);
    posted_free(L.get(), P);
  }
  EXPECT_EQ(channel_unexpected(L.get()), 100u);
}

TEST(Exhaustion, FullWindowFailsCleanly) {
  ChannelPtr L = makeChannel(Megabyte);
  int Sent = 0;
  while (channel_send(L.get(), 1, 0, &Sent, sizeof Sent))
    ++Sent;
  EXPECT_GT(Sent, 1000);
  channel_leave(L.get());
  for (int I = 0; I < Sent; ++I) {
    int Got = -1;
    posted *P = channel_post(L.get(), 1, 0, &Got, sizeof Got);
    ASSERT_TRUE(channel_poll(L.get(), P));
    ASSERT_EQ(Got, I);
    posted_free(L.get(), P);
  }
}

TEST(Exhaustion, AnnouncedMessageIsMatchedInOrder) {
  ChannelPtr L = makeChannel();
  int Value = 1, Got[3] = {};
  channel_send(L.get(), 1, 0, &Value, sizeof Value);
  uint64_t Position = 0, Announced = 0;
  channel_announce_mpi(L.get(), 1, 0, 99, &Position);
  channel_send(L.get(), 1, 0, &Value, sizeof Value);
  bool Mpi[3];
  for (int I = 0; I < 3; ++I) {
    posted *P = channel_post(L.get(), 1, 0, &Got[I], sizeof(int));
    ASSERT_TRUE(channel_poll(L.get(), P));
    Mpi[I] = posted_is_mpi(P);
    if (Mpi[I])
      Announced = posted_position(P);
    posted_free(L.get(), P);
  }
  EXPECT_FALSE(Mpi[0]);
  EXPECT_TRUE(Mpi[1]);
  EXPECT_EQ(Announced, Position);
  EXPECT_FALSE(Mpi[2]);
}

} // namespace

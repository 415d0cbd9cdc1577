// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that are too long for a cell: read by the receiver, written by the sender, or staged.

#include "channels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace {

TEST(Rendezvous, ReceiverCopiesFromTheBuffer) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(1, 100000);
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  EXPECT_FALSE(message_done(M));
  expectMessage(L.get(), 0, Data);
  EXPECT_TRUE(message_done(M));
  message_free(M);
}

TEST(Rendezvous, SenderFillsAPostedReceive) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(2, 100000), Buffer(100000);
  message *Early = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  EXPECT_FALSE(message_match(Early, true)) << "nothing is posted yet";
  posted *P = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
  ASSERT_TRUE(message_match(Early, true));
  EXPECT_TRUE(message_done(Early));
  EXPECT_EQ(Buffer, Data) << "the receiver has made no call since it posted";
  EXPECT_TRUE(channel_poll(L.get(), P));
  posted_free(L.get(), P);
  message_free(Early);
}

TEST(Rendezvous, SenderFillsAReceiveThatAnotherThreadHasPosted) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(2, 100000), Buffer(100000);
  posted *P = nullptr;
  std::thread Receiver([&] { P = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size()); });
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  while (!message_match(M, true))
    std::this_thread::yield();
  Receiver.join();
  EXPECT_TRUE(channel_poll(L.get(), P));
  EXPECT_EQ(Buffer, Data);
  posted_free(L.get(), P);
  message_free(M);
}

TEST(Rendezvous, SenderCountsTheMessagesBefore) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(2, 5000), Buffer(5000);
  int Small = 17, Got = 0;
  channel_send(L.get(), 1, 0, &Small, sizeof Small);
  channel_send(L.get(), 1, 9, &Small, sizeof Small);
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  posted *First = channel_post(L.get(), 1, 0, &Got, sizeof Got);
  EXPECT_FALSE(message_match(M, true)) << "the only receive belongs to the small message";
  posted *Second = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
  EXPECT_TRUE(message_match(M, true));
  EXPECT_TRUE(channel_poll(L.get(), First));
  EXPECT_TRUE(channel_poll(L.get(), Second));
  EXPECT_EQ(Got, 17);
  EXPECT_EQ(Buffer, Data);
  posted_free(L.get(), First);
  posted_free(L.get(), Second);
  message_free(M);
}

TEST(Rendezvous, SenderLeavesTheMessageToFetch) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(2, 5000), Buffer(5000);
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  posted *P = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
  ASSERT_TRUE(message_match(M, false));
  EXPECT_FALSE(message_match(M, true)) << "it must not match a second receive";
  EXPECT_TRUE(channel_poll(L.get(), P));
  EXPECT_EQ(Buffer, Data);
  EXPECT_TRUE(message_done(M));
  posted_free(L.get(), P);
  message_free(M);
}

TEST(Rendezvous, SenderStagesWhenNobodyComes) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(4, 70000), Copy = Data;
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  ASSERT_TRUE(message_stage(M));
  std::fill(Data.begin(), Data.end(), 0); // the buffer is the program's again
  expectMessage(L.get(), 0, Copy);
  EXPECT_TRUE(message_done(M));
  message_free(M);
}

TEST(Rendezvous, SenderLeavesToMpiWhatItCannotStage) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(4, 70000);
  for (uint64_t Round = 0; Round < 60; ++Round) {
    message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
    std::vector<unsigned char> Buffer(70000);
    posted *P = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
    if (Round % 2)
      message_match(M, false);
    bool Left = false;
    std::thread Sender([&] { Left = message_leave(M, 1000 + Round); });
    if (Round % 4 < 2)
      Sender.join();
    while (!channel_poll(L.get(), P))
      std::this_thread::yield();
    if (Round % 4 >= 2)
      Sender.join();
    EXPECT_TRUE(Left || Round % 4 >= 2);
    EXPECT_EQ(posted_is_mpi(P), Left);
    EXPECT_EQ(posted_bytes(P), Data.size());
    if (Left)
      EXPECT_EQ(posted_position(P), 1000 + Round);
    else
      EXPECT_EQ(Buffer, Data);
    EXPECT_TRUE(message_done(M));
    posted_free(L.get(), P);
    message_free(M);
  }
}

TEST(Rendezvous, ReceiverFollowsWhatAnotherThreadStages) {
  ChannelPtr L = makeChannel(4 * Megabyte);
  std::vector<unsigned char> Data = pattern(4, 200000);
  for (int Round = 0; Round < 60; ++Round) {
    message *M = nullptr;
    std::thread Sender([&] { M = channel_offer_staged(L.get(), 1, 0, Data.data(), Data.size(), 1 + Round % 50); });
    // Every other receive is too short: it is done before all is staged.
    std::vector<unsigned char> Buffer(Round % 2 ? 200000 : 50000);
    posted *P = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
    while (!channel_poll(L.get(), P))
      std::this_thread::yield();
    EXPECT_TRUE(std::equal(Buffer.begin(), Buffer.end(), Data.begin()));
    Sender.join();
    EXPECT_TRUE(message_done(M));
    posted_free(L.get(), P);
    message_free(M);
  }
}

TEST(Rendezvous, PrivateReceivesAreInvisibleToTheSender) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(2, 5000), Buffer(5000);
  posted *P = channel_post_private(L.get(), 1, 0, Buffer.data(), Buffer.size());
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  EXPECT_FALSE(message_match(M, true));
  while (!channel_poll(L.get(), P)) {
  }
  EXPECT_EQ(Buffer, Data);
  posted_free(L.get(), P);
  message_free(M);
}

} // namespace

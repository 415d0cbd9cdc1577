// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cell protocol, with threads as ranks. Under ThreadSanitizer this also checks the memory ordering: every payload
// is plain memory, so that a missing release or acquire is a data race.

#include "channels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace {

TEST(Channel, CarriesEverySizeInOrder) {
  ChannelPtr L = makeChannel();
  for (size_t Bytes : {0, 1, 47, 48, 49, 63, 64, 65, 1000, 4096, 100000}) {
    std::vector<unsigned char> Data = pattern(static_cast<unsigned>(Bytes), Bytes);
    ASSERT_TRUE(channel_send(L.get(), 1, 5, Data.data(), Data.size())) << Bytes;
    expectMessage(L.get(), 5, Data);
  }
}

TEST(Channel, MatchesByEnvelopeWhateverTheOrder) {
  ChannelPtr L = makeChannel();
  for (int Tag = 0; Tag < 100; ++Tag)
    ASSERT_TRUE(channel_send(L.get(), 1, Tag, &Tag, sizeof Tag));
  for (int Tag = 99; Tag >= 0; --Tag) {
    int Got = -1;
    posted *P = channel_post(L.get(), 1, Tag, &Got, sizeof Got);
    ASSERT_TRUE(channel_poll(L.get(), P));
    EXPECT_EQ(Got, Tag);
    posted_free(L.get(), P);
  }
  EXPECT_EQ(channel_unexpected(L.get()), 0u);
}

TEST(Channel, TakesTheNextMessageOnlyWhereNothingElseIsToGetIt) {
  ChannelPtr L = makeChannel();
  int Value = 0, Other = 0;
  size_t Bytes = 0;
  auto Takes = [&](uint32_t Context, int Tag, size_t Capacity) {
    return channel_take_next(L.get(), Context, Tag, &Value, Capacity, &Bytes);
  };
  auto Send = [&](int Sent) { ASSERT_TRUE(channel_send(L.get(), 6, 3, &Sent, sizeof Sent)); };
  auto Receives = [&](int Expected, posted *P) {
    ASSERT_TRUE(channel_poll(L.get(), P));
    EXPECT_EQ(Other, Expected);
    posted_free(L.get(), P);
  };
  Send(1);
  EXPECT_FALSE(Takes(6, 3, sizeof Value)); // the ring is not known yet
  Receives(1, channel_post(L.get(), 6, 3, &Other, sizeof Other));
  EXPECT_FALSE(Takes(6, 3, sizeof Value)); // nothing has come
  Send(2);
  EXPECT_FALSE(Takes(6, 4, sizeof Value)); // another tag
  EXPECT_FALSE(Takes(8, 3, sizeof Value)); // another communicator
  EXPECT_FALSE(Takes(7, 3, sizeof Value)); // crosses, which is to be told
  EXPECT_FALSE(Takes(6, 3, 2));            // too long
  EXPECT_TRUE(Takes(6, 3, sizeof Value));
  EXPECT_EQ(Value, 2);
  EXPECT_EQ(Bytes, sizeof Value);
  posted *P = channel_post(L.get(), 6, 3, &Other, sizeof Other);
  Send(3);
  EXPECT_FALSE(Takes(6, 3, sizeof Value)); // that of the posted one
  Receives(3, P);
}

TEST(Channel, TakesNextWhatAnotherThreadSends) {
  enum { Messages = 20000, Ahead = 3 };
  ChannelPtr L = makeChannel();
  std::atomic<unsigned> Received = 0;
  std::thread Sender([&] {
    for (unsigned I = 0; I < Messages; ++I) {
      while (I > Received.load(std::memory_order_relaxed) + Ahead)
        std::this_thread::yield();
      std::vector<unsigned char> Data = pattern(I, I % 90 + 1);
      while (!channel_send(L.get(), 1, 5, Data.data(), Data.size())) {
      }
    }
  });
  unsigned Taken = 0;
  for (unsigned I = 0; I < Messages; ++I) {
    std::vector<unsigned char> Expected = pattern(I, I % 90 + 1), Buffer(90);
    size_t Bytes = 0;
    bool Looks = I % 7 != 6 && channel_unexpected(L.get()) == 0;
    bool Done = Looks && channel_take_next(L.get(), 1, 5, Buffer.data(), Buffer.size(), &Bytes);
    Taken += Done;
    if (!Done) {
      posted *P = channel_post(L.get(), 1, 5, Buffer.data(), Buffer.size());
      while (!channel_poll(L.get(), P)) {
      }
      Bytes = posted_bytes(P);
      posted_free(L.get(), P);
    }
    ASSERT_EQ(Bytes, Expected.size());
    ASSERT_TRUE(std::equal(Expected.begin(), Expected.end(), Buffer.begin())) << I;
    Received.store(I + 1, std::memory_order_relaxed);
  }
  Sender.join();
  EXPECT_GT(Taken, 0u);
}

// An odd context is that of a call that was not rewritten: it meets the even one before it, and that is told.
TEST(Channel, TellsWhatCrosses) {
  ChannelPtr L = makeChannel();
  for (uint32_t Sent : {6, 7})
    for (uint32_t Received : {6, 7})
      for (bool First : {true, false}) {
        int Value = 3, Got = 0;
        posted *P = First ? channel_post(L.get(), Received, 1, &Got, sizeof Got) : nullptr;
        ASSERT_TRUE(channel_send(L.get(), Sent, 1, &Value, sizeof Value));
        if (!First)
          channel_poll(L.get(), nullptr); // an unexpected message
        P = First ? P : channel_post(L.get(), Received, 1, &Got, sizeof Got);
        ASSERT_TRUE(channel_poll(L.get(), P));
        EXPECT_EQ(Got, 3);
        EXPECT_EQ(posted_crosses(P), Sent != Received);
        posted_free(L.get(), P);
      }
}

// The same where the sender finds the receive.
TEST(Channel, TellsWhatCrossesWhenTheSenderMatches) {
  ChannelPtr L = makeChannel();
  for (uint32_t Received : {6, 7}) {
    std::vector<unsigned char> Data = pattern(1, 5000), Buffer(5000);
    posted *P = channel_post(L.get(), Received, 1, Buffer.data(), Buffer.size());
    message *M = channel_offer(L.get(), 6, 1, Data.data(), Data.size());
    ASSERT_TRUE(message_match(M, true));
    ASSERT_TRUE(channel_poll(L.get(), P));
    EXPECT_EQ(Data, Buffer);
    EXPECT_EQ(posted_crosses(P), Received == 7);
    posted_free(L.get(), P);
    message_free(M);
  }
}

TEST(Channel, KeepsCommunicatorsApart) {
  ChannelPtr L = makeChannel();
  int First = 1, Second = 2, Got = 0;
  channel_send(L.get(), 7, 0, &First, sizeof First);
  channel_send(L.get(), 8, 0, &Second, sizeof Second);
  posted *P = channel_post(L.get(), 8, 0, &Got, sizeof Got);
  ASSERT_TRUE(channel_poll(L.get(), P));
  EXPECT_EQ(Got, 2);
  posted_free(L.get(), P);
}

TEST(Channel, PostedReceivesMatchOldestFirst) {
  ChannelPtr L = makeChannel();
  int Got[3] = {};
  posted *P[3];
  for (int I = 0; I < 3; ++I)
    P[I] = channel_post(L.get(), 1, 4, &Got[I], sizeof Got[I]);
  for (int I = 1; I <= 3; ++I)
    channel_send(L.get(), 1, 4, &I, sizeof I);
  for (int I = 0; I < 3; ++I) {
    ASSERT_TRUE(channel_poll(L.get(), P[I]));
    EXPECT_EQ(Got[I], I + 1);
    posted_free(L.get(), P[I]);
  }
}

TEST(Channel, ReportsTheLengthOfAMessageThatIsTooLong) {
  ChannelPtr L = makeChannel();
  std::vector<unsigned char> Data = pattern(3, 200), Buffer(100, 0);
  channel_send(L.get(), 1, 0, Data.data(), Data.size());
  posted *P = channel_post(L.get(), 1, 0, Buffer.data(), 50);
  ASSERT_TRUE(channel_poll(L.get(), P));
  EXPECT_EQ(posted_bytes(P), 200u);
  EXPECT_EQ(Buffer[50], 0) << "written past the receive buffer";
  posted_free(L.get(), P);
}

TEST(Channel, FloodIsHeldInBoundedMemoryAndGivenBack) {
  ChannelPtr L = makeChannel(8 * Megabyte);
  size_t Before = channel_largest_piece(L.get());
  for (int I = 0; I < 20000; ++I)
    ASSERT_TRUE(channel_send(L.get(), 1, I, &I, sizeof I)) << I;
  for (int I = 19999; I >= 0; --I) {
    int Got = -1;
    posted *P = channel_post(L.get(), 1, I, &Got, sizeof Got);
    ASSERT_TRUE(channel_poll(L.get(), P));
    ASSERT_EQ(Got, I);
    posted_free(L.get(), P);
  }
  // One more message lets the sender see that the old rings are free.
  int Last = 0;
  for (int I = 0; I < 20000; ++I) {
    channel_send(L.get(), 1, 0, &Last, sizeof Last);
    expectMessage(L.get(), 0, std::vector<unsigned char>(sizeof Last, 0));
  }
  EXPECT_GE(channel_largest_piece(L.get()), Before / 4);
}

/// Messages whose contents and lengths follow from their numbers.
class Stream {
public:
  explicit Stream(channel *Of, size_t Least = 3000) : L(Of), Least(Least) {}
  void send(unsigned Count) {
    for (; Count > 0; --Count, ++Sent) {
      std::vector<unsigned char> Data = data(Sent);
      if (channel_send(L, 1, 5, Data.data(), Data.size()))
        continue;
      channel_poll(L, nullptr); // what waits in the ring, the receiver keeps elsewhere now
      ASSERT_TRUE(channel_send(L, 1, 5, Data.data(), Data.size())) << Sent;
    }
  }
  void receive(unsigned Count) {
    for (; Count > 0; --Count, ++Received)
      expectMessage(L, 5, data(Received));
  }
  unsigned ahead() const { return Sent - Received; }

private:
  std::vector<unsigned char> data(unsigned Number) const { return pattern(Number, Least + Number * 37 % 1200); }
  channel *L;
  size_t Least;
  unsigned Sent = 0, Received = 0;
};

TEST(Channel, MemoryThatHasGrownIsUsedFromItsStartAgain) {
  ChannelPtr L = makeChannel(8 * Megabyte);
  Stream Messages(L.get());
  Messages.send(10);
  Messages.receive(10);
  Messages.send(200);
  EXPECT_GT(channel_eager_end(L.get()), Megabyte / 4);
  Messages.receive(200);
  for (int I = 0; I < 500; ++I) {
    Messages.send(3);
    EXPECT_LT(channel_eager_end(L.get()), Megabyte / 4 + (16 << 10));
    Messages.receive(3);
  }
  Messages.send(200); // and there is as much room as before
  Messages.receive(200);
}

TEST(Channel, MemoryOfMessagesIsCommittedAsItIsUsed) {
  ChannelPtr L = makeChannel(8 * Megabyte);
  Stream Messages(L.get());
  Messages.send(1);
  Messages.receive(1);
  size_t First = channel_committed(L.get());
  EXPECT_LE(First, 2 * (16u << 10)) << "a ring and as much for messages";
  for (int I = 0; I < 4; ++I) { // 45 KiB, by parts of 16
    Messages.send(3);
    EXPECT_LT(channel_eager_end(L.get()), 2u * (16u << 10));
    Messages.receive(3);
  }
  EXPECT_LE(channel_committed(L.get()), First + (16u << 10));
  size_t Furthest = 0;
  for (int I = 0; I < 1000; ++I) {
    Messages.send(3);
    Furthest = std::max(Furthest, channel_eager_end(L.get()));
    Messages.receive(3);
  }
  EXPECT_GT(Furthest, Megabyte / 4 - (16 << 10)) << "not a line that both caches still hold";
  EXPECT_LE(Furthest, Megabyte / 4);
  EXPECT_LE(channel_committed(L.get()), Megabyte / 4 + (16 << 10));
}

TEST(Channel, LongMessagesAreNotPutWhereTheirReceiversCacheStillHoldsTheLastOnes) {
  for (size_t Least : {size_t(500), size_t(6000)}) {
    ChannelPtr L = makeChannel(128 * Megabyte);
    Stream Messages(L.get(), Least);
    size_t Furthest = 0;
    for (int I = 0; I < 3000; ++I) {
      Messages.send(3);
      Furthest = std::max(Furthest, channel_eager_end(L.get()));
      Messages.receive(I % 2 ? 2 : 4 - (I == 0)); // one waits every other time
    }
    Messages.receive(Messages.ahead());
    bool Long = Least > 2048;
    EXPECT_GT(Furthest, (Long ? 2 * Megabyte : Megabyte / 4) - (16 << 10)) << Least;
    EXPECT_LE(Furthest, Long ? 2 * Megabyte : Megabyte / 2) << Least;
  }
}

TEST(Channel, MessagesThatWaitTakeNoMoreThanTheyNeed) {
  ChannelPtr L = makeChannel(8 * Megabyte);
  Stream Messages(L.get());
  Messages.send(10);
  for (int I = 0; I < 500; ++I) { // some 36 KiB wait all the time
    Messages.send(3);
    Messages.receive(3);
  }
  Messages.receive(10);
  EXPECT_LE(channel_committed(L.get()), Megabyte / 4 + (16 << 10)) << "more memory though there was room";
}

TEST(Channel, MessagesThatWaitAreNotWrittenOver) {
  ChannelPtr L = makeChannel(8 * Megabyte);
  Stream Messages(L.get());
  unsigned Random = 1;
  for (int I = 0; I < 2000; ++I) {
    Random = Random * 1103515245 + 12345;
    unsigned Count = Random >> 16;
    if (Messages.ahead() + Count % 90 < 120)
      Messages.send(Count % 90);
    Messages.receive(Count / 90 % (Messages.ahead() + 1));
  }
  Messages.receive(Messages.ahead());
}

TEST(Channel, ManyTagsInTheSteadyStateAllocateNothing) {
  ChannelPtr L = makeChannel(Megabyte);
  for (int Step = 0; Step < 200000; ++Step) {
    ASSERT_TRUE(channel_send(L.get(), 1, Step, &Step, sizeof Step));
    int Got = -1;
    posted *P = channel_post(L.get(), 1, Step, &Got, sizeof Got);
    ASSERT_TRUE(channel_poll(L.get(), P));
    ASSERT_EQ(Got, Step);
    posted_free(L.get(), P);
  }
}

TEST(Channel, WithdrawnReceiveMatchesNothing) {
  ChannelPtr L = makeChannel();
  int Got[2] = {}, Value = 5;
  posted *First = channel_post(L.get(), 1, 0, &Got[0], sizeof(int)),
         *Second = channel_post(L.get(), 1, 0, &Got[1], sizeof(int));
  EXPECT_TRUE(posted_withdraw(L.get(), First));
  channel_send(L.get(), 1, 0, &Value, sizeof Value);
  EXPECT_TRUE(channel_poll(L.get(), Second));
  EXPECT_FALSE(posted_withdraw(L.get(), Second)) << "it is matched";
  EXPECT_EQ(Got[0], 0);
  EXPECT_EQ(Got[1], 5);
  posted_free(L.get(), First);
  posted_free(L.get(), Second);
}

TEST(Channel, ReceiveWhoseMessageHasComeIsNotWithdrawn) {
  ChannelPtr L = makeChannel();
  int Got[2] = {}, Small = 17;
  std::vector<unsigned char> Data = pattern(2, 5000), Buffer(5000);
  posted *First = channel_post(L.get(), 1, 0, &Got[0], sizeof(int)),
         *Second = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
  channel_send(L.get(), 1, 0, &Small, sizeof Small);
  message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
  ASSERT_TRUE(message_match(M, true)) << "the first receive belongs to the small message, the second to this one";
  EXPECT_FALSE(posted_withdraw(L.get(), First)) << "the small message would come to a receive posted after the second";
  EXPECT_TRUE(channel_poll(L.get(), First));
  EXPECT_TRUE(channel_poll(L.get(), Second));
  EXPECT_EQ(Got[0], 17);
  EXPECT_EQ(Buffer, Data);
  posted_free(L.get(), First);
  posted_free(L.get(), Second);
  message_free(M);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cell protocol between two threads that both do as they like. Under ThreadSanitizer this also checks the memory
// ordering: every payload is plain memory, so that a missing release or acquire is a data race.

#include "channels.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

namespace {

struct Header {
  int Tag;
  unsigned Sequence;
};

/// What both threads know: message K of a tag has this size. The payload tells tag and K.
size_t sizeOf(int Tag, unsigned Sequence) {
  static const size_t Sizes[] = {sizeof(Header), 48, 60, 500, 3000, 20000};
  return Sizes[(Tag * 5 + Sequence * 3) % (sizeof Sizes / sizeof *Sizes)];
}

void sendAll(channel *L, unsigned Seed, int Tags, unsigned PerTag, std::atomic<bool> &Failed) {
  std::mt19937 Random(Seed);
  std::vector<unsigned> Next(Tags, 0);
  std::deque<std::pair<message *, std::vector<unsigned char>>> Pending;
  auto Progress = [&](bool Wait) {
    for (auto It = Pending.begin(); It != Pending.end();) {
      message *M = It->first;
      unsigned Choice = Random() % 8;
      if (!message_done(M) && Choice == 0)
        message_match(M, true);
      else if (!message_done(M) && Choice == 1)
        message_match(M, false);
      else if (!message_done(M) && Choice == 2 && message_stage(M))
        std::fill(It->second.begin(), It->second.end(), 0);
      if (message_done(M)) {
        message_free(M);
        It = Pending.erase(It);
      } else {
        ++It;
      }
    }
    if (Wait)
      std::this_thread::yield();
  };
  for (unsigned Left = Tags * PerTag; Left > 0 && !Failed;) {
    int Tag = static_cast<int>(Random() % Tags);
    if (Next[Tag] == PerTag)
      continue;
    std::vector<unsigned char> Data(sizeOf(Tag, Next[Tag]), static_cast<unsigned char>(Tag + Next[Tag]));
    Header H = {Tag, Next[Tag]};
    std::memcpy(Data.data(), &H, sizeof H);
    if (Data.size() < 3000 && Random() % 2) {
      if (!channel_send(L, 1, Tag, Data.data(), Data.size())) {
        Progress(true);
        continue;
      }
    } else {
      size_t Size = Data.size();
      Pending.emplace_back(nullptr, std::move(Data));
      Pending.back().first = channel_offer(L, 1, Tag, Pending.back().second.data(), Size);
      if (!Pending.back().first) {
        Pending.pop_back();
        Progress(true);
        continue;
      }
    }
    ++Next[Tag];
    --Left;
    Progress(Pending.size() > 20);
  }
  while (!Pending.empty() && !Failed)
    Progress(true);
}

bool rightMessage(const std::vector<unsigned char> &Buffer, int Tag, unsigned Sequence, size_t Bytes) {
  Header H;
  std::memcpy(&H, Buffer.data(), sizeof H);
  if (H.Tag != Tag || H.Sequence != Sequence || Bytes != sizeOf(Tag, Sequence))
    return false;
  for (size_t I = sizeof H; I < Bytes; ++I)
    if (Buffer[I] != static_cast<unsigned char>(Tag + Sequence))
      return false;
  return true;
}

void receiveAll(channel *L, unsigned Seed, int Tags, unsigned PerTag, std::atomic<bool> &Failed) {
  struct Pending {
    posted *P;
    int Tag;
    unsigned Sequence;
    std::unique_ptr<std::vector<unsigned char>> Buffer;
  };
  std::mt19937 Random(Seed);
  std::vector<unsigned> Next(Tags, 0);
  std::vector<Pending> Posted;
  for (unsigned Left = Tags * PerTag; Left > 0 || !Posted.empty();) {
    if (Left > 0 && (Posted.size() < 3 || Random() % 3 == 0) && Posted.size() < 40) {
      int Tag = static_cast<int>(Random() % Tags);
      if (Next[Tag] == PerTag)
        continue;
      auto Buffer = std::make_unique<std::vector<unsigned char>>(20000);
      auto *Post = Random() % 16 == 0 ? channel_post_private : channel_post;
      posted *P = Post(L, 1, Tag, Buffer->data(), Buffer->size());
      Posted.push_back({P, Tag, Next[Tag]++, std::move(Buffer)});
      --Left;
    }
    for (size_t I = 0; I < Posted.size();) {
      if (!channel_poll(L, Posted[I].P)) {
        ++I;
        continue;
      }
      if (!rightMessage(*Posted[I].Buffer, Posted[I].Tag, Posted[I].Sequence, posted_bytes(Posted[I].P))) {
        ADD_FAILURE() << "message " << Posted[I].Sequence << " of tag " << Posted[I].Tag << " is wrong";
        Failed = true;
        return;
      }
      posted_free(L, Posted[I].P);
      Posted.erase(Posted.begin() + static_cast<long>(I));
    }
    std::this_thread::yield();
  }
}

class Stress : public testing::TestWithParam<unsigned> {};

TEST_P(Stress, EveryMessageArrivesOnceInOrder) {
  ChannelPtr L = makeChannel(4 * Megabyte);
  std::atomic<bool> Failed = false;
  const int Tags = 1 + static_cast<int>(GetParam() % 7);
  const unsigned PerTag = 400;
  std::thread Sender(sendAll, L.get(), GetParam(), Tags, PerTag, std::ref(Failed));
  receiveAll(L.get(), GetParam() + 1000, Tags, PerTag, Failed);
  Sender.join();
  EXPECT_EQ(channel_unexpected(L.get()), 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Stress, testing::Range(0u, 12u));

// What these tests themselves tell the other thread has no order.

TEST(Ring, IsWrittenAgainWhenAnotherThreadHasReceived) {
  ChannelPtr L = makeChannel();
  constexpr int Messages = 5000, MostOnTheirWay = 100;
  std::atomic<int> Received = 0;
  std::thread Sender([&] {
    for (int I = 0; I < Messages; ++I) {
      while (I - Received.load(std::memory_order_relaxed) >= MostOnTheirWay)
        std::this_thread::yield();
      channel_send(L.get(), 1, 0, &I, sizeof I);
    }
  });
  for (int I = 0; I < Messages; ++I) {
    int Got = -1;
    posted *P = channel_post(L.get(), 1, 0, &Got, sizeof Got);
    while (!channel_poll(L.get(), P))
      std::this_thread::yield();
    EXPECT_EQ(Got, I);
    posted_free(L.get(), P);
    Received.store(I + 1, std::memory_order_relaxed);
  }
  Sender.join();
}

TEST(Rendezvous, ReceiverReadsWhatAnotherThreadHasFilled) {
  ChannelPtr L = makeChannel();
  const std::vector<unsigned char> Data = pattern(2, 5000);
  constexpr int Messages = 50;
  std::atomic<int> Posted = 0, Filled = 0;
  std::thread Sender([&] {
    for (int I = 1; I <= Messages; ++I) {
      while (Posted.load(std::memory_order_relaxed) < I)
        std::this_thread::yield();
      message *M = channel_offer(L.get(), 1, 0, Data.data(), Data.size());
      while (!message_match(M, true))
        std::this_thread::yield();
      message_free(M);
      Filled.store(I, std::memory_order_relaxed);
    }
  });
  for (int I = 1; I <= Messages; ++I) {
    std::vector<unsigned char> Buffer(Data.size());
    posted *P = channel_post(L.get(), 1, 0, Buffer.data(), Buffer.size());
    Posted.store(I, std::memory_order_relaxed);
    while (Filled.load(std::memory_order_relaxed) < I)
      std::this_thread::yield();
    while (!channel_poll(L.get(), P))
      std::this_thread::yield();
    EXPECT_EQ(Buffer, Data);
    posted_free(L.get(), P);
  }
  Sender.join();
}

} // namespace

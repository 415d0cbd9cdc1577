// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the channel share.

#ifndef MPISHM_TEST_UNIT_RUNTIME_CHANNEL_H
#define MPISHM_TEST_UNIT_RUNTIME_CHANNEL_H

#include "harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

struct ChannelDeleter {
  void operator()(channel *L) const { channel_destroy(L); }
};
using ChannelPtr = std::unique_ptr<channel, ChannelDeleter>;

inline constexpr size_t Megabyte = size_t(1) << 20;

inline ChannelPtr makeChannel(size_t Bytes = 4 * Megabyte) { return ChannelPtr(channel_create(Bytes)); }

inline std::vector<unsigned char> pattern(unsigned Seed, size_t Bytes) {
  std::vector<unsigned char> Data(Bytes);
  for (size_t I = 0; I < Bytes; ++I)
    Data[I] = static_cast<unsigned char>(Seed * 31 + I * 7 + (I >> 8));
  return Data;
}

/// Receives one message and checks it.
inline void expectMessage(channel *L, int Tag, const std::vector<unsigned char> &Expected) {
  std::vector<unsigned char> Buffer(Expected.size() + 1, 0xee);
  posted *P = channel_post(L, 1, Tag, Buffer.data(), Expected.size());
  while (!channel_poll(L, P)) {
  }
  EXPECT_EQ(posted_bytes(P), Expected.size());
  EXPECT_TRUE(std::equal(Expected.begin(), Expected.end(), Buffer.begin()));
  EXPECT_EQ(Buffer.back(), 0xee);
  posted_free(L, P);
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the channel share.

#ifndef MPISHM_TEST_UNIT_RUNTIME_CHANNEL_H
#define MPISHM_TEST_UNIT_RUNTIME_CHANNEL_H

#include "harness.h"
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

#endif

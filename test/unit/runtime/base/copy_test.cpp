// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way to copy gives what memcpy gives, and writes nothing beside it: at each length about where another way is
// taken, and at each distance, in a page, of the two.
extern "C" {
#include "base/copy.h"
}

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

constexpr size_t Page = 4096, Most = 3 * Page;

class CopyTest : public testing::Test {
protected:
  void SetUp() override { std::iota(Given.begin(), Given.end(), static_cast<unsigned char>(1)); }

  // From the start of a page, or a little behind it, to `distance` behind that of another one.
  template <typename Function> void copies(Function function, size_t start, size_t distance, size_t bytes) {
    std::fill(Got.begin(), Got.end(), 0xa5);
    const unsigned char *from = page(Given) + start;
    unsigned char *to = page(Got) + (start + distance) % Page;
    function(to, from, bytes);
    ASSERT_EQ(memcmp(to, from, bytes), 0) << bytes << " bytes from " << start << ", distance " << distance;
    for (const unsigned char *at = Got.data(); at < Got.data() + Got.size(); at++)
      if (at < to || at >= to + bytes)
        ASSERT_EQ(*at, 0xa5) << at - to << " of " << bytes << " bytes from " << start << ", distance " << distance;
  }
  static unsigned char *page(std::vector<unsigned char> &memory) {
    auto address = reinterpret_cast<uintptr_t>(memory.data());
    return memory.data() + (Page - address % Page) % Page;
  }
  static std::vector<size_t> lengths() {
    std::vector<size_t> all(200);
    std::iota(all.begin(), all.end(), 0);
    for (size_t about : {size_t{COPIED_BY_STRINGS}, Page, 2 * Page})
      for (size_t bytes : {about - 65, about - 64, about - 63, about - 1, about, about + 1, about + 63, about + 64})
        all.push_back(bytes);
    return all;
  }

  std::vector<unsigned char> Given = std::vector<unsigned char>(2 * Most), Got = Given;
};

TEST_F(CopyTest, AtEachDistanceAndLength) {
  for (size_t bytes : lengths())
    for (size_t distance : {0, 1, 8, 15, 16, 31, 32, 33, 48, 63, 64, 65, 1024, 4032, 4080, 4095})
      for (size_t start : {0, 24})
        copies(copy_bytes, start, distance, bytes);
}

TEST_F(CopyTest, LongAtEachShortDistance) {
  for (size_t distance = 0; distance <= 66; distance++)
    for (size_t bytes = COPIED_BY_STRINGS - 1; bytes < COPIED_BY_STRINGS + 66; bytes++)
      copies(copy_longer, 16, distance, bytes);
}

TEST_F(CopyTest, StreamedToTheStartOfALine) {
  for (size_t bytes : lengths())
    for (size_t start : {0, 1, 8, 16, 24, 63})
      copies(copy_streamed, start, Page + 64 - start, bytes);
}

} // namespace

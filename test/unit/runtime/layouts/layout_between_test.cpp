// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layouts/harness.h"
#include <gtest/gtest.h>

namespace {

TEST(LayoutBetween, CopiesWhatBytewiseCopiesDo) {
  long Bytes = 0;
  for (unsigned Seed = 0; Seed < 3000; Seed++) {
    long Copied = copy_drawn(Seed);
    ASSERT_GE(Copied, 0) << "seed " << Seed;
    Bytes += Copied;
  }
  EXPECT_GT(Bytes, 100000);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That the run under ThreadSanitizer can fail: programs whose memory ordering is weakened in one file (CMakeLists.txt)
// run the tests of channel_test.cpp, area_test.cpp or epochs_test.cpp that use threads, and ThreadSanitizer must report
// a data race in each.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace {

struct Outcome {
  int Status;
  std::string Said;
};

Outcome run(const std::string &Command) {
  Outcome Result = {-1, ""};
  FILE *Pipe = popen(Command.c_str(), "r");
  if (!Pipe)
    return Result;
  char Part[4096];
  for (size_t Read; (Read = std::fread(Part, 1, sizeof Part, Pipe)) > 0;)
    Result.Said.append(Part, Read);
  int Status = pclose(Pipe);
  Result.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
  return Result;
}

class Weakened : public testing::TestWithParam<const char *> {};

TEST_P(Weakened, IsReported) {
  constexpr int ReportedByTsan = 66;
  // All of its tests, also where this is one shard of several.
  Outcome Result = run("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX -u GTEST_OUTPUT TSAN_OPTIONS=halt_on_error=1 "
                       "timeout 100 " WEAKENED_FOLDER "/" +
                       std::string(GetParam()) +
                       " --gtest_filter='Seeds/Stress.*/0:*AnotherThread*:Sizes/Area.*:Members/Epochs.*' 2>&1");
  EXPECT_EQ(Result.Status, ReportedByTsan);
  EXPECT_NE(Result.Said.find("ThreadSanitizer: data race"), std::string::npos) << Result.Said;
}

INSTANTIATE_TEST_SUITE_P(Orders, Weakened,
                         testing::Values("release_in_send", "release_in_receive", "release_in_match", "release_in_both",
                                         "release_in_board", "acquire_in_send", "acquire_in_receive",
                                         "acquire_in_match", "acquire_in_both", "acquire_in_board", "release_in_area",
                                         "acquire_in_area", "release_in_epochs", "acquire_in_epochs"),
                         [](const testing::TestParamInfo<const char *> &Info) { return std::string(Info.param); });

} // namespace

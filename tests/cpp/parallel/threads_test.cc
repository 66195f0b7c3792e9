// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

namespace xgbl {
namespace {

class ThreadCountTest : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_THREAD_LIMIT");
  }
  static void Set(char const* name, char const* value) { setenv(name, value, 1); }
};

TEST_F(ThreadCountTest, IsWhatWasAskedFor) {
  EXPECT_EQ(ThreadCount(1), 1);
  EXPECT_EQ(ThreadCount(64), 64);
  Set("OMP_NUM_THREADS", "3");
  EXPECT_EQ(ThreadCount(5), 5);
}

TEST_F(ThreadCountTest, FollowsTheEnvironmentWhenNothingWasAsked) {
  Set("OMP_NUM_THREADS", "3");
  EXPECT_EQ(ThreadCount(0), 3);
  EXPECT_EQ(ThreadCount(-1), 3);
  Set("OMP_NUM_THREADS", "4,2");
  EXPECT_EQ(ThreadCount(0), 4);
}

TEST_F(ThreadCountTest, IgnoresNonsenseInTheEnvironment) {
  int const cores = ThreadCount(0);
  EXPECT_GE(cores, 1);
  for (char const* bad : {"", "0", "-2", "many", "1e9", "99999999999"}) {
    Set("OMP_NUM_THREADS", bad);
    EXPECT_EQ(ThreadCount(0), cores) << bad;
  }
}

TEST_F(ThreadCountTest, NeverExceedsTheLimit) {
  Set("OMP_THREAD_LIMIT", "2");
  EXPECT_EQ(ThreadCount(8), 2);
  EXPECT_EQ(ThreadCount(1), 1);
  EXPECT_LE(ThreadCount(0), 2);
}

TEST(OpenRegion, AsManyWorkAsMayComeExceptTheAbsent) {
  for (int const wanted : {1, 2, 5}) {
    auto const here = std::make_shared<std::atomic<int>>(0);  // who works may outlast the test
    int const coming = OpenRegion(wanted, [here] { ++*here; }, [] {}, [here](int absent) { *here += absent; });
    EXPECT_TRUE(coming >= 1 && coming <= wanted);
    while (*here < coming) std::this_thread::yield();  // ends only if all came or were told to be absent
  }
}

TEST(OpenRegion, NobodyWaitsForItsMembersWhichWorkAtTheSameTime) {
  auto const here = std::make_shared<std::atomic<int>>(0);
  auto const meet = [here] {
    ++*here;
    while (*here < 3) std::this_thread::yield();
  };
  OpenRegion(2, meet, [] {}, [here](int absent) { *here += absent; });
  ++*here;  // only now may they end
  while (*here < 3) std::this_thread::yield();
}

}  // namespace
}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "parallel/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
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

// What a region told at its end; its members are all there at once.
struct Told {
  int worked = 0;
  int absent = 0;
};

Told Region(int wanted) {
  std::atomic<int> worked{0};
  std::promise<int> told;
  auto absent = told.get_future();
  EXPECT_TRUE(OpenRegion(wanted, [&] { ++worked; }, [&](int count) { told.set_value(count); }));
  int const count = absent.get();
  return {worked, count};
}

TEST(OpenRegion, HasAllMembersOrSaysHowManyAreAbsent) {
  for (int const wanted : {1, 2, 5}) {
    Told const told = Region(wanted);
    EXPECT_GE(told.worked, 1);
    EXPECT_EQ(told.worked + told.absent, wanted);
  }
}

TEST(OpenRegion, MembersWorkAtTheSameTime) {
  std::atomic<int> here{0};
  std::promise<int> told;
  auto absent = told.get_future();
  auto const meet = [&] {
    ++here;
    while (here < 3) std::this_thread::yield();
  };
  ASSERT_TRUE(OpenRegion(3, meet, [&](int count) { told.set_value(count); }));
  EXPECT_EQ(absent.get(), 0);
}

TEST(OpenRegion, NobodyWaitsForItsMembers) {
  std::promise<void> opened, told;
  auto const seen = opened.get_future().share();
  ASSERT_TRUE(OpenRegion(2, [&] { seen.wait(); }, [&](int) { told.set_value(); }));
  opened.set_value();  // only now may they end
  told.get_future().wait();
}

}  // namespace
}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "parallel/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace xgbl {
namespace {

// How often each member's number was used in a call with so many threads.
std::vector<int> Members(int threads) {
  std::mutex mutex;
  std::vector<int> calls(static_cast<std::size_t>(threads), 0);
  WorkerPool::Get().Run(threads, [&](int member) {
    std::lock_guard<std::mutex> const lock(mutex);
    ++calls.at(static_cast<std::size_t>(member));
  });
  return calls;
}

TEST(WorkerPool, TheCallerWorksAndNobodyTwice) {
  for (int const threads : {1, 2, 5}) {
    std::vector<int> const calls = Members(threads);
    EXPECT_EQ(calls[0], 1);
    EXPECT_LE(*std::max_element(calls.begin(), calls.end()), 1);
  }
}

TEST(WorkerPool, MemberZeroIsTheCallingThread) {
  std::thread::id zero;
  WorkerPool::Get().Run(3, [&](int member) {
    if (member == 0) zero = std::this_thread::get_id();
  });
  EXPECT_EQ(zero, std::this_thread::get_id());
}

TEST(WorkerPool, HelpersComeIfThereIsTime) {
  std::atomic<int> here{0};
  WorkerPool::Get().Run(2, [&](int) {
    ++here;
    while (here < 2) std::this_thread::yield();  // ends only if both are here
  });
  EXPECT_EQ(here, 2);
}

TEST(WorkerPool, ReturnsOnlyWhenAllThatBeganHaveEnded) {
  for (int trial = 0; trial < 2000; ++trial) {
    std::atomic<int> begun{0}, ended{0};
    WorkerPool::Get().Run(4, [&](int) {
      ++begun;
      ++ended;
    });
    int const after = begun;
    ASSERT_EQ(ended, after);
  }
}

TEST(WorkerPool, ServesSeveralCallersAtATime) {
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        WorkerPool::Get().Run(3, [&](int member) { sum += member == 0 ? 1 : 0; });
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(sum, 6 * 200);
}

TEST(WorkerPool, MoreThreadsThanThereMayBeAreNoFault) {
  std::vector<int> const calls = Members(100'000);
  EXPECT_EQ(calls[0], 1);
  EXPECT_EQ(*std::max_element(calls.begin(), calls.end()), 1);
}

}  // namespace
}  // namespace xgbl

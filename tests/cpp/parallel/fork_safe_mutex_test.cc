// SPDX-License-Identifier: Apache-2.0
#include "parallel/fork_safe_mutex.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace xgbl {
namespace {

TEST(ForkSafeMutex, LetsOneThreadIn) {
  ForkSafeMutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) {
        std::lock_guard<ForkSafeMutex> const lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 40'000);
}

#if !defined(_WIN32)
TEST(ForkSafeMutex, IsFreeInAForkedChild) {
  ForkSafeMutex mutex;
  std::atomic<bool> done{false};
  std::thread busy([&] {
    while (!done) std::lock_guard<ForkSafeMutex> const lock(mutex);
  });
  for (int i = 0; i < 200; ++i) {
    pid_t const child = fork();
    if (child == 0) {
      alarm(20);  // ends a child that waits for ever
      std::lock_guard<ForkSafeMutex> const lock(mutex);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  done = true;
  busy.join();
}
#endif

}  // namespace
}  // namespace xgbl

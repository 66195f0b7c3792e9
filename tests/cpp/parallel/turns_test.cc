// SPDX-License-Identifier: Apache-2.0
#include "parallel/turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/error.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace xgbl {
namespace {

TEST(Turns, OneThreadIsInAtATime) {
  Turns turns;
  int count = 0;
  std::atomic<int> within{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k) {
        Turns::Turn const turn(&turns, {});
        EXPECT_EQ(within++, 0);
        ++count;
        --within;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(count, 2000);
}

TEST(Turns, AThreadKnowsWhetherItIsWithinOne) {
  Turns turns;
  EXPECT_FALSE(turns.Mine());
  {
    Turns::Turn const turn(&turns, {});
    EXPECT_TRUE(turns.Mine());
    std::thread([&] { EXPECT_FALSE(turns.Mine()); }).join();
    EXPECT_THROW(Turns::Turn(&turns, {}), std::exception);
  }
  EXPECT_FALSE(turns.Mine());
}

TEST(Turns, WaitingCanBeInterrupted) {
  Turns turns;
  Turns::Turn const turn(&turns, {});
  std::thread([&] {
    int asked = 0;
    EXPECT_THROW(Turns::Turn(&turns, [&] { return ++asked == 2; }), Cancelled);
    EXPECT_EQ(asked, 2);
  }).join();
}

#if !defined(_WIN32)

// What `check` says in a child that is forked now.
template <class Check>
bool InAChild(Check const& check) {
  pid_t const child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(Turns, AForkedChildDoesNotWaitForAThreadThatItHasNot) {
  Turns turns;
  std::atomic<bool> within{false}, done{false};
  std::thread other([&] {
    Turns::Turn const turn(&turns, {});
    within = true;
    while (!done) std::this_thread::yield();
  });
  while (!within) std::this_thread::yield();
  EXPECT_TRUE(InAChild([&] {
    bool const told = turns.WasForkedInATurn();
    Turns::Turn const turn(&turns, {});
    return told && turns.Mine();
  }));
  done = true;
  other.join();
  EXPECT_FALSE(turns.WasForkedInATurn());
  EXPECT_TRUE(InAChild([&] { return !turns.WasForkedInATurn(); }));
}

#endif

}  // namespace
}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "base/error.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace xgbl {
namespace {

Context Threads(int threads) {
  Context ctx;
  ctx.threads = threads;
  return ctx;
}

std::size_t SumOfIndices(Context const& ctx, std::size_t count) {
  std::atomic<std::size_t> sum{0};
  ParallelTasks(ctx, count, [&](std::size_t i, int) { sum += i; });
  return sum;
}

TEST(ParallelTasks, RunsEachIndexOnce) {
  for (int const threads : {1, 2, 3, 8}) {
    for (std::size_t const count : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> runs(count);
      ParallelTasks(Threads(threads), count, [&](std::size_t i, int thread) {
        ++runs[i];
        EXPECT_TRUE(thread >= 0 && thread < threads);
      });
      for (auto const& run : runs) EXPECT_EQ(run, 1);
    }
  }
}

TEST(ParallelBlocks, CoverAllRowsWithoutOverlap) {
  for (std::size_t const rows : {0U, 1U, 9U, 10U, 11U, 25U}) {
    std::vector<std::atomic<int>> runs(rows);
    ParallelBlocks(Threads(3), rows, 10, [&](std::size_t begin, std::size_t end) {
      EXPECT_TRUE(begin < end && end - begin <= 10 && begin % 10 == 0);
      for (std::size_t i = begin; i < end; ++i) ++runs[i];
    });
    for (auto const& run : runs) EXPECT_EQ(run, 1);
  }
}

TEST(ParallelTasks, RethrowsOnTheCallingThreadAndStops) {
  for (int const threads : {1, 4}) {
    std::atomic<int> runs{0};
    auto const body = [&](std::size_t i, int) {
      ++runs;
      if (i == 3) throw DataError("row 3");
    };
    EXPECT_THROW(ParallelTasks(Threads(threads), 1'000'000, body), DataError);
    EXPECT_LT(runs, 1'000'000);
  }
  EXPECT_THROW(ParallelTasks(Threads(2), 2, [](std::size_t, int) { throw 7; }), int);
}

TEST(ParallelTasks, ALoopInALoopStaysOnItsThread) {
  std::atomic<int> strangers{0};
  ParallelTasks(Threads(4), 8, [&](std::size_t, int) {
    auto const outer = std::this_thread::get_id();
    ParallelTasks(Threads(4), 8, [&](std::size_t, int) { strangers += std::this_thread::get_id() != outer ? 1 : 0; });
  });
  EXPECT_EQ(strangers, 0);
}

TEST(ParallelTasks, OneThreadMeansTheCallingOneAndRisingOrder) {
  std::vector<std::size_t> order;
  ParallelTasks(Threads(1), 5, [&](std::size_t i, int) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelTasks, InterruptionEndsTheLoopEarly) {
  for (int const threads : {1, 4}) {
    std::atomic<int> runs{0};
    Context ctx = Threads(threads);
    ctx.interrupted = [&] { return runs > 10; };
    auto const slow = [&](std::size_t, int) {
      ++runs;
      std::this_thread::yield();
    };
    EXPECT_THROW(ParallelTasks(ctx, 1'000'000, slow), Cancelled);
    EXPECT_EQ(SumOfIndices(Threads(threads), 100), 4950U) << "usable afterwards";
  }
}

// Interrupts once it was asked so often. Like Python, it may be asked on the calling thread alone.
Interrupt After(int questions) {
  return [questions, caller = std::this_thread::get_id()]() mutable {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    return --questions < 0;
  };
}

TEST(ParallelTasks, InterruptionEndsALoopWithinALoop) {
  for (int const threads : {1, 4}) {
    Context ctx = Threads(threads);
    ctx.interrupted = After(100);
    std::atomic<std::size_t> runs{0};
    auto const outer = [&](std::size_t, int) {
      ParallelTasks(ctx, 1'000'000, [&](std::size_t, int) {
        ++runs;
        std::this_thread::yield();
      });
    };
    EXPECT_THROW(ParallelTasks(ctx, 4, outer), Cancelled);
    EXPECT_LT(runs, 4'000'000U);
  }
}

TEST(ParallelTasks, WhoWaitsForOthersHearsOfAnInterruption) {
  for (int trial = 0; trial < 5; ++trial) {
    Context ctx = Threads(2);
    ctx.interrupted = After(3);
    auto const caller = std::this_thread::get_id();
    std::atomic<bool> came{false};
    auto const body = [&](std::size_t, int) {
      while (std::this_thread::get_id() != caller) {  // has no end of its own
        came = true;
        CheckInterrupt(ctx);
      }
      while (!came) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    EXPECT_THROW(ParallelTasks(ctx, 2, body), Cancelled);
    EXPECT_TRUE(came);
  }
}

TEST(ParallelTasks, HelpersComeIfThereIsTime) {
  std::atomic<int> here{0};
  ParallelTasks(Threads(3), 3, [&](std::size_t, int) {
    ++here;
    while (here < 3) std::this_thread::yield();  // ends only if three are here
  });
  EXPECT_EQ(here, 3);
}

TEST(ParallelTasks, EachWorkerHasANumberOfItsOwnAndTheCallerIsZero) {
  std::vector<std::atomic<int>> at_work(4);
  std::atomic<int> twice{0}, wrong{0};
  auto const caller = std::this_thread::get_id();
  ParallelTasks(Threads(4), 2000, [&](std::size_t, int thread) {
    auto& mine = at_work[static_cast<std::size_t>(thread)];
    twice += mine++;
    wrong += (thread == 0) == (std::this_thread::get_id() == caller) ? 0 : 1;
    --mine;
  });
  EXPECT_EQ(twice, 0);
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelTasks, ReturnsOnlyWhenAllThatBeganHaveEnded) {
  for (int trial = 0; trial < 2000; ++trial) {
    std::atomic<int> begun{0}, ended{0};
    ParallelTasks(Threads(4), 4, [&](std::size_t, int) {
      ++begun;
      ++ended;
    });
    ASSERT_EQ(begun, 4);
    ASSERT_EQ(ended, 4);
  }
}

TEST(ParallelTasks, MoreThreadsThanThereMayBeAreNoFault) { EXPECT_EQ(SumOfIndices(Threads(100'000), 1000), 499500U); }

TEST(ParallelTasks, MoreThreadsAreHadLaterOn) {
  for (int const threads : {2, 3, 6}) {
    std::atomic<int> here{0};
    ParallelTasks(Threads(threads), static_cast<std::size_t>(threads), [&](std::size_t, int) {
      ++here;
      while (here < threads) std::this_thread::yield();
    });
    EXPECT_EQ(here, threads);
  }
}

TEST(PacedCheck, AsksNowAndThen) {
  int questions = 0;
  Context ctx;
  ctx.interrupted = [&] { return ++questions == 3; };
  PacedCheck pace(ctx);
  std::size_t steps = 0;
  auto const work = [&] {
    for (; steps < 100'000'000; ++steps) pace.Step();
  };
  EXPECT_THROW(work(), Cancelled);
  EXPECT_GT(steps, 1000U);
  pace.Step(100'000'000);  // one long step is as good as many short ones
  EXPECT_EQ(questions, 4);
}

TEST(ParallelTasks, ManyCallersAtOnceDoNotDisturbOneAnother) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int k = 0; k < 50; ++k) wrong += SumOfIndices(Threads(3), 100) != 4950 ? 1 : 0;
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

#if !defined(_WIN32)
TEST(ParallelTasks, WorksInAForkedChild) {
  SumOfIndices(Threads(4), 100);  // the parent's helpers are there
  pid_t const child = fork();
  if (child == 0) _exit(SumOfIndices(Threads(4), 100) == 4950 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ParallelTasks, HelpersComeInAForkedChild) {
  SumOfIndices(Threads(2), 100);
  pid_t const child = fork();
  if (child == 0) {
    std::atomic<int> here{0};
    ParallelTasks(Threads(2), 2, [&](std::size_t, int) {
      ++here;
      while (here < 2) std::this_thread::yield();
    });
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}
#endif

TEST(ForWork, LimitsThreadsOfSmallWorkOnly) {
  EXPECT_EQ(ForWork(Threads(8), 10).threads, 1);
  EXPECT_EQ(ForWork(Threads(8), 1'000'000'000'000).threads, 8);
  EXPECT_EQ(ForWork(Threads(1), 1'000'000'000'000).threads, 1);
}

}  // namespace
}  // namespace xgbl

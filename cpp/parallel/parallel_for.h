// SPDX-License-Identifier: Apache-2.0
// The engine's only threads. A loop's result must not depend on which thread runs which index: sums that cross threads
// are integers (see tree/fixed_point.h) or go through parallel/reduce.h, which adds exactly.
// The first exception of any index is rethrown on the calling thread after the loop. A loop within a loop runs on the
// thread that meets it.
// Every loop, also within another, asks before each index whether the user wants to stop, and then throws Cancelled. So
// an index should take at most some milliseconds; what takes longer is cut into blocks, or asks itself (PacedCheck).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "base/context.h"

namespace xgbl {

/// Calls `body(index, thread)` for each index in [0, count); `thread` is below ctx.threads. Indices are handed out
/// one by one in rising order: put the long ones first.
void ParallelTasks(Context const& ctx, std::size_t count, std::function<void(std::size_t, int)> const& body);

/// Calls `body(begin, end)` for consecutive blocks of `block` rows.
template <class Body>
void ParallelBlocks(Context const& ctx, std::size_t rows, std::size_t block, Body&& body) {
  ParallelTasks(ctx, (rows + block - 1) / block,
                [&](std::size_t i, int) { body(i * block, std::min(rows, (i + 1) * block)); });
}

/// The context with no more threads than `operations` small steps are worth: waking a thread costs some microseconds.
Context ForWork(Context const& ctx, std::size_t operations);

/// Throws Cancelled if the user asked to stop. Only the thread that made the call asks `ctx.interrupted`; those that
/// help it look whether their loop has been stopped, for this or by an error.
void CheckInterrupt(Context const& ctx);

/// Does so once in many small steps of a long loop; one thread's.
class PacedCheck {
 public:
  explicit PacedCheck(Context const& ctx) : ctx_(ctx) {}

  /// `operations`: what the step took, of some nanoseconds each.
  void Step(std::size_t operations = 1) {
    done_ += operations;
    if (done_ < kBetween) return;
    done_ = 0;
    CheckInterrupt(ctx_);
  }

 private:
  static constexpr std::size_t kBetween = 1'000'000;

  Context const& ctx_;
  std::size_t done_ = 0;
};

/// The number of threads for a request: itself if positive, else OMP_NUM_THREADS, else the cores that affinity and the
/// container's quota (cgroup v1 and v2) left to this process when it was first asked. Never more than OMP_THREAD_LIMIT
/// and, without a request, than omp_set_num_threads() said.
int ThreadCount(int requested);

/// Whether OpenMP makes the threads.
bool UsesOpenMp();

/// Calls `work` on each of the members of a parallel region, `wanted` if they are to be had. It lasts until all calls
/// have returned, but nobody waits for it here: a thread of its own opens it, as who opens one waits, spinning, for
/// members that get no core. That thread is new, so this works in a forked child, too, where those of its parent are
/// gone. Returns how many may come. `opened` is told when all that come are there, unless UsesOpenMp() is false or none
/// may come; until then, another region could be one too many for the system. At the end `ended` is told how many did
/// not come. Nothing may throw.
int OpenRegion(int wanted, std::function<void()> const& work, std::function<void()> const& opened,
               std::function<void(int)> const& ended);

}  // namespace xgbl

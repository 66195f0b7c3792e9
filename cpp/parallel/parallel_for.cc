// SPDX-License-Identifier: Apache-2.0
// Two ways to run the workers of a loop: OpenMP's pool, and plain threads made for the loop. OpenMP is the faster one,
// but its pool does not survive fork(), where a child would wait for threads that are not there; and thread sanitizers
// do not understand it. So a forked child and builds with XGBL_PLAIN_THREADS use the second.
#include "parallel/parallel_for.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace xgbl {
namespace {

thread_local bool inside_loop = false;

// What the workers of one loop share.
class Loop {
 public:
  Loop(Context const& ctx, std::size_t count, std::function<void(std::size_t, int)> const& body)
      : ctx_(ctx), count_(count), body_(body) {}

  void Work(int thread) {
    bool const outer = inside_loop;
    inside_loop = true;
    try {
      for (std::size_t i = next_++; i < count_ && !stop_; i = next_++) {
        if (thread == 0 && !outer) CheckInterrupt(ctx_);
        body_(i, thread);
      }
    } catch (...) {
      std::lock_guard<std::mutex> const lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
    inside_loop = outer;
  }

  void Rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Context const& ctx_;
  std::size_t count_;
  std::function<void(std::size_t, int)> const& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

void RunOnPlainThreads(Loop& loop, int threads) {
  std::vector<std::thread> workers;
  workers.reserve(static_cast<std::size_t>(threads) - 1);
  try {
    for (int t = 1; t < threads; ++t) workers.emplace_back([&loop, t] { loop.Work(t); });
  } catch (std::system_error const&) {
    // The system gives no more threads: those that there are do all the work.
  }
  loop.Work(0);
  for (auto& worker : workers) worker.join();
}

#if defined(_OPENMP) && !defined(XGBL_PLAIN_THREADS)
std::atomic<bool> forked{false};

#if !defined(_WIN32)
// From the start, as the pool may be in use by other libraries of the process long before our first loop.
[[maybe_unused]] int const kWatching = pthread_atfork(nullptr, nullptr, [] { forked = true; });
#endif

void RunWorkers(Loop& loop, int threads) {
  if (forked) return RunOnPlainThreads(loop, threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) loop.Work(t);
}
#else
void RunWorkers(Loop& loop, int threads) { RunOnPlainThreads(loop, threads); }
#endif

}  // namespace

void CheckInterrupt(Context const& ctx) {
  if (ctx.interrupted && ctx.interrupted()) throw Cancelled("Interrupted.");
}

Context ForWork(Context const& ctx, std::size_t operations) {
  constexpr std::size_t kWorthAThread = 20'000;
  Context limited = ctx;
  auto const worth = static_cast<int>(std::min<std::size_t>(1 + operations / kWorthAThread, 1'000'000));
  limited.threads = std::min(ctx.threads, worth);
  return limited;
}

void ParallelTasks(Context const& ctx, std::size_t count, std::function<void(std::size_t, int)> const& body) {
  Loop loop(ctx, count, body);
  auto const threads = static_cast<int>(std::min<std::size_t>(count, static_cast<std::size_t>(ctx.threads)));
  if (threads <= 1 || inside_loop) {
    loop.Work(0);
  } else {
    RunWorkers(loop, threads);
  }
  loop.Rethrow();
}

}  // namespace xgbl

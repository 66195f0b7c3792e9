// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel_for.h"

#include <atomic>
#include <exception>
#include <mutex>

#include "base/error.h"
#include "parallel/worker_pool.h"

namespace xgbl {
namespace {

class Loop;

thread_local bool inside_loop = false;
thread_local Loop const* helped = nullptr;  // the loop of another thread that this one helps with

// What the workers of one loop share.
class Loop {
 public:
  Loop(Context const& ctx, std::size_t count, std::function<void(std::size_t, int)> const& body)
      : ctx_(ctx), count_(count), body_(body) {}

  void Work(int thread) {
    bool const outer = inside_loop;
    inside_loop = true;
    if (thread != 0) helped = this;
    try {
      for (std::size_t i = next_++; i < count_ && !stop_; i = next_++) {
        CheckInterrupt(ctx_);
        body_(i, thread);
      }
    } catch (...) {
      Stop();
    }
    inside_loop = outer;
    if (thread != 0) helped = nullptr;
  }

  // The caller has nothing left to do but others have: it alone can learn of a signal.
  void Wait() {
    try {
      CheckInterrupt(ctx_);
    } catch (...) {
      Stop();
    }
  }

  bool Stopped() const { return stop_; }

  void Rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // Called while an exception is handled.
  void Stop() {
    std::lock_guard<std::mutex> const lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }

  Context const& ctx_;
  std::size_t count_;
  std::function<void(std::size_t, int)> const& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void CheckInterrupt(Context const& ctx) {
  bool const stop = helped != nullptr ? helped->Stopped() : ctx.interrupted && ctx.interrupted();
  if (stop) throw Cancelled("Interrupted.");
}

Context ForWork(Context const& ctx, std::size_t operations) {
  constexpr std::size_t kWorthAThread = 10'000;
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
    WorkerPool::Get().Run(threads, [&loop](int thread) { loop.Work(thread); }, [&loop] { loop.Wait(); });
  }
  loop.Rethrow();
}

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel_for.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace xgbl {
namespace {

constexpr std::chrono::microseconds kPatience{400};  // longer than the gaps between the loops of a round
constexpr std::chrono::milliseconds kWait{50};       // between two questions of who waits
constexpr std::chrono::seconds kIdle{1};             // longer than the gaps between the calls of a training
constexpr int kMostHelpers = 255;

class Loop;

thread_local bool inside_loop = false;
thread_local Loop const* helped = nullptr;  // the loop of another thread that this one helps with

// What the workers of one loop share: the calling thread, which is number 0, and those that came to help.
class Loop {
 public:
  Loop(Context const& ctx, std::size_t count, std::function<void(std::size_t, int)> const& body)
      : ctx_(ctx),
        count_(count),
        body_(body),
        threads_(static_cast<int>(std::min(count, static_cast<std::size_t>(ctx.threads)))) {}

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
  friend class Helpers;

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

  // Guarded by the helpers' mutex.
  int threads_;     // that may work on it
  int joined_ = 1;  // that ever did
  std::atomic<int> helping_{0};
  std::condition_variable left_;
};

// Whether it comes true soon.
template <class Condition>
bool Soon(Condition const& condition) {
  auto const until = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

// The members of parallel regions, which help any thread of this process with its loops. Nobody waits for a helper that
// has not begun: who has a loop does all of it alone if the helpers' cores are busy with something else. An idle helper
// looks for work for a while, giving way to others, then sleeps, and goes when there has been none for long.
class Helpers {
 public:
  static Helpers& Get();

  // Returns when all that worked on the loop have left it.
  void Run(Loop* loop) {
    int asleep = 0;
    {
      std::lock_guard<std::mutex> const lock(mutex_);
      Hire(loop->threads_ - 1);
      loops_.push_back(loop);
      ++posted_;
      asleep = std::min(sleeping_, loop->threads_ - 1 - looking_);
    }
    for (; asleep > 0; --asleep) wake_.notify_one();
    loop->Work(0);
    {
      std::lock_guard<std::mutex> const lock(mutex_);
      loops_.erase(std::find(loops_.begin(), loops_.end(), loop));
    }
    Soon([&] { return loop->helping_ == 0; });
    std::unique_lock<std::mutex> lock(mutex_);  // in any case: the last to leave may still hold it, and touch the loop
    while (!loop->left_.wait_for(lock, kWait, [&] { return loop->helping_ == 0; })) {
      lock.unlock();
      loop->Wait();
      lock.lock();
    }
  }

 private:
  void Hire(int helpers) {
    int const missing = std::min(helpers, kMostHelpers) - helpers_;
    if (missing <= 0 || opening_) return;
    auto const opened = [this] {  // there may be a loop by now that needs more
      std::lock_guard<std::mutex> const lock(mutex_);
      opening_ = false;
      for (Loop const* const loop : loops_) Hire(loop->threads_ - 1);
    };
    auto const ended = [this](int absent) {
      std::lock_guard<std::mutex> const lock(mutex_);
      helpers_ -= absent;
    };
    int const coming = OpenRegion(missing, [this] { Serve(); }, opened, ended);
    helpers_ += coming;
    opening_ = UsesOpenMp() && coming > 0;
  }

  void Serve() {
    for (;;) {
      std::uint64_t const seen = posted_;
      int member = 0;
      if (Loop* const loop = Join(&member)) {
        loop->Work(member);
        std::lock_guard<std::mutex> const lock(mutex_);
        if (--loop->helping_ == 0) loop->left_.notify_one();
      } else if (!LookFor([&] { return posted_ != seen; })) {
        std::unique_lock<std::mutex> lock(mutex_);
        ++sleeping_;
        bool const found = wake_.wait_for(lock, kIdle, [this] { return Open() != nullptr; });
        --sleeping_;
        if (found) continue;
        --helpers_;
        return;
      }
    }
  }

  template <class Work>
  bool LookFor(Work const& work) {
    ++looking_;
    bool const found = Soon(work);
    --looking_;
    return found;
  }

  Loop* Join(int* member) {
    std::lock_guard<std::mutex> const lock(mutex_);
    Loop* const loop = Open();
    if (loop == nullptr) return nullptr;
    *member = loop->joined_++;
    ++loop->helping_;
    return loop;
  }

  // A loop that has room for one more.
  Loop* Open() const {
    auto const has_room = [](Loop const* loop) { return loop->joined_ < loop->threads_; };
    auto const found = std::find_if(loops_.begin(), loops_.end(), has_room);
    return found == loops_.end() ? nullptr : *found;
  }

  std::mutex mutex_;  // guards all but the counter
  std::condition_variable wake_;
  std::vector<Loop*> loops_;
  int helpers_ = 0;       // that there are, come, or cannot be had
  bool opening_ = false;  // a region whose members are still coming
  int sleeping_ = 0;
  std::atomic<int> looking_{0};           // for work, awake: they need not be woken
  std::atomic<std::uint64_t> posted_{0};  // loops so far; idle helpers watch it
};

// Never destroyed, as helpers use it to the end of the process.
std::atomic<Helpers*> all_helpers{nullptr};

#if !defined(_WIN32)
// A child has none of its parent's threads, and mutexes in whatever state they were.
[[maybe_unused]] int const kWatching = pthread_atfork(nullptr, nullptr, [] { all_helpers = nullptr; });
#endif

Helpers& Helpers::Get() {
  Helpers* current = all_helpers;
  if (current != nullptr) return *current;
  auto* const fresh = new Helpers;
  if (all_helpers.compare_exchange_strong(current, fresh)) return *fresh;
  delete fresh;  // another thread was faster
  return *current;
}

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
  if (ctx.threads <= 1 || count <= 1 || inside_loop) {
    loop.Work(0);
  } else {
    Helpers::Get().Run(&loop);
  }
  loop.Rethrow();
}

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "parallel/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace xgbl {
namespace {

constexpr std::chrono::microseconds kPatience{400};  // longer than the gaps between the loops of a round
constexpr std::chrono::milliseconds kWait{50};       // between two questions of who waits
constexpr std::size_t kMostHelpers = 255;            // they stay for good

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

// Never destroyed, as helpers use it to the end of the process.
std::atomic<WorkerPool*> pool{nullptr};

#if !defined(_WIN32)
// A child has none of its parent's threads, and mutexes in whatever state they were.
[[maybe_unused]] int const kWatching = pthread_atfork(nullptr, nullptr, [] { pool = nullptr; });
#endif

}  // namespace

// One call of Run(): its members are numbered from 0, who called.
struct WorkerPool::Team {
  Team(std::function<void(int)> const& all, int threads) : work(all), wanted(threads) {}

  std::function<void(int)> const& work;
  int wanted;
  int joined = 1;
  std::atomic<int> working{0};  // helpers
  std::condition_variable left;
};

WorkerPool& WorkerPool::Get() {
  WorkerPool* current = pool;
  if (current != nullptr) return *current;
  auto* const fresh = new WorkerPool;
  if (pool.compare_exchange_strong(current, fresh)) return *fresh;
  delete fresh;  // another thread was faster
  return *current;
}

void WorkerPool::Run(int threads, std::function<void(int)> const& work, std::function<void()> const& wait) {
  Team team(work, threads);
  std::size_t asleep = 0;
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    Hire(static_cast<std::size_t>(threads) - 1);
    teams_.push_back(&team);
    ++posted_;
    asleep = std::min(sleeping_, static_cast<std::size_t>(threads) - 1);
  }
  for (; asleep > 0; --asleep) wake_.notify_one();
  work(0);
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    teams_.erase(std::find(teams_.begin(), teams_.end(), &team));
  }
  Soon([&] { return team.working == 0; });
  std::unique_lock<std::mutex> lock(mutex_);  // in any case: the last to leave may still hold it, and touch the team
  while (!team.left.wait_for(lock, kWait, [&] { return team.working == 0; })) {
    lock.unlock();
    wait();
    lock.lock();
  }
}

void WorkerPool::Hire(std::size_t helpers) {
  try {
    for (; helpers_ < std::min(helpers, kMostHelpers); ++helpers_) std::thread(&WorkerPool::Serve, this).detach();
  } catch (std::system_error const&) {
    // The system gives no more threads: those that there are do all the work.
  }
}

void WorkerPool::Serve() {
  for (;;) {
    std::uint64_t const seen = posted_;
    int member = 0;
    if (Team* const team = Join(&member)) {
      team->work(member);
      std::lock_guard<std::mutex> const lock(mutex_);
      if (--team->working == 0) team->left.notify_one();
    } else if (!Soon([&] { return posted_ != seen; })) {
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleeping_;
      wake_.wait(lock, [this] { return AnyOpen(); });
      --sleeping_;
    }
  }
}

WorkerPool::Team* WorkerPool::Join(int* member) {
  std::lock_guard<std::mutex> const lock(mutex_);
  for (Team* const team : teams_) {
    if (team->joined == team->wanted) continue;
    *member = team->joined++;
    ++team->working;
    return team;
  }
  return nullptr;
}

bool WorkerPool::AnyOpen() const {
  return std::any_of(teams_.begin(), teams_.end(), [](Team const* team) { return team->joined < team->wanted; });
}

}  // namespace xgbl

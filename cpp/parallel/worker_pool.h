// SPDX-License-Identifier: Apache-2.0
// The threads of this process that help with loops. Nobody waits for a helper that has not begun: who calls Run() does
// all the work alone if the helpers' cores are busy with something else, and so a crowded machine costs no more than
// its share. (OpenMP's teams meet at a barrier, and a member that is not running then costs the others a time slice, in
// each of a hundred loops a round.) An idle helper looks for work for a while, giving way to others, and then sleeps.
// Helpers are made when first needed and serve for good, several loops at a time; a forked child makes its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace xgbl {

class WorkerPool {
 public:
  /// The pool of this process.
  static WorkerPool& Get();

  /// Calls work(0) here and, on helpers that come in time, work(1) … up to work(threads - 1). Returns when all calls
  /// that began have ended: together they must do everything even if there is only the first. Until they have, `wait`
  /// is called here now and then. Neither may throw.
  void Run(int threads, std::function<void(int)> const& work, std::function<void()> const& wait = [] {});

 private:
  struct Team;

  void Hire(std::size_t helpers);
  void Serve();
  Team* Join(int* member);
  bool AnyOpen() const;

  std::mutex mutex_;  // guards all but the counter
  std::condition_variable wake_;
  std::vector<Team*> teams_;
  std::size_t helpers_ = 0;
  std::size_t sleeping_ = 0;
  std::atomic<std::uint64_t> posted_{0};  // teams so far; idle helpers watch it
};

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Lets one thread in at a time: calls that must not overlap take turns. A waiting thread checks now and then whether
// the user wants to stop. Waiting threads are served in no particular order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/context.h"

namespace xgbl {

class Turns {
 public:
  /// A turn, from its construction to its end. Waiting throws Cancelled if `interrupted` says so.
  class Turn {
   public:
    Turn(Turns* turns, Interrupt const& interrupted);
    Turn(Turn const&) = delete;
    Turn& operator=(Turn const&) = delete;
    ~Turn();

   private:
    Turns* turns_;
  };

  Turns() = default;
  Turns(Turns const&) = delete;
  Turns& operator=(Turns const&) = delete;
  ~Turns() { delete here_.load(); }

  /// Whether this thread is within a turn, as a signal handler may be. Another turn would wait for itself.
  bool Mine();
  /// Whether another thread was within a turn when this process was forked. What it was changing may be half done.
  bool WasForkedInATurn() { return Here().forked_in_a_turn; }

 private:
  struct State {
    long process = 0;
    std::mutex mutex;  // of what follows, held for moments only
    std::condition_variable over;
    std::thread::id owner;  // of nobody between turns
    bool forked_in_a_turn = false;
  };

  State& Here();

  std::atomic<State*> here_{nullptr};
};

}  // namespace xgbl

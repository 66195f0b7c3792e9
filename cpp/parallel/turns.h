// SPDX-License-Identifier: Apache-2.0
// Lets one thread in at a time: calls that must not overlap take turns. A waiting thread checks now and then whether
// the user wants to stop, so it never waits longer than wanted. Waiting threads are served in no particular order.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/context.h"

namespace xgbl {

class Turns {
 public:
  /// A turn, from its construction to its end. Waiting throws Cancelled if `interrupted` says so; a thread that is
  /// within a turn already, as a signal handler may be, gets a ParamError instead of waiting for itself.
  class Turn {
   public:
    Turn(Turns* turns, Interrupt const& interrupted);
    Turn(Turn const&) = delete;
    Turn& operator=(Turn const&) = delete;
    ~Turn();

   private:
    Turns* turns_;
  };

 private:
  std::mutex mutex_;  // of what follows, held for moments only
  std::condition_variable over_;
  std::thread::id owner_;  // of nobody between turns
};

}  // namespace xgbl

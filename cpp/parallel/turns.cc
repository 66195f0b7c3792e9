// SPDX-License-Identifier: Apache-2.0
#include "parallel/turns.h"

#include <chrono>

#include "base/error.h"

namespace xgbl {

Turns::Turn::Turn(Turns* turns, Interrupt const& interrupted) : turns_(turns) {
  constexpr std::chrono::milliseconds kPatience(50);
  auto const self = std::this_thread::get_id();
  std::unique_lock<std::mutex> lock(turns_->mutex_);
  Require<ParamError>(turns_->owner_ != self,
                      "The booster is in the middle of a call of this thread, and cannot be trained or changed from "
                      "within it, as by a signal handler. Do it after that call.");
  while (turns_->owner_ != std::thread::id()) {
    turns_->over_.wait_for(lock, kPatience);
    lock.unlock();  // the answer may come from a handler that calls the booster
    if (interrupted && interrupted()) throw Cancelled("Interrupted.");
    lock.lock();
  }
  turns_->owner_ = self;
}

Turns::Turn::~Turn() {
  {
    std::lock_guard<std::mutex> const lock(turns_->mutex_);
    turns_->owner_ = std::thread::id();
  }
  turns_->over_.notify_one();
}

}  // namespace xgbl

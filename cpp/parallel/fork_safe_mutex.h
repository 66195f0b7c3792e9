// SPDX-License-Identifier: Apache-2.0
// A mutex that no other thread holds at the moment when the process is forked: the child, which has none of its
// parent's threads, would wait for it for ever.
#pragma once

#include <mutex>

namespace xgbl {

/// For moments only, as a fork waits until all of them are free. Whoever holds one waits for nothing else, and does not
/// fork.
class ForkSafeMutex {
 public:
  void lock();
  void unlock();

 private:
  std::mutex mutex_;
};

}  // namespace xgbl

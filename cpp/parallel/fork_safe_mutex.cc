// SPDX-License-Identifier: Apache-2.0
#include "parallel/fork_safe_mutex.h"

#include <new>
#include <shared_mutex>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace xgbl {
namespace {

// Shared by whoever holds a mutex or waits for one; a fork has it alone.
class ForkGate {
 public:
  static ForkGate& Get() {
    static auto* const gate = new ForkGate;  // never destroyed, as threads use it to the end of the process
    return *gate;
  }

  std::shared_mutex& Lock() { return lock_; }

 private:
  ForkGate() {
#if !defined(_WIN32)
    pthread_atfork([] { Get().lock_.lock(); }, [] { Get().lock_.unlock(); },
                   [] { new (&Get().lock_) std::shared_mutex; });  // it knows its owner by a number of the parent's
#endif
  }

  std::shared_mutex lock_;
};

}  // namespace

void ForkSafeMutex::lock() {
  ForkGate::Get().Lock().lock_shared();
  mutex_.lock();
}

void ForkSafeMutex::unlock() {
  mutex_.unlock();
  ForkGate::Get().Lock().unlock_shared();
}

}  // namespace xgbl

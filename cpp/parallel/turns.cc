// SPDX-License-Identifier: Apache-2.0
#include "parallel/turns.h"

#include <chrono>
#include <memory>

#include "base/error.h"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace xgbl {
namespace {

long ThisProcess() {
#if defined(_WIN32)
  return 0;
#else
  return getpid();
#endif
}

}  // namespace

// A forked child has none of its parent's threads, and its mutexes in whatever state they were: it begins anew. The
// parent's state is left as it is, since it may be locked for ever.
Turns::State& Turns::Here() {
  State* current = here_;
  long const process = ThisProcess();
  if (current != nullptr && current->process == process) return *current;
  auto fresh = std::make_unique<State>();
  fresh->process = process;
  if (current != nullptr) fresh->forked_in_a_turn = current->forked_in_a_turn || current->owner != std::thread::id();
  if (here_.compare_exchange_strong(current, fresh.get())) return *fresh.release();
  return *current;  // another thread was faster
}

bool Turns::Mine() {
  State& state = Here();
  std::lock_guard<std::mutex> const lock(state.mutex);
  return state.owner == std::this_thread::get_id();
}

Turns::Turn::Turn(Turns* turns, Interrupt const& interrupted) : turns_(turns) {
  constexpr std::chrono::milliseconds kPatience(50);
  State& state = turns_->Here();
  std::unique_lock<std::mutex> lock(state.mutex);
  Ensure(state.owner != std::this_thread::get_id(), "a thread waits for its own turn to end");
  while (state.owner != std::thread::id()) {
    state.over.wait_for(lock, kPatience);
    lock.unlock();  // the answer may come from a handler that asks for a turn
    if (interrupted && interrupted()) throw Cancelled("Interrupted.");
    lock.lock();
  }
  state.owner = std::this_thread::get_id();
}

Turns::Turn::~Turn() {
  State& state = turns_->Here();
  {
    std::lock_guard<std::mutex> const lock(state.mutex);
    state.owner = std::thread::id();
  }
  state.over.notify_one();
}

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// What every long call of the engine needs to know: how many threads it may use, which instruction set, the seed, where
// messages go, and whether the user wants to stop. Passed down by const reference: none of it is global.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace xgbl {

/// Messages are collected here and handed to Python when a call returns: the engine never prints. Safe from any thread.
class MessageLog {
 public:
  enum class Level { kWarning = 1, kInfo = 2, kDebug = 3 };
  struct Message {
    Level level;
    std::string text;
  };
  void Add(Level level, std::string text) {
    std::lock_guard<std::mutex> const lock(mutex_);
    messages_.push_back({level, std::move(text)});
  }
  std::vector<Message> Take() {
    std::lock_guard<std::mutex> const lock(mutex_);
    return std::exchange(messages_, {});
  }
  /// The verbosity where the parameter of this name is not given.
  int DefaultVerbosity() const { return default_verbosity_; }
  void SetDefaultVerbosity(int verbosity) { default_verbosity_ = verbosity; }

 private:
  std::atomic<int> default_verbosity_{1};
  std::mutex mutex_;
  std::vector<Message> messages_;
};

/// Asked now and then by a long call, on the thread that made it; true ends the call with `Cancelled`.
using Interrupt = std::function<bool()>;

enum class SimdLevel { kScalar = 0, kAvx2 = 1, kAvx512 = 2, kAvx512Vbmi = 3 };

struct Context {
  int threads = 1;
  SimdLevel simd = SimdLevel::kScalar;
  std::uint64_t seed = 0;
  MessageLog* log = nullptr;
  int verbosity = 1;  // messages of higher levels are not made
  Interrupt interrupted;

  /// To be checked before making a message that takes time.
  bool Tells(MessageLog::Level level) const { return log != nullptr && static_cast<int>(level) <= verbosity; }
  void Tell(MessageLog::Level level, std::string text) const {
    if (Tells(level)) log->Add(level, std::move(text));
  }
  void Warn(std::string text) const { Tell(MessageLog::Level::kWarning, std::move(text)); }
};

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// What every long call of the engine is told: how many threads it may use, which instruction set, the seed, where
// messages go and how to learn that the user wants to stop. Passed down by const reference; there are no globals.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace xgbl {

/// Messages are collected here and handed to Python when a call returns: the engine never prints.
class MessageLog {
 public:
  enum class Level { kWarning = 1, kInfo = 2, kDebug = 3 };
  struct Message {
    Level level;
    std::string text;
  };
  void Add(Level level, std::string text) { messages_.push_back({level, std::move(text)}); }
  std::vector<Message> Take() { return std::exchange(messages_, {}); }

 private:
  std::vector<Message> messages_;
};

enum class SimdLevel { kScalar = 0, kAvx2 = 1, kAvx512 = 2 };

struct Context {
  int threads = 1;
  SimdLevel simd = SimdLevel::kScalar;
  std::uint64_t seed = 0;
  MessageLog* log = nullptr;
  /// Asked now and then on the calling thread; true ends the call with `Cancelled`.
  std::function<bool()> interrupted;

  void Warn(std::string text) const {
    if (log != nullptr) log->Add(MessageLog::Level::kWarning, std::move(text));
  }
};

}  // namespace xgbl

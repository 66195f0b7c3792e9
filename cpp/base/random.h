// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers. Each is a pure function of (seed, stream, index), so it depends neither on threads nor
// on earlier draws. A continued training therefore draws the same numbers as an uninterrupted one. The mixing function
// is SplitMix64's finaliser (Steele, Lea and Flood, OOPSLA 2014), applied to each key in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace xgbl {

inline std::uint64_t Mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

/// What a draw is for; keeps the streams of one round apart.
enum class Purpose : std::uint64_t {
  kRows = 1,
  kTreeColumns,
  kLevelColumns,
  kNodeColumns,
  kRounding,
  kCuts,
  kPairs = 20,
  kGains,
  kScores,
  kDroppedTrees = 101,
  kLinearFeatures
};

class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint64_t stream)
      : key_(Mix(Mix(Mix(seed) ^ static_cast<std::uint64_t>(purpose)) ^ stream)) {}

  std::uint64_t Bits(std::uint64_t index) const { return Mix(key_ ^ Mix(index)); }
  /// Uniform in [0, 1).
  double Uniform(std::uint64_t index) const { return static_cast<double>(Bits(index) >> 11U) * 0x1p-53; }

 private:
  std::uint64_t key_;
};

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Splits the weights of values, or of ranges of values, into few parts of about equal weight: where bins begin. Weights
// are integers, so the result does not depend on how they were summed. Their total must stay below 2^63. O(weights),
// times the rounds in which heavy ones are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

/// The share of each part once the heavy weights have their own parts.
struct EqualShare {
  std::uint64_t weight = 0;  // of a part; heavier ones have parts of their own
  std::size_t parts = 0;     // that are left for the others
};

/// `whole`, if not empty, tells which weights cannot be split; only these count as heavy.
EqualShare ShareOf(Span<std::uint64_t const> weights, Span<std::uint8_t const> whole, std::size_t parts);

/// The first weight of each part: rising, beginning with 0; at most `parts` of them, none for no weights. A weight that
/// is heavier than an equal share of the lighter ones gets its own part, so that it does not distort the others.
std::vector<std::size_t> PartsByWeight(Span<std::uint64_t const> weights, std::size_t parts);

/// The same evenly by rank: the sum up to the middle of a weight. On small data the parts begin where XGBoost up to
/// 3.2 puts the cuts of a feature; its sketch thins out the values in steps. Where heavy weights would waste more than
/// a quarter of the parts, those of PartsByWeight(). `cells`: how many values the weights are of. Meant for weights of
/// single values, or of ranges so fine that half of one does not matter.
std::vector<std::size_t> PartsByRank(Span<std::uint64_t const> weights, std::size_t cells, std::size_t parts);

}  // namespace xgbl

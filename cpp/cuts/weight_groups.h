// SPDX-License-Identifier: Apache-2.0
// Splits a sequence of weights into few groups of about equal weight. Weights are integers, so the result does not
// depend on how they were summed. Their total must stay below 2^63. O(weights), times the rounds in which heavy ones
// are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

/// The share of each group once the heavy weights have their own groups.
struct EqualShare {
  std::uint64_t weight = 0;  // of a group; heavier ones have groups of their own
  std::size_t groups = 0;    // that are left for the others
};

/// `whole`, if not empty, tells which weights cannot be split; only these count as heavy.
EqualShare ShareOf(Span<std::uint64_t const> weights, Span<std::uint8_t const> whole, std::size_t groups);

/// The first weight of each group: rising, beginning with 0; at most `groups` of them, none for no weights. A weight
/// that is heavier than an equal share of the lighter ones gets its own group, so that it does not distort the others.
std::vector<std::size_t> GroupByWeight(Span<std::uint64_t const> weights, std::size_t groups);

}  // namespace xgbl

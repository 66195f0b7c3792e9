// SPDX-License-Identifier: Apache-2.0
// Splits a sequence of weights into groups evenly by rank. A weight's rank is the middle of its part of the sum. On
// small data the groups begin where XGBoost up to 3.2 puts the cuts of a feature; its sketch thins out the values in
// steps. O(weights).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

/// The first weight of each group: rising, beginning with 0; at most `groups` of them, none for no weights. Where heavy
/// weights would waste more than a quarter of the groups, those of GroupByWeight(). `cells`: how many values the
/// weights are of. Meant for weights of single values, or of ranges so fine that half of one does not matter.
std::vector<std::size_t> GroupByRank(Span<std::uint64_t const> weights, std::size_t cells, std::size_t groups);

}  // namespace xgbl

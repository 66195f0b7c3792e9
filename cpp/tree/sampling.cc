// SPDX-License-Identifier: Apache-2.0
#include "tree/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/math.h"

namespace xgbl {

ColumnSampler::ColumnSampler(TreeParam const& param, TreeKey key, std::size_t num_features,
                             Span<float const> feature_weights)
    : key_(key),
      by_level_(param.colsample_bylevel),
      by_node_(param.colsample_bynode),
      weights_(feature_weights.begin(), feature_weights.end()) {
  std::vector<std::uint32_t> all(num_features);
  std::iota(all.begin(), all.end(), 0U);
  tree_ = Draw(all, param.colsample_bytree, Purpose::kTreeColumns, 0);
}

std::vector<std::uint32_t> ColumnSampler::Node(std::size_t depth, std::uint64_t path) const {
  auto const level = Draw(tree_, by_level_, Purpose::kLevelColumns, depth);
  return Draw(level, by_node_, Purpose::kNodeColumns, path);
}

// Weighted sampling without replacement by keys u^(1/w) (Efraimidis and Spirakis 2006): those with the largest keys are
// drawn. Compared as log(u) / w. Without weights the same with w = 1.
std::vector<std::uint32_t> ColumnSampler::Draw(std::vector<std::uint32_t> const& from, double share, Purpose purpose,
                                               std::uint64_t stream) const {
  if (share >= 1 && weights_.empty()) return from;
  Random const random(key_.seed, purpose, Mix(key_.tree) ^ stream);
  std::vector<std::pair<double, std::uint32_t>> keys;
  for (auto const feature : from) {
    double const weight = weights_.empty() ? 1.0 : static_cast<double>(weights_[feature]);
    if (weight > 0) keys.emplace_back(-Log(1 - random.Uniform(feature)) / weight, feature);
  }
  auto const wanted = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(from.size())));
  std::size_t const count = std::min(share >= 1 ? from.size() : wanted, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end());
  std::vector<std::uint32_t> drawn;
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(keys[i].second);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace xgbl

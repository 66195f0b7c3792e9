// SPDX-License-Identifier: Apache-2.0
// Weighted means of the labels of each target, for intercepts. NaN labels are left out.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "labels/row_weights.h"
#include "parallel/reduce.h"

namespace xgbl {

/// The mean of `value(target, label)` by target; 0 without rows. Throws DataError if a target has no weight at all.
/// `user` is the objective that a message names.
template <class ValueOf>
std::vector<double> LabelMean(std::string const& user, Meta const& meta, Context const& ctx, ValueOf&& value) {
  auto const labels = meta.labels.View();
  std::size_t const targets = std::max<std::size_t>(1, labels.columns());
  RowWeights const weights(meta, labels.rows(), user);
  auto sums = SumColumns<2>(ctx, labels.rows(), labels.columns(), [&](std::size_t i, std::size_t k) {
    double const label = double{labels(i, k)}, weight = double{weights[i]};
    return std::isnan(label) ? std::array<double, 2>{} : std::array<double, 2>{value(k, label) * weight, weight};
  });
  sums.resize(targets);
  std::vector<double> mean;
  for (std::size_t k = 0; k < targets; ++k) {
    auto const [sum, total] = sums[k];
    Require<DataError>(labels.rows() == 0 || total > 0, "All weights are 0, or all labels of target ", k,
                       " are missing; `", user, "` needs a label with a positive weight.");
    mean.push_back(total > 0 ? sum / total : 0.0);
  }
  return mean;
}

/// The mean of the labels themselves.
inline std::vector<double> LabelMean(std::string const& user, Meta const& meta, Context const& ctx) {
  return LabelMean(user, meta, ctx, [](std::size_t /*target*/, double label) { return label; });
}

}  // namespace xgbl

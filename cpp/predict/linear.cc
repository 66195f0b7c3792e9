// SPDX-License-Identifier: Apache-2.0
#include "predict/linear.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kLinearTaskRows = 1024;

}  // namespace

void AddLinear(LinearModel const& linear, FeatureMatrix const& features, Context const& ctx,
               MatrixView<float> margins) {
  std::size_t const outputs = margins.columns();
  MatrixView<float const> const weights(linear.weights.data(), linear.weights.size() / outputs, outputs);
  Ensure(features.Columns() < weights.rows(), linear.weights.size(), " linear weights meet ", features.Columns(),
         " features.");
  std::size_t const biases = weights.rows() - 1;
  ParallelBlocks(ctx, features.Rows(), kLinearTaskRows, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(outputs);
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < outputs; ++k) sums[k] = double{margins(row, k)} + double{weights(biases, k)};
      features.ForEachPresent(row, [&](std::size_t feature, float value) {
        for (std::size_t k = 0; k < outputs; ++k) sums[k] += double{weights(feature, k)} * double{value};
      });
      for (std::size_t k = 0; k < outputs; ++k) margins(row, k) = static_cast<float>(sums[k]);
    }
  });
}

}  // namespace xgbl

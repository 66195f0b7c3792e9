// SPDX-License-Identifier: Apache-2.0
#include "objective/residual_scale.h"

#include <cmath>

#include "labels/row_weights.h"
#include "objective/label_checks.h"
#include "parallel/reduce.h"

namespace xgbl {

std::vector<float> ResidualScales(std::string const& name, MatrixView<float const> margins, Meta const& meta,
                                  std::size_t levels, Context const& ctx) {
  auto const labels = meta.labels.View();
  std::size_t const outputs = margins.columns();
  RowWeights const weights(meta, margins.rows(), name);
  auto const sums = SumVectors(ctx, margins.rows(), 2 * outputs, [&](std::size_t row, double* sum) {
    double const weight = weights[row];
    for (std::size_t k = 0; k < outputs; ++k) {
      float const label = labels(row, k / levels);
      if (std::isnan(label)) continue;
      sum[k] += weight * std::sqrt(std::fabs(double{margins(row, k)} - double{label}));
      sum[outputs + k] += weight;
    }
  });
  std::vector<float> scales(outputs);
  for (std::size_t k = 0; k < outputs; ++k) {
    double const root = sums[outputs + k] > 0 ? sums[k] / sums[outputs + k] : 0.0;
    scales[k] = static_cast<float>(root * root);
  }
  return scales;
}

}  // namespace xgbl

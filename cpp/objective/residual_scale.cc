// SPDX-License-Identifier: Apache-2.0
#include "objective/residual_scale.h"

#include <cmath>

#include "data/row_weights.h"
#include "objective/label_checks.h"
#include "parallel/reduce.h"

namespace xgbl {

std::vector<float> ResidualScales(std::string const& name, MatrixView<float const> margins, Meta const& meta,
                                  std::size_t levels, Context const& ctx) {
  auto const labels = meta.labels.View();
  std::size_t const outputs = margins.columns();
  RowWeights const weights(meta, margins.rows(), name);
  auto const sums = SumVectors(ctx, margins.rows(), outputs + 1, [&](std::size_t row, double* sum) {
    double const weight = weights[row];
    for (std::size_t k = 0; k < outputs; ++k) {
      sum[k] += weight * std::sqrt(std::fabs(double{margins(row, k)} - double{labels(row, k / levels)}));
    }
    sum[outputs] += weight;
  });
  std::vector<float> scales(outputs);
  for (std::size_t k = 0; k < outputs && sums[outputs] > 0; ++k) {
    double const root = sums[k] / sums[outputs];
    scales[k] = static_cast<float>(root * root);
  }
  return scales;
}

}  // namespace xgbl

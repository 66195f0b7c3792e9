// SPDX-License-Identifier: Apache-2.0
#include "objective/residual_scale.h"

#include <array>
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
  auto const sums = SumColumns<2>(ctx, margins.rows(), outputs, [&](std::size_t row, std::size_t k) {
    float const label = labels(row, k / levels);
    double const weight = std::isnan(label) ? 0.0 : double{weights[row]};
    double const residual = std::isnan(label) ? 0.0 : double{margins(row, k)} - double{label};
    return std::array<double, 2>{weight * std::sqrt(std::fabs(residual)), weight};
  });
  std::vector<float> scales(outputs);
  for (std::size_t k = 0; k < outputs; ++k) {
    double const root = sums[k][1] > 0 ? sums[k][0] / sums[k][1] : 0.0;
    scales[k] = static_cast<float>(root * root);
  }
  return scales;
}

}  // namespace xgbl

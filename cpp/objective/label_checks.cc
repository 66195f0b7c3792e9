// SPDX-License-Identifier: Apache-2.0
#include "objective/label_checks.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/row_weights.h"
#include "parallel/reduce.h"

namespace xgbl {

void CheckFiniteLabels(std::string const& name, Meta const& meta) {
  auto const& labels = meta.labels;
  auto const bad =
      std::find_if_not(labels.values.begin(), labels.values.end(), [](float y) { return std::isfinite(y); });
  if (bad != labels.values.end()) {
    auto const cell = static_cast<std::size_t>(bad - labels.values.begin());
    throw DataError(Text("`", name, "` needs finite labels; got ", *bad, " in row ", cell / labels.columns, "."));
  }
  RowWeights(meta, labels.rows, name);
}

void CheckCells(std::string const& name, MatrixView<float const> margins, Meta const& meta, std::size_t levels) {
  auto const& labels = meta.labels;
  bool const fits = labels.rows == margins.rows() && (margins.empty() || labels.columns * levels == margins.columns());
  Require<DataError>(fits, "`", name, "` needs one label for each ", levels, " of ", margins.rows(), " x ",
                     margins.columns(), " predictions; got labels for ", labels.rows, " x ", labels.columns, ".");
}

double TotalWeight(std::string const& name, Meta const& meta, Context const& ctx) {
  RowWeights const weights(meta, meta.labels.rows, name);
  double const total =
      SumRows(ctx, meta.labels.rows, [&](std::size_t row) { return static_cast<double>(weights[row]); });
  Require<DataError>(meta.labels.rows == 0 || total > 0, "All weights are 0; `", name, "` needs one that is positive.");
  return total;
}

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "objective/label_checks.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/row_weights.h"

namespace xgbl {

void CheckFiniteLabels(std::string const& name, Meta const& meta) {
  auto const& labels = meta.labels;
  auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(), [&](float label) {
    return std::isfinite(label) || (labels.columns > 1 && std::isnan(label));
  });
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

}  // namespace xgbl

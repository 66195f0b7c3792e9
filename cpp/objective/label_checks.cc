// SPDX-License-Identifier: Apache-2.0
#include "objective/label_checks.h"

#include <cmath>

#include "labels/row_weights.h"

namespace xgbl {

void CheckFiniteLabels(std::string const& name, Meta const& meta) {
  CheckEachLabel(name, meta.labels, "finite labels", [](float label) { return std::isfinite(label); });
  RowWeights(meta, meta.labels.rows, name);
}

void CheckCells(std::string const& name, MatrixView<float const> margins, Meta const& meta, std::size_t levels) {
  auto const& labels = meta.labels;
  bool const fits = labels.rows == margins.rows() && (margins.empty() || labels.columns * levels == margins.columns());
  Require<DataError>(fits, "`", name, "` needs one label for each", levels > 1 ? Text(" ", levels, " of ") : " of ",
                     margins.rows(), " x ", margins.columns(), " predictions; got labels for ", labels.rows, " x ",
                     labels.columns, ".");
}

}  // namespace xgbl

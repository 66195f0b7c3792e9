// SPDX-License-Identifier: Apache-2.0
// Checks of labels and weights, shared by objectives over (row, target) cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "base/error.h"
#include "labels/meta.h"
#include "objective/objective.h"

namespace xgbl {

/// Throws DataError unless `allows(label)` for every label, or it is NaN where there are several targets (not known: it
/// counts nowhere). `name` is what the message calls the objective, `what` the labels that it needs.
template <class Allows>
void CheckEachLabel(std::string const& name, Matrix<float> const& labels, std::string const& what,
                    Allows const& allows) {
  bool const may_miss = labels.columns > 1;
  auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(),
                                    [&](float label) { return allows(label) || (may_miss && std::isnan(label)); });
  if (bad == labels.values.end()) return;
  auto const cell = static_cast<std::size_t>(bad - labels.values.begin());
  throw DataError(Text("`", name, "` needs ", what, "; got ", *bad, " in row ", cell / labels.columns,
                       ". Change the labels, or choose another `objective`."));
}

/// Throws DataError unless all labels are finite, or NaN as above, and weights are one per row.
void CheckFiniteLabels(std::string const& name, Meta const& meta);

/// Throws DataError unless there are `levels` margins for each label.
void CheckCells(std::string const& name, MatrixView<float const> margins, Meta const& meta, std::size_t levels);

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Checks of labels and weights that objectives over (row, target) cells share.
#pragma once

#include <cstddef>
#include <string>

#include "data/meta.h"
#include "objective/objective.h"

namespace xgbl {

/// Throws DataError unless all labels are finite, or NaN where there are several targets (not known: they count
/// nowhere), and weights are one a row. `name` is what messages call the objective.
void CheckFiniteLabels(std::string const& name, Meta const& meta);

/// Throws DataError unless there are `levels` margins for each label.
void CheckCells(std::string const& name, MatrixView<float const> margins, Meta const& meta, std::size_t levels);
}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// A size of residuals that outliers hardly move: the square of the weighted mean of their square roots. Smoothed losses
// are smooth on a fraction of it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/context.h"
#include "labels/meta.h"
#include "objective/objective.h"

namespace xgbl {

/// One per output, of which each label has `levels`; 0 where no weight is positive.
std::vector<float> ResidualScales(std::string const& name, MatrixView<float const> margins, Meta const& meta,
                                  std::size_t levels, Context const& ctx);

}  // namespace xgbl

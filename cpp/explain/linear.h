// SPDX-License-Identifier: Apache-2.0
// What each feature adds to the prediction of a linear model: its value times its weight, or nothing if it is missing.
// Such a model has no interactions.
#pragma once

#include <cstddef>

#include "base/context.h"
#include "base/span.h"
#include "explain/explain.h"
#include "ingest/feature_matrix.h"
#include "model/model.h"

namespace xgbl {

/// The side of a square matrix of this many cells.
std::size_t SquareWidth(std::size_t cells);

/// As the functions of explain.h. A missing value counts as 0. A feature's cell lies `step` after that of the one
/// before, and the bias is the last cell of an output.
void AddLinear(Model const& model, FeatureMatrix const& features, std::size_t step, Context const& ctx,
               MatrixView<float> out);
void AddLinearInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                             Context const& ctx, MatrixView<float> out);

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Predictions of a model's trees, or of its linear weights. Sums run over trees in order and in float32, as in XGBoost,
// for any number of threads.
#pragma once

#include <cstdint>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"
#include "model/model.h"

namespace xgbl {

/// Adds the trees [trees.begin, trees.end), or the linear weights, to `margins` (rows x outputs), which holds the
/// intercept or base margins.
void AddMargins(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                MatrixView<float> margins);

/// Adds all trees, each times its weight in `weights` in place of its own.
void AddWeightedTrees(Model const& model, Span<float const> weights, FeatureMatrix const& features, Context const& ctx,
                      MatrixView<float> margins);

/// The number of each row's leaf in each tree: rows x (trees.end - trees.begin). ParamError if the model is linear.
Matrix<std::int32_t> PredictLeaves(Model const& model, FeatureMatrix const& features, RoundRange trees,
                                   Context const& ctx);

}  // namespace xgbl

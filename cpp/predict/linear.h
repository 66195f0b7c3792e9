// SPDX-License-Identifier: Apache-2.0
// Predictions from linear weights. A missing value adds nothing. Sums run over features in order and in double, so they
// are the same for any number of threads.
#pragma once

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"
#include "model/model.h"

namespace xgbl {

/// Adds bias and weighted features to `margins` (rows x outputs).
void AddLinear(LinearModel const& linear, FeatureMatrix const& features, Context const& ctx, MatrixView<float> margins);

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// What each feature adds to a learner's predictions, with checks of the data and the intercept. See explain/explain.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "boost/learner.h"
#include "data/dmatrix.h"

namespace xgbl {

enum class ExplanationKind {
  kContributions,
  kPathContributions,
  kInteractions,
  kPathInteractions,  // in form only: path contributions on the diagonal
};

struct ExplanationTask {
  ExplanationKind kind = ExplanationKind::kContributions;
  RoundRange rounds;
  DMatrix const* background = nullptr;  // for contributions only: what unknown features are taken from
};

struct Explanation {
  /// For each row and output `width` values, the bias last, or a square matrix of that width.
  Matrix<float> values;
  std::size_t width = 0;
  bool square = false;
};

Explanation Explain(Learner const& learner, DMatrix const& data, ExplanationTask const& task,
                    Interrupt const& interrupted);

/// Margins, rows x outputs, if only the features of `known` (rising) are: see AddMarginals().
Matrix<float> Marginals(Learner const& learner, DMatrix const& data, std::vector<std::uint32_t> const& known,
                        Interrupt const& interrupted);

}  // namespace xgbl

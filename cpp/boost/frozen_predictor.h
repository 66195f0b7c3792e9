// SPDX-License-Identifier: Apache-2.0
// A model ready to predict. Everything a call needs is prepared: layouts of the trees, the margins that rows start
// from, threads and instruction set. Later changes to the booster do not affect it. Safe to use from many threads at
// once, which share nothing that is written. A single row takes hardly any memory, and small work wakes no thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "boost/learner.h"
#include "predict/serving.h"
#include "predict/unseen_codes.h"

namespace xgbl {

class FrozenPredictor {
 public:
  /// `learner` must have its intercept and not be linear.
  explicit FrozenPredictor(std::shared_ptr<Learner const> learner);

  static bool Suits(Learner const& learner) { return learner.Started() && !learner.GetModel().linear; }

  Learner const& GetLearner() const { return *learner_; }
  /// Predictions per row.
  std::size_t Columns(PredictionKind kind) const;
  /// Whether training had all codes of categories that the rows have.
  bool KnowsCodes(RowSource const& source, Interrupt const& interrupted) const;
  std::vector<KnownCodes> const& Codes() const { return codes_; }
  /// Whether a call is so short that doing other things meanwhile is not worth it.
  bool IsQuick(std::size_t rows) const { return static_cast<double>(rows) * row_cycles_ < kQuickCycles; }
  /// Rows from values to `out`, rows x Columns(kind); the columns must be as many as the model's features, or fewer if
  /// sparse.
  void Predict(RowSource const& source, PredictionKind kind, RoundRange rounds, Interrupt const& interrupted,
               MatrixView<float> out) const;
  /// One row whose features lie `stride` values apart.
  void PredictRow(float const* values, std::ptrdiff_t stride, float missing, PredictionKind kind, RoundRange rounds,
                  float* out) const;

 private:
  static constexpr double kQuickCycles = 100'000;

  std::shared_ptr<Learner const> learner_;
  std::shared_ptr<Serving const> serving_;
  std::vector<float> starts_;  // by output
  std::vector<KnownCodes> codes_;
  Context ctx_;
  double row_cycles_;
};

}  // namespace xgbl

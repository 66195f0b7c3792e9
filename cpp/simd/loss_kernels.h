// SPDX-License-Identifier: Apache-2.0
// Kernels of losses and metrics: functions of many values, and cross-entropy over classes.
#pragma once

#include <cstddef>

#include "base/context.h"

namespace xgbl {

/// Rows of one margin for each class, at most kMostClassRows of them.
struct ClassTask {
  static constexpr std::size_t kSideBySide = 16;  // rows: best given in multiples of so many
  float const* margins = nullptr;
  std::size_t rows = 0;
  std::size_t classes = 0;
  float const* labels = nullptr;   // the class of each row; for gradients, as are weights
  float const* weights = nullptr;  // of each row
};

constexpr std::size_t kMostClassRows = 4096;

struct LossKernels {
  static LossKernels const& Of(SimdLevel level);

  /// out[i] = 1 / (1 + exp(-x[i])); `out` may be `x`.
  void (*sigmoid)(float const* x, float* out, std::size_t n);
  /// out[i] = exp(x[i]); `out` may be `x`.
  void (*exp)(float const* x, float* out, std::size_t n);
  /// out[i] = log(x[i]); `out` may be `x`.
  void (*log)(float const* x, float* out, std::size_t n);
  /// Probabilities of the classes, row by row: exponentials over their sum. `probability` may be the margins.
  void (*softmax)(ClassTask const& task, float* probability);
  /// The gradient of the cross-entropy and twice the diagonal of its hessian, class by class: each is `stride` from the
  /// one before.
  void (*softmax_gradients)(ClassTask const& task, float* gradient, float* hessian, std::size_t stride);
};

}  // namespace xgbl

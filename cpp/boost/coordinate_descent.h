// SPDX-License-Identifier: Apache-2.0
// Coordinate descent on the weights of one output of a linear model (Friedman, Hastie and Tibshirani 2010). A step
// moves one weight to the minimum of the loss's quadratic approximation with L1 and L2 penalties, times the learning
// rate. It then updates the gradients of the rows that have the feature. Sums run over fixed blocks of rows, so weights
// are the same for any number of threads. A step costs the cells of its column.
#pragma once

#include <cstddef>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "boost/linear_columns.h"
#include "tree/fixed_point.h"

namespace xgbl {

struct LinearPenalty {
  double learning_rate;
  double l1;  // both times the sum of the rows' weights, as gradients are sums over rows
  double l2;
};

class CoordinateDescent {
 public:
  /// The output's weights: that of feature 0 at `first`, those of the next ones `stride` apart, and the bias.
  struct Weights {
    float* first;
    std::size_t stride;
    float* bias;
  };

  CoordinateDescent(Context const& ctx, LinearColumns const& columns, OutputGradients const& gradients,
                    LinearPenalty penalty, Weights weights);

  void StepBias();
  /// The best change of a weight, before the learning rate.
  double BestChange(std::size_t feature) const;
  void Step(std::size_t feature);

  Context const& Threads() const { return ctx_; }
  LinearColumns const& Columns() const { return columns_; }

 private:
  float& Weight(std::size_t feature) const { return weights_.first[feature * weights_.stride]; }

  Context ctx_;
  LinearColumns const& columns_;
  LinearPenalty penalty_;
  Weights weights_;
  std::vector<float> gradient_;  // at the weights as they are now
  std::vector<float> hessian_;
};

}  // namespace xgbl

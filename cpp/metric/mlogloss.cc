// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"
#include "metric/multiclass.h"

namespace xgbl {
namespace {

struct MulticlassLogLoss {
  static float Loss(Span<float const> row, std::size_t label) {
    float const probability = row[label];
    return -Log(probability < 1e-16F ? 1e-16F : probability);  // bounded, as in logloss; NaN stays
  }
};

auto const kMulticlassLogLoss =
    Register<Metric, MulticlassMetric<MulticlassLogLoss>>("mlogloss", "Negative log-likelihood of several classes.")
        .Elsewhere({"multiclass", "multi_logloss", "softmax"});

}  // namespace
}  // namespace xgbl

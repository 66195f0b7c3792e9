// SPDX-License-Identifier: Apache-2.0
// Minus the log of the partial likelihood of proportional hazards (Cox 1972; ties after Breslow 1974), per event.
// Predictions are relative hazards. As in xgboost, weights do not count.
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/math.h"
#include "labels/row_weights.h"
#include "metric/metric.h"
#include "objective/risk_sets.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr char kCoxName[] = "cox-nloglik";

class CoxLogLikelihood : public Metric {
 public:
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits =
        labels.rows == predictions.rows() && (predictions.empty() || predictions.columns() == 1) && labels.columns <= 1;
    Require<DataError>(fits, "`", kCoxName, "` needs one label and one prediction a row; got labels for ", labels.rows,
                       " x ", labels.columns, " and ", predictions.rows(), " x ", predictions.columns(),
                       " predictions.");
    RowWeights(meta, predictions.rows(), kCoxName);
    RiskSets const sets = SortedByTime(labels.values);
    std::vector<double> hazards(sets.rows.size());
    for (std::size_t i = 0; i < hazards.size(); ++i) hazards[i] = double{predictions(sets.rows[i], 0)};
    std::vector<double> const at_risk = HazardsAtRisk(sets.times, hazards);
    auto const is_event = [&](std::size_t i) { return labels.values[sets.rows[i]] > 0.0F; };
    double const events = SumRows(ctx, hazards.size(), [&](std::size_t i) { return is_event(i) ? 1.0 : 0.0; });
    if (events == 0) {
      ctx.Warn("`cox-nloglik` is NaN: no label is positive, an event.");
      return std::numeric_limits<double>::quiet_NaN();
    }
    double const loss = SumRows(ctx, hazards.size(),
                                [&](std::size_t i) { return is_event(i) ? Log(at_risk[i]) - Log(hazards[i]) : 0.0; });
    return loss / events;
  }
};

auto const kCox = Register<Metric, CoxLogLikelihood>(
                      "cox-nloglik", "Negative partial log-likelihood of proportional hazards, per event.")
                      .Elsewhere({"cox"});

}  // namespace
}  // namespace xgbl

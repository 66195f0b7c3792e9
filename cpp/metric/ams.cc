// SPDX-License-Identifier: Apache-2.0
// Approximate median significance of a discovery (Adam-Bourdarios et al. 2014), sqrt(2 ((s + b) log(1 + s / b) - s)),
// from the weights s of positive and b of negative rows above a threshold, b with a constant of 10 added. The threshold
// leaves a share of the rows above it; where it lies among equal predictions, each of them counts in part.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "base/math.h"
#include "base/numbers.h"
#include "data/row_weights.h"
#include "metric/metric.h"
#include "metric/threshold_sweep.h"

namespace xgbl {
namespace {

double Significance(Tally const& above) {
  constexpr double kRegularisation = 10;
  double const background = above.negatives + kRegularisation;
  return std::sqrt(2 * ((above.positives + background) * Log1p(above.positives / background) - above.positives));
}

class Ams : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }

  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &share_) && share_ >= 0 && share_ <= 1;
    Require<ParamError>(good, "`ams@` needs the share of the rows above the threshold, from 0 to 1; got `", argument,
                        "`.");
  }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits = labels.rows == predictions.rows() && (predictions.empty() || labels.columns == 1);
    Require<DataError>(fits && predictions.columns() <= 1, "`ams` needs one prediction and one label a row; got ",
                       predictions.rows(), " x ", predictions.columns(), " and ", labels.rows, " x ", labels.columns,
                       ".");
    RowWeights const weights(meta, predictions.rows(), "ams");
    if (!AllNumbers(predictions.Flat(), ctx)) return std::numeric_limits<double>::quiet_NaN();
    std::vector<std::size_t> order(predictions.rows());
    std::iota(order.begin(), order.end(), 0);
    auto const scores = predictions.Flat();
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
    return Sweep(order, scores, labels.values, weights);
  }

 private:
  double Sweep(std::vector<std::size_t> const& order, Span<float const> scores, std::vector<float> const& labels,
               RowWeights const& weights) const {
    auto const wanted = static_cast<std::size_t>(share_ * static_cast<double>(order.size()));
    bool const best_of_all = wanted == 0 || wanted == order.size();
    double best = 0;
    Tally above;
    for (std::size_t i = 0; i < order.size();) {
      std::size_t const first = i;
      Tally equal;
      for (; i < order.size() && scores[order[i]] == scores[order[first]]; ++i) {
        (labels[order[i]] > 0.5F ? equal.positives : equal.negatives) += double{weights[order[i]]};
      }
      if (!best_of_all && i >= wanted) {
        double const part = static_cast<double>(wanted - first) / static_cast<double>(i - first);
        above += {equal.positives * part, equal.negatives * part};
        return Significance(above);
      }
      above += equal;
      if (i < order.size()) best = std::max(best, Significance(above));
    }
    return best;
  }

  double share_ = 0;
};

Registration<Metric> const kAms{"ams",
                                {},
                                "Approximate median significance of the share `k` of rows with the largest predictions "
                                "in `ams@k`; of the best share "
                                "without it.",
                                {},
                                [] { return std::make_unique<Ams>(); }};

}  // namespace
}  // namespace xgbl

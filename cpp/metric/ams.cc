// SPDX-License-Identifier: Apache-2.0
// Approximate median significance of a discovery (Adam-Bourdarios et al. 2014), sqrt(2 ((s + b) log(1 + s / b) - s)),
// from the weights s of positive and b of negative rows above a threshold, b with a constant of 10 added. The threshold
// leaves a share of the rows above it; where it lies among equal predictions, each of them counts in part.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "base/math.h"
#include "base/numbers.h"
#include "labels/row_weights.h"
#include "metric/metric.h"
#include "metric/threshold_sweep.h"
#include "parallel/reduce.h"

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
    RowWeights(meta, predictions.rows(), "ams");
    if (!AllNumbers(predictions.Flat(), ctx)) return std::numeric_limits<double>::quiet_NaN();
    auto const wanted = static_cast<std::size_t>(share_ * static_cast<double>(predictions.rows()));
    if (wanted > 0 && wanted < predictions.rows()) return Significance(Above(wanted, predictions.Flat(), meta));
    std::vector<float> positive(labels.values);
    for (float& label : positive) label = label > 0.5F ? 1.0F : 0.0F;
    // Never with all rows above the threshold.
    return ThresholdSweep({predictions.Flat(), positive, meta.weights}, ctx)
        .Largest([](Tally const& above, Tally const&) { return Significance(above); });
  }

 private:
  static Tally Above(std::size_t wanted, Span<float const> scores, Meta const& meta) {
    std::vector<float> sorted(scores.begin(), scores.end());
    auto const last = sorted.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    RowWeights const weights(meta, scores.size(), "ams");
    std::array<BufferedSum, 2> above, equal;  // negatives, positives
    std::size_t count_above = 0, count_equal = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] < *last) continue;
      ++(scores[i] > *last ? count_above : count_equal);
      (scores[i] > *last ? above : equal)[meta.labels.values[i] > 0.5F ? 1 : 0] += double{weights[i]};
    }
    double const part = static_cast<double>(wanted - count_above) / static_cast<double>(count_equal);
    return {above[1].Value() + equal[1].Value() * part, above[0].Value() + equal[0].Value() * part};
  }

  double share_ = 0;
};

auto const kAms = Register<Metric, Ams>("ams",
                                        "Approximate median significance of the share `k` of rows with the largest "
                                        "predictions in `ams@k`; of the best share without it.");

}  // namespace
}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Metrics of predictions that are several levels, such as quantiles, of the distribution of each label: the weighted
// mean of a loss over all rows, targets and levels. NaN labels are left out. A loss has
//   kParam                                the objective's parameter that has the levels
//   Loss(prediction, label, level)        of one cell
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "metric/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {

/// The levels that the objective predicts, as its parameter of that name gives them; none if it has none.
inline Doubles LevelsOf(ParamMap const& params, char const* name) {
  Doubles levels;
  auto const given = params.find(name);
  if (given == params.end()) return levels;
  ParamSpec spec;
  spec.name = name;
  spec.type = "list of float";
  ParseParam(spec, given->second, &levels);
  return levels;
}

template <class Loss>
class LevelMetric : public Metric {
 public:
  explicit LevelMetric(std::string name) : name_(std::move(name)) {}

  void Configure(ParamMap const& params) override {
    Doubles const levels = LevelsOf(params, Loss::kParam);
    levels_.assign(levels.begin(), levels.end());
  }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    Check(predictions, meta);
    auto const labels = meta.labels.View();
    RowWeights const weights(meta, predictions.rows(), name_);
    std::size_t const count = levels_.size();
    auto const losses = [&](std::size_t begin, std::size_t end, double* out) {
      std::fill(out, out + (end - begin), 0.0);
      for (std::size_t k = 0; k < count; ++k) {
        double const level = double{levels_[k]};
        for (std::size_t i = begin; i < end; ++i) {
          out[i - begin] += Loss::Loss(double{predictions.data()[i * count + k]}, double{labels.data()[i]}, level);
        }
      }
    };
    auto const known = [&](std::size_t cell) { return !std::isnan(labels.data()[cell]); };
    auto const sum = SumBlocks(ctx, weights, labels.rows(), labels.columns(), losses, known);
    return sum.MeanOrZero() / static_cast<double>(count);
  }

 private:
  void Check(MatrixView<float const> predictions, Meta const& meta) const {
    Require<ParamError>(!levels_.empty(), "`", name_, "` needs `", Loss::kParam, "`, the levels that are predicted.");
    auto const& labels = meta.labels;
    bool const fits = labels.rows == predictions.rows() &&
                      (predictions.empty() || labels.columns * levels_.size() == predictions.columns());
    Require<DataError>(fits, "`", name_, "` needs a prediction for each label and each of ", levels_.size(),
                       " levels: labels are ", labels.rows, " x ", labels.columns, "; got predictions of ",
                       predictions.rows(), " x ", predictions.columns(), ".");
  }

  std::string name_;
  std::vector<float> levels_;
};

}  // namespace xgbl

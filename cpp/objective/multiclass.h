// SPDX-License-Identifier: Apache-2.0
// Shared by objectives that have one margin for each of `num_class` classes, and one label per row, its class.
// `base_score` is a margin. Works on blocks of whole rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "labels/row_weights.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/loss_kernels.h"

namespace xgbl {

class Multiclass : public Objective {
 public:
  Multiclass(std::string name, bool predicts_class) : name_(std::move(name)), predicts_class_(predicts_class) {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<ClassParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "mlogloss"; }
  bool PredictsClass() const override { return predicts_class_; }

  int Outputs(Meta const& /*meta*/) const override {
    Require<ParamError>(param_.num_class >= 1, "`", name_, "` needs `num_class`, the number of classes; got ",
                        param_.num_class, ".");
    return param_.num_class;
  }

  void CheckLabels(Meta const& meta) const override {
    auto const classes = static_cast<float>(Outputs(meta));
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1, "`", name_, "` needs one label a row; got ", labels.columns, ".");
    auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(), [=](float label) {
      return label >= 0.0F && label < classes && label == std::floor(label);
    });
    if (bad != labels.values.end()) {
      throw DataError(Text("`", name_, "` with `num_class` ", param_.num_class,
                           " needs labels that are whole numbers from 0 to ", param_.num_class - 1, "; got ", *bad,
                           " in row ", bad - labels.values.begin(),
                           ". Number the classes from 0, or raise `num_class`."));
    }
    RowWeights(meta, labels.rows, name_);
  }

 protected:
  /// Checks sizes, makes room, and calls `body(begin, end, weights)` for blocks of rows.
  template <class Body>
  void ForGradients(GradientTask const& task, Gradients* out, Body&& body) const {
    std::size_t const rows = task.margins.rows();
    Require<DataError>(task.meta.labels.values.size() == rows, "`", name_, "` needs one label for each of ", rows,
                       " rows; got ", task.meta.labels.values.size(), ".");
    RowWeights const weights(task.meta, rows, name_);
    out->Resize(rows, task.margins.columns());
    ForRowBlocks(task.ctx, task.margins, [&](std::size_t begin, std::size_t end) { body(begin, end, weights); });
  }

  /// The share of each class in the weight of all rows; 0 without rows.
  std::vector<double> Shares(Meta const& meta, Context const& ctx) const {
    CheckLabels(meta);
    auto const& labels = meta.labels.values;
    auto const classes = static_cast<std::size_t>(Outputs(meta));
    auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
      for (std::size_t i = begin; i < end; ++i) {
        sums[static_cast<std::size_t>(labels[i])] += weights[i - begin];
        sums[classes] += weights[i - begin];
      }
    };
    auto shares = SumWeights(ctx, labels.size(), meta.weights, classes + 1, add);
    double const total = shares.back();
    shares.pop_back();
    RequireSomeWeight(!labels.empty(), total, name_);
    for (double& share : shares) share = total > 0 ? share / total : 0.0;
    return shares;
  }

  /// Calls `body(begin, end)` for blocks of whole rows.
  template <class Body>
  static void ForRowBlocks(Context const& ctx, MatrixView<float const> margins, Body&& body) {
    constexpr std::size_t kBlockCells = kMostClassRows;
    std::size_t const rows = std::max<std::size_t>(1, kBlockCells / std::max<std::size_t>(1, margins.columns()));
    ParallelBlocks(ctx, margins.rows(), rows, std::forward<Body>(body));
  }

 private:
  std::string name_;
  bool predicts_class_;
  ClassParam param_;
};

}  // namespace xgbl

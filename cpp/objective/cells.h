// SPDX-License-Identifier: Apache-2.0
// What objectives over cells (row, target, level) share: checks of labels and weights, means of labels, derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "labels/meta.h"
#include "labels/row_weights.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {

inline std::size_t TargetsOf(Meta const& meta) { return std::max<std::size_t>(1, meta.labels.columns); }

/// Throws DataError unless `allows(label)` for every label, or it is NaN where there are several targets (not known: it
/// counts nowhere). `name` is what the message calls the objective, `what` the labels that it needs.
template <class Allows>
void CheckEachLabel(std::string const& name, Matrix<float> const& labels, std::string const& what,
                    Allows const& allows) {
  bool const may_miss = labels.columns > 1;
  auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(),
                                    [&](float label) { return allows(label) || (may_miss && std::isnan(label)); });
  if (bad == labels.values.end()) return;
  auto const cell = static_cast<std::size_t>(bad - labels.values.begin());
  throw DataError(Text("`", name, "` needs ", what, "; got ", *bad, " in row ", cell / labels.columns,
                       ". Change the labels, or choose another `objective`."));
}

/// Throws DataError unless all labels are finite, or NaN as above, and weights are one per row.
inline void CheckFiniteLabels(std::string const& name, Meta const& meta) {
  CheckEachLabel(name, meta.labels, "finite labels", [](float label) { return std::isfinite(label); });
  RowWeights(meta, meta.labels.rows, name);
}

/// Throws DataError unless there are `levels` margins for each label.
inline void CheckCells(std::string const& name, MatrixView<float const> margins, Meta const& meta, std::size_t levels) {
  auto const& labels = meta.labels;
  bool const fits = labels.rows == margins.rows() && (margins.empty() || labels.columns * levels == margins.columns());
  Require<DataError>(fits, "`", name, "` needs one label for each", levels > 1 ? Text(" ", levels, " of ") : " of ",
                     margins.rows(), " x ", margins.columns(), " predictions; got labels for ", labels.rows, " x ",
                     labels.columns, ".");
}

/// The weighted mean of `value(target, label)` by target, labels that are NaN left out; 0 without rows. Throws
/// DataError if a target has no weight at all. `user` is the objective that a message names.
template <class ValueOf>
std::vector<double> LabelMean(std::string const& user, Meta const& meta, Context const& ctx, ValueOf&& value) {
  auto const labels = meta.labels.View();
  std::size_t const targets = std::max<std::size_t>(1, labels.columns());
  RowWeights const weights(meta, labels.rows(), user);
  auto sums = SumColumns<2>(ctx, labels.rows(), labels.columns(), [&](std::size_t i, std::size_t k) {
    double const label = double{labels(i, k)}, weight = double{weights[i]};
    return std::isnan(label) ? std::array<double, 2>{} : std::array<double, 2>{value(k, label) * weight, weight};
  });
  sums.resize(targets);
  std::vector<double> mean;
  for (std::size_t k = 0; k < targets; ++k) {
    auto const [sum, total] = sums[k];
    Require<DataError>(labels.rows() == 0 || total > 0, "All weights are 0, or all labels of target ", k,
                       " are missing; `", user, "` needs a label with a positive weight.");
    mean.push_back(total > 0 ? sum / total : 0.0);
  }
  return mean;
}

/// The mean of the labels themselves.
inline std::vector<double> LabelMean(std::string const& user, Meta const& meta, Context const& ctx) {
  return LabelMean(user, meta, ctx, [](std::size_t /*target*/, double label) { return label; });
}

// Derivatives of losses over cells that do not fit Elementwise. A NaN label is an unknown target and gets derivatives
// of 0.

struct CellDerivatives {
  float gradient;
  float hessian;
};

struct Cell {
  std::size_t output;  // target * levels + level
  float margin;
  float label;
  float weight;
};

/// Fills `out` with `derive(cell)`, where each label has `levels` outputs. `name` is the objective that messages name.
template <class Derive>
void FillCells(std::string const& name, GradientTask const& task, std::size_t levels, Derive const& derive,
               Gradients* out) {
  constexpr std::size_t kRowBlock = 4096;
  auto const margins = task.margins;
  CheckCells(name, margins, task.meta, levels);
  auto const labels = task.meta.labels.View();
  RowWeights const weights(task.meta, margins.rows(), name);
  out->Resize(margins.rows(), margins.columns());
  auto const gradient = out->gradient.View(), hessian = out->hessian.View();
  ParallelBlocks(task.ctx, margins.rows(), kRowBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < margins.columns(); ++k) {
        float const label = labels(i, levels == 1 ? k : k / levels);
        CellDerivatives const known = derive(Cell{k, margins(i, k), label, weights[i]});
        CellDerivatives const own = std::isnan(label) ? CellDerivatives{0, 0} : known;
        gradient(i, k) = own.gradient;
        hessian(i, k) = own.hessian;
      }
    }
  });
}

}  // namespace xgbl

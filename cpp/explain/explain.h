// SPDX-License-Identifier: Apache-2.0
// What each feature adds to a prediction. All but marginals and dependence add to `out`, which has one row per row of
// the data. For each output, a row has one number per feature of the model and finally the bias, which initially holds
// the intercept or base margins. A row of `out` adds up to the margin. Sums run over trees in order and in double, so
// they are the same for any number of threads. Memory beyond `out` is a bounded block of rows per thread, with only the
// features that occur in trees.
#pragma once

#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"
#include "model/model.h"

namespace xgbl {

/// Exact Shapley values, where covers say how rows go whose value is not known (path-dependent TreeSHAP). Of a linear
/// model: the weighted values.
void AddContributions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                      MatrixView<float> out);

/// By Saabas's method: how much the mean changes at each node of the row's path.
void AddPathContributions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                          MatrixView<float> out);

/// Shapley interaction values: `out` has a square matrix per output, (features + 1) x (features + 1), whose rows add up
/// to the Shapley values and that holds half of each interaction on either side of its diagonal.
void AddInteractions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                     MatrixView<float> out);

/// Rows, and what each counts for: without weights the same.
struct Background {
  Background(FeatureMatrix const& all, Span<float const> of_rows = {})  // NOLINT(*-explicit-*)
      : rows(all), weights(of_rows) {}

  FeatureMatrix const& rows;
  Span<float const> weights;
};

/// Shapley values where unknown features take the values of the rows of `background` (interventional SHAP). At least
/// one row is needed, and a weight that is not 0.
void AddInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                       RoundRange trees, Context const& ctx, MatrixView<float> out);

/// The same of linear models: what each feature adds is its value times its weight, or nothing if it is missing. Such a
/// model has no interactions. A feature's cell lies `step` after that of the one before, and the bias is the last cell
/// of an output.
void AddLinear(Model const& model, FeatureMatrix const& features, std::size_t step, Context const& ctx,
               MatrixView<float> out);
void AddLinearInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                             Context const& ctx, MatrixView<float> out);

/// What the trees give if only the features of `known` (rising) are known. For the others, covers say how rows go:
/// partial dependence by weighted traversal. Adds to `out`, rows x outputs. ParamError if the model is linear.
void AddMarginals(Model const& model, FeatureMatrix const& features, Span<std::uint32_t const> known, RoundRange trees,
                  Context const& ctx, MatrixView<float> out);

/// A function of one feature that is constant between edges; relative to the mean of the model.
struct FeatureSteps {
  std::uint32_t feature = 0;
  bool categorical = false;
  std::vector<float> edges;     // rising; an edge belongs to the interval above it
  std::vector<double> values;   // (edges + 1) x outputs; of categories one more than the highest in any set, for others
  std::vector<double> missing;  // outputs
};

/// Partial dependence on every single feature that trees split on, rising; exact and in one pass over the model.
/// Knowing the feature at one of its splits changes the mean of that node to that of a child. This holds for the values
/// that earlier splits on the feature let through, with the weight that splits on other features leave. So each split
/// adds to two intervals of the feature's values, or to sets of categories. O(nodes x depth). ParamError if the model
/// is linear.
std::vector<FeatureSteps> DependenceSteps(Model const& model, RoundRange trees);

}  // namespace xgbl

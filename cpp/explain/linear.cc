// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <vector>

#include "base/error.h"
#include "explain/background.h"
#include "explain/explain.h"
#include "parallel/exact_sum.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kTaskRows = 256;

}  // namespace

void AddLinear(Model const& model, FeatureMatrix const& features, std::size_t step, Context const& ctx,
               MatrixView<float> out) {
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  std::size_t const cells = out.columns() / outputs;
  LinearModel const& linear = *model.linear;
  MatrixView<float const> const weights(linear.weights.data(), linear.weights.size() / outputs, outputs);
  Ensure(features.Columns() < weights.rows(), linear.weights.size(), " linear weights meet ", features.Columns(),
         " features.");
  ParallelBlocks(ctx, features.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      features.ForEachPresent(row, [&](std::size_t feature, float value) {
        for (std::size_t k = 0; k < outputs; ++k) {
          out(row, k * cells + feature * step) += weights(feature, k) * value;
        }
      });
      for (std::size_t k = 0; k < outputs; ++k) {
        out(row, (k + 1) * cells - 1) += weights(weights.rows() - 1, k);
      }
    }
  });
}

void AddLinearInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                             Context const& ctx, MatrixView<float> out) {
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  std::size_t const width = out.columns() / outputs;
  auto const weights = WholeWeights(background.weights, background.rows.Rows());
  std::vector<std::vector<double>> terms(width);
  for (std::size_t row = 0; row < background.rows.Rows(); ++row) {
    background.rows.ForEachPresent(
        row, [&](std::size_t feature, float value) { terms[feature].push_back(weights[row] * double{value}); });
  }
  double const total = std::accumulate(weights.begin(), weights.end(), 0.0);
  AddLinear(model, features, 1, ctx, out);
  for (std::size_t feature = 0; feature + 1 < width; ++feature) {
    ExactSum sum;
    sum.Add(terms[feature].data(), terms[feature].size());
    for (std::size_t k = 0; k < outputs; ++k) {
      double const weight = double{model.linear->weights[feature * outputs + k]};
      auto const mean = static_cast<float>(weight * sum.Value() / total);
      for (std::size_t row = 0; row < out.rows(); ++row) {
        out(row, k * width + feature) -= mean;
        out(row, (k + 1) * width - 1) += mean;
      }
    }
  }
}

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
#include "explain/linear.h"

#include <vector>

#include "base/error.h"
#include "explain/background.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kTaskRows = 256;

// A feature's cell lies `step` after that of the one before, and the bias is the last of `cells` cells of an output.
struct Places {
  std::size_t cells;
  std::size_t step;
};

void AddProducts(Model const& model, FeatureMatrix const& features, Context const& ctx, Places places,
                 MatrixView<float> out) {
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  LinearModel const& linear = *model.linear;
  MatrixView<float const> const weights(linear.weights.data(), linear.weights.size() / outputs, outputs);
  Ensure(features.Columns() < weights.rows(), linear.weights.size(), " linear weights meet ", features.Columns(),
         " features.");
  ParallelBlocks(ctx, features.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      features.ForEachPresent(row, [&](std::size_t feature, float value) {
        for (std::size_t k = 0; k < outputs; ++k) {
          out(row, k * places.cells + feature * places.step) += weights(feature, k) * value;
        }
      });
      for (std::size_t k = 0; k < outputs; ++k) {
        out(row, (k + 1) * places.cells - 1) += weights(weights.rows() - 1, k);
      }
    }
  });
}

}  // namespace

std::size_t SquareWidth(std::size_t cells) {
  std::size_t width = 1;
  while (width * width < cells) ++width;
  return width;
}

void AddLinearContributions(Model const& model, FeatureMatrix const& features, Context const& ctx,
                            MatrixView<float> out) {
  AddProducts(model, features, ctx, {out.columns() / static_cast<std::size_t>(model.num_outputs), 1}, out);
}

void AddLinearInteractions(Model const& model, FeatureMatrix const& features, Context const& ctx,
                           MatrixView<float> out) {
  std::size_t const cells = out.columns() / static_cast<std::size_t>(model.num_outputs);
  AddProducts(model, features, ctx, {cells, SquareWidth(cells) + 1}, out);
}

void AddLinearInterventional(Model const& model, FeatureMatrix const& features, Background const& background,
                             Context const& ctx, MatrixView<float> out) {
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  std::size_t const width = out.columns() / outputs;
  std::vector<double> means(width);
  for (std::size_t row = 0; row < background.rows.Rows(); ++row) {
    double const of_row = WeightOf(background.weights, row);
    background.rows.ForEachPresent(row,
                                   [&](std::size_t feature, float value) { means[feature] += of_row * double{value}; });
  }
  double const total = TotalWeight(background.weights, background.rows.Rows());
  AddLinearContributions(model, features, ctx, out);
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t feature = 0; feature + 1 < width; ++feature) {
      double const weight = double{model.linear->weights[feature * outputs + k]};
      auto const mean = static_cast<float>(weight * means[feature] / total);
      for (std::size_t row = 0; row < out.rows(); ++row) {
        out(row, k * width + feature) -= mean;
        out(row, (k + 1) * width - 1) += mean;
      }
    }
  }
}

}  // namespace xgbl

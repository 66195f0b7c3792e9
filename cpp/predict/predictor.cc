// SPDX-License-Identifier: Apache-2.0
#include "predict/predictor.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "parallel/parallel_for.h"
#include "predict/node_trees.h"
#include "predict/row_reader.h"

namespace xgbl {
namespace {

// Below this packing the trees costs more than it saves.
constexpr std::size_t kFewRows = 16;
constexpr std::size_t kTaskRows = 1024;
constexpr std::size_t kCacheCells = std::size_t{1} << 16U;  // of rows that meet all trees together
constexpr std::size_t kMostGroups = 4;                      // of kWalkRows

// Calls `found(tree, row, leaves)` for all trees and for the rows [begin, end), some at a time, tree after tree.
template <class Found>
void WalkRows(std::vector<PackedTree> const& trees, FeatureMatrix const& features, Span<std::uint32_t const> used,
              std::size_t begin, std::size_t end, Found const& found) {
  std::size_t const stride = 2 * used.size(), fitting = kCacheCells / (kWalkRows * (stride + 1));
  std::size_t const together = kWalkRows * std::clamp(fitting, std::size_t{1}, kMostGroups);
  std::vector<float> cells(together * stride + 1);  // also of a tree without splits
  std::array<NodeId, kWalkRows> leaves{};
  ForEachRow(features, used, begin, end, [&](std::size_t row, float const* values) {
    std::size_t const last = (row - begin) % together;
    PutCells(values, used.size(), cells.data() + last * stride);
    if (last + 1 < together && row + 1 < end) return;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      for (std::size_t first = 0; first <= last; first += kWalkRows) {
        // Lanes beyond the last row walk over what an earlier block left behind.
        FindLeaves(trees[t], cells.data() + first * stride, stride, &leaves);
        std::size_t const count = std::min(kWalkRows, last + 1 - first);
        found(t, row - last + first, Span<NodeId const>(leaves.data(), count));
      }
    }
  });
}

// Calls `found(tree, row, leaves)` with the leaves of that row and those after it, for all rows and all trees of the
// range; for one row, trees come in their order.
template <class Found>
void ForEachLeaf(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                 Found const& found) {
  auto const used = UsedFeatures(model, trees);
  Ensure(features.Sparse() != nullptr || used.empty() || used.back() < features.Columns(), "A tree splits on feature ",
         used.empty() ? 0 : used.back(), " of data with ", features.Columns(), " columns.");
  if (features.Rows() < kFewRows) {
    for (std::size_t row = 0; row < features.Rows(); ++row) {
      auto const value_of = [&](std::uint32_t feature) { return features.Value(row, feature); };
      for (std::size_t t = trees.begin; t < trees.end; ++t) {
        NodeId const leaf = model.trees[t]->LeafOf(value_of);
        found(t - trees.begin, row, Span<NodeId const>(&leaf, 1));
      }
    }
    return;
  }
  auto const packed = PackTrees(model, trees, used, SetTables::kMade);
  ParallelBlocks(ctx, features.Rows(), kTaskRows,
                 [&](std::size_t begin, std::size_t end) { WalkRows(packed, features, used, begin, end, found); });
}

// A missing value adds nothing. Sums run over features in their order, in double, so that they are the same for any
// number of threads.
void AddLinear(LinearModel const& linear, FeatureMatrix const& features, Context const& ctx,
               MatrixView<float> margins) {
  std::size_t const outputs = margins.columns();
  MatrixView<float const> const weights(linear.weights.data(), linear.weights.size() / outputs, outputs);
  Ensure(features.Columns() < weights.rows(), linear.weights.size(), " linear weights meet ", features.Columns(),
         " features.");
  std::size_t const biases = weights.rows() - 1;
  ParallelBlocks(ctx, features.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(outputs);
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < outputs; ++k) sums[k] = double{margins(row, k)} + double{weights(biases, k)};
      features.ForEachPresent(row, [&](std::size_t feature, float value) {
        for (std::size_t k = 0; k < outputs; ++k) sums[k] += double{weights(feature, k)} * double{value};
      });
      for (std::size_t k = 0; k < outputs; ++k) margins(row, k) = static_cast<float>(sums[k]);
    }
  });
}

void CheckSize(Model const& model, FeatureMatrix const& features, MatrixView<float> margins) {
  Ensure(margins.rows() == features.Rows() && margins.columns() == static_cast<std::size_t>(model.num_outputs),
         "Margins of ", margins.rows(), " x ", margins.columns(), " are asked of ", features.Rows(), " rows.");
}

// `weight_of(tree)` is a factor on its leaves.
template <class WeightOf>
void AddTrees(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
              WeightOf const& weight_of, MatrixView<float> margins) {
  ForEachLeaf(model, features, trees, ctx, [&](std::size_t t, std::size_t row, Span<NodeId const> leaves) {
    Tree const& tree = *model.trees[trees.begin + t];
    float const weight = weight_of(trees.begin + t);
    if (tree.outputs == 1) {
      auto const output = static_cast<std::size_t>(model.tree_output[trees.begin + t]);
      float const* const value = tree.value.data();
      for (std::size_t i = 0; i < leaves.size(); ++i) margins(row + i, output) += weight * value[leaves[i]];
      return;
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      auto const values = tree.Value(leaves[i]);
      for (std::size_t k = 0; k < values.size(); ++k) margins(row + i, k) += weight * values[k];
    }
  });
}

}  // namespace

void AddMargins(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                MatrixView<float> margins) {
  CheckSize(model, features, margins);
  if (model.linear) return AddLinear(*model.linear, features, ctx, margins);
  AddTrees(model, features, trees, ctx, [&](std::size_t tree) { return model.TreeWeight(tree); }, margins);
}

void AddWeightedTrees(Model const& model, Span<float const> weights, FeatureMatrix const& features, Context const& ctx,
                      MatrixView<float> margins) {
  CheckSize(model, features, margins);
  AddTrees(model, features, {0, model.trees.size()}, ctx, [&](std::size_t tree) { return weights[tree]; }, margins);
}

Matrix<std::int32_t> PredictLeaves(Model const& model, FeatureMatrix const& features, RoundRange trees,
                                   Context const& ctx) {
  Require<ParamError>(!model.linear, "A linear model has no leaves to predict the numbers of.");
  Matrix<std::int32_t> leaves(features.Rows(), trees.end - trees.begin);
  auto view = leaves.View();
  ForEachLeaf(model, features, trees, ctx, [&](std::size_t t, std::size_t row, Span<NodeId const> found) {
    for (std::size_t i = 0; i < found.size(); ++i) view(row + i, t) = found[i];
  });
  return leaves;
}

}  // namespace xgbl

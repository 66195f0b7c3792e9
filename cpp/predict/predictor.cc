// SPDX-License-Identifier: Apache-2.0
#include "predict/predictor.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "parallel/parallel_for.h"
#include "predict/layout.h"
#include "predict/linear.h"
#include "predict/rows.h"

namespace xgbl {
namespace {

// Rows walk a tree side by side: enough of them to cover the time that a load takes.
constexpr std::size_t kLanes = RowReader::kRowGroup;
// Below this packing the trees costs more than it saves.
constexpr std::size_t kFewRows = 16;
constexpr std::size_t kTaskRows = 1024;
// How many levels are walked before looking whether all rows have arrived.
constexpr int kLevelsAtOnce = 8;

// How the nodes of a tree are asked.
struct Comparing {
  static std::uint32_t Step(PackedTree const& tree, std::uint32_t place, float const* row) {
    PackedNode const& node = tree.nodes.data()[place];
    return node.left + static_cast<std::uint32_t>(!(row[node.cell] < node.threshold));
  }
};
template <bool kShared>
struct WithSets {
  static std::uint32_t Step(PackedTree const& tree, std::uint32_t place, float const* row) {
    return tree.nodes.data()[place].left + GoesRightBySets<kShared>(tree, place, row);
  }
};
struct OfAnyKind {
  static std::uint32_t Step(PackedTree const& tree, std::uint32_t place, float const* row) {
    PackedNode const& node = tree.nodes.data()[place];
    return node.left + static_cast<std::uint32_t>(GoesRight(tree, node, row[node.cell]));
  }
};

using Leaves = std::array<NodeId, kLanes>;

// Walks kLanes rows from the root to their leaves.
template <class Asked>
void Walk(PackedTree const& tree, float const* first_row, std::size_t stride, Leaves* leaves) {
  PackedNode const* const nodes = tree.nodes.data();
  std::array<std::uint32_t, kLanes> at{};
  for (int level = 0; level < tree.depth; level += kLevelsAtOnce) {
    int const steps = std::min(kLevelsAtOnce, tree.depth - level);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        at[lane] = Asked::Step(tree, at[lane], first_row + lane * stride);
      }
    }
    auto const is_leaf = [&](std::uint32_t place) { return nodes[place].left + 1 == place; };
    if (level + steps < tree.depth && std::all_of(at.begin(), at.end(), is_leaf)) break;
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) (*leaves)[lane] = nodes[at[lane]].id;
}

// Calls `found(tree, row, leaves)` for all trees and for the rows [begin, end), some at a time, tree after tree.
template <class Found>
void WalkBlock(std::vector<PackedTree> const& trees, RowReader* reader, std::size_t begin, std::size_t end,
               Found const& found) {
  reader->Read(begin, end);
  Leaves leaves{};
  for (std::size_t t = 0; t < trees.size(); ++t) {
    auto const& walk = trees[t].plain          ? Walk<Comparing>
                       : trees[t].sets.empty() ? Walk<OfAnyKind>
                       : trees[t].shared       ? Walk<WithSets<true>>
                                               : Walk<WithSets<false>>;
    for (std::size_t first = begin; first < end; first += kLanes) {
      walk(trees[t], reader->Row(first - begin), reader->Stride(), &leaves);
      // Lanes beyond the last row walked over what an earlier block left behind.
      found(t, first, Span<NodeId const>(leaves.data(), std::min(kLanes, end - first)));
    }
  }
}

float ValueAt(FeatureMatrix const& features, std::size_t row, std::uint32_t feature) {
  if (features.Sparse() == nullptr) return features.Value(row, feature);
  SparseTable const& rows = *features.Sparse();
  auto const begin = rows.column.begin() + static_cast<std::ptrdiff_t>(rows.row_begin[row]);
  auto const end = rows.column.begin() + static_cast<std::ptrdiff_t>(rows.row_begin[row + 1]);
  auto const found = std::lower_bound(begin, end, feature);
  return found == end || *found != feature ? kMissing
                                           : rows.value[static_cast<std::size_t>(found - rows.column.begin())];
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
      auto const value_of = [&](std::uint32_t feature) { return ValueAt(features, row, feature); };
      for (std::size_t t = trees.begin; t < trees.end; ++t) {
        NodeId const leaf = model.trees[t]->LeafOf(value_of);
        found(t - trees.begin, row, Span<NodeId const>(&leaf, 1));
      }
    }
    return;
  }
  auto const packed = PackTrees(model, trees, used, SetTables::kMade);
  ParallelBlocks(ctx, features.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    RowReader reader(features, used);
    for (std::size_t first = begin; first < end; first += reader.BlockRows()) {
      WalkBlock(packed, &reader, first, std::min(end, first + reader.BlockRows()), found);
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

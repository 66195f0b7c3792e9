// SPDX-License-Identifier: Apache-2.0
// The trees to explain, packed, and the rows of one task, read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/context.h"
#include "ingest/feature_matrix.h"
#include "model/model.h"
#include "predict/node_trees.h"
#include "simd/shap_kernels.h"

namespace xgbl {

/// The feature, as a number among those that are used, that a cell belongs to.
inline std::uint32_t FeatureOfCell(std::uint32_t cell, std::size_t features) {
  return cell < features ? cell : cell - static_cast<std::uint32_t>(features);
}

/// The share of a node's cover that each child has; halves if there are no covers.
struct CoverRatios {
  double left = 0.5;
  double right = 0.5;
};
CoverRatios RatiosOf(Tree const& tree, NodeId node);

/// The mean over the leaves below each node, weighted by cover; by place in the packed tree. The values of leaves are
/// those of `output`, times `weight`.
std::vector<double> NodeMeans(PackedTree const& tree, std::size_t output, double weight);

/// Trees, and the output that each adds to. A view of the model; linear in its nodes.
class Forest {
 public:
  Forest(Model const& model, RoundRange trees);

  std::size_t Outputs() const { return static_cast<std::size_t>(model_.num_outputs); }
  /// Those that trees split on, rising.
  std::vector<std::uint32_t> const& Features() const { return features_; }
  /// Nodes of a tree that no comparison answers, at most: each has a ShapChoice.
  std::size_t MostChoices() const { return most_choices_; }

  std::size_t Size() const { return packed_.size(); }
  PackedTree const& At(std::size_t tree) const { return packed_[tree]; }
  /// Of the deepest tree.
  std::size_t Depth() const;
  /// Adds what the used features give, `sum_of` each, and the bias to a row of an explanation of one output.
  template <class SumOf>
  void AddSums(SumOf const& sum_of, double bias, Span<float> row) const {
    for (std::size_t i = 0; i < features_.size(); ++i) row[features_[i]] += static_cast<float>(sum_of(i));
    float& last = row[row.size() - 1];
    last = static_cast<float>(static_cast<double>(last) + bias);
  }
  /// Calls `visit(tree, place of the output in its leaves, weight)` for the trees that add to an output, in their
  /// order.
  template <class Visit>
  void ForEachTree(std::size_t output, Visit&& visit) const {
    for (std::size_t const t : of_output_[output]) {
      PackedTree const& tree = packed_[t];
      visit(tree, tree.tree->outputs == 1 ? 0 : output, static_cast<double>(model_.TreeWeight(begin_ + t)));
    }
  }
  /// Calls `visit(output, its place in the leaves, weight)` for the outputs that a tree adds to.
  template <class Visit>
  void ForEachOutput(std::size_t tree, Visit&& visit) const {
    auto const weight = static_cast<double>(model_.TreeWeight(begin_ + tree));
    if (packed_[tree].tree->outputs == 1) {
      visit(static_cast<std::size_t>(model_.tree_output[begin_ + tree]), std::size_t{0}, weight);
      return;
    }
    for (std::size_t output = 0; output < Outputs(); ++output) visit(output, output, weight);
  }

 private:
  Model const& model_;
  std::size_t begin_;
  std::vector<std::uint32_t> features_;
  std::vector<PackedTree> packed_;
  std::vector<std::vector<std::size_t>> of_output_;
  std::size_t most_choices_ = 0;
};

inline constexpr std::size_t kGroupRows = ShapTask::kRows;

/// The cells of predict/node_trees.h, cell by cell for each group of kGroupRows rows, so that one cell of a group is a
/// vector. Lanes past the last row are missing.
class RowBlock {
 public:
  /// Rows [begin, end). A group has room for `extra` more cells behind those of the features.
  RowBlock(FeatureMatrix const& features, Span<std::uint32_t const> used, std::size_t begin, std::size_t end,
           std::size_t extra);

  std::size_t Rows() const { return rows_; }
  std::size_t Groups() const { return (rows_ + kGroupRows - 1) / kGroupRows; }
  float* Cells(std::size_t group) { return cells_.data() + group * group_cells_; }
  /// The cells of a row, kGroupRows apart.
  float const* Row(std::size_t row) const { return cells_.data() + row / kGroupRows * group_cells_ + row % kGroupRows; }

 private:
  std::size_t rows_;
  std::size_t group_cells_;
  std::vector<float> cells_;
};

/// Where a row goes from a split; its cells lie kGroupRows apart.
inline std::uint32_t NextPlace(PackedTree const& tree, std::uint32_t place, float const* cells) {
  PackedNode const& node = tree.nodes[place];
  return node.left + (GoesLeft(tree, node, cells[node.cell * kGroupRows]) ? 0U : 1U);
}

/// Calls `explain(begin, rows)` for blocks of rows with `extra` cells. A block stays in the inner caches with so many
/// sums of each row, and there is work for all threads.
void ForRowBlocks(Forest const& forest, FeatureMatrix const& features, std::size_t extra, std::size_t sums,
                  Context const& ctx, std::function<void(std::size_t, RowBlock)> const& explain);

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Which rows and columns a tree, a level and a node may use. Every choice is a function of the seed and of its purpose
// (tree number, level, path to the node), never of threads or earlier draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/random.h"
#include "base/span.h"
#include "tree/fixed_point.h"
#include "tree/tree_param.h"

namespace xgbl {

/// Numbers a tree among all trees of a training.
struct TreeKey {
  std::uint64_t seed = 0;
  std::uint64_t tree = 0;
};

/// The rows that a tree is grown on.
struct RowSample {
  bool all = true;
  std::vector<std::uint32_t> rows;  // rising, unless it is all
  /// By sampled row: what its gradient and hessian are multiplied by, so that sums over the sample are unbiased
  /// estimates of sums over all rows. Empty: 1.
  std::vector<float> multiplier;

  /// Those of `count` rows that were not taken.
  std::vector<std::uint32_t> Others(std::size_t count) const;
};

/// Whether trees are grown on all rows.
bool TakesAllRows(TreeParam const& param);

/// Draws by `sampling_method`: each row with the same chance, or with one that rises with the size of its gradient
/// (sampling.cc). `gradients` has all outputs of the tree; `group_begin` is Meta's.
RowSample SampleRows(TreeParam const& param, TreeKey key, Span<OutputGradients const> gradients, Context const& ctx,
                     Span<std::uint32_t const> group_begin = {});

/// The mu at which the chances min(1, size / mu) of rows add up to `wanted`, to half a percent; a function of the sizes
/// in whatever order.
double ThresholdFor(std::vector<float> const& sizes, double wanted);

class ColumnSampler {
 public:
  /// `feature_weights` may be empty; else columns are drawn in proportion to them, without replacement, and columns of
  /// weight 0 never.
  ColumnSampler(TreeParam const& param, TreeKey key, std::size_t num_features, Span<float const> feature_weights);

  /// Whether levels or nodes have columns of their own; else all nodes use Tree().
  bool VariesInTree() const { return by_level_ < 1 || by_node_ < 1; }
  std::vector<std::uint32_t> const& Tree() const { return tree_; }
  /// The columns of a node, rising; `path` tells the node from all others of the tree.
  std::vector<std::uint32_t> Node(std::size_t depth, std::uint64_t path) const;

 private:
  std::vector<std::uint32_t> Draw(std::vector<std::uint32_t> const& from, double share, Purpose purpose,
                                  std::uint64_t stream) const;

  TreeKey key_;
  double by_level_;
  double by_node_;
  std::vector<float> weights_;
  std::vector<std::uint32_t> tree_;
};

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// Which rows and columns a tree, a level and a node may use. Every choice is a function of the seed and of what it is
// for (tree number, level, path to the node), never of threads or of what was drawn before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/random.h"
#include "base/span.h"
#include "tree/tree_param.h"

namespace xgbl {

/// Numbers a tree among all trees of a training.
struct TreeKey {
  std::uint64_t seed = 0;
  std::uint64_t tree = 0;
};

class RowSampler {
 public:
  RowSampler(TreeParam const& param, TreeKey key)
      : share_(param.subsample), random_(key.seed, Purpose::kRows, key.tree) {}
  bool All() const { return share_ >= 1; }
  bool Takes(std::size_t row) const { return All() || random_.Uniform(row) < share_; }

 private:
  double share_;
  Random random_;
};

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

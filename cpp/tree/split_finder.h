// SPDX-License-Identifier: Apache-2.0
// What a tree method must be able to do: find the best split of open nodes, and move the rows of split ones to their
// children. Growing (grow.h) is the same for all methods.
#pragma once

#include <memory>
#include <vector>

#include "base/context.h"
#include "base/registry.h"
#include "base/span.h"
#include "data/dmatrix.h"
#include "tree/constraints.h"
#include "tree/fixed_point.h"
#include "tree/growing_tree.h"
#include "tree/sampling.h"
#include "tree/tree_param.h"

namespace xgbl {

/// Everything that one tree is grown from.
struct TreeTask {
  Context const& ctx;
  DMatrix const& data;
  TreeParam const& param;
  OutputGradients gradients;
  TreeKey key;
};

class SplitFinder {
 public:
  virtual ~SplitFinder() = default;

  /// The sum over all sampled rows and the scale of the sums.
  virtual FixedSum RootSum() const = 0;
  virtual FixedScale Scale() const = 0;
  /// The best split of each node; a batch, so that one pass over the data serves all of them.
  virtual std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) = 0;
  /// The rows of each node go on to its children.
  virtual void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) = 0;
  /// Per row the node (of the GrowingTree) that it is in, rows that were not sampled included.
  virtual Span<NodeId const> NodeOfRow() const = 0;
};

/// A tree method by name makes the finder of each tree.
class TreeMethod {
 public:
  virtual ~TreeMethod() = default;
  virtual std::unique_ptr<SplitFinder> Start(TreeTask const& task, RowSampler const& rows,
                                             ColumnSampler const& columns) const = 0;
};

}  // namespace xgbl

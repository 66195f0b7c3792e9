// SPDX-License-Identifier: Apache-2.0
// What a tree method must provide: find the best split of open nodes, and move the rows of split nodes to their
// children. Growing (grow.h) is the same for all methods.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/registry.h"
#include "base/span.h"
#include "data/dmatrix.h"
#include "tree/fixed_point.h"
#include "tree/gain.h"
#include "tree/growing_tree.h"
#include "tree/leaf_rows.h"
#include "tree/sampling.h"
#include "tree/tree_param.h"

namespace xgbl {

struct TreeRoot;  // of the methods that build roots together

/// What a tree method looks at in a matrix; its Prepare() sets what it needs.
struct TreeViews {
  std::shared_ptr<BinnedMatrix const> bins;
  std::shared_ptr<BinnedMatrix const> fine_bins;  // to be grouped for each tree or node
  std::shared_ptr<BinOrder const> order;
  std::shared_ptr<ColumnBlocks const> columns;
};

/// Everything that one tree is grown from.
struct TreeTask {
  Context const& ctx;
  DMatrix const& data;
  TreeParam const& param;
  RowSample const& rows;
  std::vector<OutputGradients> gradients;  // one per output of the tree
  TreeKey key;
  std::vector<OutputGradients> leaf_gradients{};  // if leaves have other outputs than those that splits are chosen by
  std::size_t trees_at_once = 1;                  // that share the memory for histograms with it
  TreeViews views{};
  std::shared_ptr<TreeRoot> root{};  // to be taken; nullptr: it is to be made
};

class SplitFinder {
 public:
  virtual ~SplitFinder() = default;

  /// The sums over all sampled rows and the scales of the sums, one per output.
  virtual FixedSums RootSums() const = 0;
  virtual std::vector<FixedScale> Scales() const = 0;
  /// The best split of each node; a batch, so that one pass over the data serves all of them.
  virtual std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) = 0;
  /// The rows of each node go on to its children.
  virtual void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) = 0;
  /// How many of the best open nodes to evaluate the children of at once, before it is known that they will be split.
  virtual std::size_t NodesAhead() const = 0;
  /// The rows of each leaf of the final tree; `final_of` has the leaf of each growing node at or below one, and the
  /// number of each inner one.
  virtual TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) = 0;
};

/// A tree method by name makes the finder of each tree. Of the parameters that it registers, those of TreeParam have no
/// effect with methods that do not.
class TreeMethod {
 public:
  virtual ~TreeMethod() = default;
  /// What XGBoost calls the step in `updater` that does the same.
  virtual std::string Updater() const { return ""; }
  /// Whether weights of leaves in files count the learning rate, as XGBoost's do but for exact.
  virtual bool ShrinksWeights() const { return true; }
  /// Whether depth-wise growth never makes splits that gain less than min_split_loss; else they are pruned from below
  /// afterwards. As XGBoost has it: exact prunes, hist and approx stop.
  virtual bool StopsEarly() const = 0;
  /// Whether all trees on a matrix are grown from its bins. They may then grow side by side, each by a thread of its
  /// own.
  virtual bool SharesBins() const { return false; }
  /// Makes the views that the next trees need, one tree for each output, and their root histograms if one pass over the
  /// rows serves them all. Uses all threads. No rows are drawn yet: a task's rows are all, or unknown.
  virtual void Prepare(std::vector<TreeTask>* tasks) const = 0;
  virtual std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const = 0;
};

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// The steps that `updater` names: the one that grows a tree, and those that change an existing tree.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"
#include "boost/learner_param.h"
#include "ingest/feature_matrix.h"
#include "tree/grow.h"
#include "tree/tree_param.h"

namespace xgbl {

struct UpdaterPlan {
  std::string method;          // the tree method that grows; empty: none
  int growers = 0;             // how many steps would grow a tree: 1 makes sense
  bool is_linear = false;      // whether there are steps that are not for trees
  bool prunes_at_once = true;  // whether the new tree is pruned
  Strings later;               // prune and refresh, as they come after that
};

/// Throws ParamError if `updater` has an unknown name.
void CheckUpdaterNames(Strings const& updaters);
UpdaterPlan PlanOf(BoostParam const& param);
/// Throws ParamError unless `updater` is a sequence that grows trees.
void CheckGrowing(BoostParam const& param);

/// The sums of gradients and hessians in each leaf are those of all rows in `rows`, parts of which may stand in several
/// LeafRows; from them come cover, gain and optimal weight of all nodes, and leaf values if `leaves`. Linear in the
/// rows; the same for any number of threads. `param` has the learning rate of a single tree.
void RefreshTree(Context const& ctx, TreeParam const& param, bool leaves, std::vector<OutputGradients> const& gradients,
                 std::vector<LeafRows const*> const& rows, Tree* tree);

/// All rows by the leaves of a tree.
LeafRows RowsByLeaf(Tree const& tree, FeatureMatrix const& features, Context const& ctx);

/// Takes back, from below, splits that gain less than min_split_loss or reach deeper than max_depth. Nodes keep their
/// numbers.
void PruneTree(TreeParam const& param, Tree* tree);

}  // namespace xgbl

// SPDX-License-Identifier: Apache-2.0
// How trees are grown.
#pragma once

#include <string>

#include "base/params.h"

namespace xgbl {

struct TreeParam {
  double learning_rate = 0.3;
  double min_split_loss = 0;
  int max_depth = 6;
  int max_leaves = 0;
  std::string grow_policy = "depthwise";
  double min_child_weight = 1;
  double reg_lambda = 1;
  double reg_alpha = 0;
  double max_delta_step = 0;
  double subsample = 1;
  std::string sampling_method = "uniform";
  double colsample_bytree = 1;
  double colsample_bylevel = 1;
  double colsample_bynode = 1;
  Ints monotone_constraints;
  IntSets interaction_constraints;

  template <class F>
  static void Describe(F& field) {
    using P = TreeParam;
    field("learning_rate", &P::learning_rate, "Shrinks the leaves of every new tree.").Alias({"eta"}).Range(0);
    field("min_split_loss", &P::min_split_loss, "Least loss reduction that a split must bring.")
        .Alias({"gamma"})
        .Range(0);
    field("max_depth", &P::max_depth, "Deepest level of a tree; 0 is no limit.").Range(0);
    field("max_leaves", &P::max_leaves, "Most leaves of a tree; 0 is no limit.").Range(0);
    field("grow_policy", &P::grow_policy, "Which node to split next: level by level, or the one that gains most.")
        .OneOf({"depthwise", "lossguide"});
    field("min_child_weight", &P::min_child_weight, "Least sum of hessians of a child.").Range(0);
    field("reg_lambda", &P::reg_lambda, "L2 regularisation of leaf values.").Alias({"lambda"}).Range(0);
    field("reg_alpha", &P::reg_alpha, "L1 regularisation of leaf values.").Alias({"alpha"}).Range(0);
    field("max_delta_step", &P::max_delta_step, "Largest absolute leaf value before shrinkage; 0 is no limit.")
        .Range(0);
    field("subsample", &P::subsample, "Share of the rows that each tree is grown on.").Above(0, 1);
    field("sampling_method", &P::sampling_method, "How rows are drawn.").OneOf({"uniform"});
    field("colsample_bytree", &P::colsample_bytree, "Share of the columns that a tree may use.").Above(0, 1);
    field("colsample_bylevel", &P::colsample_bylevel, "Share of the tree's columns that a level may use.").Above(0, 1);
    field("colsample_bynode", &P::colsample_bynode, "Share of the level's columns that a node may use.").Above(0, 1);
    field("monotone_constraints", &P::monotone_constraints,
          "Per feature 1 (rising), -1 (falling) or 0 (free), such as (1,0,-1).");
    field("interaction_constraints", &P::interaction_constraints,
          "Sets of features that may occur together on a path, such as [[0,1],[2,3,4]].");
  }
};

}  // namespace xgbl

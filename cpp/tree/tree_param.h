// SPDX-License-Identifier: Apache-2.0
// How trees are grown.
#pragma once

#include <cstdint>
#include <string>

#include "base/params.h"

namespace xgbl {

/// Of methods that put values into bins.
struct BinParam {
  int max_bin = 256;
  int max_cat_to_onehot = 4;
  int max_cat_threshold = 64;
  double cat_smooth = 0;
  std::string gradient_bits = "auto";
  std::int64_t max_cached_hist_node = 65536;

  template <class F>
  static void Describe(F& field) {
    using P = BinParam;
    field("max_bin", &P::max_bin, "With hist and approx: most bins of a numeric feature.")
        .Range(2, 65535)
        .Elsewhere({"border_count", "max_bins"});
    field("max_cat_to_onehot", &P::max_cat_to_onehot,
          "A categorical feature with fewer categories than this is split by one category against the rest; others are "
          "split by sets of categories.")
        .Range(1)
        .Elsewhere({"one_hot_max_size"});
    field("max_cat_threshold", &P::max_cat_threshold, "The set of a split has fewer categories than this.").Range(1);
    field("cat_smooth", &P::cat_smooth,
          "Added to a category's hessian when categories are sorted, which puts rare ones in the middle.")
        .Range(0)
        .Own();
    field("gradient_bits", &P::gradient_bits,
          "With hist and approx: bits of a gradient in histograms; auto is 16 unless a few rows have gradients far "
          "larger than the rest.")
        .OneOf({"auto", "16", "32"})
        .Own();
    field("max_cached_hist_node", &P::max_cached_hist_node,
          "With hist and approx: the largest number of nodes whose histograms are kept; others are built again when "
          "needed.")
        .Range(1);
  }
};

/// Of methods that choose bins for each tree.
struct ProposalParam {
  std::string cut_proposal = "global";

  template <class F>
  static void Describe(F& field) {
    field("cut_proposal", &ProposalParam::cut_proposal,
          "With approx: whether cuts are proposed for all nodes of a tree, or for each node from its own rows.")
        .OneOf({"global", "local"})
        .Own();
  }
};

struct TreeParam : BinParam, ProposalParam {
  double learning_rate = 0.3;
  double min_split_loss = 0;
  int max_depth = 6;
  int max_leaves = 0;
  std::string grow_policy = "depthwise";
  double min_child_weight = 1;
  double reg_lambda = 1;
  double reg_alpha = 0;
  double max_delta_step = 0;
  int leaf_estimation_iterations = 1;
  double subsample = 1;
  std::string sampling_method = "uniform";
  double top_rate = 0.2;
  double other_rate = 0.1;
  bool bagging_by_query = false;
  double colsample_bytree = 1;
  double colsample_bylevel = 1;
  double colsample_bynode = 1;
  Ints monotone_constraints;
  IntSets interaction_constraints;

  template <class F>
  static void Describe(F& field) {
    using P = TreeParam;
    field("learning_rate", &P::learning_rate, "Shrinks the leaves of every new tree.")
        .Alias({"eta"})
        .Range(0)
        .Elsewhere({"shrinkage", "shrinkage_rate"});
    field("min_split_loss", &P::min_split_loss, "Least loss reduction of a split.")
        .Alias({"gamma"})
        .Range(0)
        .Elsewhere({"min_gain_to_split", "min_impurity_decrease", "min_split_gain"});
    field("max_depth", &P::max_depth, "Deepest level of a tree; 0 is no limit.").Range(0).Elsewhere({"depth"});
    field("max_leaves", &P::max_leaves, "Most leaves of a tree; 0 is no limit.")
        .Range(0)
        .Elsewhere({"num_leaf", "num_leaves", "max_leaf", "max_leaf_nodes"});
    field("grow_policy", &P::grow_policy, "Which node to split next: level by level, or the one with the largest gain.")
        .OneOf({"depthwise", "lossguide"});
    field("min_child_weight", &P::min_child_weight, "Least sum of hessians of a child.")
        .Range(0)
        .Elsewhere({"min_hessian", "min_sum_hessian", "min_sum_hessian_in_leaf", "min_sum_hessian_per_leaf"});
    field("reg_lambda", &P::reg_lambda, "L2 regularisation of leaf values.")
        .Alias({"lambda"})
        .Range(0)
        .Elsewhere({"l2_leaf_reg", "l2_regularization", "lambda_l2"});
    field("reg_alpha", &P::reg_alpha, "L1 regularisation of leaf values.")
        .Alias({"alpha"})
        .Range(0)
        .Elsewhere({"l1_regularization", "lambda_l1"});
    field("max_delta_step", &P::max_delta_step, "Largest absolute leaf value before shrinkage; 0 is no limit.")
        .Range(0)
        .Elsewhere({"max_leaf_output", "max_tree_output"});
    field("leaf_estimation_iterations", &P::leaf_estimation_iterations,
          "Number of Newton steps for the values of leaves; a step that goes too far is followed by half of the way "
          "back. Custom objectives allow only 1.")
        .Range(1)
        .Own();
    field("subsample", &P::subsample, "Share of the rows that each tree is grown on.")
        .Above(0, 1)
        .Elsewhere({"bagging", "bagging_fraction", "sub_row"});
    field("sampling_method", &P::sampling_method,
          "How to draw rows: all alike, more likely where gradients are large, or the largest gradients and some of "
          "the rest.")
        .OneOf({"uniform", "gradient_based", "goss"})
        .Needs("`subsample` below 1",
               [](P const& p) { return p.sampling_method != "gradient_based" || p.subsample < 1; })
        .Elsewhere({"bootstrap_type", "data_sample_strategy"});
    field("top_rate", &P::top_rate,
          "With sampling_method goss: share of the rows that is kept, those with the largest gradients.")
        .Range(0, 1)
        .Needs("`sampling_method` goss", [](P const& p) { return p.sampling_method == "goss"; })
        .Own();
    field("other_rate", &P::other_rate, "With sampling_method goss: share of the rows that is drawn from the others.")
        .Above(0, 1)
        .Needs("`sampling_method` goss", [](P const& p) { return p.sampling_method == "goss"; })
        .Own();
    field("bagging_by_query", &P::bagging_by_query,
          "Whether `subsample` draws whole query groups instead of rows; with sampling_method uniform.")
        .Needs("`subsample` below 1", [](P const& p) { return p.subsample < 1; })
        .Own();
    field("colsample_bytree", &P::colsample_bytree, "Share of the columns that a tree may use.")
        .Above(0, 1)
        .Elsewhere({"feature_fraction", "sub_feature"});
    field("colsample_bylevel", &P::colsample_bylevel, "Share of the tree's columns that a level may use.")
        .Above(0, 1)
        .Elsewhere({"rsm"});
    field("colsample_bynode", &P::colsample_bynode, "Share of the level's columns that a node may use.")
        .Above(0, 1)
        .Elsewhere({"feature_fraction_bynode", "max_features", "sub_feature_bynode"});
    BinParam::Describe(field);
    ProposalParam::Describe(field);
    field("monotone_constraints", &P::monotone_constraints,
          "Per feature 1 (rising), -1 (falling) or 0 (free), such as (1,0,-1).")
        .Elsewhere({"mc", "monotone_constraint", "monotonic_cst"});
    field("interaction_constraints", &P::interaction_constraints,
          "Sets of features that may occur together on a path, such as [[0,1],[2,3,4]].")
        .Elsewhere({"interaction_cst"});
  }
};

}  // namespace xgbl

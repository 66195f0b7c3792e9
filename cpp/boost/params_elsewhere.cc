// SPDX-License-Identifier: Apache-2.0
#include "boost/params_elsewhere.h"

#include <map>

#include "base/suggest.h"

namespace xgbl {
namespace {

using Advice = std::map<std::string, std::string>;

void Add(std::vector<std::string> const& names, std::string const& sentence, Advice* advice) {
  for (auto const& name : names) (*advice)[name] = sentence;
}

void AddArguments(Advice* advice) {
  Add({"iterations", "num_iterations", "num_iteration", "n_iter", "num_tree", "num_trees", "nround", "nrounds",
       "num_boosting_rounds", "max_iter"},
      "The number of rounds is the argument `num_boost_round` of train(), of estimators `n_estimators`.", advice);
  Add({"early_stopping", "early_stopping_round", "n_iter_no_change", "od_wait"},
      "Use `early_stopping_rounds` of train() or of estimators.", advice);
  Add({"verbose", "logging_level"}, "Use `verbosity`, or `verbose_eval` of train() and `verbose` of fit().", advice);
  Add({"callbacks"}, "It is an argument of train() and of estimators.", advice);
  Add({"importance_type"}, "It is an argument of get_score() and of estimators.", advice);
  Add({"feature_weights", "feature_types"}, "It is an argument of DMatrix and of estimators.", advice);
  Add({"cat_feature", "cat_features", "categorical_column", "categorical_feature", "categorical_features"},
      "A data frame says which columns are categories, for arrays it is `feature_types` of DMatrix and of estimators.",
      advice);
  Add({"class_weight", "class_weights", "auto_class_weights", "is_unbalance", "unbalance"},
      "Use `class_weight` of XGBClassifier, `scale_pos_weight`, or weights of rows.", advice);
}

void AddParams(Advice* advice) {
  auto const use = [&](std::string const& here, std::vector<std::string> const& names) {
    Add(names, "Use `" + here + "`.", advice);
  };
  use("max_leaves", {"num_leaf", "num_leaves", "max_leaf", "max_leaf_nodes"});
  use("max_depth", {"depth"});
  use("max_bin", {"border_count", "max_bins"});
  use("learning_rate", {"shrinkage", "shrinkage_rate"});
  use("reg_alpha", {"l1_regularization", "lambda_l1"});
  use("reg_lambda", {"l2_leaf_reg", "l2_regularization", "lambda_l2"});
  use("gamma", {"min_gain_to_split", "min_impurity_decrease", "min_split_gain"});
  use("min_child_weight", {"min_hessian", "min_sum_hessian", "min_sum_hessian_in_leaf", "min_sum_hessian_per_leaf"});
  use("max_delta_step", {"max_leaf_output", "max_tree_output"});
  use("subsample", {"bagging", "bagging_fraction", "sub_row"});
  use("colsample_bytree", {"feature_fraction", "sub_feature"});
  use("colsample_bylevel", {"rsm"});
  use("colsample_bynode", {"feature_fraction_bynode", "max_features", "sub_feature_bynode"});
  use("rate_drop", {"drop_rate"});
  use("max_cat_to_onehot", {"one_hot_max_size"});
  use("monotone_constraints", {"mc", "monotone_constraint", "monotonic_cst"});
  use("interaction_constraints", {"interaction_cst"});
  use("objective", {"app", "application", "criterion", "loss", "loss_function", "objective_type"});
  use("eval_metric", {"metric", "metric_types", "metrics"});
  use("num_class", {"classes_count", "num_classes"});
  use("booster", {"boost", "boosting", "boosting_type"});
  use("sampling_method", {"bootstrap_type", "data_sample_strategy"});
  use("device", {"device_type", "task_type"});
  use("nthread", {"num_thread", "num_threads", "nthreads", "thread_count"});
  use("seed", {"random_seed"});
  Add({"min_child_samples", "min_data", "min_data_in_leaf", "min_data_per_leaf", "min_samples_leaf"},
      "Use `min_child_weight`, which is a sum of hessians: of squared error the number of rows.", advice);
}

Advice const& Known() {
  static Advice const advice = [] {
    Advice made;
    AddArguments(&made);
    AddParams(&made);
    return made;
  }();
  return advice;
}

}  // namespace

std::string AdviceOn(std::string const& name) {
  auto const found = Known().find(Lowered(name));
  return found == Known().end() ? "" : found->second;
}

std::vector<std::string> const& NamesOfArguments() {
  static std::vector<std::string> const names{"callbacks", "class_weight", "feature_types", "feature_weights",
                                              "importance_type"};
  return names;
}

}  // namespace xgbl
